package upkeep

import (
	"cmp"
	"context"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/games"
	"tictactoe/bot/kit"
	"tictactoe/store"
)

// tokenWait is for how long the owner of a clock leaves a reminder to the process whose token can
// send it.
const tokenWait = 5 * time.Second

// Expire ends what has fallen due in the domains that this process owns. Elsewhere it reminds
// where it alone may have the token.
func (u *Upkeep) Expire(ctx context.Context) error {
	owned := u.Kit.Clock.Mine() & u.Kit.Served()
	looks := owned
	if u.Anywhere() {
		looks = u.Kit.Served()
	}
	if looks == 0 {
		return nil
	}
	return u.dueWithin(ctx, looks, 0, func(ctx context.Context, d store.Domain, up time.Duration) error {
		if owned.Has(d) {
			return u.expireIn(ctx, d, up)
		}
		return u.remindIn(ctx, d, up)
	})
}

// dueWithin does it in those of the domains in which something falls due within a time, for what
// does so until an up-time.
func (u *Upkeep) dueWithin(ctx context.Context, domains store.DomainSet, within time.Duration, do func(ctx context.Context, d store.Domain, until time.Duration) error) error {
	up := u.Kit.Clock.Look().All
	next, err := u.Store.NextDeadlines(ctx)
	if err != nil {
		return err
	}
	var due []store.Domain
	for d, at := range next.Mine(domains) {
		if at != 0 && at <= up[d]+within {
			due = append(due, store.Domain(d)) //nolint:gosec // fewer than 64
		}
	}
	return each(ctx, due, func(d store.Domain) error { return do(ctx, d, up[d]+within) })
}

// expireIn ends what has fallen due in the domain, and reminds whom it is time to remind.
func (u *Upkeep) expireIn(ctx context.Context, d store.Domain, up time.Duration) error {
	matches, err := u.Store.DueMatches(ctx, d, up, kit.Batch)
	if err != nil {
		return err
	}
	ended := each(ctx, matches, func(m store.Match) error {
		switch {
		case !m.GridStands && m.Deadline > u.Kit.OverAt(m.Guild):
			return nil // while a shard is away or replays, the clocks of its servers stand still
		case games.InThread(m): // there Discord is asked first
			u.Games.ExpireLater(m, up)
			return nil
		}
		return u.Games.ExpireMatch(ctx, m, up)
	})
	// Behind what ends: who has run out of time is waited for no more.
	reminded := u.remindIn(ctx, d, up)
	challenges, err := u.Store.DueChallenges(ctx, d, up-max(0, u.Kit.Times.Grace), kit.Batch)
	if err != nil {
		return err
	}
	closed := each(ctx, challenges, func(c store.Challenge) error { return u.Change.CloseChallenge(ctx, c, store.Expired) })
	return cmp.Or(closed, reminded, ended)
}

// remindIn sends the reminders of the domain that are due, in a domain of another process those
// for which this one has the token.
func (u *Upkeep) remindIn(ctx context.Context, d store.Domain, up time.Duration) error {
	due, err := u.Store.DueReminders(ctx, d, up, kit.Batch)
	if err != nil {
		return err
	}
	mine, others := u.Kit.Clock.Mine().Has(d), u.Anywhere()
	return each(ctx, due, func(m store.Match) error {
		switch reached := u.reaches(m); {
		case !mine && (!m.TokenOnly || !reached), others && !reached && up < m.Remind+tokenWait:
			return nil
		}
		return u.Games.Reminders.Remind(ctx, m, up)
	})
}

// each does it for all, and goes on behind a failure that concerns one alone. It returns the last.
func each[T any](ctx context.Context, all []T, do func(T) error) (failed error) {
	for _, one := range all {
		if err := do(one); err != nil {
			if failed = err; change.Unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}
