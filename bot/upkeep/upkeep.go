// Package upkeep does what nobody clicks for: clocks and leases, what falls due, messages that
// are behind, guilds that the bot has left, old records.
package upkeep

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
	// backoff is for how many ticks nobody looks at what has fallen due after a look that failed:
	// a full disk is no reason for a line in the log four times a second.
	backoff = 20
	// common is the domain whose owner does what belongs to none.
	common = store.Domain(0)
)

// Upkeep does what nobody clicks for.
type Upkeep struct {
	Kit    *kit.Kit
	Change *change.Changer
	Games  *games.Games
	Store  upkeepStore
	Leases *Leases
	Guilds *Whereabouts
	Also   []kit.Job // of the rooms

	began   time.Time  // by the system's clock
	purging sync.Mutex // held while old records are removed
	filled  bool       // the ledger has the matches of before

	looked time.Time       // for deadlines that are near
	behind store.DomainSet // in which messages are still to be brought up to date
	round  atomic.Bool     // that is being done

	// See [Upkeep.Beat].
	beaten     time.Time // when it was last done, by the system's clock
	beatenAt   time.Time // and by the bot's
	wants      store.Wanted
	beating    atomic.Bool
	beatFailed atomic.Bool
}

// upkeepStore is what falls due, and what is too old to be kept.
type upkeepStore interface {
	store.Matches
	store.Challenges
	store.Clocks
	PastMatches(ctx context.Context, limit int) ([]store.Match, error)
	Purge(ctx context.Context, claims, challenges time.Time, limit int) (deleted int, err error)
}

// Run does what nobody clicks for until the context ends: it lets clocks and
// challenges run out, and after a start or a time without a connection redraws
// boards that are behind or name times that have moved.
func (u *Upkeep) Run(ctx context.Context) {
	u.began = time.Now()
	jobs := u.jobs()
	next := make([]time.Time, len(jobs))
	tick := time.NewTicker(u.Kit.Times.Tick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := u.Kit.Now()
		u.Beat(ctx, now)
		u.CatchUp(ctx, now)
		for i, j := range jobs {
			if now.Before(next[i]) || !j.ByAll && !u.Kit.Clock.Mine().Has(common) {
				continue
			}
			next[i] = now.Add(j.Every)
			if err := j.Run(ctx); err != nil && ctx.Err() == nil {
				u.Kit.Log.Error(j.Left, "error", err)
				next[i] = now.Add(j.Pause)
			}
		}
	}
}

// jobs are what is done besides, in this order.
func (u *Upkeep) jobs() []kit.Job {
	return append([]kit.Job{
		{ByAll: true, Run: u.Expire, Left: "what has fallen due is left for later", Pause: backoff * u.Kit.Times.Tick},
		{ByAll: true, Every: time.Minute, Run: u.sweep},
		{ByAll: true, Run: u.Guilds.note},
		{Run: u.fillLedger, Left: "results of earlier games are added later", Pause: time.Minute},
		{Every: forgetEvery, Run: u.Kit.Behind(u.Guilds.Forget)},
		{Every: askEvery, Run: u.Guilds.look},
		{Every: purgeEvery, Run: u.Kit.Behind(u.Purge)},
	}, u.Also...)
}

// sweep forgets what memory has held for long enough.
func (u *Upkeep) sweep(context.Context) error {
	u.Kit.Tracker.Sweep()
	u.Kit.ForgetNames()
	return nil
}

// Purge removes old records, in steps between which other changes are stored. It goes on
// until none is left, however long that takes: in an hour there are others.
func (u *Upkeep) Purge(context.Context) {
	u.purging.Lock() // what has become old since the last one began is not left for an hour
	defer u.purging.Unlock()
	ctx, now := u.Kit.Work.Base, u.Kit.Now() // what follows an answer has less time
	for ctx.Err() == nil {
		n, err := u.Store.Purge(ctx, now.Add(-keepClaims), now.Add(-keepClosed), purgeStep)
		if err != nil && ctx.Err() == nil {
			u.Kit.Log.Error("old records not removed", "error", err)
		}
		if err != nil || n == 0 {
			return
		}
	}
}
