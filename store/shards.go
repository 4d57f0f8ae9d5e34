package store

import (
	"context"
	"time"
)

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

// Turns lets several processes start sessions with the Gateway one after the other. A store
// implements it if more than one may play on its database. Nothing of it is durable: who
// loses power says everything anew.
type Turns interface {
	// TakeTurn takes the turn of a bucket in which sessions may be started, for a time by
	// the database's clock, and returns a name to pass it on by; or how long another's
	// turn lasts yet.
	TakeTurn(ctx context.Context, bucket int, within time.Duration) (name string, wait time.Duration, err error)
	// PassTurn lets the next one take the turn after a time. A turn that has ended is
	// left alone.
	PassTurn(ctx context.Context, bucket int, name string, after time.Duration) error
}
