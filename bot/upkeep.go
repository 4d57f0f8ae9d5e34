package bot

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/store"
)

const (
	// The up-time is saved with every change, and by itself while something waits
	// for a point on it: the nearer that point, the more often, so that a process
	// that is killed again and again still gets there.
	uptimePart  = 8 // of the time that is left
	uptimeSoon  = 500 * time.Millisecond
	uptimeLater = 30 * time.Second
	// purgeEvery says how often old records are removed. An interaction can be
	// delivered again for as long as its token lives; a closed challenge is kept for
	// who comes back to its buttons.
	purgeEvery = time.Hour
	keepClaims = time.Hour
	keepClosed = 7 * 24 * time.Hour
	purgeStep  = 100 // of each kind at once
	// backoff is how many looks at what has fallen due, and as many attempts to save
	// the up-time, are left out after one that failed: a full disk is no reason for a
	// line in the log four times a second.
	backoff = 20
	// common is the domain whose owner does what belongs to none.
	common = store.Domain(0)
)

// Run does what nobody clicks for until the context ends: it lets clocks and
// challenges run out, and after a start or a time without a connection redraws
// boards that are behind or name times that have moved.
func (b *Bot) Run(ctx context.Context) error {
	u := newUpkeep(b)
	tick := time.NewTicker(b.opts.Tick)
	defer tick.Stop()
	if owned := u.uptime.owned(); owned != 0 {
		u.catchUpLater(ctx, owned)
	}
	skipDue, skipSave := 0, 0
	for {
		select {
		case <-ctx.Done():
			save, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.opts.WorkTime)
			defer cancel()
			return b.giveBack(save)
		case <-tick.C:
		}
		now := b.opts.Now()
		u.keepLeases(ctx)
		u.watchTimes(ctx, now)
		if skipDue--; skipDue < 0 {
			if err := u.expire(ctx); err != nil && ctx.Err() == nil {
				b.log.Error("what has fallen due is left for later", "error", err)
				skipDue = backoff
			}
		}
		if skipSave--; skipSave < 0 {
			if err := u.saveUptime(ctx); err != nil && ctx.Err() == nil {
				b.log.Error("up-time not saved", "error", err)
				skipSave = backoff
			}
		}
		if u.due(&u.swept, now, time.Minute) {
			b.tracker.Sweep()
			b.names.forget(now)
			if u.uptime.owned().Has(common) {
				u.fillLedgerLater(ctx)
			}
		}
		if u.uptime.owned().Has(common) && u.due(&u.posted, now, puzzlesEvery) {
			if err := (puzzlePosts{b}).due(ctx); err != nil && ctx.Err() == nil {
				b.log.Error("puzzles are posted later", "error", err)
				u.posted = now.Add(puzzlesPause)
			}
		}
		if u.uptime.owned().Has(common) && u.due(&u.erased, now, erasuresEvery) {
			b.background(erasures{b}.goOn)
			b.background(b.where.forget)
		}
		if !b.keepsForGood() {
			b.where.note(ctx)
			if u.uptime.owned().Has(common) && now.Sub(u.askedGuilds) >= askEvery && b.where.look(ctx) {
				u.askedGuilds = now
			}
		}
		if u.uptime.owned().Has(common) && u.due(&u.purged, now, purgeEvery) {
			b.background(u.purge)
		}
	}
}

// upkeep is what Run remembers from one look to the next.
type upkeep struct {
	*Bot
	saved         time.Duration // up-time since the start, when it was last saved
	swept, purged time.Time
	erased        time.Time   // looked for erasures
	posted        time.Time   // puzzles
	askedGuilds   time.Time   // looked where the bot is
	purging       sync.Mutex  // held while old records are removed
	filling       atomic.Bool // the ledger gets the matches of before, or has them

	// How the times on messages have moved: see watchTimes.
	lastNow  time.Time
	lastUp   time.Duration
	lag      atomic.Int64 // of the up-time behind the clock
	caughtUp rounds
	looked   time.Time     // for deadlines that are near
	most     int           // timesMost
	round    chan struct{} // closed when the last round has ended

	// Leases of clocks: see keepLeases.
	leaseEvery  time.Duration
	leased      time.Time // when they were last asked for
	wants       bool      // what was asked
	leasing     atomic.Bool
	leaseFailed atomic.Bool
	come        atomic.Uint64 // domains that are to be caught up with
}

func newUpkeep(b *Bot) *upkeep {
	none := make(chan struct{})
	close(none)
	return &upkeep{
		round: none,
		Bot:   b, lastNow: b.opts.Now(), lastUp: b.uptime.elapsed(), most: timesMost,
		leaseEvery: b.uptime.lease.length / leaseParts,
	}
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
	ctx, now := u.base, u.opts.Now() // what follows an answer has less time
	for ctx.Err() == nil {
		n, err := u.store.Purge(ctx, now.Add(-keepClaims), now.Add(-keepClosed), purgeStep)
		if err != nil && ctx.Err() == nil {
			u.log.Error("old records not removed", "error", err)
		}
		if err != nil || n == 0 {
			return
		}
	}
}

// saveUptime saves the up-time where it is due, and with it what is known of messages.
// For them an idle bot writes nothing.
func (u *upkeep) saveUptime(ctx context.Context) error {
	elapsed, up := u.uptime.elapsed(), u.uptime.all()
	// Where a new message stands must not be lost: without it nobody could redraw what
	// an ended process has left behind.
	noted := u.noted.Swap(false)
	if !noted && !u.uptime.standsStill() {
		since := elapsed - u.saved
		if since < uptimeSoon {
			return nil
		}
		next, err := u.store.NextDeadlines(ctx)
		left, waiting := nearest(next.Mine(u.uptime.owned()), up)
		if err != nil || !waiting || since < min(max((left+since)/uptimePart, uptimeSoon), uptimeLater) {
			return err
		}
	}
	made := u.recheck.take()
	if err := u.saveUp(ctx); err != nil {
		if noted {
			u.noted.Store(true)
			u.recheck.add(made...)
		}
		return err
	}
	for _, r := range made { // whoever has stored a change meanwhile did not know where it is shown
		u.tracker.Redraw(r)
	}
	u.saved = elapsed
	return nil
}

// nearest returns how long the nearest of the deadlines is ahead, and whether there
// is one.
func nearest(deadlines, up store.Uptimes) (left time.Duration, ok bool) {
	for d, at := range deadlines {
		if at != 0 && (!ok || at-up[d] < left) {
			left, ok = at-up[d], true
		}
	}
	return left, ok
}
