// Package upkeep does what nobody clicks for: clocks and leases, what falls due, messages that
// are behind, guilds that the bot has left, old records.
package bot

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/games"
	"tictactoe/bot/kit"
	"tictactoe/store"
)

const (
	// purgeEvery says how often old records are removed. An interaction can be
	// delivered again for as long as its token lives; a closed challenge is kept for
	// who comes back to its buttons.
	purgeEvery = time.Hour
	keepClaims = time.Hour
	keepClosed = 7 * 24 * time.Hour
	purgeStep  = 100 // of each kind at once
	// backoff is how many looks at what has fallen due are left out after one that failed:
	// a full disk is no reason for a line in the log four times a second.
	backoff = 20
	// common is the domain whose owner does what belongs to none.
	common = store.Domain(0)
)

// upkeep does what nobody clicks for.
type upkeep struct {
	kit    *kit.Kit
	change *change.Changer
	games  *games.Games
	store  upkeepStore
	leases *leases
	guilds *whereabouts
	also   []*job // of the rooms

	began   time.Time   // by the system's clock
	purging sync.Mutex  // held while old records are removed
	filling atomic.Bool // the ledger gets the matches of before, or has them

	looked time.Time   // for deadlines that are near
	round  atomic.Bool // messages are being brought up to date

	// See beat.
	beaten     time.Time // when it was last done, by the system's clock
	beatenAt   time.Time // and by the bot's
	wants      store.Wanted
	beating    atomic.Bool
	beatFailed atomic.Bool
}

type upkeepStore interface {
	store.Matches
	store.Challenges
	store.Clocks
	PastMatches(ctx context.Context, limit int) ([]store.Match, error)
	Purge(ctx context.Context, claims, challenges time.Time, limit int) (deleted int, err error)
}

// job is something that is done again and again, by the owner of the common domain.
type job struct {
	every time.Duration
	run   func(ctx context.Context) error
	// left is what the log says of a run that failed, and pause when the next one comes.
	left  string
	pause time.Duration

	next time.Time
}

// Run does what nobody clicks for until the context ends: it lets clocks and
// challenges run out, and after a start or a time without a connection redraws
// boards that are behind or name times that have moved.
func (u *upkeep) Run(ctx context.Context) {
	u.began = time.Now()
	jobs := u.jobs()
	tick := time.NewTicker(u.kit.Times.Tick)
	defer tick.Stop()
	skipDue := 0
	var swept time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := u.kit.Now()
		u.beat(ctx, now)
		u.catchUp(ctx, now)
		if skipDue--; skipDue < 0 {
			if err := u.expire(ctx); err != nil && ctx.Err() == nil {
				u.kit.Log.Error("what has fallen due is left for later", "error", err)
				skipDue = backoff
			}
		}
		if now.Sub(swept) >= time.Minute {
			swept = now
			u.kit.Tracker.Sweep()
			u.kit.Names.Forget(now)
		}
		u.guilds.note(ctx)
		for _, j := range jobs {
			if now.Before(j.next) || !u.kit.Clock.Mine().Has(common) {
				continue
			}
			j.next = now.Add(j.every)
			if err := j.run(ctx); err != nil && ctx.Err() == nil {
				u.kit.Log.Error(j.left, "error", err)
				j.next = now.Add(j.pause)
			}
		}
	}
}

// jobs are what is done for all, and not for a clock domain.
func (u *upkeep) jobs() []*job {
	behind := func(f func(context.Context)) func(context.Context) error {
		return func(context.Context) error { u.kit.Work.Go(f); return nil }
	}
	return append([]*job{
		{every: time.Minute, run: func(ctx context.Context) error { u.fillLedgerLater(ctx); return nil }},
		{every: forgetEvery, run: behind(u.guilds.forget)},
		{every: askEvery, run: func(ctx context.Context) error { u.guilds.look(ctx); return nil }},
		{every: purgeEvery, run: behind(u.purge)},
	}, u.also...)
}

// purge removes old records, in steps between which other changes are stored. It goes on
// until none is left, however long that takes: in an hour there are others.
func (u *upkeep) purge(context.Context) {
	if !u.purging.TryLock() {
		return
	}
	defer u.purging.Unlock()
	ctx, now := u.kit.Work.Base, u.kit.Now() // what follows an answer has less time
	for ctx.Err() == nil {
		n, err := u.store.Purge(ctx, now.Add(-keepClaims), now.Add(-keepClosed), purgeStep)
		if err != nil && ctx.Err() == nil {
			u.kit.Log.Error("old records not removed", "error", err)
		}
		if err != nil || n == 0 {
			return
		}
	}
}
