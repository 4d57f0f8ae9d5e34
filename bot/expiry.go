package bot

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/store"
)

const (
	// dueBatch is how many records that have fallen due are taken at once.
	dueBatch = 100
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
	// backoff is how many looks at what has fallen due, and as many attempts to save
	// the up-time, are left out after one that failed: a full disk is no reason for a
	// line in the log four times a second.
	backoff = 20
	// timesOff is by how much the times on boards and challenges may be off before
	// they are drawn again: they move while nobody can move.
	timesOff = 5 * time.Second
)

// Run does what nobody clicks for until the context ends: it lets clocks and
// challenges run out, and after a start or a time without a connection redraws
// boards that are behind or name times that have moved.
func (b *Bot) Run(ctx context.Context) error {
	redraw := b.redrawing(ctx)
	tick := time.NewTicker(b.opts.Tick)
	defer tick.Stop()
	var saved time.Duration
	var swept, purged time.Time
	skipDue, skipSave := 0, 0
	for {
		select {
		case <-ctx.Done():
			save, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.opts.WorkTime)
			defer cancel()
			return b.store.SaveUptime(save, b.uptime.read())
		case <-tick.C:
		}
		now := b.opts.Now()
		redraw(now)
		if skipDue--; skipDue < 0 {
			if err := b.expire(ctx); err != nil && ctx.Err() == nil {
				b.log.Error("what has fallen due is left for later", "error", err)
				skipDue = backoff
			}
		}
		if skipSave--; skipSave < 0 {
			if err := b.saveUptime(ctx, &saved); err != nil && ctx.Err() == nil {
				b.log.Error("up-time not saved", "error", err)
				skipSave = backoff
			}
		}
		if now.Sub(swept) >= time.Minute {
			b.painter.sweep()
			swept = now
		}
		if now.Sub(purged) >= purgeEvery {
			if err := b.store.Purge(ctx, now.Add(-keepClaims), now.Add(-keepClosed)); err != nil && ctx.Err() == nil {
				b.log.Error("old records not removed", "error", err)
			}
			purged = now
		}
	}
}

// saveUptime saves the up-time where it is due, and with it what is noted of
// messages. An idle bot writes nothing. saved is when that was last done.
func (b *Bot) saveUptime(ctx context.Context, saved *time.Duration) error {
	up := b.uptime.read()
	if b.noted.Swap(false) {
		// Where a new message stands must not be lost: without it nobody could redraw
		// what an ended process has left behind.
		err := b.store.SaveUptime(ctx, up)
		if err != nil {
			b.noted.Store(true)
			return err
		}
		*saved = up
		return nil
	}
	if up-*saved < uptimeSoon {
		return nil
	}
	at, waiting, err := b.store.NextDeadline(ctx)
	if err != nil || !waiting || up-*saved < min(max((at-*saved)/uptimePart, uptimeSoon), uptimeLater) {
		return err
	}
	if err := b.store.SaveUptime(ctx, up); err != nil {
		return err
	}
	*saved = up
	return nil
}

// expire ends what has fallen due.
func (b *Bot) expire(ctx context.Context) error {
	up := b.uptime.read()
	if at, ok, err := b.store.NextDeadline(ctx); err != nil || !ok || at > up {
		return err
	}
	matches, err := b.store.DueMatches(ctx, up, dueBatch)
	if err != nil {
		return err
	}
	var failed error
	for _, m := range matches {
		if err := b.expireMatch(ctx, m, up); err != nil {
			if failed = err; storeDown(err) {
				return err
			}
		}
	}
	challenges, err := b.store.DueChallenges(ctx, up, dueBatch)
	if err != nil {
		return err
	}
	for _, c := range challenges {
		if err := b.expireChallenge(ctx, c); err != nil {
			if failed = err; storeDown(err) {
				return err
			}
		}
	}
	return failed
}

// storeDown reports whether an error concerns all records and not only the one that
// was to be stored.
func storeDown(err error) bool {
	return errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrReadOnly) ||
		errors.Is(err, store.ErrClosed) || errors.Is(err, context.Canceled)
}

func (b *Bot) expireMatch(ctx context.Context, m store.Match, up time.Duration) error {
	due, ok := fallDue(m, up)
	if !ok {
		return nil
	}
	due.Updated = b.opts.Now()
	if stored, err := b.storeQuietly(ctx, store.Change{Matches: []store.Match{due}}); !stored {
		return err
	}
	b.painter.want(surface{match: m.ID})
	if remove := b.removeNotice(m); remove != nil {
		b.background(remove)
	}
	return nil
}

func (b *Bot) expireChallenge(ctx context.Context, c store.Challenge) error {
	expired, ok := expireChallenge(c, b.uptime.read())
	if !ok {
		return nil
	}
	expired.Updated = b.opts.Now()
	stored, err := b.storeQuietly(ctx, store.Change{Challenges: []store.Challenge{expired}})
	if stored {
		b.painter.want(surface{challenge: c.ID})
	}
	return err
}

// expireNow closes a challenge whose time has come, when somebody meets it before
// the next look. A failure is left to that.
func (b *Bot) expireNow(ctx context.Context, c store.Challenge) {
	if err := b.expireChallenge(ctx, c); err != nil {
		b.log.Error("challenge not closed yet", "error", err)
	}
}

// storeQuietly stores a change that no person waits for, and reports whether it
// did. When somebody was faster there is nothing to do any more, and no error.
func (b *Bot) storeQuietly(ctx context.Context, c store.Change) (stored bool, _ error) {
	err := b.apply(ctx, c)
	if errors.Is(err, store.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// redrawing starts to catch up once the bot is connected, and returns what is called
// at every look with the time it is: when the bot is connected and the times on
// messages have come to be off, it does so again.
func (b *Bot) redrawing(ctx context.Context) func(now time.Time) {
	var lag, drawn atomic.Int64 // of the up-time, at the last look and when the last round began
	var done chan struct{}      // closed when that has ended
	round := func() {
		ended := make(chan struct{})
		done = ended
		b.background(func(context.Context) {
			defer close(ended)
			if b.pause(ctx) {
				drawn.Store(lag.Load())
				b.catchUp(ctx)
			}
		})
	}
	round()
	last, lastUp := b.opts.Now(), b.uptime.read()
	return func(now time.Time) {
		up := b.uptime.read() // after now: what passes in between is made good at the next look
		off := lag.Add(int64(max(0, now.Sub(last)) - (up - lastUp)))
		last, lastUp = now, up
		if time.Duration(off-drawn.Load()) < timesOff || !b.opts.Connected() {
			return
		}
		select {
		case <-done:
			round()
		default: // it has drawn some of them already, and is followed by another
		}
	}
}

// catchUp redraws, at a bounded rate, what the last process or the time without a
// connection may have left behind: messages that show an older version, and those
// that name a time, which has moved by as long as nobody was connected.
func (b *Bot) catchUp(ctx context.Context) {
	page := func(what string, next func() (int, error)) {
		for ctx.Err() == nil {
			n, err := next()
			if err != nil {
				b.log.Error("messages not brought up to date", "what", what, "error", err)
				return
			}
			if n == 0 { // a short page need not be the last
				return
			}
		}
	}
	var after store.MatchID
	drawn := map[store.MatchID]bool{}
	drawAll := func(matches []store.Match, err error) (int, error) {
		for _, m := range matches {
			if !b.pause(ctx) {
				return 0, nil
			}
			after = m.ID
			if !drawn[m.ID] {
				b.painter.force(surface{match: m.ID})
			}
			drawn[m.ID] = true
		}
		return len(matches), err
	}
	since := b.opts.Now().Add(-keepClosed)
	page("boards behind", func() (int, error) {
		return drawAll(b.store.UndrawnMatches(ctx, after, dueBatch, since))
	})
	after = 0
	page("boards with a clock", func() (int, error) {
		return drawAll(b.store.ClockedMatches(ctx, after, dueBatch))
	})
	var afterChallenge store.ChallengeID
	page("open challenges", func() (int, error) {
		open, err := b.store.OpenChallenges(ctx, afterChallenge, dueBatch)
		for _, c := range open {
			if !b.pause(ctx) {
				return 0, nil
			}
			afterChallenge = c.ID
			b.painter.force(surface{challenge: c.ID})
		}
		return len(open), err
	})
}

// pause waits between two messages of catchUp, until clicks can reach the bot, and
// reports whether to go on.
func (b *Bot) pause(ctx context.Context) bool {
	for {
		timer := time.NewTimer(b.opts.RedrawPause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
		}
		if b.opts.Connected() {
			return true
		}
	}
}

// channelLost ends the matches of a channel or guild that is gone: they count for
// nobody, and nobody stays in them.
func (b *Bot) channelLost(ctx context.Context, p picture, cause error) {
	b.log.Info("channel or guild is gone, its matches end", "channel", p.channel, "guild", p.guild, "error", cause)
	if errors.Is(cause, rest.ErrUnknownGuild) && p.guild != "" {
		b.guildLost(ctx, p.guild)
		return
	}
	matches, err := b.store.ActiveMatches(ctx, p.channel)
	if err != nil {
		b.log.Error("matches of a lost channel not ended", "error", err)
		return
	}
	b.endUnreachable(ctx, matches)
}

func (b *Bot) guildLost(ctx context.Context, guild store.GuildID) {
	var after store.MatchID
	for {
		matches, err := b.store.GuildMatches(ctx, guild, after, dueBatch)
		if err != nil {
			b.log.Error("matches of a lost guild not ended", "error", err)
			return
		}
		b.endUnreachable(ctx, matches)
		if len(matches) < dueBatch {
			return
		}
		after = matches[len(matches)-1].ID
	}
}

func (b *Bot) endUnreachable(ctx context.Context, matches []store.Match) {
	for _, m := range matches {
		lost := end(m, store.Unreachable, engine.None)
		lost.Updated = b.opts.Now()
		if _, err := b.storeQuietly(ctx, store.Change{Matches: []store.Match{lost}}); err != nil {
			b.log.Error("match of a lost channel not ended", "error", err)
		}
	}
}
