package upkeep

import (
	"context"
	"math"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// pastStep is how many matches of before get their results in one commit: between two of them
// other changes are stored.
const pastStep = 50

// fillLedger writes the results of some matches that ended before there was a ledger. It goes on
// where it, or the last process, came to, until all have theirs.
func (u *Upkeep) fillLedger(ctx context.Context) error {
	if u.filled {
		return nil
	}
	past, err := u.Store.PastMatches(ctx, pastStep)
	if err != nil {
		return err
	}
	c := store.Change{Past: past, PastTo: math.MaxInt64}
	for _, m := range past {
		c.Awards = append(c.Awards, match.Award(m))
	}
	if len(past) == pastStep {
		c.PastTo = past[len(past)-1].ID
	}
	if len(past) > 0 {
		err = u.Change.Apply(ctx, c)
	}
	u.filled = err == nil && len(past) < pastStep
	return err
}
