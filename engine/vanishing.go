package engine

// MaxPlies is the number of moves after which a game under [Vanishing] is drawn
// if nothing has decided it before. The third occurrence of a position ends every
// game by itself, but there are so many positions that it alone would allow more
// than 200,000 moves; a hundred fit into a record, a message and a [Game].
const MaxPlies = 100

// past is what a position under vanishing rules has to know of the moves before
// it. Under other rules it is zero.
//
// The position, with the ages of its marks, is the window of the last moves, as
// many as both sides together may have marks: the mark that a move takes off is the
// one that was placed a window earlier. So a position repeats when a window does.
type past struct {
	plies   uint8               // moves played
	repeats uint8               // how many times the position stood earlier in the game
	cells   [MaxPlies / 2]uint8 // the cells of the moves, four bits each
}

// unknownCell stands for the cell of a move before the window, where it has been
// forgotten. No board has it.
const unknownCell Cell = 15

// cell returns the cell of the move at the ply.
func (p *past) cell(ply int) Cell { return Cell(p.cells[ply/2] >> (ply % 2 * 4) & 15) }

// setCell sets the cell of the move at the ply.
func (p *past) setCell(ply int, c Cell) {
	shift := ply % 2 * 4
	p.cells[ply/2] = p.cells[ply/2]&^(15<<shift) | uint8(c)<<shift
}

// window returns how many of the last moves make up the position.
func (r Rules) window() int { return 2 * int(r.Limit) }

// advance takes off the mark that the move to the cell makes vanish from the side's
// marks, and notes the move.
func (g *Game) advance(c Cell, side *Bitboard) {
	p, window := &g.past, g.rules.window()
	ply := int(p.plies)
	if ply >= window {
		*side &^= g.rules.Bit(p.cell(ply - window))
	}
	p.setCell(ply, c)
	p.plies++
	p.repeats = 0
	for earlier := ply - 1; earlier >= window; earlier -= 2 {
		if p.same(earlier, ply+1, window) {
			p.repeats++
		}
	}
}

// same reports whether the windows that end before the two plies hold the same
// moves.
func (p *past) same(a, b, window int) bool {
	for i := 1; i <= window; i++ {
		if p.cell(a-i) != p.cell(b-i) {
			return false
		}
	}
	return true
}

// drawn reports whether the moves played make a draw: the position stands for the
// third time, or there are [MaxPlies] of them.
func (p *past) drawn() bool { return p.repeats >= 2 || p.plies >= MaxPlies }

// transform moves the cell of every move by the symmetry.
func (p *past) transform(s Symmetry, r Rules) {
	for ply := range int(p.plies) {
		p.setCell(ply, s.Cell(r, p.cell(ply)))
	}
}

// Vanishes returns the cell whose mark the next move of the side takes off. It
// reports false when that move takes none off: the side has fewer marks than the
// limit, or the rules have none.
func (g Game) Vanishes(m Mark) (c Cell, ok bool) {
	if g.rules.Limit == 0 || g.Marks(m).Count() < int(g.rules.Limit) || m == None {
		return 0, false
	}
	next := g.Ply() // of the side's next move
	if g.SideToMove() != m {
		next++
	}
	return g.past.cell(next - g.rules.window()), true
}

// Age returns how old the mark in the cell is among the marks of its side: 1 for the
// newest one, 2 for the one before it, and so on. It returns 0 where there is no mark,
// and under rules in which no mark vanishes.
func (g Game) Age(c Cell) int {
	if g.rules.Limit == 0 || g.At(c) == None {
		return 0
	}
	ply := g.Ply() - 1
	for g.past.cell(ply) != c {
		ply--
	}
	return (g.Ply()-1-ply)/2 + 1
}

// Repeats returns how many times the position stood earlier in the game: the same
// marks with the same ages and the same side to move. At 2 the game is drawn. Under
// rules in which no mark vanishes no position comes back, and it returns 0.
func (g Game) Repeats() int { return int(g.past.repeats) }

// Played returns the moves that led to the position, as far as the game holds them: all
// of them under [Vanishing], except that what [Game.Position] and [Parse] return holds
// only those whose marks are on the board. Under rules in which no mark vanishes it
// returns nil.
func (g Game) Played() []Cell {
	var moves []Cell
	for ply := range int(g.past.plies) {
		if c := g.past.cell(ply); c != unknownCell {
			moves = append(moves, c)
		}
	}
	return moves
}

// Position returns the position without the moves that led to it, as if the game had
// reached it for the first time and as soon as it can be reached: marks, ages and side to
// move are the same. Two positions are the same if and only if == holds between what
// Position returns of them. Under rules in which no mark vanishes that is the Game
// itself.
func (g Game) Position() Game {
	window := g.rules.window()
	ply := int(g.past.plies)
	if g.rules.Limit == 0 || ply <= window {
		return g
	}
	p := past{plies: uint8(window + (ply-window)%2)} //nolint:gosec // at most window+1
	p.setCell(0, unknownCell)                        // stays only where a move was played before the window
	for i := 1; i <= window; i++ {
		p.setCell(int(p.plies)-i, g.past.cell(ply-i))
	}
	g.past = p
	return g
}
