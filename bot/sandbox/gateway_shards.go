package sandbox

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// countIdentify counts an identify and reports whether the day's limit allows
// it. Discord resets the token of an application that goes over it.
func (s *Server) countIdentify() bool {
	s.gateway.starts.Roll(time.Now(), 24*time.Hour)
	s.gateway.starts.Used++
	if s.gateway.starts.Used > s.opt.SessionStarts {
		s.faults.revoked = true
		return false
	}
	return true
}

// mayIdentify counts an identify of the shard and reports whether its bucket has room
// for it: the shard's number modulo MaxConcurrency (Discord's documentation, Gateway,
// Max Concurrency).
func (s *Server) mayIdentify(shard int) bool {
	bucket, most := shard%s.opt.MaxConcurrency, 1
	if s.opt.anyBucket {
		bucket, most = 0, s.opt.MaxConcurrency
	}
	w := s.gateway.identifies[bucket]
	if w == nil {
		w = &rules.Window{}
		s.gateway.identifies[bucket] = w
	}
	w.Roll(time.Now(), s.opt.IdentifyWindow)
	w.Used++
	return w.Used <= most
}

// shardOf decodes the shard of an identify, or returns the close code for it.
func (s *Server) shardOf(raw json.RawMessage) (shard [2]int, code int) {
	if len(raw) == 0 || string(raw) == "null" {
		if s.guildsOf([2]int{0, 1}) >= s.opt.GuildsPerShard || s.gateway.required > 1 {
			return shard, closeShardingNeeded
		}
		return [2]int{0, 1}, 0
	}
	var in []int
	if json.Unmarshal(raw, &in) != nil || len(in) != 2 || in[0] < 0 || in[1] < 1 || in[0] >= in[1] || in[1]%s.opt.ShardMultiple != 0 {
		return shard, closeInvalidShard
	}
	shard = [2]int{in[0], in[1]}
	if s.guildsOf(shard) > s.opt.GuildsPerShard || shard[1] < s.gateway.required {
		return shard, closeShardingNeeded
	}
	return shard, 0
}

// guildsOf returns how many guilds of the bot belong to the shard.
func (s *Server) guildsOf(shard [2]int) (n int) {
	for _, g := range s.guilds {
		if g.botIn() && shardFor(g.id, shard[1]) == shard[0] {
			n++
		}
	}
	return n
}

// shardFor returns the shard of a guild (Discord's documentation, Gateway, Sharding).
func shardFor(guildID string, count int) int {
	n, _ := strconv.ParseUint(guildID, 10, 64)
	return int((n >> 22) % uint64(count)) //nolint:gosec // shardOf takes no count below 1
}

// Shards lists the shards whose sessions are connected and ready now, each with its
// number and the count that it identified with, in order. One that several processes
// have is there as often.
func (s *Server) Shards() (list [][2]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.gateway.sessions {
		if x.conn != nil && x.ready {
			list = append(list, x.shard)
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return list
}

// RequireShards makes the bot so large from now on that Discord wants n shards: it
// recommends them, refuses sessions with fewer, and closes those that are there, with
// 4011.
func (s *Server) RequireShards(n int) {
	s.mu.Lock()
	s.gateway.required = n
	s.mu.Unlock()
	s.eachConn(func(c *gatewayConn) {
		if c.session != nil && c.session.shard[1] < n {
			c.closeWith(closeShardingNeeded, "Sharding required.")
		}
	})
}

// RecommendShards has Discord recommend n shards from now on. It goes on to take fewer.
func (s *Server) RecommendShards(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opt.Shards = n
}

// DropShard ends the TCP connections of a shard's sessions without a close frame.
// They can be resumed.
func (s *Server) DropShard(shard int) { s.eachOf(shard, (*gatewayConn).cut) }

// CloseShard closes a shard's sessions with that close code; see CloseGateway.
func (s *Server) CloseShard(shard, code int) {
	s.eachOf(shard, func(c *gatewayConn) { c.closeWith(code, "") })
}

// eachOf does f to the connections of a shard.
func (s *Server) eachOf(shard int, f func(*gatewayConn)) {
	s.eachConn(func(c *gatewayConn) {
		if c.session != nil && c.session.shard[0] == shard {
			f(c)
		}
	})
}

// AddGuildOn is AddGuild for a guild whose id belongs to the shard of so many.
func (s *Server) AddGuildOn(name string, shard, count int) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Made some time ago, so that no other id is the same.
	n := uint64(len(s.guilds))
	at := uint64(rules.SnowflakeTime(s.newID()).Add(-time.Hour).UnixMilli() - rules.SnowflakeTime("1").UnixMilli()) //nolint:gosec // since Discord's epoch
	at -= at%uint64(count) - uint64(shard)                                                                          //nolint:gosec // a shard's number
	g := s.addGuildAs(strconv.FormatUint((at-n*uint64(count))<<22|n, 10), name)                                     //nolint:gosec // as above
	s.publishLocked(Event{Kind: EventGuildsChanged})
	s.guildCreateLocked(g)
	return g
}
