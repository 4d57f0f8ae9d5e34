package arena

import (
	"math/big"

	"tictactoe/engine"
)

// Misses says how often an opponent overlooks what is on the 3x3 board: over all
// positions that can arise and have the thing in question, each counted once,
// the mean probability that the move made is another.
type Misses struct {
	// Win: a move that wins at once.
	Win *big.Rat
	// Threat: the one cell on which the other side would win, where there is no win.
	Threat *big.Rat
	// Straight and Diagonal: the win or, failing one, the threat, where its only
	// line is a row or column, or a diagonal.
	Straight, Diagonal *big.Rat
	// Fork: a move that makes two threats, where there is no win and no threat.
	Fork *big.Rat
	// Plan: a move that keeps the value of the position, where there is no win and
	// no threat.
	Plan *big.Rat
}

// mean adds up probabilities.
type mean struct {
	sum *big.Rat
	n   int64
}

func (m *mean) add(p *big.Rat) {
	if m.sum == nil {
		m.sum = new(big.Rat)
	}
	m.sum.Add(m.sum, p)
	m.n++
}

// rat returns the mean, 0 of nothing.
func (m *mean) rat() *big.Rat {
	if m.n == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Quo(m.sum, big.NewRat(m.n, 1))
}

// misses tries the opponent in every undecided position of the 3x3 board.
func misses(start engine.Game, b *book) Misses {
	var win, threat, straight, diagonal, fork, plan mean
	values := valuesFrom(start)
	for g := range values {
		if g.Over() {
			continue
		}
		own, other := completing(g, g.SideToMove()), completing(g, g.SideToMove().Other())
		urgent := own
		if own.cells == 0 {
			urgent = other
		}
		p := missing(b, g, urgent.cells)
		switch {
		case own.cells != 0:
			win.add(p)
		case other.cells.Count() == 1:
			threat.add(p)
		}
		switch {
		case urgent.lines == 1 && urgent.diagonals == 1:
			diagonal.add(p)
		case urgent.lines == 1:
			straight.add(p)
		case urgent.lines > 0:
		default:
			if forks := forking(g); forks != 0 {
				fork.add(missing(b, g, forks))
			}
			if keeping := keeping(g, values); keeping != g.Marks(engine.None) {
				plan.add(missing(b, g, keeping))
			}
		}
	}
	return Misses{
		Win: win.rat(), Threat: threat.rat(), Straight: straight.rat(), Diagonal: diagonal.rat(),
		Fork: fork.rat(), Plan: plan.rat(),
	}
}

// missing returns the probability that the opponent plays none of the cells.
func missing(b *book, g engine.Game, cells engine.Bitboard) *big.Rat {
	p := new(big.Rat)
	for _, chance := range b.at(g) {
		if g.Rules().Bit(chance.Cell)&cells == 0 {
			p.Add(p, chance.P)
		}
	}
	return p
}

// completions are the ways in which a side can complete a line with one mark.
type completions struct {
	cells            engine.Bitboard
	lines, diagonals int
}

func completing(g engine.Game, m engine.Mark) completions {
	var c completions
	r, empty := g.Rules(), g.Marks(engine.None)
	for _, line := range r.Lines() {
		gap := line &^ g.Marks(m)
		if gap.Count() != 1 || gap&empty == 0 {
			continue
		}
		c.cells |= gap
		c.lines++
		columns, rows := map[int]bool{}, map[int]bool{}
		for cell := range r.CellsOf(line) {
			columns[r.Column(cell)], rows[r.Row(cell)] = true, true
		}
		if len(columns) > 1 && len(rows) > 1 {
			c.diagonals++
		}
	}
	return c
}

// forking returns the cells that leave the side to move with two ways to win.
func forking(g engine.Game) engine.Bitboard {
	var forks engine.Bitboard
	for cell, child := range g.Children() {
		if completing(child, g.SideToMove()).cells.Count() > 1 {
			forks |= g.Rules().Bit(cell)
		}
	}
	return forks
}

// valuesFrom returns every position that can arise from the one given, with its value
// for the side to move: 1 won, 0 drawn, -1 lost.
func valuesFrom(start engine.Game) map[engine.Game]int {
	values := map[engine.Game]int{}
	var visit func(engine.Game) int
	visit = func(g engine.Game) int {
		if v, ok := values[g]; ok {
			return v
		}
		v := 0
		if o := g.Outcome(); o == engine.Undecided {
			v = -1
			for _, child := range g.Children() {
				v = max(v, -visit(child))
			}
		} else if o != engine.Drawn {
			v = -1
		}
		values[g] = v
		return v
	}
	visit(start)
	return values
}

// keeping returns the moves that keep the value of the position.
func keeping(g engine.Game, values map[engine.Game]int) engine.Bitboard {
	var cells engine.Bitboard
	for cell, child := range g.Children() {
		if -values[child] == values[g] {
			cells |= g.Rules().Bit(cell)
		}
	}
	return cells
}
