package store

import (
	"fmt"
	"time"
)

// ApplicationID is the id of an application on Discord. Each has a bot of its own, which is
// in guilds of its own.
type ApplicationID string

// Sweeps is what sweeps of the guilds of an application have found. A sweep asks Discord for
// all guilds that its bot is in.
type Sweeps struct {
	Last    time.Time // when the last complete one began; zero for none
	There   int       // guilds in which the bot was seen, and that no complete sweep has missed since
	Missing int       // those that one has missed
}

// SweepsApart is how long after the sweep that was the first to miss a guild another one has
// to begin, for the guild to count as gone. What Discord leaves out for some hours is there.
const SweepsApart = 12 * time.Hour

// validPresence reports as an error that wraps [ErrInvalid] what is wrong with the ids.
func validPresence(app ApplicationID, guilds ...GuildID) error {
	names := []string{string(app)}
	if app == "" {
		return fmt.Errorf("%w: no application", ErrInvalid)
	}
	for _, g := range guilds {
		if g == "" {
			return fmt.Errorf("%w: no guild", ErrInvalid)
		}
		names = append(names, string(g))
	}
	if err := texts(names...); err != nil {
		return fmt.Errorf("%w: presence: %w", ErrInvalid, err)
	}
	return nil
}

// Sighting says that the bot of an application was in guilds at a moment.
type Sighting struct {
	Application ApplicationID
	At          time.Time
	Guilds      []GuildID
	// Known says that it is no sweep's: it counts for guilds that a sweep has seen. In
	// others the application may have commands, and no bot that a sweep could find.
	Known bool
}

// Validate is for a sighting what [Block.Validate] is for a block.
func (s Sighting) Validate() error { return validPresence(s.Application, s.Guilds...) }

// Departure is a guild in which the bot of an application is no more.
type Departure struct {
	Application ApplicationID
	Guild       GuildID
	Gone        time.Time // when the sweep began by which it counts as gone
}

// Validate is for a departure what [Block.Validate] is for a block.
func (d Departure) Validate() error { return validPresence(d.Application, d.Guild) }
