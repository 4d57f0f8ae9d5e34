package puzzle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// hashes are those of the first so many days. They stay as they are: a release never
// changes a day.
var hashes = map[int]string{
	60:   "65f9f92f99635c4ad10f844410233623658d2b9525249a0368233b5acfdc6329",
	3650: "40fdbece030ab2ba26a8551712be2b755d61301737a34937d1ba7fdaf9c429ee",
}

// daysTested is how many days the tests look at: PUZZLE_DAYS=3650 for the long run.
func daysTested(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("PUZZLE_DAYS")); err == nil {
		return n
	}
	if os.Getenv("PUZZLE_DAYS") != "" {
		t.Fatal("PUZZLE_DAYS is no number")
	}
	return 60
}

// TestDays looks at each day from the first: it is there in time, is exact, asks what its
// day of the week does, comes in no year before, can be solved and lost as it says, and is
// what it always was.
func TestDays(t *testing.T) {
	all := sha256.New()
	last := map[engine.Game]int64{}
	slowest := time.Duration(0)
	n := daysTested(t)
	for day := int64(firstDay); day < firstDay+int64(n); day++ {
		began := time.Now()
		p, err := Of(t.Context(), day)
		slowest = max(slowest, time.Since(began))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(all, "%d %v %d\n", day, p.Start, p.Solution)
		if before, ok := last[p.Start.Canonical()]; ok && day-before <= 366 {
			t.Errorf("day %d has the puzzle of day %d", day, before)
		}
		last[p.Start.Canonical()] = day
		check(t, p)
		if t.Failed() {
			t.Fatalf("day %d: %v, %+v", day, p.Start, p.Goal)
		}
	}
	t.Logf("%d days, the slowest took %v", n, slowest)
	if got, want := hex.EncodeToString(all.Sum(nil)), hashes[n]; want != "" && got != want {
		t.Errorf("the first %d days have changed: hash %s, want %s", n, got, want)
	} else if want == "" {
		t.Logf("no hash is known of %d days: %s", n, got)
	}
}

// check plays every first move of the puzzle, and the right ones to the end.
func check(t *testing.T, p Puzzle) {
	if asked := week[time.Unix(p.Day*24*60*60, 0).UTC().Weekday()]; p.Start.Rules() != asked.rules || p.Goal != asked.goal {
		t.Error("not what is asked on this day of the week")
	}
	if p.Start.Threats(p.Side()) != 0 || p.Goal.Value == solver.Win && p.Goal.Moves < 2 {
		t.Errorf("a line and its hole: %+v", p.Goal)
	}
	wrong := 0
	values, err := solver.Moves(t.Context(), p.Start)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range values {
		step, err := p.Play(t.Context(), nil, m.Cell)
		if err != nil {
			t.Fatal(err)
		}
		if right := m.Cell == p.Solution; right != (step.Verdict != Wrong) || right != (m.Value == p.Goal.Value) {
			t.Errorf("%d: %+v, and the solver says %+v", m.Cell, step, m)
		}
		if step.Verdict != Wrong {
			continue
		}
		if wrong++; step.Left != m.Value || len(step.Moves) != 2 {
			t.Errorf("%d leaves %v and comes to %v, want %v and an answer", m.Cell, step.Left, step.Moves, m.Value)
		}
		after, err := p.Start.After(step.Moves)
		if err != nil {
			t.Fatal(err)
		}
		if v := valueFor(t, after, p.Side()); v != m.Value {
			t.Errorf("the refutation of %d is answered to %v, want %v", m.Cell, v, m.Value)
		}
	}
	if wrong < FewestWrong {
		t.Errorf("only %d first moves are wrong", wrong)
	}
	solve(t, p)
}

// solve plays right moves until the puzzle is solved.
func solve(t *testing.T, p Puzzle) {
	moves := []engine.Cell(nil)
	for n := 1; ; n++ {
		g, err := p.Start.After(moves)
		if err != nil {
			t.Fatal(err)
		}
		r, err := solver.Solve(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		step, err := p.Play(t.Context(), moves, r.Best)
		if err != nil {
			t.Fatal(err)
		}
		switch step.Verdict {
		case Wrong:
			t.Fatalf("after %v the best move %v is wrong", moves, r.Best)
		case Solved:
			if p.Goal.Moves > 0 && n != p.Goal.Moves {
				t.Errorf("solved in %d moves", n)
			}
			return
		}
		moves = step.Moves
	}
}

// valueFor is what the position is worth to the side, also when the game is over.
func valueFor(t *testing.T, g engine.Game, side engine.Mark) solver.Value {
	switch g.Outcome() {
	case engine.Drawn:
		return solver.Draw
	case engine.Undecided:
	default:
		if g.Outcome().Winner() == side {
			return solver.Win
		}
		return solver.Loss
	}
	r, err := solver.Solve(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	if g.SideToMove() != side {
		return -r.Value
	}
	return r.Value
}

// TestALaterWinIsWrong plays a slower win at the second move: the win is not lost, but it
// comes later than asked.
func TestALaterWinIsWrong(t *testing.T) {
	late := 0
	for day := int64(firstDay); day < firstDay+28 && late == 0; day++ {
		p, err := Of(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		if p.Goal.Moves < 2 {
			continue
		}
		first, err := p.Play(t.Context(), nil, p.Solution)
		if err != nil {
			t.Fatal(err)
		}
		g, err := p.Start.After(first.Moves)
		if err != nil {
			t.Fatal(err)
		}
		for c := range g.Moves() {
			step, err := p.Play(t.Context(), first.Moves, c)
			if err != nil {
				t.Fatal(err)
			}
			if step.Verdict == Wrong && step.Left == solver.Win {
				late++
			}
		}
	}
	if late == 0 {
		t.Error("in four weeks no second move wins later than asked")
	}
}

func TestPlayRefuses(t *testing.T) {
	p, err := Of(t.Context(), firstDay)
	if err != nil {
		t.Fatal(err)
	}
	taken := engine.Cell(0)
	for p.Start.At(taken) == engine.None {
		taken++
	}
	if _, err := p.Play(t.Context(), nil, taken); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("a taken cell: %v", err)
	}
	if _, err := p.Play(t.Context(), nil, engine.MaxCells); !errors.Is(err, engine.ErrOffBoard) {
		t.Errorf("no cell: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, firstDay); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// TestWeeks: a week begins on Monday, before 1970 and on leap days too.
func TestWeeks(t *testing.T) {
	monday := time.Date(2024, 2, 26, 0, 0, 0, 0, time.UTC) // the week of a leap day
	for back := range 4000 {
		day := monday.AddDate(0, 0, -7*back).Unix() / (24 * 60 * 60)
		_, number := on(day)
		for i := range int64(7) {
			asked, n := on(day + i)
			if asked != week[(1+i)%7] || n != number {
				t.Fatalf("day %d is in week %d, want %d", day+i, n, number)
			}
		}
		if _, before := on(day - 1); before != number-1 {
			t.Fatalf("the week before %d is %d", number, before)
		}
	}
}

// TestHeldAtOnce: a draw is held as soon as the other side has no line left to complete,
// which is before the board is full, and not earlier.
func TestHeldAtOnce(t *testing.T) {
	early := 0
	for day := int64(firstDay); day < firstDay+int64(daysTested(t)); day++ {
		p, err := Of(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		if p.Goal.Value != solver.Draw {
			continue
		}
		line, err := p.Line(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(line) + 1 {
			g, err := p.Start.After(line[:n])
			if err != nil {
				t.Fatal(err)
			}
			if open := openLines(g, p.Side().Other()); open == (n == len(line)) {
				t.Errorf("day %d: %v after %d of %d moves, lines are left: %v", day, g, n, len(line), open)
			}
			if n == len(line) && !g.Over() {
				early++
			}
		}
	}
	if early == 0 {
		t.Error("no draw was held before the board was full")
	}
}
