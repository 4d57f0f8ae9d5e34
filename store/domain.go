package store

import (
	"strconv"
	"time"
)

// Domains is how many clock domains there are.
const Domains = 64

// Domain is a part of Discord, from 0 up to [Domains], whose clocks run together.
// Deadlines are points in the up-time of their record's domain: it advances while
// the process that serves the domain can be reached, and stands still otherwise, so
// that nobody runs out of time while nobody can move, and a restart rewrites no
// deadline.
//
// Discord gives guilds to shards by the same bits of their id (documentation,
// Gateway, Sharding), so that each of 2, 4 and up to 64 shards has whole domains.
type Domain uint8

// Domain returns the domain of the guild: its id without the lowest 22 bits,
// modulo 64. Direct messages, which belong to no guild, have domain 0, and so has an
// id that is no snowflake.
func (g GuildID) Domain() Domain {
	id, err := strconv.ParseUint(string(g), 10, 63)
	if err != nil {
		return 0
	}
	return Domain(id >> 22 % Domains)
}

// Uptimes are points in up-time, one for each domain.
type Uptimes [Domains]time.Duration
