package upkeep

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
)

// purged is a store that has so many old records.
type purged struct {
	upkeepStore
	left               int
	claims, challenges time.Time // before which they are old
}

func (p *purged) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n := min(p.left, limit)
	p.left -= n
	p.claims, p.challenges = claims, challenges
	return n, nil
}

// TestPurgeTakesItsTime: old records go on being removed when what follows an answer would
// have no more time.
func TestPurgeTakesItsTime(t *testing.T) {
	now, db := time.Now(), &purged{left: 2*purgeStep + 1}
	work := dispatch.NewWork(t.Context(), slog.New(slog.NewTextHandler(t.Output(), nil)), time.Nanosecond)
	u := &Upkeep{Kit: &kit.Kit{Work: work, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Now: func() time.Time { return now }}, Store: db}
	work.Go(u.Purge)
	if err := work.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if db.left > 0 || !db.claims.Equal(now.Add(-keepClaims)) || !db.challenges.Equal(now.Add(-keepClosed)) {
		t.Errorf("%d old records are left, from before %v and %v", db.left, db.claims, db.challenges)
	}
}
