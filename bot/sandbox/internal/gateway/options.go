package gateway

import (
	"cmp"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// Options configure a Gateway. Every zero field means the default that its comment
// names.
type Options struct {
	// Heartbeat is the interval that Hello asks for; 41.25 s. It runs in real time.
	Heartbeat time.Duration
	// ReplayBuffer is how many dispatches a session keeps for a resume; 1024.
	ReplayBuffer int
	// MaxConcurrency is how many sessions may identify in IdentifyWindow, which is 5 s
	// of real time: one for each shard number modulo MaxConcurrency, as Discord has it
	// (most applications have 1). The default is 16 and asks for no shard number, so that
	// a test may restart its bot at will. Exceeding it is answered with op 9.
	MaxConcurrency int
	IdentifyWindow time.Duration
	// SessionStarts is how many identifies a day the application has; 1000.
	// Every one over it is refused with 4004, because Discord resets the token.
	SessionStarts int
	// Shards is the number of shards that /gateway/bot recommends; 1. See also
	// Gateway.RequireShards.
	Shards int
	// GuildsPerShard is how many guilds a session may have; 2,500. One with more is
	// refused with 4011.
	GuildsPerShard int
	// ShardMultiple is what the number of shards must be a multiple of, as Discord asks
	// of very large bots; 1. Any other number is refused with 4010.
	ShardMultiple int
	// HelloDelay is how long a connection waits for its Hello, in real time; 20 ms,
	// negative for none. Some clients lose a Hello that comes with the handshake,
	// which no real network brings about.
	HelloDelay time.Duration

	anyBucket bool // MaxConcurrency counts identifies of whatever shard
}

// resumeWindow is how long a lost session can be resumed, on the world's clock.
const resumeWindow = 3 * time.Minute

// sendLimit is how many payloads a connection may send in sendWindow of real time.
const (
	sendLimit  = 120
	sendWindow = time.Minute
)

func (o Options) withDefaults() Options {
	o.anyBucket = o.MaxConcurrency == 0
	o.Heartbeat = cmp.Or(max(o.Heartbeat, 0), 41250*time.Millisecond)
	o.IdentifyWindow = cmp.Or(max(o.IdentifyWindow, 0), 5*time.Second)
	o.HelloDelay = cmp.Or(o.HelloDelay, 20*time.Millisecond)
	o.ReplayBuffer = cmp.Or(o.ReplayBuffer, 1024)
	o.MaxConcurrency = cmp.Or(o.MaxConcurrency, 16)
	o.SessionStarts = cmp.Or(o.SessionStarts, 1000)
	o.Shards = cmp.Or(o.Shards, 1)
	o.GuildsPerShard = cmp.Or(o.GuildsPerShard, rules.MaxGuildsPerShard)
	o.ShardMultiple = cmp.Or(o.ShardMultiple, 1)
	return o
}
