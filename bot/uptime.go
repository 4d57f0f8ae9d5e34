package bot

import (
	"sync"
	"time"

	"tictactoe/store"
)

// uptime is the bot's own clocks, one for each clock domain. That of a domain which this
// process owns advances while people can move there, so that nobody runs out of time while
// nobody can: it stands still while the domain is not served, and from a change that could
// not be saved until the next one that could. What passes between two looks counts up to a
// limit: a process that was frozen for a while looked at nothing. Deadlines are points on
// it. The clock of a domain that another process owns is as that last saved it, and what
// has passed since.
type uptime struct {
	now    func() time.Time
	served func() store.DomainSet
	step   time.Duration // what counts at most between two looks

	mu      sync.Mutex
	at      moment
	last    time.Time
	halted  bool            // nothing can be saved
	stood   store.Uptimes   // for how long the clocks that this process owns have stood still
	behind  store.DomainSet // whose times on messages have come to be off; see moved
	moved   time.Time       // when they last did
	owned   store.DomainSet
	others  store.DomainSet // whose clocks other processes keep
	waiting store.DomainSet // that other processes want
	length  time.Duration   // of a lease; 0: what is owned is owned for good
	ends    time.Time       // of the leases, by the system's clock, which no test sets
}

// moment is what the clocks show.
type moment struct {
	total time.Duration // for how long people could move anywhere since the start
	all   store.Uptimes
}

// timesOff is by how much the times on boards and challenges may be off before they are
// drawn again: they move while nobody can move.
const timesOff = 5 * time.Second

// newUptime returns the clocks of the leases that were granted to who has asked at a moment of
// the system's clock. From one look to the next a clock advances by a step at most.
func newUptime(now func() time.Time, served func() store.DomainSet, step time.Duration, l store.Leases, asked time.Time) *uptime {
	u := &uptime{now: now, served: served, step: step, last: now()}
	u.leased(l, asked)
	return u
}

// leased takes note of whose the clocks are, as it was told to who has asked at a moment
// of the system's clock.
func (u *uptime) leased(l store.Leases, asked time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	for d := range u.at.all {
		switch id := store.Domain(d); { //nolint:gosec // fewer than 64
		case l.Owned.Has(id) && !u.owned.Has(id):
			u.at.all[d] = l.Uptimes[d]
			u.movedLocked(id)
		case l.Owned.Has(id): // somebody else may have owned it meanwhile
			u.at.all[d] = max(u.at.all[d], l.Uptimes[d])
		default: // an owner that has said nothing for so long may be dead
			u.at.all[d] = l.Uptimes[d] + min(l.Since[d], l.Length/2)
		}
	}
	u.owned, u.others, u.waiting = l.Owned, l.Elsewhere, l.Waiting
	u.length, u.ends = l.Length, asked.Add(l.Length)
}

func (u *uptime) lookLocked() {
	now, running := u.now(), u.served()
	passed := max(0, now.Sub(u.last))
	u.last = now
	if u.halted {
		running = 0
	}
	step := min(passed, u.step)
	if running != 0 {
		u.at.total += step
	}
	for d := range u.at.all {
		id := store.Domain(d) //nolint:gosec // fewer than 64
		runs, owned := running.Has(id), u.owned.Has(id)
		if runs && (owned || u.others.Has(id)) {
			u.at.all[d] += step
		}
		if u.stood[d] += passed; runs {
			u.stood[d] -= step
			if owned && u.stood[d] >= timesOff {
				u.movedLocked(id)
			}
		}
	}
}

func (u *uptime) movedLocked(d store.Domain) {
	u.moved, u.stood[d], u.behind = u.last, 0, u.behind.With(d)
}

// takeBehind returns the domains whose times on messages have come to be off since the last
// call, as the clocks stood still or another process kept them.
func (u *uptime) takeBehind() (behind store.DomainSet) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	behind, u.behind = u.behind, 0
	return behind
}

// lastMoved returns when times on messages last came to be off.
func (u *uptime) lastMoved() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.moved
}

// look returns what the clocks show.
func (u *uptime) look() moment {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	return u.at
}

// wrote takes note of what came of a write that began at a moment. One that failed stops
// the clocks at that point, since whoever waited for it could not move; one that succeeded
// lets them go on.
func (u *uptime) wrote(began moment, failed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	if failed && !u.halted {
		u.at.total = min(u.at.total, began.total)
		for d, at := range began.all {
			u.at.all[d] = min(u.at.all[d], at)
		}
	}
	u.halted = failed
}

// standsStill reports whether the clocks wait for something that can be saved.
func (u *uptime) standsStill() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.halted
}

// mine returns the domains that this process owns: none once its leases may have ended.
func (u *uptime) mine() store.DomainSet {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.length > 0 && !time.Now().Before(u.ends) {
		return 0
	}
	return u.owned
}

// leaseLength returns how long a lease lasts, 0 where what is owned is owned for good.
func (u *uptime) leaseLength() time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.length
}

// of returns the up-time of the guild's domain.
func (u *uptime) of(guild store.GuildID) time.Duration { return u.look().all[guild.Domain()] }

// own returns the up-times of the domains that this process owns, and 0 for the others.
func (u *uptime) own() store.Uptimes { return u.look().all.Mine(u.mine()) }

// elsewhere reports whether one of the domains is another process's.
func (u *uptime) elsewhere(domains store.DomainSet) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return domains&u.others != 0
}

// awaited reports whether another process waits for one of the domains, as the next one does
// on a database that is this process's alone.
func (u *uptime) awaited(domains store.DomainSet) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.length == 0 || domains&u.waiting != 0
}

// leasesEnd returns when the leases end, by the system's clock.
func (u *uptime) leasesEnd() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.ends
}
