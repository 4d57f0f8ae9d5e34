package upkeep

import (
	"context"
	"time"

	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

const (
	// timesNear is how long before their deadline boards and challenges are drawn whose
	// times have moved. The others follow when somebody clicks.
	timesNear = 15 * time.Minute
	// nearEvery is how often such deadlines are looked for, and nearMost how many of a
	// domain are drawn each time.
	nearEvery = 15 * time.Second
	nearMost  = 100
)

// CatchUp is called at every look, and starts what brings messages up to date: in domains
// that have come to this process, or in which people could not move for a while, those that
// show an older version; and everywhere those that name a time which has moved and is near.
// It waits until clicks can reach the bot.
func (u *Upkeep) CatchUp(ctx context.Context, now time.Time) {
	if !u.Kit.Connected() || !u.round.CompareAndSwap(false, true) {
		return
	}
	if behind := u.Kit.Clock.TakeBehind(); behind != 0 {
		u.behind, u.looked = u.behind|behind, time.Time{}
	}
	if now.Sub(u.looked) < nearEvery {
		u.round.Store(false)
		return
	}
	u.looked = now
	u.Kit.Work.Go(func(context.Context) {
		defer u.round.Store(false)
		if u.behind != 0 && u.RedrawBehind(ctx, u.behind) {
			u.behind = 0
		}
		if u.Anywhere() {
			u.redrawByToken(ctx)
		}
		u.redrawNear(ctx)
	})
}

// RedrawBehind redraws, at a bounded rate, every message that shows an older version, as the
// last process or the time without a connection has left it behind. It does so in the
// domains alone, or in all where any process plays in any domain. There it leaves to the
// others what they store meanwhile, and waits until each has said what it has shown before,
// or has lost its leases. It reports false if it has not come to all.
func (u *Upkeep) RedrawBehind(ctx context.Context, domains store.DomainSet) (all bool) {
	var after store.Cursor
	if u.Leases.wanted().Shared {
		domains = store.AllDomains
	}
	if u.Anywhere() {
		after.Updated = u.Kit.Now()
		if tasks.Sleep(ctx, u.Kit.Clock.LeaseLength()) != nil {
			return false
		}
	}
	// What is known of messages is stored first: else they are drawn for nothing.
	if err := u.Leases.Lease(ctx); err != nil && ctx.Err() == nil {
		u.Kit.Log.Error("up-time not saved", "error", err)
	}
	return u.redrawUndrawn(ctx, keepClosed, after, func(m store.Match) bool { return domains.Has(m.Guild.Domain()) })
}

// redrawByToken redraws what tokens of interactions alone can change, and who changed it had
// none: the resignation, the end on time. Whichever process has the newest token does so.
func (u *Upkeep) redrawByToken(ctx context.Context) {
	after := store.Cursor{Updated: u.Kit.Now().Add(-u.Kit.Clock.LeaseLength())} // whoever shows it has said so by then
	u.redrawUndrawn(ctx, tracker.TokenLife, after, store.Match.OnlyByToken)
}

// redrawUndrawn redraws the wanted matches that were stored within a time, before the cursor,
// and are not known to be shown as they are. It leaves those that this process cannot reach, and
// reports false if it has not come to all.
func (u *Upkeep) redrawUndrawn(ctx context.Context, within time.Duration, after store.Cursor, wanted func(store.Match) bool) (all bool) {
	since := u.Kit.Now().Add(-within)
	for ctx.Err() == nil {
		undrawn, err := u.Store.UndrawnMatches(ctx, since, after, kit.Batch)
		if err != nil {
			u.Kit.Log.Error("messages not brought up to date", "what", "boards behind", "error", err)
			return false
		}
		if len(undrawn) == 0 { // a short page need not be the last
			return true
		}
		for _, m := range undrawn {
			if after = m.Cursor(); wanted(m) && u.reaches(m) && u.pause(ctx) {
				u.Kit.Tracker.Redraw(kit.MatchRef(m.ID))
			}
		}
	}
	return false
}

// reaches reports whether this process can change messages that show the match.
func (u *Upkeep) reaches(m store.Match) bool {
	return !m.OnlyByToken() || u.Kit.Tracker.Token(kit.MatchRef(m.ID)) != ""
}

// Anywhere reports whether there are others, and any process plays in any domain.
func (u *Upkeep) Anywhere() bool {
	return u.Leases.wanted().Shared && u.Leases.Elsewhere(store.AllDomains)
}

// redrawNear redraws what is about to run out, if it names a time that has moved.
func (u *Upkeep) redrawNear(ctx context.Context) {
	err := u.dueWithin(ctx, u.Kit.Clock.Mine(), timesNear, u.redrawNearIn)
	if err != nil && ctx.Err() == nil {
		u.Kit.Log.Error("messages not brought up to date", "what", "deadlines that are near", "error", err)
	}
}

func (u *Upkeep) redrawNearIn(ctx context.Context, d store.Domain, near time.Duration) error {
	matches, err := u.Store.DueMatches(ctx, d, near, nearMost)
	if err != nil {
		return err
	}
	challenges, err := u.Store.DueChallenges(ctx, d, near, nearMost)
	if err != nil {
		return err
	}
	var refs []tracker.Ref
	for _, m := range matches {
		if match.ClockShown(m) && !u.otherShows(m) {
			refs = append(refs, kit.MatchRef(m.ID))
		}
	}
	for _, c := range challenges {
		refs = append(refs, kit.ChallengeRef(c.ID))
	}
	for _, r := range refs {
		if u.Kit.RedrawTimes(r) && !u.pause(ctx) {
			return ctx.Err()
		}
	}
	return nil
}

// otherShows reports whether another process may be about to show what it has just stored of the
// match: a picture of the one before would arrive behind that. The next look draws it.
func (u *Upkeep) otherShows(m store.Match) bool {
	return u.Anywhere() && m.Updated.After(u.Kit.Now().Add(-u.Kit.Clock.LeaseLength()))
}

// pause waits between two messages of catchUp, until clicks can reach the bot, and
// reports whether to go on.
func (u *Upkeep) pause(ctx context.Context) bool {
	for tasks.Sleep(ctx, u.Kit.Times.RedrawPause) == nil {
		if u.Kit.Connected() {
			return true
		}
	}
	return false
}
