package bot

import (
	"sync"
	"time"

	"tictactoe/store"
)

// uptime is the bot's own clocks, one for each clock domain. That of a domain which this
// process owns advances only while people can move, so that nobody runs out of time while
// nobody can. It stands still while a shard of its servers is not connected anywhere, and
// from a change that could not be saved until the next one that could. What passes between two looks counts up to a limit:
// a process that was frozen for a while looked at nothing. Deadlines are points on it. The
// clocks that a process owns advance together, each from where it was saved, but for what
// its shards were away. Those of domains that other processes own are as those last saved
// them, and what has passed since.
type uptime struct {
	now    func() time.Time
	served func() store.DomainSet
	step   time.Duration // what counts at most between two looks

	mu     sync.Mutex
	total  time.Duration // of this process, while people could move anywhere
	away   store.Uptimes // what of it counts for a domain not, as people could not move there
	last   time.Time
	there  store.DomainSet // where people could move at the last look
	halted bool            // nothing can be saved
	lease  lease
	clocks [store.Domains]domainClock
}

// lease is what this process owns.
type lease struct {
	owned   store.DomainSet
	running store.DomainSet // that others own
	length  time.Duration   // 0: what is owned is owned for good
	ends    time.Time       // by the system's clock, which no test sets
}

// domainClock is where the clock of a domain stood, and when: at a point of the domain's
// time in this process if that owns it, else at a moment.
type domainClock struct {
	stood time.Duration
	total time.Duration
	read  time.Time
}

// passedLocked returns for how long people could move in the domain, as far as this
// process knows.
func (u *uptime) passedLocked(d int) time.Duration { return u.total - u.away[d] }

func newUptime(o Options, l store.Leases, asked time.Time) *uptime {
	u := &uptime{now: o.Now, served: o.Served, step: o.LongestStep, last: o.Now()}
	u.leased(l, asked)
	return u
}

// leased takes note of whose the clocks are, as it was told to who has asked at a moment
// of the system's clock. It returns the domains that have come.
func (u *uptime) leased(l store.Leases, asked time.Time) (come store.DomainSet) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.elapsedLocked()
	come = l.Owned.Without(u.lease.owned)
	now := u.now()
	for d := range u.clocks {
		total := u.passedLocked(d)
		switch id := store.Domain(d); { //nolint:gosec // fewer than 64
		case come.Has(id), l.Owned.Has(id) && l.Uptimes[d] > u.clocks[d].stood+total-u.clocks[d].total:
			// In the second case somebody else owned it meanwhile.
			u.clocks[d] = domainClock{stood: l.Uptimes[d], total: total}
		case !l.Owned.Has(id):
			u.clocks[d] = domainClock{stood: l.Uptimes[d], read: now.Add(-l.Since[d])}
		}
	}
	u.lease = lease{owned: l.Owned, running: l.Elsewhere, length: l.Length, ends: asked.Add(l.Length)}
	return come
}

// elapsed returns for how long people could move since the process started.
func (u *uptime) elapsed() time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.elapsedLocked()
}

func (u *uptime) elapsedLocked() time.Duration {
	now := u.now()
	served := u.served()
	if served != 0 && !u.halted {
		step := min(max(0, now.Sub(u.last)), u.step)
		u.total += step
		for d := range u.away {
			if !served.Has(store.Domain(d)) { //nolint:gosec // fewer than 64
				u.away[d] += step
			}
		}
	}
	u.last, u.there = now, served
	return u.total
}

// wrote takes note of what came of a write that began at the elapsed up-time. One that
// failed stops the clock at that point, since whoever waited for it could not move;
// one that succeeded lets it go on. The clock of a domain whose shard is away stands still
// already, and stays where it is.
func (u *uptime) wrote(began time.Duration, failed bool) {
	u.elapsed() // what has passed so far counts by how it was so far
	u.mu.Lock()
	defer u.mu.Unlock()
	if back := u.total - began; failed && !u.halted && back > 0 {
		u.total = began
		for d := range u.away {
			if !u.there.Has(store.Domain(d)) { //nolint:gosec // fewer than 64
				u.away[d] -= min(back, u.away[d])
			}
		}
	}
	u.halted = failed
}

// standsStill reports whether the clock waits for something that can be saved.
func (u *uptime) standsStill() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.halted
}

// owned returns the domains that this process owns: none once its leases may have ended.
func (u *uptime) owned() store.DomainSet {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.ownedLocked()
}

func (u *uptime) ownedLocked() store.DomainSet {
	if u.lease.length > 0 && !time.Now().Before(u.lease.ends) {
		return 0
	}
	return u.lease.owned
}

// of returns the up-time of the guild's domain.
func (u *uptime) of(guild store.GuildID) time.Duration { return u.in(guild.Domain()) }

// in returns the up-time of the domain.
func (u *uptime) in(d store.Domain) time.Duration { return u.all()[d] }

// all returns the up-times of all domains.
func (u *uptime) all() (all store.Uptimes) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.elapsedLocked()
	now, served := u.now(), u.there
	for d, c := range u.clocks {
		all[d] = c.stood
		switch id := store.Domain(d); { //nolint:gosec // fewer than 64
		case u.lease.owned.Has(id):
			all[d] += u.passedLocked(d) - c.total
		case u.lease.running.Has(id) && served.Has(id):
			// An owner that has said nothing for so long may be dead.
			all[d] += min(max(0, now.Sub(c.read)), u.lease.length/2)
		}
	}
	return all
}

// behind returns for how long people could move somewhere and not in the domain.
func (u *uptime) behind() store.Uptimes {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.elapsedLocked()
	return u.away
}

// own returns the up-times of the domains that this process owns, and 0 for the others.
func (u *uptime) own() store.Uptimes { return u.all().Mine(u.owned()) }
