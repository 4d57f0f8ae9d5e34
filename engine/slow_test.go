package engine_test

import (
	"fmt"
	"slices"

	"tictactoe/engine"
)

// slow is the rules of m,n,k-games once more, written from the sentence "K marks
// in a row, across, down or diagonally" alone: a grid, four directions, and no bit
// tricks. It takes nothing from the package but the marks in the cells.
type slow struct {
	rules engine.Rules
	grid  []engine.Mark // row by row
}

func slowFrom(g engine.Game) slow {
	s := slow{rules: g.Rules()}
	for c := range engine.Cell(g.Rules().Cells()) {
		s.grid = append(s.grid, g.At(c))
	}
	return s
}

// lines returns the cells of every run of K equal marks, each run in ascending
// order, and the marks that have one.
func (s slow) lines() (lines [][]engine.Cell, winners []engine.Mark) {
	m, n, k := int(s.rules.M), int(s.rules.N), int(s.rules.K)
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for row := range n {
			for column := range m {
				var line []engine.Cell
				first := s.grid[row*m+column]
				for i := range k {
					x, y := column+i*d[0], row+i*d[1]
					if x < 0 || x >= m || y >= n || first == engine.None || s.grid[y*m+x] != first {
						break
					}
					line = append(line, engine.Cell(y*m+x))
				}
				if len(line) == k {
					lines = append(lines, line)
					winners = append(winners, first)
				}
			}
		}
	}
	return lines, winners
}

func (s slow) outcome() engine.Outcome {
	_, winners := s.lines()
	switch {
	case slices.Contains(winners, engine.X):
		return engine.XWon
	case slices.Contains(winners, engine.O):
		return engine.OWon
	case slices.Contains(s.grid, engine.None):
		return engine.Undecided
	default:
		return engine.Drawn
	}
}

// disagreement says how the position differs from the slow reference, or nothing.
func disagreement(g engine.Game) string {
	ref := slowFrom(g)
	if got, want := g.Outcome(), ref.outcome(); got != want {
		return fmt.Sprintf("outcome of %v: got %v, want %v", g, got, want)
	}
	if got, want := g.Over(), ref.outcome() != engine.Undecided; got != want {
		return fmt.Sprintf("%v over: got %v, want %v", g, got, want)
	}
	lines, _ := ref.lines()
	won := slices.Concat(lines...)
	slices.Sort(won)
	if got, want := slices.Collect(g.Rules().CellsOf(g.WinningCells())), slices.Compact(won); !slices.Equal(got, want) {
		return fmt.Sprintf("winning cells of %v: got %v, want %v", g, got, want)
	}
	var moves []engine.Cell
	for i, mark := range ref.grid {
		if mark == engine.None && ref.outcome() == engine.Undecided {
			moves = append(moves, engine.Cell(i))
		}
	}
	if got := slices.Collect(g.Moves()); !slices.Equal(got, moves) {
		return fmt.Sprintf("moves of %v: got %v, want %v", g, got, moves)
	}
	return ""
}
