package puzzle

import (
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// TestIdeas: what is told of a solution is true of it, as one sees who tries every answer,
// and there is nothing to tell that no puzzle has.
func TestIdeas(t *testing.T) {
	seen := map[Idea]int{}
	for day := int64(firstDay); day < firstDay+int64(daysTested(t)); day++ {
		p, err := Of(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		seen[p.Idea]++
		checkIdea(t, p)
	}
	for idea := Fork; idea <= Holds; idea++ {
		if seen[idea] == 0 {
			t.Errorf("no puzzle has idea %d", idea)
		}
	}
}

func checkIdea(t *testing.T, p Puzzle) {
	t.Helper()
	side, other := p.Side(), p.Side().Other()
	next, err := p.Start.Play(p.Solution)
	if err != nil {
		t.Fatal(err)
	}
	threats := winningCells(next, side)
	ok := false
	switch p.Idea {
	case Fork:
		ok = threats >= 2 && winningCells(next, other) == 0
	case ForkAhead:
		ok = threats == 1 && winningCells(next, other) == 0 && forksBehindEach(t, next, side)
	case QuietMove:
		ok = threats == 0 && forksBehindEach(t, next, side)
	case Counter:
		ok = p.Goal.Value == solver.Draw && threats > 0 && winningCells(next, other) == 0
	case TakesKey:
		ok = p.Goal.Value == solver.Draw && threats == 0 && winningCellsWith(p.Start, other, p.Solution) >= 2
	case Holds:
		ok = p.Goal.Value == solver.Draw && threats == 0 && winningCellsWith(p.Start, other, p.Solution) < 2
	}
	if !ok {
		t.Errorf("day %d: %v, %s: idea %d is not true of it (%d threats)", p.Day, p.Start, p.Start.Rules().CellName(p.Solution), p.Idea, threats)
	}
}

// forksBehindEach reports whether the side, after each answer that does not lose at once, has
// a move that makes two threats.
func forksBehindEach(t *testing.T, g engine.Game, side engine.Mark) bool {
	t.Helper()
	for _, answered := range g.Children() {
		if winningCells(answered, side) > 0 {
			continue
		}
		forks := false
		for _, next := range answered.Children() {
			forks = forks || winningCells(next, side) >= 2
		}
		if !forks {
			return false
		}
	}
	return true
}

// winningCells counts the empty cells with which the side would complete a line.
func winningCells(g engine.Game, side engine.Mark) int {
	return winningCellsWith(g, side, engine.MaxCells)
}

// winningCellsWith counts them with one more mark of the side on the board.
func winningCellsWith(g engine.Game, side engine.Mark, more engine.Cell) (n int) {
	r := g.Rules()
	has := func(c, and engine.Cell) bool { return g.At(c) == side || c == more || c == and }
	for c := engine.Cell(0); r.Contains(c); c++ {
		if g.At(c) != engine.None || c == more {
			continue
		}
		for _, line := range r.Lines() {
			all := line&r.Bit(c) != 0
			for d := engine.Cell(0); all && r.Contains(d); d++ {
				all = line&r.Bit(d) == 0 || has(d, c)
			}
			if all {
				n++
				break
			}
		}
	}
	return n
}

// TestBestDefence: who holds a draw is answered by the move that leaves the fewest of theirs
// right, and who wins by the one that lasts longest.
func TestBestDefence(t *testing.T) {
	for day := int64(firstDay); day < firstDay+int64(daysTested(t)); day++ {
		p, err := Of(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		line, err := p.Line(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < len(line); n += 2 {
			g, err := p.Start.After(line[:n])
			if err != nil {
				t.Fatal(err)
			}
			best, got := 0, 0
			for c, answered := range g.Children() {
				hard := hardness(t, p, answered)
				best = max(best, hard)
				if c == line[n] {
					got = hard
				}
			}
			if got != best {
				t.Errorf("day %d: %v is answered by %s", day, g, g.Rules().CellName(line[n]))
			}
		}
	}
}

// hardness is how hard the position is for the side of the puzzle: more is harder.
func hardness(t *testing.T, p Puzzle, g engine.Game) int {
	t.Helper()
	if g.Over() {
		return 0
	}
	if p.Goal.Value == solver.Win {
		r, err := solver.Solve(t.Context(), g)
		if err != nil || r.Value != solver.Win {
			t.Fatalf("%v is worth %v, %v", g, r.Value, err)
		}
		return r.Plies
	}
	moves, err := solver.Moves(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	wrong := engine.MaxCells - len(moves)
	for _, m := range moves {
		switch m.Value {
		case solver.Win:
			return 0 // the answer gave it all away
		case solver.Loss:
			wrong++
		case solver.Draw:
		}
	}
	return wrong
}

// TestExtraSeeds: a further seed makes another puzzle of its day, and of no other.
func TestExtraSeeds(t *testing.T) {
	of := func(day int64) engine.Game {
		p, err := Of(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		check(t, p)
		return p.Start
	}
	const day = firstDay + 3
	before, next := of(day), of(day+1)
	seeds[day] = 1
	t.Cleanup(func() { delete(seeds, day) })
	if of(day) == before || of(day+1) != next {
		t.Errorf("with a seed of its own the day has %v after %v, and the next one %v after %v", of(day), before, of(day+1), next)
	}
}
