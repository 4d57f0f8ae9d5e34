package bot

import (
	"context"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// expire ends what has fallen due in the domains that this process owns.
func (u *upkeep) expire(ctx context.Context) error {
	owned := u.kit.Clock.Mine() & u.kit.Served()
	if owned == 0 {
		return nil
	}
	up := u.kit.Clock.Look().All
	next, err := u.store.NextDeadlines(ctx)
	if err != nil {
		return err
	}
	var failed error
	for d, at := range next {
		if at == 0 || at > up[d] || !owned.Has(store.Domain(d)) { //nolint:gosec // fewer than 64
			continue
		}
		if err := u.expireIn(ctx, store.Domain(d), up[d]); err != nil {
			if failed = err; change.Unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}

// expireIn ends what has fallen due in the domain, and reminds whom it is time to remind.
func (u *upkeep) expireIn(ctx context.Context, d store.Domain, up time.Duration) error {
	matches, err := u.store.DueMatches(ctx, d, up, kit.Batch)
	if err != nil {
		return err
	}
	var failed error
	for _, m := range matches {
		if !m.GridStands && m.Deadline > u.kit.OverAt(m.Guild) {
			continue // while a shard is away or replays, the clocks of its servers stand still
		}
		if inThread(m) { // there Discord is asked first
			u.games.expireLater(m, up)
			continue
		}
		if err := u.games.expireMatch(ctx, m, up); err != nil {
			if failed = err; change.Unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	// Behind what ends: who has run out of time is waited for no more.
	if err := u.remindIn(ctx, d, up); err != nil {
		if failed = err; change.Unavailable(err) || ctx.Err() != nil {
			return err
		}
	}
	challenges, err := u.store.DueChallenges(ctx, d, up-max(0, u.kit.Times.Grace), kit.Batch)
	if err != nil {
		return err
	}
	for _, c := range challenges {
		if err := u.change.ExpireChallenge(ctx, c); err != nil {
			if failed = err; change.Unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}

// inThread reports whether the match is played in a thread of ours.
func inThread(m store.Match) bool { return m.Thread != "" && m.State == store.Active }

// expireLater is expireMatch in the background, once at a time for a match.
func (b *games) expireLater(m store.Match, up time.Duration) {
	if _, busy := b.looking.LoadOrStore(m.ID, true); busy {
		return
	}
	b.kit.Work.Go(func(ctx context.Context) {
		defer b.looking.Delete(m.ID)
		if err := b.expireMatch(ctx, m, up); err != nil {
			b.kit.Log.Error("match in a thread is left for later", "error", err)
		}
	})
}

// expireMatch ends a match, or lets its offer of a rematch lapse, if its time has come. One
// whose thread cannot be played in any more ends with all that are played there.
func (b *games) expireMatch(ctx context.Context, m store.Match, up time.Duration) error {
	due, ok := match.Expire(m, b.kit.Times.ChallengeTTL, up)
	if !ok {
		return nil
	}
	if inThread(m) {
		if why := b.closed(ctx, m.Thread); why != store.NotEnded {
			return b.endIn(ctx, m.Thread, m.Channel, why)
		}
	}
	if stored, err := b.change.Quietly(ctx, store.Change{Matches: []store.Match{due}}); !stored {
		return err
	}
	b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
	if judge := b.judge(due); judge != nil {
		b.kit.Work.Go(judge) // nobody has yet, or the process ended meanwhile
	}
	if remove := (notices{b}).remove(m); remove != nil && !match.StillWaits(m, due) {
		b.kit.Work.Go(remove)
	}
	return nil
}
