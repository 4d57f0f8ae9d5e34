package bot

import (
	"context"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/games"
	"tictactoe/bot/kit"
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
		if games.InThread(m) { // there Discord is asked first
			u.games.ExpireLater(m, up)
			continue
		}
		if err := u.games.ExpireMatch(ctx, m, up); err != nil {
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
