package kit

import (
	"sync"
	"time"

	"tictactoe/store"
)

// Clock is the bot's own clocks, one for each clock domain. That of a domain which this
// process owns advances while people can move there, so that nobody runs out of time while
// nobody can: it stands still while the domain is not served, and from a change that could
// not be saved until the next one that could. What passes between two looks counts up to a
// limit: a process that was frozen for a while looked at nothing. Deadlines are points on
// it. The clock of a domain that another process owns is as that last saved it, and what
// has passed since.
type Clock struct {
	now    func() time.Time
	served func() store.DomainSet
	step   time.Duration // what counts at most between two looks

	mu     sync.Mutex
	at     Moment
	last   time.Time
	halted bool            // nothing can be saved
	stood  store.Uptimes   // for how long the clocks that this process owns have stood still
	behind store.DomainSet // whose times on messages have come to be off; see moved
	moved  time.Time       // when they last did
	leases store.Leases
	ends   time.Time // of the leases, by the system's clock, which no test sets
}

// Moment is what the clocks show.
type Moment struct {
	Total time.Duration // for how long people could move anywhere since the start
	All   store.Uptimes
}

// timesOff is by how much the times on boards and challenges may be off before they are
// drawn again: they move while nobody can move.
const timesOff = 5 * time.Second

// NewClock returns the clocks of the leases that were granted to who has asked at a moment of
// the system's clock. From one look to the next a clock advances by a step at most.
func NewClock(now func() time.Time, served func() store.DomainSet, step time.Duration, l store.Leases, asked time.Time) *Clock {
	u := &Clock{now: now, served: served, step: step, last: now()}
	u.Leased(l, asked)
	return u
}

// Leased takes note of whose the clocks are, as it was told to who has asked at a moment
// of the system's clock.
func (u *Clock) Leased(l store.Leases, asked time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	for d := range u.at.All {
		switch id := store.Domain(d); { //nolint:gosec // fewer than 64
		case l.Owned.Has(id) && !u.leases.Owned.Has(id):
			u.at.All[d] = l.Uptimes[d]
			u.movedLocked(id)
		case l.Owned.Has(id): // somebody else may have owned it meanwhile
			u.at.All[d] = max(u.at.All[d], l.Uptimes[d])
		default: // an owner that has said nothing for so long may be dead
			u.at.All[d] = l.Uptimes[d] + min(l.Since[d], l.Length/2)
		}
	}
	u.leases, u.ends = l, asked.Add(l.Length)
}

func (u *Clock) lookLocked() {
	now, running := u.now(), u.served()
	passed := max(0, now.Sub(u.last))
	u.last = now
	if u.halted {
		running = 0
	}
	step := min(passed, u.step)
	if running != 0 {
		u.at.Total += step
	}
	for d := range u.at.All {
		id := store.Domain(d) //nolint:gosec // fewer than 64
		runs, owned := running.Has(id), u.leases.Owned.Has(id)
		if runs && (owned || u.leases.Elsewhere.Has(id)) {
			u.at.All[d] += step
		}
		if u.stood[d] += passed; runs {
			u.stood[d] -= step
			if owned && u.stood[d] >= timesOff {
				u.movedLocked(id)
			}
		}
	}
}

func (u *Clock) movedLocked(d store.Domain) {
	u.moved, u.stood[d], u.behind = u.last, 0, u.behind.With(d)
}

// TakeBehind returns the domains whose times on messages have come to be off since the last
// call, as the clocks stood still or another process kept them.
func (u *Clock) TakeBehind() (behind store.DomainSet) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	behind, u.behind = u.behind, 0
	return behind
}

// lastMoved returns when times on messages last came to be off.
func (u *Clock) lastMoved() time.Time { return read(u, &u.moved) }

// Look returns what the clocks show.
func (u *Clock) Look() Moment {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	return u.at
}

// Wrote takes note of what came of a write that began at a moment. One that failed stops
// the clocks at that point, since whoever waited for it could not move; one that succeeded
// lets them go on.
func (u *Clock) Wrote(began Moment, failed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lookLocked()
	if failed && !u.halted {
		u.at.Total = min(u.at.Total, began.Total)
		for d, at := range began.All {
			u.at.All[d] = min(u.at.All[d], at)
		}
	}
	u.halted = failed
}

// StandsStill reports whether the clocks wait for something that can be saved.
func (u *Clock) StandsStill() bool { return read(u, &u.halted) }

// Mine returns the domains that this process owns: none once its leases may have ended.
func (u *Clock) Mine() store.DomainSet {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.leases.Length > 0 && !time.Now().Before(u.ends) {
		return 0
	}
	return u.leases.Owned
}

// LeaseLength returns how long a lease lasts, 0 where what is owned is owned for good.
func (u *Clock) LeaseLength() time.Duration { return read(u, &u.leases.Length) }

// Own returns the up-times of the domains that this process owns, and 0 for the others.
func (u *Clock) Own() store.Uptimes { return u.Look().All.Mine(u.Mine()) }

// Elsewhere reports whether one of the domains is another process's.
func (u *Clock) Elsewhere(domains store.DomainSet) bool {
	return domains&read(u, &u.leases.Elsewhere) != 0
}

// Awaited reports whether another process waits for one of the domains, as the next one does
// on a database that is this process's alone.
func (u *Clock) Awaited(domains store.DomainSet) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.leases.Length == 0 || domains&u.leases.Waiting != 0
}

// LeasesEnd returns when the leases end, by the system's clock.
func (u *Clock) LeasesEnd() time.Time { return read(u, &u.ends) }

// read returns what stands there.
func read[T any](u *Clock, there *T) T {
	u.mu.Lock()
	defer u.mu.Unlock()
	return *there
}
