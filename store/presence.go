package store

import (
	"fmt"
	"time"
)

// ApplicationID is the id of an application on Discord. Each has a bot of its own, which is
// in guilds of its own.
type ApplicationID string

// UnusedFor is for how long nobody must have used the application in a guild before Discord
// is asked whether its bot is still there.
const UnusedFor = 30 * 24 * time.Hour

// AsksApart is how long after the first answer that the bot is not there another one has to
// come, for the guild to count as gone. What Discord leaves out for some hours is there.
const AsksApart = 12 * time.Hour

// Sighting says that the bot of an application was in guilds at a moment, as somebody has
// used it there or Discord said so.
type Sighting struct {
	Application ApplicationID
	At          time.Time
	Guilds      []GuildID
}

// Validate is for a sighting what [Block.Validate] is for a block.
func (s Sighting) Validate() error {
	names := []string{string(s.Application)}
	if s.Application == "" {
		return fmt.Errorf("%w: no application", ErrInvalid)
	}
	for _, g := range s.Guilds {
		if g == "" {
			return fmt.Errorf("%w: no guild", ErrInvalid)
		}
		names = append(names, string(g))
	}
	return invalid(texts(names...), "presence")
}

// Departure is a guild in which the bot of an application is no more.
type Departure struct {
	Application ApplicationID
	Guild       GuildID
	Gone        time.Time // when Discord said so for the second time
}

// Wanted reports whether somebody who manages the guild wants everything about it erased,
// wherever the bot is.
func (d Departure) Wanted() bool { return d.Gone.UnixMilli() == WantedGone }

// WantedGone is since when the bot is gone, in milliseconds since 1970, from a guild that is
// wanted to be erased.
const WantedGone = 1
