package solver

import (
	"context"
	"math/bits"
	"slices"

	"tictactoe/engine"
)

// root is the position that was asked about, with the side to move first as the
// attacker and then as the defender. Its answers are void when the search's
// context has ended.
type root struct {
	search *search
	game   engine.Game
	mine   position // can the side to move win?
	theirs position // can the other side win?
	empty  int
	same   []engine.Symmetry // those that leave the position as it is
}

// newRoot makes the search ready for the position.
func newRoot(ctx context.Context, s *search, g engine.Game) *root {
	b := boards()[g.Rules()]
	s.begin(ctx, b)
	me := b.cellsOf(g.Marks(g.SideToMove()))
	other := b.cellsOf(g.Marks(g.SideToMove().Other()))
	return &root{
		search: s,
		game:   g,
		mine:   b.newPosition(me, other),
		theirs: b.newPosition(other, me),
		empty:  bits.OnesCount32(b.all &^ (me | other)),
		same:   slices.DeleteFunc(g.Rules().Symmetries()[1:], func(s engine.Symmetry) bool { return g.Transform(s) != g }),
	}
}

// value returns the value for the side to move.
func (r *root) value() Value {
	switch {
	case r.wins():
		return Win
	case r.search.defend(&r.theirs, r.empty):
		return Loss
	default:
		return Draw
	}
}

// wins reports whether the side to move wins. Of symmetric moves it tries one
// only, which halves the work on the empty board.
func (r *root) wins() bool {
	b := r.search.board
	if len(r.same) == 0 || r.mine.attacker[1] != 0 {
		return r.search.attack(&r.mine, r.empty)
	}
	var list moveList
	list.fillAll(b, &r.mine, &attackWeights)
	var tried uint32
	for m, ok := list.next(); ok; m, ok = list.next() {
		if tried>>m.cell()&1 != 0 {
			continue
		}
		for _, s := range r.same {
			tried |= 1 << s.Cell(b.rules, engine.Cell(m.cell())) //nolint:gosec // at most 24
		}
		child := r.mine
		child.attack(b, m.cell())
		if r.search.defend(&child, r.empty-1) {
			return true
		}
	}
	return false
}

// solve returns value, distance and best move. The best move is looked for last:
// by then most of the answers that it takes are in the table.
func (r *root) solve() Result {
	switch r.value() {
	case Win:
		plies := r.search.shortest(r.search.attack, &r.mine, 1, r.empty)
		return Result{Value: Win, Plies: plies, Best: r.winning(plies)}
	case Loss:
		plies := r.search.shortest(r.search.defend, &r.theirs, 2, r.empty)
		return Result{Value: Loss, Plies: plies, Best: r.holding(plies - 2)} // they win with every second move
	default:
		return Result{Value: Draw, Plies: r.empty, Best: r.holding(r.empty)}
	}
}

// shortest returns the number of plies within which the attacker wins, by attack or defend,
// and not one less, if it is at least so many. There must be a win within limit.
func (s *search) shortest(wins func(*position, int) bool, p *position, plies, limit int) int {
	// The last ply is the attacker's, so every other number is out.
	for plies+2 <= limit && s.err == nil && !wins(p, plies) {
		plies += 2
	}
	return plies
}

// winning returns a move that wins within the plies. There must be one.
func (r *root) winning(plies int) engine.Cell {
	if now := r.mine.completing(r.search.board, r.mine.attacker[1]); now != 0 {
		return engine.Cell(bits.TrailingZeros32(now)) //nolint:gosec // at most 24
	}
	return r.first(&r.mine, &attackWeights, (*position).attack, func(p *position) bool { return r.search.defend(p, plies-1) })
}

// holding returns a move after which the other side does not win within the
// plies, counted with that move. There must be one.
func (r *root) holding(plies int) engine.Cell {
	return r.first(&r.theirs, &defendWeights, (*position).defend, func(p *position) bool { return !r.search.attack(p, plies-1) })
}

// first returns the first of the moves, by their weights, after which the position is as
// wanted.
func (r *root) first(from *position, w *weights, play func(*position, *board, int), wanted func(*position) bool) engine.Cell {
	var list moveList
	list.fillAll(r.search.board, from, w)
	var child position
	cell := 0
	for m, ok := list.next(); ok; m, ok = list.next() {
		cell = m.cell()
		child = *from
		play(&child, r.search.board, cell)
		if wanted(&child) {
			break
		}
	}
	return engine.Cell(cell) //nolint:gosec // at most 24
}

// moves returns the legal moves in ascending order, all of them or those that
// keep the value of the position.
func (r *root) moves(keeping bool) []MoveValue {
	value := r.value()
	moves := make([]MoveValue, 0, r.empty)
	var judged [engine.MaxCells]MoveValue // by cell; Plies 0 for those to come
	for c := range r.game.Moves() {
		var m MoveValue
		for _, s := range r.same {
			if m = judged[s.Cell(r.game.Rules(), c)]; m.Plies != 0 {
				break // the same move on the turned board
			}
		}
		if m.Plies == 0 {
			m = r.judge(int(c), value, keeping)
		}
		m.Cell = c
		judged[c] = m
		if !keeping || m.Value == value {
			moves = append(moves, m)
		}
	}
	return moves
}

// judge returns what the move is worth, given the value of the position. If
// only keeping moves are wanted, what it says of others is that they are worth
// less.
func (r *root) judge(c int, value Value, keeping bool) MoveValue {
	s := r.search
	if s.board.through[c]&r.mine.attacker[1] != 0 {
		return MoveValue{Value: Win, Plies: 1}
	}
	left := r.empty - 1
	if value == Win {
		mine := r.mine
		mine.attack(s.board, c)
		if s.defend(&mine, left) {
			return MoveValue{Value: Win, Plies: 1 + s.shortest(s.defend, &mine, 2, left)}
		}
		if keeping {
			return MoveValue{Value: Draw, Plies: r.empty} // or worse
		}
	}
	theirs := r.theirs
	theirs.defend(s.board, c)
	switch {
	case value != Loss && !s.attack(&theirs, left):
		return MoveValue{Value: Draw, Plies: r.empty}
	case value != Loss && keeping:
		return MoveValue{Value: Loss, Plies: r.empty} // or sooner
	default:
		return MoveValue{Value: Loss, Plies: 1 + s.shortest(s.attack, &theirs, 1, left)}
	}
}
