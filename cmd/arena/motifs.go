package main

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/engine/strategy"
)

// Motif is something on a board that can be overlooked.
type Motif uint8

// The motifs.
const (
	// Win is a move that wins at once.
	Win Motif = iota
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

	motifs
)

// String returns the word for it.
func (t Motif) String() string {
	return [motifs]string{"win", "threat", "straight", "diagonal", "fork", "plan"}[t]
}

// MissRates says how often an opponent overlooks each motif: over the positions that
// have it, the mean probability that the move made is another. It is nil for what no
// position has.
type MissRates [motifs]*big.Rat

// Positions counts the positions that have each motif.
type Positions [motifs]int

// position is a position in which something can be overlooked: for each motif the cells
// that show that it was seen, none where the position does not have it.
type position struct {
	game  engine.Game
	shows [motifs]engine.Bitboard
}

// motifsOf finds what can be overlooked in a position that is not over. The function
// returns the moves that keep its value; it is called only where nothing is urgent.
func motifsOf(g engine.Game, keeping func(engine.Game) engine.Bitboard) position {
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

// count returns how many of the positions have each motif.
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
func overlooked(all []position, by odds) MissRates {
	var m MissRates
	for _, p := range all {
		chances := by(p.game)
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
func standardPositions(ctx context.Context) []position {
	var all []position
	seen := map[engine.Game]bool{}
	var visit func(engine.Game)
	visit = func(g engine.Game) {
		if g.Over() || seen[g] {
			return
		}
		seen[g] = true
		all = append(all, motifsOf(g, func(g engine.Game) engine.Bitboard { return valueKeeping(ctx, g) }))
		for _, child := range g.Children() {
			visit(child)
		}
	}
	visit(standardStart)
	return all
}

// drawPositions returns positions of games of random moves in which something can be
// overlooked, no two of them alike up to symmetry: as many as are wanted with each motif,
// or fewer where it is rare. They depend on the seed and the board alone.
func drawPositions(ctx context.Context, start engine.Game, wanted int, seed uint64) []position {
	dice := rand.New(rand.NewPCG(seed, diceStream(start.Rules(), "positions", "", 0))) //nolint:gosec // figures that can be repeated
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
	for game := 0; game < 10*wanted && slices.Min(have[:]) < wanted && ctx.Err() == nil; game++ {
		for g := start; !g.Over(); g = randomMove(g, dice).Position() {
			same := g.Canonical()
			if seen[same] {
				continue
			}
			seen[same] = true
			p := motifsOf(g, best)
			for t := range p.shows {
				if have[t] >= wanted {
					p.shows[t] = 0
				}
				if p.shows[t] != 0 {
					have[t]++
				}
			}
			if p.shows != (position{}).shows {
				all = append(all, p)
			}
		}
	}
	return all
}

func randomMove(g engine.Game, dice *rand.Rand) engine.Game {
	moves := slices.Collect(g.Moves())
	next, _ := g.Play(moves[dice.IntN(len(moves))]) // one of its legal moves
	return next
}

// valueKeeping returns the moves that keep the value of the position, by the solver.
func valueKeeping(ctx context.Context, g engine.Game) engine.Bitboard {
	moves, _ := solver.Keeping(ctx, g) // an error says that nobody will see the result
	var cells engine.Bitboard
	for _, m := range moves {
		cells |= g.Rules().Bit(m.Cell)
	}
	return cells
}

// rolled returns odds estimated from a few rolls of the dice in each position. The dice
// depend on the seed and the position alone. So the order of work makes no difference, and
// all levels get the same dice.
func rolled(ctx context.Context, o strategy.Opponent, seed uint64) odds {
	const rolls = 4
	return func(g engine.Game) []strategy.Chance {
		var chances []strategy.Chance
		for n := range rolls {
			if ctx.Err() != nil {
				return nil // nobody will see the result
			}
			dice := rand.New(rand.NewPCG(seed, diceStream(g.Rules(), "", g.String(), n))) //nolint:gosec // figures that can be repeated
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
	r, empty, marks := g.Rules(), g.Marks(engine.None), g.Marks(m)
	if cell, ok := g.Vanishes(m); ok {
		marks &^= r.Bit(cell)
	}
	for _, line := range r.Lines() {
		gap := line &^ marks
		if gap.Count() != 1 || gap&empty == 0 {
			continue
		}
		c.cells |= gap
		c.lines++
		cells := slices.Collect(r.CellsOf(line))
		if a, b := cells[0], cells[1]; r.Column(a) != r.Column(b) && r.Row(a) != r.Row(b) {
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
