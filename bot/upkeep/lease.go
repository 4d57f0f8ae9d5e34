package upkeep

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

const (
	// leaseParts says how often leases are renewed in the time that they last.
	leaseParts = 4
	// beatEvery is how often the up-time is saved where the database is this process's
	// alone, once it has run for twice as long; before that it is saved more often, so that
	// a process which is killed again and again gets on.
	beatEvery = 5 * time.Second
	beatFirst = 500 * time.Millisecond
)

// Leases are the clock domains that this process owns.
type Leases struct {
	Kit    *kit.Kit
	Change *change.Changer
	Store  store.Clocks
	Wants  func() store.Wanted

	mu    sync.Mutex  // held while leases are asked for
	left  atomic.Bool // no more are wanted
	noted atomic.Bool // a message was made that the store has not yet heard of for good
	// recheck has the records with new messages of which other processes know only when they are
	// stored, each with a mark of its own: one that gets another message meanwhile stays.
	recheck sync.Map
}

// Lease saves the up-times, and with them what is known of messages, renews the leases of
// the clock domains that this process wants, takes those that are free, and gives back the
// others. Run does so again and again; whoever wants others, or fewer, calls it besides. It
// may be called concurrently.
func (l *Leases) Lease(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	began, asked := l.Kit.Clock.Look(), time.Now()
	granted, err := l.Store.Lease(ctx, l.wanted(), l.Kit.Clock.Own())
	l.Change.Wrote(began, err)
	if err == nil {
		l.Kit.Clock.Leased(granted, asked)
	}
	return err
}

// Leave saves the up-times a last time, and gives back all leases. Call it after Run.
func (l *Leases) Leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.Kit.Times.WorkTime)
	defer cancel()
	l.left.Store(true)
	return l.Lease(ctx)
}

// Owns reports whether all of the domains are this process's, and certainly still are.
func (l *Leases) Owns(domains store.DomainSet) bool { return domains&^l.Kit.Clock.Mine() == 0 }

// Elsewhere reports whether one of the domains was another process's when the leases were
// last renewed.
func (l *Leases) Elsewhere(domains store.DomainSet) bool { return l.Kit.Clock.Elsewhere(domains) }

// Awaited reports whether another process waits for one of the domains, as the next one does
// on a database that is this process's alone.
func (l *Leases) Awaited(domains store.DomainSet) bool { return l.Kit.Clock.Awaited(domains) }

// wanted returns the clock domains that this process wants.
func (l *Leases) wanted() store.Wanted {
	if l.left.Load() {
		return store.Wanted{}
	}
	return l.Wants()
}

// Delivered takes note of a new message, of which the store has heard but not for good.
func (l *Leases) Delivered(r tracker.Ref) {
	l.noted.Store(true)
	if l.Kit.Shared() {
		l.recheck.Store(r, new(byte))
	}
}

// Settle has the store keep for good what it was told of messages: now, or else soon.
func (l *Leases) Settle(ctx context.Context) error {
	err := l.Lease(ctx) // which stores that, too
	if err != nil {
		l.noted.Store(true)
	}
	return err
}

// Beat is called at every look, and saves the up-times and renews the leases when it is
// time, without waiting for the outcome.
func (u *Upkeep) Beat(ctx context.Context, now time.Time) {
	real := time.Now()
	want, every := u.Leases.wanted(), min(beatEvery, max(beatFirst, real.Sub(u.began)/2))
	if renewed := u.Kit.Clock.LeaseLength() / leaseParts; renewed > 0 {
		every = renewed
		if !want.Shared && !u.Leases.Owns(want.Domains) { // it stands by
			every /= leaseParts
		}
	}
	due := want != u.wants || max(real.Sub(u.beaten), now.Sub(u.beatenAt)) >= every || u.Leases.noted.Load() && !u.Kit.Clock.StandsStill()
	if !due || !u.beating.CompareAndSwap(false, true) {
		return
	}
	u.wants, u.beaten, u.beatenAt = want, real, now
	noted, made := u.Leases.noted.Swap(false), maps.Collect(u.Leases.recheck.Range)
	u.Kit.Work.Go(func(context.Context) {
		defer u.beating.Store(false)
		limited, cancel := context.WithTimeout(ctx, u.Kit.Times.WorkTime)
		defer cancel()
		err := u.Leases.Lease(limited)
		if err == nil {
			u.beatFailed.Store(false)
			for r, mark := range made { // whoever has stored a change meanwhile did not know where it is shown
				if u.Leases.recheck.CompareAndDelete(r, mark) {
					u.Kit.Tracker.Redraw(r.(tracker.Ref))
				}
			}
			return
		}
		if noted {
			u.Leases.noted.Store(true)
		}
		if ctx.Err() == nil && !u.beatFailed.Swap(true) {
			u.Kit.Log.Error("up-time not saved: clocks stand still, or other processes keep them", "error", err)
		}
	})
}
