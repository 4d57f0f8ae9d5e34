package gateway

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// countIdentify counts an identify and reports whether the day's limit allows
// it. Discord resets the token of an application that goes over it.
func (g *Gateway) countIdentify() bool {
	g.starts.Roll(time.Now(), 24*time.Hour)
	g.starts.Used++
	if g.starts.Used > g.opt.SessionStarts {
		g.faults.armed.lasting["RevokeToken"] = true
		return false
	}
	return true
}

// mayIdentify counts an identify of the shard and reports whether its bucket has room
// for it: the shard's number modulo MaxConcurrency (Discord's documentation, Gateway,
// Max Concurrency).
func (g *Gateway) mayIdentify(shard int) bool {
	bucket, most := shard%g.opt.MaxConcurrency, 1
	if g.opt.anyBucket {
		bucket, most = 0, g.opt.MaxConcurrency
	}
	w := g.identifies[bucket]
	wait := w.Take(time.Now(), most, g.opt.IdentifyWindow)
	g.identifies[bucket] = w
	return wait == 0
}

// shardOf decodes the shard of an identify, or returns the close code for it.
func (g *Gateway) shardOf(a App, raw json.RawMessage) (shard [2]int, code int) {
	if len(raw) == 0 || string(raw) == "null" {
		if len(a.Guilds()) >= g.opt.GuildsPerShard || g.required > 1 {
			return shard, closeShardingNeeded
		}
		return [2]int{0, 1}, 0
	}
	var in []int
	if json.Unmarshal(raw, &in) != nil || len(in) != 2 || in[0] < 0 || in[1] < 1 || in[0] >= in[1] || in[1]%g.opt.ShardMultiple != 0 {
		return shard, closeInvalidShard
	}
	shard = [2]int{in[0], in[1]}
	if len(guildsOf(a, shard)) > g.opt.GuildsPerShard || shard[1] < g.required {
		return shard, closeShardingNeeded
	}
	return shard, 0
}

// guildsOf are the guilds of an application that belong to the shard.
func guildsOf(a App, shard [2]int) []string {
	return slices.DeleteFunc(a.Guilds(), func(id string) bool { return shardFor(id, shard[1]) != shard[0] })
}

// shardFor returns the shard of a guild (Discord's documentation, Gateway, Sharding).
func shardFor(guildID string, count int) int {
	n, _ := strconv.ParseUint(guildID, 10, 64)
	return int((n >> 22) % uint64(count)) //nolint:gosec // shardOf takes no count below 1
}

// Shards lists the shards whose sessions are connected and ready now, each with its
// number and the count that it identified with, in order. One that several processes
// have is there as often.
func (g *Gateway) Shards() (list [][2]int) {
	defer g.world.Hold()()
	for _, x := range g.open {
		if x.ready {
			list = append(list, x.shard)
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return list
}

// RequireShards makes the bot so large from now on that Discord wants n shards: it
// recommends them, refuses sessions with fewer, and closes those that are there, with
// 4011.
func (g *Gateway) RequireShards(n int) {
	release := g.world.Hold()
	g.required = n
	release()
	g.eachConn(func(c *conn) {
		if c.session != nil && c.session.shard[1] < n {
			c.closeWith(closeShardingNeeded, "Sharding required.")
		}
	})
}

// eachOf does f to the connections of a shard.
func (g *Gateway) eachOf(shard int, f func(*conn)) {
	g.eachConn(func(c *conn) {
		if c.session != nil && c.session.shard[0] == shard {
			f(c)
		}
	})
}
