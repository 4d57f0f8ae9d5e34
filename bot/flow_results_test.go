package bot_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

// wantOneResult wants the match to have one result, 3 points for Ada, and every sum to
// be right.
func wantOneResult(t *testing.T, w *bottest.World, id store.MatchID) {
	t.Helper()
	guild, ada := store.GuildID(w.Discord.Guild().ID()), store.UserID(w.Ada.ID())
	r, err := w.Store.Result(t.Context(), id)
	if err != nil || r.Why != store.Counts || r.PointsX != 3 || r.X.User != ada || r.Winner != engine.X || r.Plies != 5 {
		t.Errorf("Result = %+v, %v, want a win of Ada that counts", r, err)
	}
	row, err := w.Store.Standing(t.Context(), guild, store.AllTime, ada)
	if want := (store.Standing{User: ada, Rank: 1, Points: 3, Won: 1}); row != want || err != nil {
		t.Errorf("Standing = %+v, %v, want %+v", row, err, want)
	}
	p, err := w.Store.Profile(t.Context(), ada, "", guild)
	if err != nil || len(p.Tallies) != 1 || p.Tallies[0].Won != 1 || p.Streak != 1 {
		t.Errorf("Profile = %+v, %v, want one game", p, err)
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v, want every sum to be right", wrong, err)
	}
}

// TestLastMoveDeliveredTwice: the move that ends a game is delivered twice, and once
// more after a restart: there is one result.
func TestLastMoveDeliveredTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3")
	id := w.Match(t).ID
	w.Discord.Faults().RedeliverNext(1)
	call := w.Ada.StartClickCell(t, m, 2, 2)
	call.Wait(t)
	bottest.WantText(t, m, "wins")
	waittest.Until(t, "the second delivery", func() bool { return w.Service.Counts().Duplicates == 1 })
	wantOneResult(t, w, id)
	w.Restart(t)
	w.Discord.Faults().Redeliver(call)
	w.Bystander(t) // comes after it
	wantOneResult(t, w, id)
}

// keeping copies the files at the moment at which a change that ends a match has been
// committed and nobody been answered.
type keeping struct {
	store.Store
	w    *bottest.World
	left map[string][]byte
}

func (k *keeping) Apply(ctx context.Context, c store.Change) error {
	err := k.Store.Apply(ctx, c)
	if len(c.Awards) == 0 || err != nil || k.left != nil {
		return err
	}
	k.left = map[string][]byte{}
	for _, part := range []string{"", "-wal"} {
		b, readErr := os.ReadFile(k.w.Path + part)
		k.left[part], err = b, errors.Join(err, readErr)
	}
	return err
}

// TestKilledBehindTheLastMove: the process ends between the commit of the last move and
// its answer, and the move is delivered again to the next one.
func TestKilledBehindTheLastMove(t *testing.T) {
	t.Parallel()
	k := &keeping{}
	w := bottest.New(t, bottest.Behind(func(s store.Store) store.Store { k.Store = s; return k }))
	k.w = w
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3")
	id := w.Match(t).ID
	call := w.Ada.StartClickCell(t, m, 2, 2)
	call.Wait(t)
	w.Stop(t)
	for part, b := range k.left {
		if err := os.WriteFile(w.Path+part, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.Start(t)
	w.Discord.Faults().Redeliver(call)
	w.Bystander(t)
	bottest.WantText(t, m, "wins")
	wantOneResult(t, w, id)
}

// TestMonthEndsWhileGamesRun: a game belongs to the month in which it ends, by UTC.
func TestMonthEndsWhileGamesRun(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	month := store.MonthOf(clock.Now())
	clock.Advance(month.End().Sub(clock.Now()) - time.Hour)
	w := bottest.New(t, bottest.ByClock(clock))
	before := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, before, w.Ada, w.Bob, "a1", "a2", "b2", "a3")
	w.Elsewhere("later")
	after := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, after, w.Ada, w.Bob, "a1", "a2", "b2", "a3")
	w.Cell(t, w.Ada, before, "c3")
	clock.Advance(time.Hour)
	w.Cell(t, w.Ada, after, "c3")
	bottest.WantText(t, before, "wins")
	bottest.WantText(t, after, "wins")
	guild, ada := store.GuildID(w.Discord.Guild().ID()), store.UserID(w.Ada.ID())
	for _, p := range []store.Period{month, store.MonthOf(month.End())} {
		if row, err := w.Store.Standing(t.Context(), guild, p, ada); row.Points != 3 || err != nil {
			t.Errorf("Standing in %d = %+v, %v, want 3 points", p, row, err)
		}
	}
}

// TestGamesOfBefore: games that ended before there were results get theirs in the
// background, without points, and once.
func TestGamesOfBefore(t *testing.T) {
	t.Parallel()
	w := schema1.upgraded(t)
	waittest.Until(t, "the results of before", func() bool {
		r, err := w.Store.Result(t.Context(), 973192914757718645)
		return err == nil && r.Why == store.BeforeLedger
	})
	past, err := w.Store.PastMatches(t.Context(), 1)
	if len(past) != 0 || err != nil {
		t.Errorf("%d games are left, %v", len(past), err)
	}
	guild := store.GuildID(w.Discord.Guild().ID())
	if _, total, err := w.Store.Standings(t.Context(), guild, store.AllTime, 0, 1); total != 0 || err != nil {
		t.Errorf("%d people have points, %v", total, err)
	}
	ada := store.UserID("1478089506824388608")
	p, err := w.Store.Profile(t.Context(), ada, "", guild)
	if len(p.Tallies) == 0 || p.Best != 0 || err != nil {
		t.Errorf("Profile = %+v, %v, want games of before and no streak", p, err)
	}
	w.Restart(t)
	if again, err := w.Store.Profile(t.Context(), ada, "", guild); len(again.Tallies) != len(p.Tallies) || again.Tallies[0] != p.Tallies[0] || err != nil {
		t.Errorf("after a restart: %+v, %v, want %+v", again, err, p)
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v, want every sum to be right", wrong, err)
	}
	quiet(t, w)
}
