package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

func TestAward(t *testing.T) {
	r := engine.Standard
	people := store.Caps{Seats: 2, Pair: 4, Person: 10}
	const xWins, draw = "a1 a2 b1 b2 c1", "a1 b2 c3 a2 c2 c1 a3 b3 b1"
	over := func(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
		return matchtest.Over(m, reason, winner)
	}
	swapped := matchtest.Swapped
	tokenOnly := func(m store.Match) store.Match { m.TokenOnly = true; return m }
	hinted := func(m store.Match) store.Match { m.Hinted = true; return m }
	given := func(m store.Match) store.Match { m.Given = 1; return m }
	for _, test := range []struct {
		name string
		m    store.Match
		want store.Award
	}{
		{"a win", over(matchtest.Between(t, r, xWins), store.ByLine, engine.X), store.Award{X: 3, Caps: people}},
		{"a win of O", over(matchtest.Between(t, r, "a1 a2 b1 b2 c3 c2"), store.ByLine, engine.O), store.Award{O: 3, Caps: people}},
		{"a draw", over(matchtest.Between(t, r, draw), store.FullBoard, engine.None), store.Award{X: 1, O: 1, Caps: people}},
		{"resigned", over(matchtest.Between(t, r, "a1 b2 c3 a2"), store.Resignation, engine.O), store.Award{O: 3, Caps: people}},
		{"out of time", over(matchtest.Between(t, r, "a1 b2 c3 a2"), store.Clock, engine.O), store.Award{O: 3, Caps: people}},
		{"on a larger board", over(matchtest.Between(t, engine.Rules{M: 5, N: 5, K: 4}, "a1 b2 c3 a2"), store.Clock, engine.O), store.Award{O: 3, Caps: people}},

		{"where the bot is no member", tokenOnly(over(matchtest.Between(t, r, xWins), store.ByLine, engine.X)), store.Award{Why: store.OutsideGuilds}},
		{"too short", over(matchtest.Between(t, r, "a1 b2 c3"), store.Clock, engine.X), store.Award{Why: store.TooShort}},
		{"at once", over(matchtest.Between(t, r, ""), store.Resignation, engine.X), store.Award{Why: store.TooShort}},
		{"a board that X can force", over(matchtest.Between(t, engine.Rules{M: 5, N: 5, K: 3}, "a1 b2 c3 a2"), store.Clock, engine.O), store.Award{Why: store.ForcedBoard}},
		{"where marks vanish, which X can force", over(matchtest.Between(t, engine.Vanishing, xWins), store.ByLine, engine.X), store.Award{Why: store.ForcedBoard}},
		{"with a hint", hinted(over(matchtest.Between(t, r, xWins), store.ByLine, engine.X)), store.Award{Hinted: true, Why: store.WithHint}},
		{"from a position", given(over(matchtest.Between(t, r, xWins), store.ByLine, engine.X)), store.Award{FromPosition: true, Why: store.NotFromStart}},
		{"stopped", over(matchtest.Between(t, r, "a1 b2 c3 a2"), store.Stopped, engine.None), store.Award{Why: store.WithoutResult}},
		{"abandoned", over(matchtest.Between(t, r, "a1 b2 c3 a2"), store.Abandoned, engine.None), store.Award{Why: store.WithoutResult}},
		{"unreachable", over(matchtest.Between(t, r, "a1 b2 c3 a2"), store.Unreachable, engine.None), store.Award{Why: store.WithoutResult}},
		{"not over", matchtest.Between(t, r, "a1 b2 c3 a2"), store.Award{}},

		{"beat Hard", over(matchtest.Against(t, "hard", r, xWins), store.ByLine, engine.X), store.Award{X: 2, Caps: store.Caps{Pair: 1}, BotWin: true}},
		{"beat Hard with O", over(swapped(matchtest.Against(t, "hard", r, "a1 a2 b1 b2 c3 c2")), store.ByLine, engine.O), store.Award{O: 2, Caps: store.Caps{Pair: 1}, BotWin: true, HonoursO: HonourHardAsO}},
		{"beat Perfect where marks vanish", over(matchtest.Against(t, "perfect", engine.Vanishing, xWins), store.ByLine, engine.X), store.Award{Why: store.ForcedBoard, BotWin: true, HonoursX: HonourVanishing}},
		{"lost to Perfect there", over(matchtest.Against(t, "perfect", engine.Vanishing, "a1 a2 b1 b2 c3 c2"), store.ByLine, engine.O), store.Award{Why: store.ForcedBoard}},
		{"beat Hard on a larger board", over(matchtest.Against(t, "hard", engine.Rules{M: 4, N: 4, K: 4}, "a1 a2 b1 b2 c1 c2 d1"), store.ByLine, engine.X), store.Award{X: 2, Caps: store.Caps{Pair: 1}, BotWin: true}},
		{"drew Perfect on a larger board", over(matchtest.Against(t, "perfect", engine.Rules{M: 4, N: 4, K: 4}, draw), store.FullBoard, engine.None), store.Award{Why: store.AgainstProgram, HonoursX: HonourPerfect}},
		{"beat Hard where X can force it", over(matchtest.Against(t, "hard", engine.Rules{M: 4, N: 4, K: 3}, xWins), store.ByLine, engine.X), store.Award{Why: store.ForcedBoard}},
		{"drew Hard", over(matchtest.Against(t, "hard", r, draw), store.FullBoard, engine.None), store.Award{Why: store.AgainstProgram}},
		{"drew Perfect", over(matchtest.Against(t, "perfect", r, draw), store.FullBoard, engine.None), store.Award{X: 1, Caps: store.Caps{Pair: 1}, HonoursX: HonourPerfect}},
		{"lost to Perfect", over(matchtest.Against(t, "perfect", r, "a1 a2 b1 b2 c3 c2"), store.ByLine, engine.O), store.Award{Why: store.AgainstProgram}},
		{"beat Medium", over(matchtest.Against(t, "medium", r, xWins), store.ByLine, engine.X), store.Award{Why: store.AgainstProgram}},
		{"left lying", over(matchtest.Against(t, "hard", r, "a1 b2 c3 a2"), store.Idle, engine.None), store.Award{Why: store.WithoutResult}},
	} {
		test.want.Match = test.m.ID
		if d := cmp.Diff(test.want, Award(test.m)); d != "" {
			t.Errorf("%s: got + want -:\n%s", test.name, d)
		}
	}
	private := over(matchtest.Against(t, "perfect", r, draw), store.FullBoard, engine.None)
	private.Guild = ""
	want := store.Award{Match: private.ID, Why: store.OutsideGuilds, HonoursX: HonourPerfect}
	if d := cmp.Diff(want, Award(private)); d != "" {
		t.Errorf("in a direct message: got + want -:\n%s", d)
	}
}

// TestBoardsThatXCanForce: of the boards on offer those give no points on which the first
// player wins by best play, as the solver says.
func TestBoardsThatXCanForce(t *testing.T) {
	for _, r := range Boards {
		g, err := engine.New(r)
		if err != nil {
			t.Fatal(err)
		}
		result, err := solver.Solve(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if won := result.Value == solver.Win; FirstPlayerCanForce(r) != won {
			t.Errorf("%v: %t, want %t", r, FirstPlayerCanForce(r), won)
		}
		m := matchtest.Over(matchtest.Between(t, r, "a1 b2 c3 a2"), store.Resignation, engine.X)
		if counts := Award(m).Why == store.Counts; counts == FirstPlayerCanForce(r) {
			t.Errorf("%v: a game counts: %t", r, counts)
		}
	}
}

func TestHonours(t *testing.T) {
	byLine := func(m store.Match, winner engine.Mark) store.Match { return matchtest.Over(m, store.ByLine, winner) }
	wideX := "a1 b1 a2 b2 a3 b3 a4"
	vanishing := matchtest.Against(t, "perfect", engine.Vanishing, "a1 a2 b1 b2 c1")
	for _, test := range []struct {
		name string
		m    store.Match
		x, o store.Honours
	}{
		{"a fork", byLine(matchtest.Between(t, engine.Standard, "a1 b2 c3 c1 a3 b3 a2"), engine.X), HonourFork, 0},
		{"one threat after the other", byLine(matchtest.Between(t, engine.Standard, "a1 a2 b1 b2 c1"), engine.X), 0, 0},
		{"two threats while the other wins at once, and misses it", byLine(matchtest.Between(t, engine.Standard, "a1 b2 c1 b3 a3 c2 b1"), engine.X), 0, 0},
		{"on a board that X can force", byLine(matchtest.Between(t, engine.Rules{M: 5, N: 5, K: 3}, "c3 a1 c2 a2 b3 e5 d3"), engine.X), 0, 0},
		{"a fork, then resigned", matchtest.Over(matchtest.Between(t, engine.Standard, "a1 b2 c3 c1 a3"), store.Resignation, engine.X), 0, 0},
		{"4x5 with X", byLine(matchtest.Between(t, wide, wideX), engine.X), honourWideX, 0},
		{"4x5 with X against Easy", byLine(matchtest.Against(t, "easy", wide, wideX), engine.X), 0, 0},
		{"4x5 with O", byLine(matchtest.Between(t, wide, "b1 a1 b2 a2 b3 a3 d5 a4"), engine.O), 0, honourWideO},
		{"Perfect where marks vanish", byLine(vanishing, engine.X), HonourVanishing, 0},
	} {
		x, o := honours(test.m, engine.X), honours(test.m, engine.O)
		if x != test.x || o != test.o {
			t.Errorf("%s: got %b and %b, want %b and %b", test.name, x, o, test.x, test.o)
		}
	}
	got := Honours(store.Profile{Best: 10, Honours: map[store.Honours]int{HonourFork: 2, honourWideX: 1, honourWideO: 1}}, store.Puzzler{Best: 7})
	if d := cmp.Diff([]store.Honours{HonourFork, HonourTenInARow, HonourBothSides, HonourPuzzleWeek}, got); d != "" {
		t.Errorf("Honours: got + want -:\n%s", d)
	}
	got = Honours(store.Profile{Best: 9, Honours: map[store.Honours]int{honourWideX: 3}}, store.Puzzler{Best: 6, Solved: 60})
	if len(got) != 0 {
		t.Errorf("Honours = %v, want none", got)
	}
}
