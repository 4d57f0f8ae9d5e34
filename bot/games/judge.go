package games

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// judgeTime is how long one match may be judged for.
const judgeTime = 5 * time.Second

// judge returns what finds out and stores which move lost an ended match, nil where that
// is known. It is done behind the answer, and counts as one that thinks.
func (b *Games) judge(m store.Match) func(context.Context) {
	if m.State != store.Ended || m.Verdict.Kind != store.NotJudged {
		return nil
	}
	return func(ctx context.Context) {
		if err := b.judgeNow(ctx, m); err != nil {
			b.kit.Log.Info("match not judged", "error", err)
		}
	}
}

func (b *Games) judgeNow(ctx context.Context, m store.Match) error {
	var verdict store.Verdict
	err := b.think.Searching(ctx, func() (err error) {
		ctx, cancel := context.WithTimeout(ctx, judgeTime)
		defer cancel()
		verdict, err = match.Judge(ctx, m)
		return err
	})
	if err != nil {
		return err
	}
	for range change.ConflictTries {
		if m, err = b.change.LoadMatch(ctx, m.ID); err != nil || m.Verdict.Kind != store.NotJudged {
			return err
		}
		m.Verdict = verdict
		if err = b.change.Apply(ctx, store.Change{Matches: []store.Match{m}}); !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	if err == nil && (m.Private() || !m.GridStands) { // else it is drawn when the grid goes
		b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
	}
	return err
}
