package bot_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

// copies copies a match that had ended before there was a ledger, so often.
const copies = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
	INSERT INTO matches SELECT 1000 + i, guild, channel, place, '', version, '', m, n, k, x_user, x_opponent, o_user, o_opponent, moves,
	state, end_reason, winner, ended_by, clock, 0, cell_names, locale, series_x, series_o, series_d, 0, 0, next, version, created, updated
	FROM matches CROSS JOIN n AS n WHERE id = 973192914757718645`

// pastSteps notes which matches get their results in one commit, and holds the second one.
type pastSteps struct {
	store.Store
	mu    sync.Mutex
	steps [][]store.MatchID
	held  chan struct{} // closed when the second one waits; nil lets it through
}

func (p *pastSteps) Apply(ctx context.Context, c store.Change) error {
	if len(c.Past) > 0 && p.step(c.Past) {
		<-ctx.Done()
		return ctx.Err()
	}
	return p.Store.Apply(ctx, c)
}

// step notes the matches of a step, and reports whether it is to be held.
func (p *pastSteps) step(past []store.Match) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []store.MatchID
	for _, m := range past {
		ids = append(ids, m.ID)
	}
	p.steps = append(p.steps, ids)
	if p.held == nil || len(p.steps) != 2 {
		return false
	}
	close(p.held)
	return true
}

// TestGamesOfBeforeInSteps: the results of many games of before are written in small steps.
// The start waits for none of them, nor do players, and a process that comes after one that
// was killed between two steps goes on behind the first, so that each game has one result.
func TestGamesOfBeforeInSteps(t *testing.T) {
	t.Parallel()
	p := &pastSteps{held: make(chan struct{})}
	w := schema1.upgraded(t, bottest.DatabaseAt(schema1.database(t, copies)),
		bottest.Behind(func(s store.Store) store.Store { p.Store = s; return p }))
	waittest.Until(t, "the second step", func() bool {
		select {
		case <-p.held:
			return true
		default:
			return false
		}
	})
	w.Elsewhere("meanwhile")
	w.Cell(t, w.Ada, w.Play(t, w.Ada), "b2")
	w.Crash(t)
	p.held = nil
	before := len(p.steps)
	w.Start(t)
	waittest.Until(t, "all results", func() bool {
		past, err := w.Store.PastMatches(t.Context(), 1)
		p.mu.Lock()
		defer p.mu.Unlock()
		return err == nil && len(past) == 0 && len(p.steps) > before
	})
	p.mu.Lock()
	steps := append(p.steps[:1:1], p.steps[before:]...) // what was held was not stored
	p.mu.Unlock()
	var all []store.MatchID
	for _, s := range steps {
		if all = append(all, s...); len(s) > 50 {
			t.Errorf("%d games in one step", len(s))
		}
	}
	if len(all) != 134 || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != 134 {
		t.Errorf("%d games in the steps %v, want 134, each once and in order", len(all), steps)
	}
	const winner = store.UserID("1478089506824388609")
	p1, err := w.Store.Profile(t.Context(), winner, "", "")
	if err != nil || len(p1.Tallies) == 0 || p1.Tallies[0].Rules != engine.Standard || p1.Tallies[0].Won < 131 || p1.Best != 0 {
		t.Errorf("Profile = %+v, %v, want 131 wins of before and more, and no streak", p1, err)
	}
	guild := store.GuildID(w.Discord.Guild().ID())
	if _, total, err := w.Store.Standings(t.Context(), guild, store.AllTime, 0, 1); total != 0 || err != nil {
		t.Errorf("%d people are in the standings, %v, want none", total, err)
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v, want every sum to be right", wrong, err)
	}
	quiet(t, w)
}
