package store

import "time"

// Session is what it takes to resume a session with Discord's Gateway (documentation,
// Gateway, Resuming).
type Session struct {
	Application  ApplicationID
	Shard, Count int    // the shard, of so many
	Token        string // a hash of the bot's token
	ID           string
	URL          string // where to resume it
	Sequence     int    // of the last event that was received
}

// SessionStays is for how long a session is kept: Discord does not keep one for much longer.
const SessionStays = 5 * time.Minute
