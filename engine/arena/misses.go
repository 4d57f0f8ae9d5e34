package arena

import (
	"context"
	"math/big"
	"math/rand/v2"

	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/engine/strategy"
)

// Thing is something on a board that can be overlooked.
type Thing uint8

// The things.
const (
	// Win is a move that wins at once.
	Win Thing = iota
	// Threat is the one cell on which the other side would win, where there is no win.
	Threat
	// Straight and Diagonal are the win or, failing one, the threat, where its only
	// line is a row or column, or a diagonal.
	Straight
	Diagonal
	// Fork is a move that makes two threats, where there is no win and no threat.
	Fork
	// Plan is a move that keeps the value of the position, where some move gives it
	// away and there is no win and no threat.
	Plan

	things
)

// String returns the word for it.
func (t Thing) String() string {
	return [things]string{"win", "threat", "straight", "diagonal", "fork", "plan"}[t]
}

// Misses says how often an opponent overlooks each thing: over the positions that
// have it, the mean probability that the move made is another. It is nil for what no
// position has.
type Misses [things]*big.Rat

// Positions counts the positions that have each thing.
type Positions [things]int

// position is a position in which something can be overlooked: for each thing the cells
// that show that it was seen, none where there is no such thing.
type position struct {
	game  engine.Game
	shows [things]engine.Bitboard
}

// look finds what can be overlooked in a position that is not over. The moves that keep
// its value come from the function, which is asked only where nothing is urgent.
func look(g engine.Game, keeping func(engine.Game) engine.Bitboard) position {
	p := position{game: g}
	own, other := completing(g, g.SideToMove()), completing(g, g.SideToMove().Other())
	urgent := own
	if own.cells != 0 {
		p.shows[Win] = own.cells
	} else {
		urgent = other
		if other.cells.Count() == 1 {
			p.shows[Threat] = other.cells
		}
	}
	switch {
	case urgent.lines == 1 && urgent.diagonals == 1:
		p.shows[Diagonal] = urgent.cells
	case urgent.lines == 1:
		p.shows[Straight] = urgent.cells
	case urgent.lines > 0:
	default:
		p.shows[Fork] = forking(g)
		if cells := keeping(g); cells != g.Marks(engine.None) {
			p.shows[Plan] = cells
		}
	}
	return p
}

// count returns how many of the positions have each thing.
func count(all []position) Positions {
	var n Positions
	for _, p := range all {
		for t, cells := range p.shows {
			if cells != 0 {
				n[t]++
			}
		}
	}
	return n
}

// overlooked returns what an opponent overlooks in the positions when it moves with
// the odds given.
func overlooked(all []position, odds func(engine.Game) []strategy.Chance) Misses {
	var m Misses
	for _, p := range all {
		chances := odds(p.game)
		for t, cells := range p.shows {
			if cells == 0 {
				continue
			}
			if m[t] == nil {
				m[t] = new(big.Rat)
			}
			for _, chance := range chances {
				if p.game.Rules().Bit(chance.Cell)&cells == 0 {
					m[t].Add(m[t], chance.P)
				}
			}
		}
	}
	for t, n := range count(all) {
		if n > 0 {
			m[t].Quo(m[t], big.NewRat(int64(n), 1))
		}
	}
	return m
}

// standardPositions returns every position of the 3x3 board that can arise and is not
// over.
func standardPositions(start engine.Game) []position {
	var all []position
	values := valuesFrom(start)
	for g := range values {
		if !g.Over() {
			all = append(all, look(g, func(g engine.Game) engine.Bitboard { return keeping(g, values) }))
		}
	}
	return all
}

// drawPositions returns positions of games of random moves in which something can be
// overlooked, no two of them alike up to symmetry: as many as are wanted with each thing,
// or fewer where such a thing is rare. They depend on the seed and the board alone.
func drawPositions(ctx context.Context, start engine.Game, wanted int, seed uint64) []position {
	dice := rand.New(rand.NewPCG(seed, mix(start.Rules(), "positions", "", 0)))
	var all []position
	var have Positions
	solved := 0
	best := func(g engine.Game) engine.Bitboard {
		// Where no move gives anything away in many positions, few more will be found.
		if have[Plan] >= wanted || solved >= 10*wanted {
			return g.Marks(engine.None)
		}
		solved++
		return valueKeeping(ctx, g)
	}
	seen := map[engine.Game]bool{}
	for game := 0; game < 10*wanted && short(have, wanted) && ctx.Err() == nil; game++ {
		for g := start; !g.Over(); g = randomMove(g, dice) {
			same := g.Canonical()
			if seen[same] {
				continue
			}
			seen[same] = true
			p, use := look(g, best), false
			for t, cells := range p.shows {
				switch {
				case cells == 0:
				case have[t] >= wanted:
					p.shows[t] = 0
				default:
					have[t]++
					use = true
				}
			}
			if use {
				all = append(all, p)
			}
		}
	}
	return all
}

// short reports whether fewer positions than wanted have some thing.
func short(have Positions, wanted int) bool {
	for _, n := range have {
		if n < wanted {
			return true
		}
	}
	return false
}

func randomMove(g engine.Game, dice *rand.Rand) engine.Game {
	left := dice.IntN(g.Marks(engine.None).Count())
	for _, child := range g.Children() {
		if left == 0 {
			return child
		}
		left--
	}
	return g
}

// valueKeeping returns the moves that keep the value of the position, by the solver.
func valueKeeping(ctx context.Context, g engine.Game) engine.Bitboard {
	moves, err := solver.Keeping(ctx, g)
	if err != nil {
		return g.Marks(engine.None)
	}
	var cells engine.Bitboard
	for _, m := range moves {
		cells |= g.Rules().Bit(m.Cell)
	}
	return cells
}

// rolled returns odds by which an opponent moves in a position as its dice fall a few
// times. The dice depend on the seed and the position alone, so that the order of work makes no
// difference and the levels differ by what they see, not by their luck.
func rolled(ctx context.Context, o strategy.Opponent, seed uint64) func(engine.Game) []strategy.Chance {
	const rolls = 4
	return func(g engine.Game) []strategy.Chance {
		var chances []strategy.Chance
		for n := range rolls {
			if ctx.Err() != nil {
				return nil // nobody will see the result
			}
			dice := rand.New(rand.NewPCG(seed, mix(g.Rules(), "", g.String(), n)))
			chances = append(chances, strategy.Chance{Cell: o.Choose(g, dice), P: big.NewRat(1, rolls)})
		}
		return chances
	}
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
