package solver

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"tictactoe/engine"
)

// A position of [engine.Vanishing] is the sequence of the moves whose marks stand on
// the board: a window of the last six moves, or all moves of a game that has fewer. A
// move appends its cell; when there are six, the first one drops out. The number of a
// position is the sequence read in base 9, behind all positions with shorter ones. Full
// windows have numbers for X to move and others for O to move.
const (
	windowCells = 9
	windowLen   = 6
	windowSize  = windowCells * windowCells * windowCells * windowCells * windowCells * windowCells
	dropFirst   = windowSize / windowCells // the remainder after this drops a window's first cell
)

// firstWindow returns the number before those of positions after so many moves, up to
// windowLen and windowLen+1 for full windows with X and O to move.
var firstWindow = [...]uint32{0, 1, 10, 91, 820, 7381, 66430, 66430 + windowSize, 66430 + 2*windowSize}

// window is a position: how many moves have been played, up to windowLen+1, its number
// behind firstWindow of that, and its empty cells.
type window struct {
	number uint32
	empty  uint16
	plies  uint8
}

func (w window) index() uint32 { return firstWindow[w.plies] + w.number }

// after returns the index of the position after a move to the first cell. Moves to the
// others follow.
func (w window) after() uint32 {
	next := w.plies + 1
	if next > windowLen+1 {
		next = windowLen
	}
	return firstWindow[next] + w.number%dropFirst*windowCells
}

// windowOf returns the position that the last of the moves lead to, when so many have
// been played.
func windowOf(moves []engine.Cell, plies int) window {
	if plies > windowLen {
		plies = windowLen + plies%2
	}
	w := window{plies: uint8(plies), empty: 1<<windowCells - 1}
	for _, c := range moves[max(len(moves)-windowLen, 0):] {
		w.number = w.number*windowCells + uint32(c)
		w.empty &^= 1 << c
	}
	return w
}

// outcomes holds what positions are worth to the side to move, by index: 1+n for a win in
// n plies, -1-n for a loss in n plies, 0 for a draw.
type outcomes []int8

// solveVanishing solves all positions backwards from the lines. It takes the positions that
// are drawn as soon as they stand, and what all are worth where none is, if that is known:
// nothing is won or lost sooner than it says.
//
// A draw is what is left when no win can be forced in any number of moves. That is the
// value under the rule of the third occurrence too. A side that can force a win comes
// nearer to it with every move, so that no position on its way comes twice. A side that
// cannot be forced to lose always has a move that keeps it so; whether the game then ends
// by repetition or by length, it is a draw.
func solveVanishing(ctx context.Context, known outcomes, drawn map[uint32]bool) (outcomes, error) {
	values := make(outcomes, firstWindow[windowLen+2])
	open := values.open()
	for plies, idle := int8(1), 0; idle < 2; plies, idle = plies+1, idle+1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rest := open[:0]
		for _, w := range open {
			i := w.index()
			if known != nil && (known[i] == 0 || drawn[i]) {
				continue
			}
			if known == nil || known[i] > 0 && known[i] <= 1+plies || known[i] < 0 && known[i] >= -1-plies {
				values[i] = values.decide(w, plies)
			}
			if values[i] == 0 {
				rest = append(rest, w)
			} else {
				idle = -1
			}
		}
		open = rest
	}
	return values, nil
}

// decide returns the value of a position that is won or lost in so many plies, and 0 for
// any other. All values of fewer plies must be known.
func (o outcomes) decide(w window, plies int8) int8 {
	after, lost := w.after(), true
	for empty := w.empty; empty != 0; empty &= empty - 1 {
		v := o[after+uint32(bits.TrailingZeros16(empty))] //nolint:gosec // at most 16
		if v == -plies {
			return 1 + plies
		}
		lost = lost && v > 0 && v <= plies
	}
	if lost {
		return -1 - plies
	}
	return 0
}

// open returns all positions in which the game goes on, and enters those in which the side
// that has moved last has a line.
func (o outcomes) open() []window {
	all := make([]window, 0, 1<<17) // somewhat more than there are
	b := boards()[engine.Standard]
	add := func(w window, line bool) {
		if line {
			o[w.index()] = -1
		} else {
			all = append(all, w)
		}
	}
	var visit func(w window, own, other uint32, last int)
	visit = func(w window, own, other uint32, last int) {
		line := b.completes(other, last)
		add(w, line)
		if w.plies == windowLen {
			w.plies++
			add(w, line)
			return
		}
		for c := 0; c < windowCells && !line; c++ {
			if w.empty>>c&1 != 0 {
				visit(window{number: w.number*windowCells + uint32(c), empty: w.empty &^ (1 << c), plies: w.plies + 1}, other, own|1<<c, c)
			}
		}
	}
	visit(window{empty: 1<<windowCells - 1}, 0, 0, 0)
	return all
}

// vanishing holds the value of every position that stands for the first time.
var vanishing = sync.OnceValue(func() outcomes {
	o, _ := solveVanishing(context.Background(), nil, nil) // that context never ends
	return o
})

// vanishingMoves returns the legal moves of a game under [engine.Vanishing] in ascending
// order, all of them or those that keep the value of the position.
func vanishingMoves(ctx context.Context, g engine.Game, keeping bool) ([]MoveValue, error) {
	w, left := windowOf(g.Played(), g.Ply()), g.Rules().MaxPlies()-g.Ply()
	o, err := outcomesAfter(ctx, g, w)
	if err != nil {
		return nil, err
	}
	var moves []MoveValue
	best := Loss
	for c, child := range g.Children() {
		m := MoveValue{Cell: c, Value: Draw, Plies: left}
		switch v := int(o[w.after()+uint32(c)]); {
		case child.Outcome() == engine.Drawn:
		case child.Over():
			m.Value, m.Plies = Win, 1
		case v > 0 && v <= left:
			m.Value, m.Plies = Loss, v
		case v < 0 && -v <= left:
			m.Value, m.Plies = Win, -v
		}
		best = max(best, m.Value)
		moves = append(moves, m)
	}
	if keeping {
		moves = slices.DeleteFunc(moves, func(m MoveValue) bool { return m.Value != best })
	}
	return moves, nil
}

// solveByMoves returns the value, the distance and a best move of a game under
// [engine.Vanishing].
func solveByMoves(ctx context.Context, g engine.Game) (Result, error) {
	moves, err := vanishingMoves(ctx, g, true)
	if err != nil {
		return Result{}, err
	}
	best := moves[0]
	for _, m := range moves[1:] {
		if m.Plies != best.Plies && m.Plies < best.Plies == (m.Value == Win) {
			best = m
		}
	}
	return Result{Value: best.Value, Plies: best.Plies, Best: best.Cell}, nil
}

// outcomesAfter returns what the positions after a move in the window of the game are worth.
// They are solved anew if one of them is won or lost on its first occurrence and there are
// positions on the way that have stood twice, as those are drawn now.
func outcomesAfter(ctx context.Context, g engine.Game, w window) (outcomes, error) {
	o := vanishing()
	decided := false
	for c := range g.Moves() {
		decided = decided || o[w.after()+uint32(c)] != 0
	}
	if !decided {
		return o, nil
	}
	drawn, stood := map[uint32]bool{}, map[uint32]int{}
	moves := g.Played()
	for n := windowLen; n <= len(moves); n++ {
		i := windowOf(moves[:n], g.Ply()-len(moves)+n).index()
		if stood[i]++; stood[i] == 2 && o[i] != 0 {
			drawn[i] = true
		}
	}
	if len(drawn) == 0 {
		return o, nil
	}
	return solveVanishing(ctx, o, drawn)
}
