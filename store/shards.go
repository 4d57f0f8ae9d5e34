package store

import (
	"context"
	"time"
)

// Shard is a part of Discord's Gateway: its number, from 0, of so many.
type Shard struct{ ID, Count int }

// Shards is what is known of the Gateway at the moment of a call of [Sharder.Shards].
type Shards struct {
	// Elsewhere are the shards that other stores' processes have connected, in no order.
	Elsewhere []Shard
	// Length is for how long from the beginning of the call what was said holds.
	Length time.Duration
}

// Sharder lets several processes share the Gateway. A store implements it if more than one
// may play on its database; on any other a process has the Gateway for itself. Nothing of
// it is durable: who loses power says everything anew.
type Sharder interface {
	// Shards says which shards the store's process has connected, each once, instead of
	// what it said before, until it says otherwise or what it said has lapsed by the
	// database's clock. It tells which others have.
	Shards(ctx context.Context, mine []Shard) (Shards, error)
	// TakeTurn takes the turn of a bucket in which sessions may be started, for a time by
	// the database's clock, and returns a name to pass it on by; or how long another's
	// turn lasts yet.
	TakeTurn(ctx context.Context, bucket int, within time.Duration) (name string, wait time.Duration, err error)
	// PassTurn lets the next one take the turn after a time. A turn that has ended is
	// left alone.
	PassTurn(ctx context.Context, bucket int, name string, after time.Duration) error
}
