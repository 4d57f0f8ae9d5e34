package coach_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/engine/solver"
)

// Every move in every position of 3x3 is judged by what the solver says of the positions
// before and after it.
func TestEveryMoveOnTheStandardBoard(t *testing.T) {
	seen := map[engine.Game]bool{}
	var visit func(engine.Game)
	visit = func(g engine.Game) {
		if seen[g] || g.Over() {
			return
		}
		seen[g] = true
		checkMoves(t, g)
		for _, child := range g.Children() {
			visit(child)
		}
	}
	g, err := engine.New(engine.Standard)
	if err != nil {
		t.Fatal(err)
	}
	visit(g)
	if len(seen) != 4520 { // 5,478 positions, 958 of which are over
		t.Errorf("%d positions were looked at", len(seen))
	}
}

// On the other boards moves of random games are.
func TestMovesOfRandomGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	for _, rules := range engine.AllRules() {
		g, err := engine.New(rules)
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; !g.Over() && ply < 40; ply++ {
			if ply >= rules.Cells()/3 || rules.Limit != 0 { // the first ones take long on large boards
				checkMoves(t, g)
			}
			moves := slices.Collect(g.Moves())
			if g, err = g.Play(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkMoves compares the verdicts on the moves in the position with the values of the
// positions around them.
func checkMoves(t *testing.T, g engine.Game) {
	t.Helper()
	side := g.SideToMove()
	before := worth(t, g, side)
	after := map[engine.Cell]outcome{}
	for c, child := range g.Children() {
		after[c] = worth(t, child, side)
	}
	if m, err := coach.Best(context.Background(), g); err != nil || ofStanding(m.Standing, side) != before || after[m.Cell].value != before.value {
		t.Errorf("%v: the best move is %s, which leads to %+v, %v, want %+v", g, g.Rules().CellName(m.Cell), m.Standing, err, before)
	}
	for c := range g.Moves() {
		v, err := coach.Judge(context.Background(), g, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := ofStanding(v.Before, side); got != before {
			t.Errorf("%v: before the move it stands %+v, want %+v", g, got, before)
		}
		if got := ofStanding(v.After, side); got != after[c] {
			t.Errorf("%v %s: after the move it stands %+v, want %+v", g, g.Rules().CellName(c), got, after[c])
		}
		if want := kindOf(before, after[c]); v.Kind != want {
			t.Errorf("%v %s: %v, want %v", g, g.Rules().CellName(c), v.Kind, want)
		}
		if fell := after[c].value < before.value; v.Kind.Mistake() != fell {
			t.Errorf("%v %s: %v, and the value fell: %t", g, g.Rules().CellName(c), v.Kind, fell)
		}
		child, err := g.Play(c)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := coach.Best(context.Background(), child); err != nil || answer.Standing != v.After {
			t.Errorf("%v %s: answered, it stands %+v, %v, want %+v", g, g.Rules().CellName(c), answer.Standing, err, v.After)
		} else if child.Over() && answer.Cell != 0 {
			t.Errorf("%v %s: answered by %s when it is over", g, g.Rules().CellName(c), g.Rules().CellName(answer.Cell))
		} else if !child.Over() {
			if next, err := child.Play(answer.Cell); err != nil || ofStanding(v.After, side).value != worth(t, next, side).value {
				t.Errorf("%v %s: the answer %s gives something away, %v", g, g.Rules().CellName(c), g.Rules().CellName(answer.Cell), err)
			}
		}
		for o, w := range after {
			better := w.value == before.value && (v.Kind.Mistake() || w.value != solver.Draw && w.plies+1 == before.plies && w != after[c])
			if slices.Contains(v.Better, o) != better {
				t.Errorf("%v %s: %v, better are %s; is %s: %t", g, g.Rules().CellName(c), v.Kind, g.Rules().FormatMoves(v.Better), g.Rules().CellName(o), better)
			}
		}
		for i := 1; i < len(v.Better); i++ {
			if a, b := after[v.Better[i-1]], after[v.Better[i]]; before.value == solver.Win && a.plies > b.plies {
				t.Errorf("%v %s: of the better moves %s the first is not the best", g, g.Rules().CellName(c), g.Rules().FormatMoves(v.Better))
			}
		}
	}
}

// outcome is what a position is worth to a side, and how far away that is.
type outcome struct {
	value solver.Value
	plies int
}

// worth asks the solver, and nobody else.
func worth(t *testing.T, g engine.Game, side engine.Mark) outcome {
	t.Helper()
	if g.Over() {
		switch g.Outcome().Winner() {
		case side:
			return outcome{value: solver.Win}
		case side.Other():
			return outcome{value: solver.Loss}
		default:
			return outcome{}
		}
	}
	r, err := solver.Solve(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{r.Value, r.Plies}
	if o.value == solver.Draw {
		o.plies = 0
	}
	if g.SideToMove() != side {
		o.value = -o.value
	}
	return o
}

func ofStanding(s coach.Standing, side engine.Mark) outcome {
	switch s.Winner {
	case side:
		return outcome{solver.Win, s.Plies}
	case side.Other():
		return outcome{solver.Loss, s.Plies}
	default:
		return outcome{}
	}
}

func kindOf(before, after outcome) coach.Kind {
	switch {
	case before.value == solver.Win && after.value == solver.Win:
		return coach.KeptWin
	case before.value == solver.Win:
		return coach.GaveWin
	case before.value == solver.Draw && after.value == solver.Draw:
		return coach.KeptDraw
	case before.value == solver.Draw:
		return coach.GaveDraw
	case after.plies+1 < before.plies:
		return coach.LostSooner
	default:
		return coach.Resisted
	}
}

func TestGame(t *testing.T) {
	for _, test := range []struct {
		rules, moves string
		want         []coach.Kind
		better       string // of the last move
	}{
		{"3x3", "a1 a2 b2 a3 c3", []coach.Kind{coach.KeptDraw, coach.GaveDraw, coach.KeptWin, coach.LostSooner, coach.KeptWin}, ""},
		{"3x3", "a1 b1 c3 b2", []coach.Kind{coach.KeptDraw, coach.GaveDraw, coach.GaveWin, coach.KeptDraw}, ""},
		{"vanishing", "a1", []coach.Kind{coach.GaveWin}, "b1 a2 c2 b3"},
		{"4x4-3", "b2 a1 c3", []coach.Kind{coach.KeptWin, coach.Resisted, coach.KeptWin}, "c2 b3"},
	} {
		rules, err := engine.ParseRules(test.rules)
		if err != nil {
			t.Fatal(err)
		}
		moves, err := rules.ParseMoves(test.moves)
		if err != nil {
			t.Fatal(err)
		}
		verdicts, err := coach.Game(context.Background(), rules, moves, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []coach.Kind
		for _, v := range verdicts {
			got = append(got, v.Kind)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %s: %v, want %v", test.rules, test.moves, got, test.want)
		}
		if better := rules.FormatMoves(verdicts[len(verdicts)-1].Better); better != test.better {
			t.Errorf("%s %s: better are %q, want %q", test.rules, test.moves, better, test.better)
		}
	}
}

// What was judged before an end of the time is kept, and is not asked for again.
func TestGameGoesOnWhereItStopped(t *testing.T) {
	moves, err := engine.Standard.ParseMoves("a1 a2 b2 a3 c3")
	if err != nil {
		t.Fatal(err)
	}
	all, err := coach.Game(context.Background(), engine.Standard, moves, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	some, err := coach.Game(ended, engine.Standard, moves, all[:3])
	if !errors.Is(err, context.Canceled) || len(some) != 3 {
		t.Errorf("after the end of its time: %d verdicts, %v", len(some), err)
	}
	rest, err := coach.Game(context.Background(), engine.Standard, moves, some)
	if err != nil || !slices.EqualFunc(rest, all, func(a, b coach.Verdict) bool { return a.Kind == b.Kind }) {
		t.Errorf("gone on with: %+v, %v, want %+v", rest, err, all)
	}
	if done, err := coach.Game(ended, engine.Standard, moves, all); err != nil || len(done) != len(moves) {
		t.Errorf("with nothing left to judge: %d verdicts, %v", len(done), err)
	}
}

func TestWhatCannotBeJudged(t *testing.T) {
	g := engine.MustParse("XO./.../...")
	if _, err := coach.Judge(context.Background(), g, 0); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("a taken cell: %v", err)
	}
	if _, err := coach.Judge(context.Background(), engine.MustParse("XXX/OO./..."), 8); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("a game that is over: %v", err)
	}
	if _, err := coach.Game(context.Background(), engine.Standard, []engine.Cell{0, 0}, nil); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("moves that are not legal: %v", err)
	}
}
