package bot

import (
	"context"
	"sync"
	"time"

	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/match"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

const (
	// timesOff is by how much the times on boards and challenges may be off before
	// they are drawn again: they move while nobody can move.
	timesOff = 5 * time.Second
	// timesMost is how many boards are then drawn for their times alone: those that
	// were touched last. The others follow when somebody comes, or
	timesMost = 300
	// timesNear is how long before their deadline, at the latest.
	timesNear = 2 * time.Minute
	// nearEvery is how often such deadlines are looked for, and nearMost how many of a
	// domain are drawn each time.
	nearEvery = 15 * time.Second
	nearMost  = 100
)

// watchTimes is called at every look. Deadlines are points in up-time, so that while
// the bot is not connected the times on messages move. When it is connected again and
// they have come to be off, it catches up.
func (u *upkeep) watchTimes(ctx context.Context, now time.Time) {
	up := u.uptime.elapsed() // after now: what passes in between is made good at the next look
	off := u.lag.Add(int64(max(0, now.Sub(u.lastNow)) - (up - u.lastUp)))
	u.lastNow, u.lastUp = now, up
	if !u.opts.Connected() {
		return
	}
	select {
	case <-u.round:
	default:
		return // it has drawn some of them already, and is followed by another
	}
	come := store.DomainSet(u.come.Swap(0))
	if behind := u.movedTimes(off); behind != 0 {
		u.catchUpLater(ctx, come|behind)
	} else if come != 0 {
		u.catchUpLater(ctx, come)
	} else if u.due(&u.looked, now, nearEvery) {
		u.background(u.redrawNear)
	}
}

// lags returns by how much each clock is behind the process's, where the up-time is off by
// so much.
func (u *upkeep) lags(off int64) (all store.Uptimes) {
	all = u.uptime.behind()
	for d := range all {
		all[d] += time.Duration(off)
	}
	return all
}

// movedTimes returns the domains of this process whose times have come to be off since the
// last round there. A domain whose shard is away waits for it.
func (u *upkeep) movedTimes(off int64) (moved store.DomainSet) {
	owned := u.uptime.owned() & u.opts.Served()
	before := u.caughtUp.load()
	for d, lag := range u.lags(off) {
		if id := store.Domain(d); owned.Has(id) && lag-before[d] >= timesOff { //nolint:gosec // fewer than 64
			moved = moved.With(id)
		}
	}
	return moved
}

// rounds are how far the clocks were behind at the last round of catchUp in their domain.
type rounds struct {
	mu sync.Mutex
	at store.Uptimes
}

func (r *rounds) load() store.Uptimes {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at
}

func (r *rounds) note(domains store.DomainSet, at store.Uptimes) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for d := range at {
		if domains.Has(store.Domain(d)) { //nolint:gosec // fewer than 64
			r.at[d] = at[d]
		}
	}
}

// catchUpLater starts a round of catchUp that waits until clicks can reach the bot.
func (u *upkeep) catchUpLater(ctx context.Context, domains store.DomainSet) {
	ended := make(chan struct{})
	u.round = ended
	u.background(func(context.Context) {
		defer close(ended)
		if u.pause(ctx) {
			u.caughtUp.note(domains, u.lags(u.lag.Load()))
			u.timesMoved.Store(u.opts.Now().UnixNano())
			u.catchUp(ctx, domains)
		}
	})
}

// catchUp redraws, at a bounded rate, what the last process or the time without a
// connection has left behind: every message that shows an older version, and of those
// that name a time, which has moved by as long as nobody was connected, the ones that
// somebody may be looking at. It does so in the domains alone.
func (u *upkeep) catchUp(ctx context.Context, domains store.DomainSet) {
	// What is known of messages is stored first: else they are drawn for nothing.
	if err := u.saveUp(ctx); err != nil && ctx.Err() == nil {
		u.log.Error("up-time not saved", "error", err)
	}
	since := u.opts.Now().Add(-keepClosed)
	var after store.Cursor
	u.page(ctx, "boards behind", func() (int, error) {
		behind, err := u.store.UndrawnMatches(ctx, since, after, dueBatch)
		for _, m := range behind {
			if domains.Has(m.Guild.Domain()) && u.pause(ctx) {
				u.tracker.Redraw(matchRef(m.ID))
			}
			after = m.Cursor()
		}
		return len(behind), err
	})
	after = store.Cursor{}
	left := u.most
	u.page(ctx, "boards with a clock", func() (int, error) {
		clocked, err := u.store.ClockedMatches(ctx, time.Time{}, after, min(left, dueBatch))
		for _, m := range clocked {
			if domains.Has(m.Guild.Domain()) && u.pause(ctx) {
				u.redrawTimes(matchRef(m.ID))
			}
			after = m.Cursor()
		}
		left -= len(clocked)
		return len(clocked), err
	})
	var afterChallenge store.ChallengeID
	u.page(ctx, "open challenges", func() (int, error) {
		open, err := u.store.OpenChallenges(ctx, afterChallenge, dueBatch)
		for _, c := range open {
			if domains.Has(c.Guild.Domain()) && u.pause(ctx) {
				u.redrawTimes(challengeRef(c.ID))
			}
			afterChallenge = c.ID
		}
		return len(open), err
	})
}

// page calls next until it has nothing more.
func (u *upkeep) page(ctx context.Context, what string, next func() (int, error)) {
	for ctx.Err() == nil {
		n, err := next()
		if err != nil {
			u.log.Error("messages not brought up to date", "what", what, "error", err)
		}
		if err != nil || n == 0 { // a short page need not be the last
			return
		}
	}
}

// redrawNear redraws boards whose clock is about to run out, if they name a time that
// has moved.
func (u *upkeep) redrawNear(ctx context.Context) {
	up := u.uptime.all()
	next, err := u.store.NextDeadlines(ctx)
	for d, at := range next.Mine(u.uptime.owned()) {
		if at == 0 || at > up[d]+timesNear || err != nil {
			continue
		}
		var near []store.Match
		near, err = u.store.DueMatches(ctx, store.Domain(d), up[d]+timesNear, nearMost)
		for _, m := range near {
			if match.ClockShown(m) && u.redrawTimes(matchRef(m.ID)) && !u.pause(ctx) {
				return
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		u.log.Error("messages not brought up to date", "what", "deadlines that are near", "error", err)
	}
}

// redrawTimes redraws a message that names times, unless it was drawn since they last
// came to be off.
func (b *Bot) redrawTimes(r tracker.Ref) (old bool) {
	moved := b.timesMoved.Load()
	return moved != 0 && r != tracker.Ref{} && b.tracker.RedrawTimes(r, time.Unix(0, moved))
}

// pause waits between two messages of catchUp, until clicks can reach the bot, and
// reports whether to go on.
func (u *upkeep) pause(ctx context.Context) bool {
	for tasks.Sleep(ctx, u.opts.RedrawPause) == nil {
		if u.opts.Connected() {
			return true
		}
	}
	return false
}
