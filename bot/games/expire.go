package games

import (
	"context"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// InThread reports whether the match is played in a thread of ours.
func InThread(m store.Match) bool { return m.Thread != "" && m.State == store.Active }

// ExpireLater does ExpireMatch in the background, once at a time for a match.
func (b *Games) ExpireLater(m store.Match, up time.Duration) {
	if _, busy := b.looking.LoadOrStore(m.ID, true); busy {
		return
	}
	b.kit.Work.Go(func(ctx context.Context) {
		defer b.looking.Delete(m.ID)
		if err := b.ExpireMatch(ctx, m, up); err != nil {
			b.kit.Log.Error("match in a thread is left for later", "error", err)
		}
	})
}

// ExpireMatch ends a match, or lets its offer of a rematch lapse, if its time has come. One
// whose thread cannot be played in any more ends with all that are played there.
func (b *Games) ExpireMatch(ctx context.Context, m store.Match, up time.Duration) error {
	due, ok := match.Expire(m, b.kit.Times.ChallengeTTL, up)
	if !ok {
		return nil
	}
	if InThread(m) {
		if why := b.Threads.Closed(ctx, m.Thread); why != store.NotEnded {
			return b.EndIn(ctx, m.Thread, m.Channel, why)
		}
	}
	if stored, err := b.change.Quietly(ctx, store.Change{Matches: []store.Match{due}}); !stored {
		return err
	}
	b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
	b.kit.Work.Go(b.Judge.weigh(due)) // nobody has yet, or the process ended meanwhile
	if !match.StillWaits(m, due) {
		b.kit.Work.Go(b.notices.remove(m))
	}
	return nil
}
