package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// dueBatch is how many records that have fallen due are taken at once.
const dueBatch = 100

// expire ends what has fallen due in the domains that this process owns.
func (u *upkeep) expire(ctx context.Context) error {
	owned := u.uptime.owned()
	if owned == 0 {
		return nil
	}
	up := u.uptime.all()
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
			if failed = err; unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}

// expireIn ends what has fallen due in the domain, and reminds whom it is time to remind.
func (u *upkeep) expireIn(ctx context.Context, d store.Domain, up time.Duration) error {
	matches, err := u.store.DueMatches(ctx, d, up, dueBatch)
	if err != nil {
		return err
	}
	var failed error
	for _, m := range matches {
		if !m.GridStands && m.Deadline > u.overAt(m.Guild) {
			continue // while a shard is away or replays, the clocks of its servers stand still
		}
		if t := (threads{u.Bot}); t.mayBeLocked(m) {
			t.see(m.ID)
			continue
		}
		if err := u.expireMatch(ctx, m, up); err != nil {
			if failed = err; unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	// Behind what ends: who has run out of time is waited for no more.
	if err := u.remindIn(ctx, d, up); err != nil {
		if failed = err; unavailable(err) || ctx.Err() != nil {
			return err
		}
	}
	due, err := u.store.DueThreads(ctx, d, up, dueBatch)
	if err != nil {
		return err
	}
	for _, m := range due {
		threads{u.Bot}.see(m.ID)
	}
	challenges, err := u.store.DueChallenges(ctx, d, up-max(0, u.opts.Grace), dueBatch)
	if err != nil {
		return err
	}
	for _, c := range challenges {
		if err := u.expireChallenge(ctx, c); err != nil {
			if failed = err; unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}

// expireMatch ends a match, or lets its offer of a rematch lapse, if its time has come.
func (b *Bot) expireMatch(ctx context.Context, m store.Match, up time.Duration) error {
	due, ok := match.Expire(m, b.opts.ChallengeTTL, up)
	if !ok {
		return nil
	}
	if stored, err := b.storeQuietly(ctx, store.Change{Matches: []store.Match{due}}); !stored {
		return err
	}
	b.tracker.Redraw(matchRef(m.ID))
	if judge := b.judge(due); judge != nil {
		b.background(judge) // nobody has yet, or the process ended meanwhile
	}
	if remove := (notices{b}).remove(m); remove != nil && !match.StillWaits(m, due) {
		b.background(remove)
	}
	return nil
}

func (b *Bot) expireChallenge(ctx context.Context, c store.Challenge) error {
	expired, ok := match.ExpireChallenge(c, b.up(c.Guild))
	if !ok {
		return nil
	}
	stored, err := b.storeQuietly(ctx, store.Change{Challenges: []store.Challenge{expired}})
	if stored {
		b.tracker.Redraw(challengeRef(c.ID))
	}
	return err
}

// expireNow closes a challenge whose time has come, when somebody meets it before the next
// look. A failure is left to that.
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
