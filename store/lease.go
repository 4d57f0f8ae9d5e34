package store

import (
	"context"
	"math"
	"math/bits"
	"time"
)

// DomainSet is a set of clock domains. The zero value is empty.
type DomainSet uint64

// AllDomains has every domain.
const AllDomains DomainSet = math.MaxUint64

// Has reports whether the domain is in the set.
func (s DomainSet) Has(d Domain) bool { return s>>d&1 == 1 }

// With returns the set with the domain in it.
func (s DomainSet) With(d Domain) DomainSet { return s | 1<<d }

// Count returns how many domains are in the set.
func (s DomainSet) Count() int { return bits.OnesCount64(uint64(s)) }

// Wanted says which clock domains a store wants. The zero value wants none.
type Wanted struct {
	Domains DomainSet
	// Shared has stores that want the same come to have about as many each. Otherwise who
	// has a domain keeps it for as long as it is wanted.
	Shared bool
}

// Leases says whose the clocks are, at the moment of a call of [Store.Lease].
type Leases struct {
	// Owned are the domains that this store owns from now on, and Elsewhere those that
	// other stores own.
	Owned, Elsewhere DomainSet
	// Waiting are those that other stores want.
	Waiting DomainSet
	// Length is for how long from the beginning of the call they stay its own. 0 says
	// for as long as it is open: no other process can play on the database.
	Length time.Duration
	// Uptimes are the up-times as stored.
	Uptimes Uptimes
	// Since is how long ago, by the database's clock, the owner of each domain elsewhere
	// said that it still is.
	Since Uptimes
}

// Mine returns the up-times of the domains that are in the set, and 0 for the others.
func (u Uptimes) Mine(owned DomainSet) Uptimes {
	for d := range u {
		if !owned.Has(Domain(d)) { //nolint:gosec // fewer than 64
			u[d] = 0
		}
	}
	return u
}

// Limit is how often something may be done within a time, by all processes together.
type Limit struct {
	Key    string // of what is counted
	Most   int    // how often; at least 1
	Within time.Duration
}

// Limiter counts for several processes. A store implements it if more than one may play
// on its database; on any other a process can count by itself.
type Limiter interface {
	// Count counts something for each of the limits, or for none of them if one is
	// exhausted: then wait is how long it takes until there is room, by the database's
	// clock. What is counted has a name: counted again it is the same. A count is not
	// durable: who loses power may count anew.
	Count(ctx context.Context, name string, limits []Limit) (wait time.Duration, err error)
	// Uncount takes back what was counted under the name.
	Uncount(ctx context.Context, name string, limits []Limit) error
}
