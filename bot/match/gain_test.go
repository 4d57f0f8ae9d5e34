package match

import (
	"testing"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestGain covers what a result tells that the match has given somebody.
func TestGain(t *testing.T) {
	const xWins, draw = "a1 a2 b1 b2 c1", "a1 b2 c3 a2 c2 c1 a3 b3 b1"
	wide := engine.Rules{M: 4, N: 5, K: 4}
	win := over(matchtest.Between(t, engine.Standard, xWins), store.ByLine, engine.X)
	held := over(matchtest.Against(t, "perfect", engine.Standard, draw), store.FullBoard, engine.None)
	given := win
	given.Given = 2
	for _, test := range []struct {
		name  string
		m     store.Match
		r     store.Result
		p     store.Profile
		place int
		side  engine.Mark
		may   bool
		want  store.Gain
	}{
		{"a win", win, store.Result{PointsX: 3}, store.Profile{Streak: 1}, 2, engine.X, true, store.Gain{Points: 3, Place: 2}},
		{"the third in a row", win, store.Result{PointsX: 3}, store.Profile{Streak: 3}, 1, engine.X, true, store.Gain{Points: 3, Place: 1, Streak: 3}},
		{"a win of O", over(matchtest.Between(t, engine.Standard, "a1 a2 b1 b2 c3 c2"), store.ByLine, engine.O), store.Result{PointsO: 3}, store.Profile{}, 1, engine.O, true, store.Gain{Points: 3, Place: 1}},
		{"far down", win, store.Result{PointsX: 3}, store.Profile{}, MostTold + 1, engine.X, true, store.Gain{Points: 3}},
		{"the fifth of a day", win, store.Result{}, store.Profile{Streak: 5}, 2, engine.X, true, store.Gain{Streak: 5}},
		{"a fork, for the first time", win, store.Result{PointsX: 3, HonoursX: HonourFork}, store.Profile{Honours: map[store.Honours]int{HonourFork: 1}}, 2, engine.X, true, store.Gain{Points: 3, Place: 2, Honours: HonourFork}},
		{"a fork, as before", win, store.Result{PointsX: 3, HonoursX: HonourFork}, store.Profile{Honours: map[store.Honours]int{HonourFork: 2}}, 2, engine.X, true, store.Gain{Points: 3, Place: 2}},
		{"from both sides", over(matchtest.Between(t, wide, xWins), store.ByLine, engine.X), store.Result{HonoursX: honourWideX}, store.Profile{Honours: map[store.Honours]int{honourWideX: 1, honourWideO: 3}}, 0, engine.X, true, store.Gain{Honours: HonourBothSides}},
		{"from one side", over(matchtest.Between(t, wide, xWins), store.ByLine, engine.X), store.Result{HonoursX: honourWideX}, store.Profile{Honours: map[store.Honours]int{honourWideX: 1}}, 0, engine.X, true, store.Gain{}},
		{"a draw", over(matchtest.Between(t, engine.Standard, draw), store.FullBoard, engine.None), store.Result{PointsX: 1, PointsO: 1}, store.Profile{Streak: 3}, 1, engine.X, true, store.Gain{Points: 1}},
		{"drew Perfect", held, store.Result{PointsX: 1, HonoursX: HonourPerfect}, store.Profile{Streak: 3, Honours: map[store.Honours]int{HonourPerfect: 1}}, 4, engine.X, true, store.Gain{Points: 1, Place: 4, Honours: HonourPerfect}},
		{"lost to Perfect", over(matchtest.Against(t, "perfect", engine.Standard, "a1 a2 b1 b2 c3 c2"), store.ByLine, engine.O), store.Result{}, store.Profile{}, 0, engine.None, false, store.Gain{}},
		{"beat Medium", over(matchtest.Against(t, "medium", engine.Standard, xWins), store.ByLine, engine.X), store.Result{}, store.Profile{Streak: 3}, 0, engine.X, false, store.Gain{}},
		{"from a position", given, store.Result{}, store.Profile{}, 0, engine.X, false, store.Gain{}},
		{"stopped", over(matchtest.Between(t, engine.Standard, "a1 b2"), store.Stopped, engine.None), store.Result{}, store.Profile{}, 0, engine.None, false, store.Gain{}},
		{"not over", matchtest.Between(t, engine.Standard, "a1 b2"), store.Result{}, store.Profile{}, 0, engine.None, false, store.Gain{}},
	} {
		if side, may := Gainer(test.m), MayGain(test.m); side != test.side || may != test.may {
			t.Errorf("%s: of %v, %t; want %v, %t", test.name, side, may, test.side, test.may)
		}
		if got := Gain(test.m, test.r, test.p, test.place); test.may && got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
