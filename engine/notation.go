package engine

import (
	"fmt"
	"strings"
)

// String returns the text form: the rows from the top, separated by slashes,
// and the row length where it is not the side of a square board. Under [Vanishing]
// the word and the cells of all marks follow, from the oldest mark to the newest:
// "X.O/.X./...-vanishing a1 c1 b2". The zero Game is the empty text.
func (g Game) String() string {
	if g.rules == (Rules{}) {
		return ""
	}
	b := make([]byte, 0, 2*MaxCells)
	for c := range Cell(g.rules.Cells()) { //nolint:gosec // at most 25
		if c > 0 && g.rules.Column(c) == 0 {
			b = append(b, '/')
		}
		b = append(b, g.At(c).String()...)
	}
	switch {
	case g.rules.Limit != 0:
		b = append(append(b, '-'), vanishing...)
		for ply := g.Ply() - (g.x | g.o).Count(); ply < g.Ply(); ply++ {
			b = append(append(b, ' '), g.rules.CellName(g.past.cell(ply))...)
		}
	case !g.rules.rowLengthImplied():
		b = append(b, '-', '0'+g.rules.K)
	}
	return string(b)
}

// MarshalText returns the text form. The error is always nil.
func (g Game) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads what [Parse] reads; on error g is unchanged.
func (g *Game) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*g = parsed
	return nil
}

// Parse reads a position: rows of X, O and dots from the top, all of the same
// length, separated by slashes, then a hyphen and the row length, which may be
// left out on square boards, where it is the side. Where marks vanish the word and the
// cells from the oldest mark to the newest follow instead, and what is read is a
// [Game.Position]: the text does not hold the moves before. A text of another form gets an
// error that wraps [ErrNotation], a board that the package does not know one that
// wraps [ErrRules], and a board that no legal sequence of moves leads to one
// that wraps [ErrUnreachable].
func Parse(s string) (Game, error) {
	board, length, hasLength := strings.Cut(s, "-")
	if len(board) > MaxCells+MaxSide-1 {
		return Game{}, fmt.Errorf("%w: %q is longer than any board", ErrNotation, clip(s))
	}
	rows := strings.Split(board, "/")
	m, n := len(rows[0]), len(rows)
	if word, cells, _ := strings.Cut(length, " "); word == vanishing {
		return parseVanishing(s, board, cells)
	}
	for _, row := range rows {
		if len(row) != m {
			return Game{}, fmt.Errorf("%w: the rows of %q are not all of one length", ErrNotation, clip(s))
		}
	}
	r, err := readRules(s, m, n, length, hasLength)
	if err != nil {
		return Game{}, err
	}
	g := Game{rules: r}
	for i, mark := range []byte(strings.Join(rows, "")) {
		bit := r.Bit(Cell(i)) //nolint:gosec // at most 24
		switch mark {
		case 'X':
			g.x |= bit
		case 'O':
			g.o |= bit
		case '.':
		default:
			return Game{}, fmt.Errorf("%w: %q holds something other than X, O and dots", ErrNotation, clip(s))
		}
	}
	if err := g.checkReachable(); err != nil {
		return Game{}, err
	}
	return g, nil
}

// parseVanishing reads the position under [Vanishing] whose text is s, from its rows
// and the cells of its marks.
func parseVanishing(s, rows, cells string) (Game, error) {
	marks, err := Vanishing.ParseMoves(cells)
	if err != nil {
		return Game{}, err
	}
	window := Vanishing.window()
	if len(marks) > window {
		return Game{}, fmt.Errorf("%w: %q names more marks than %d", ErrNotation, clip(s), window)
	}
	g := Game{rules: Vanishing}
	if len(marks) == window && strings.HasPrefix(rows[min(len(rows), int(marks[0]+marks[0]/3)):], "O") {
		// O's mark is the oldest, so the last of these moves is X's, and a move before
		// them has been forgotten.
		g.past.plies = 1
		g.past.setCell(0, unknownCell)
	}
	for _, c := range marks {
		*g.mover() |= g.rules.Bit(c)
		g.past.setCell(int(g.past.plies), c)
		g.past.plies++
	}
	if g.String() != s { // nor would it be with a cell that is named twice
		return Game{}, fmt.Errorf("%w: the rows of %q do not show the marks that it names", ErrNotation, clip(s))
	}
	if err := g.checkReachable(); err != nil {
		return Game{}, err
	}
	return g, nil
}

// MustParse is [Parse] for tests and constants: it panics on error.
func MustParse(s string) Game {
	g, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return g
}

// checkReachable reports as an error why no legal sequence of moves leads to g.
//
// The conditions are sufficient: without the deciding move neither side has a
// line, so neither has one in any part of that position, and the marks can have
// been placed in any alternating order.
func (g Game) checkReachable() error {
	nx, no := g.x.Count(), g.o.Count()
	if nx != no && nx != no+1 {
		return fmt.Errorf("%w: %d X and %d O", ErrUnreachable, nx, no)
	}
	last := g.SideToMove().Other()
	if g.rules.hasLine(g.Marks(last.Other())) {
		return fmt.Errorf("%w: %v has a line and yet %v moved last", ErrUnreachable, last.Other(), last)
	}
	lines := g.rules.linesIn(g.Marks(last))
	common := g.rules.Board()
	for _, line := range lines {
		common &= line
	}
	if common == 0 {
		return fmt.Errorf("%w: the lines of %v have no cell in common", ErrUnreachable, last)
	}
	return nil
}
