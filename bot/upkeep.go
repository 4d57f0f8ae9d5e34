package bot

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

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

// Run does what nobody clicks for until the context ends: it lets clocks and
// challenges run out, and after a start or a time without a connection redraws
// boards that are behind or name times that have moved.
func (b *Bot) Run(ctx context.Context) {
	u := newUpkeep(b)
	tick := time.NewTicker(b.kit.times.Tick)
	defer tick.Stop()
	skipDue := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := b.kit.now()
		u.beat(ctx, now)
		u.catchUp(ctx, now)
		if skipDue--; skipDue < 0 {
			if err := u.expire(ctx); err != nil && ctx.Err() == nil {
				b.kit.log.Error("what has fallen due is left for later", "error", err)
				skipDue = backoff
			}
		}
		if u.due(&u.swept, now, time.Minute) {
			b.kit.tracker.Sweep()
			b.kit.names.forget(now)
			if u.bot.kit.uptime.mine().Has(common) {
				u.fillLedgerLater(ctx)
			}
		}
		if u.bot.kit.uptime.mine().Has(common) && u.due(&u.posted, now, puzzlesEvery) {
			if err := (puzzlePosts{b.puzzles}).due(ctx); err != nil && ctx.Err() == nil {
				b.kit.log.Error("puzzles are posted later", "error", err)
				u.posted = now.Add(puzzlesPause)
			}
		}
		if u.bot.kit.uptime.mine().Has(common) && u.due(&u.erased, now, erasuresEvery) {
			b.kit.background(erasures{b.people}.goOn)
			b.kit.background(b.where.forget)
		}
		if !b.keepsForGood() {
			b.where.note(ctx)
			if u.bot.kit.uptime.mine().Has(common) && now.Sub(u.askedGuilds) >= askEvery && b.where.look(ctx) {
				u.askedGuilds = now
			}
		}
		if u.bot.kit.uptime.mine().Has(common) && u.due(&u.purged, now, purgeEvery) {
			b.kit.background(u.purge)
		}
	}
}

// upkeep is what Run remembers from one look to the next.
type upkeep struct {
	bot           *Bot
	began         time.Time // by the system's clock
	swept, purged time.Time
	erased        time.Time   // looked for erasures
	posted        time.Time   // puzzles
	askedGuilds   time.Time   // looked where the bot is
	purging       sync.Mutex  // held while old records are removed
	filling       atomic.Bool // the ledger gets the matches of before, or has them

	looked time.Time   // for deadlines that are near
	round  atomic.Bool // messages are being brought up to date

	// See beat.
	leaseEvery time.Duration
	beaten     time.Time // when it was last done, by the system's clock
	beatenAt   time.Time // and by the bot's
	wants      store.Wanted
	beating    atomic.Bool
	beatFailed atomic.Bool
}

func newUpkeep(b *Bot) *upkeep {
	return &upkeep{bot: b, began: time.Now(), leaseEvery: b.kit.uptime.leaseLength() / leaseParts}
}

// due reports whether something that was last done at a moment is due again, and
// notes that it is done now.
func (*upkeep) due(last *time.Time, now time.Time, every time.Duration) bool {
	if now.Sub(*last) < every {
		return false
	}
	*last = now
	return true
}

// purge removes old records, in steps between which other changes are stored. It goes on
// until none is left, however long that takes: in an hour there are others.
func (u *upkeep) purge(context.Context) {
	if !u.purging.TryLock() {
		return
	}
	defer u.purging.Unlock()
	ctx, now := u.bot.kit.base, u.bot.kit.now() // what follows an answer has less time
	for ctx.Err() == nil {
		n, err := u.bot.store.Purge(ctx, now.Add(-keepClaims), now.Add(-keepClosed), purgeStep)
		if err != nil && ctx.Err() == nil {
			u.bot.kit.log.Error("old records not removed", "error", err)
		}
		if err != nil || n == 0 {
			return
		}
	}
}
