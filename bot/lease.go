package bot

import (
	"context"
	"time"

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

// shared reports whether other processes may play on the database.
func (b *kit) shared() bool { return b.uptime.leaseLength() > 0 }

// Lease saves the up-times, and with them what is known of messages, renews the leases of
// the clock domains that this process wants, takes those that are free, and gives back the
// others. Run does so again and again; whoever wants others, or fewer, calls it besides. It
// may be called concurrently.
func (b *Bot) Lease(ctx context.Context) error {
	b.leasing.Lock()
	defer b.leasing.Unlock()
	began, asked := b.kit.uptime.look(), time.Now()
	l, err := b.store.Lease(ctx, b.wanted(), b.kit.uptime.own())
	b.change.wrote(began, err)
	if err == nil {
		b.kit.uptime.leased(l, asked)
	}
	return err
}

// Leave saves the up-times a last time, and gives back all leases. Call it after Run.
func (b *Bot) Leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, b.kit.times.WorkTime)
	defer cancel()
	b.left.Store(true)
	return b.Lease(ctx)
}

// Owns reports whether all of the domains are this process's, and certainly still are.
func (b *Bot) Owns(domains store.DomainSet) bool { return domains&^b.kit.uptime.mine() == 0 }

// Elsewhere reports whether one of the domains was another process's when the leases were
// last renewed.
func (b *Bot) Elsewhere(domains store.DomainSet) bool {
	b.kit.uptime.mu.Lock()
	defer b.kit.uptime.mu.Unlock()
	return domains&b.kit.uptime.others != 0
}

// Awaited reports whether another process waits for one of the domains, as the next one does
// on a database that is this process's alone.
func (b *Bot) Awaited(domains store.DomainSet) bool {
	b.kit.uptime.mu.Lock()
	defer b.kit.uptime.mu.Unlock()
	return b.kit.uptime.length == 0 || domains&b.kit.uptime.waiting != 0
}

// wanted returns the clock domains that this process wants.
func (b *Bot) wanted() store.Wanted {
	if b.left.Load() {
		return store.Wanted{}
	}
	return b.wantedNow()
}

// beat is called at every look, and saves the up-times and renews the leases when it is
// time, without waiting for the outcome.
func (u *upkeep) beat(ctx context.Context, now time.Time) {
	real := time.Now()
	want, every := u.bot.wanted(), min(beatEvery, max(beatFirst, real.Sub(u.began)/2))
	if u.leaseEvery > 0 {
		every = u.leaseEvery
		if !want.Shared && !u.bot.Owns(want.Domains) { // it stands by
			every /= leaseParts
		}
	}
	due := want != u.wants || max(real.Sub(u.beaten), now.Sub(u.beatenAt)) >= every || u.bot.kit.noted.Load() && !u.bot.kit.uptime.standsStill()
	if !due || !u.beating.CompareAndSwap(false, true) {
		return
	}
	u.wants, u.beaten, u.beatenAt = want, real, now
	noted, made := u.bot.kit.noted.Swap(false), u.bot.recheck.take()
	u.bot.kit.background(func(context.Context) {
		defer u.beating.Store(false)
		limited, cancel := context.WithTimeout(ctx, u.bot.kit.times.WorkTime)
		defer cancel()
		err := u.bot.Lease(limited)
		if err == nil {
			u.beatFailed.Store(false)
			for _, r := range made { // whoever has stored a change meanwhile did not know where it is shown
				u.bot.kit.tracker.Redraw(r)
			}
			return
		}
		u.bot.recheck.add(made...)
		if noted {
			u.bot.kit.noted.Store(true)
		}
		if ctx.Err() == nil && !u.beatFailed.Swap(true) {
			u.bot.kit.log.Error("up-time not saved: clocks stand still, or other processes keep them", "error", err)
		}
	})
}
