package upkeep

import (
	"context"
	"math"

	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// pastStep is how many matches of before get their results in one commit.
const pastStep = 50

// fillLedgerLater has the ledger filled in the background, until ctx ends, unless that is
// under way or done.
func (u *Upkeep) fillLedgerLater(ctx context.Context) {
	if !u.filling.CompareAndSwap(false, true) {
		return
	}
	u.Kit.Work.Go(func(context.Context) {
		// What is left is not begun while the process comes to its end: the next one goes on.
		if !u.fillLedger(ctx) {
			u.filling.Store(false)
		}
	})
}

// fillLedger writes the results of matches that ended before there was a ledger, in
// steps between which other changes are stored. It goes on where the last process came
// to, and reports whether all have theirs.
func (u *Upkeep) fillLedger(ctx context.Context) (all bool) {
	for {
		past, err := u.Store.PastMatches(ctx, pastStep)
		if err == nil && len(past) == 0 {
			return true
		}
		all = len(past) < pastStep
		c := store.Change{Past: past, PastTo: math.MaxInt64}
		for _, m := range past {
			c.Awards = append(c.Awards, match.Award(m))
		}
		if !all {
			c.PastTo = past[len(past)-1].ID
		}
		if err == nil {
			err = u.Change.Apply(ctx, c)
		}
		if err != nil {
			if ctx.Err() == nil {
				u.Kit.Log.Error("results of earlier games are added later", "error", err)
			}
			return false
		}
		if all || tasks.Sleep(ctx, u.Kit.Times.RedrawPause) != nil {
			return all
		}
	}
}
