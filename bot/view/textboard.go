package view

import (
	"fmt"
	"slices"
	"strings"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// textBoard is the board in characters, for those who cannot use the buttons or
// see them dimmed. With names it has letters and numbers at its edges, and in place of
// buttons the cells by mark. Those it always has where marks vanish: only their order tells
// the ages.
func (v Board) textBoard(m store.Match, g engine.Game) string {
	going := goingOf(m, g)
	text := cellsAsText(g, v.drawnMarks(m), v.names || v.list, going, nil)
	if v.list || going.possible {
		text += v.cellsByMark(g, v.drawnMarks(m), going)
	}
	return text
}

// cellsAsText is the board in characters, with letters and numbers at its edges if it has
// names. Cells can have other symbols than those of their marks.
func cellsAsText(g engine.Game, marks markSet, names bool, going going, other map[engine.Cell]string) string {
	var b strings.Builder
	r, won := g.Rules(), g.WinningCells()
	if names {
		b.WriteString("`·` ")
		for column := range r.M {
			// Letters as wide as the marks; between them a space of no width keeps two
			// from being read as the flag of a country.
			b.WriteString(string('🇦'+rune(column)) + blankLabel)
		}
		b.WriteByte('\n')
	}
	for c := engine.Cell(0); r.Contains(c); c++ {
		if r.Column(c) == 0 {
			if c > 0 {
				b.WriteByte('\n')
			}
			if names {
				fmt.Fprintf(&b, "`%d` ", r.Row(c)+1)
			}
		}
		switch bit := r.Bit(c); {
		case other[c] != "":
			b.WriteString(other[c])
		case won&bit != 0:
			b.WriteString(marks.of(g.At(c)).Winning)
		case going.any()&bit != 0:
			b.WriteString(marks.of(g.At(c)).vanishing())
		default:
			b.WriteString(marks.of(g.At(c)).Plain)
		}
	}
	return b.String()
}

// cellsByMark lists the cells of both marks, each in a line of its own; where marks vanish by
// their age: the one that goes next first. It is what screen readers have of the board.
func (v Board) cellsByMark(g engine.Game, marks markSet, going going) (lines string) {
	for _, mark := range [...]engine.Mark{engine.X, engine.O} {
		cells := slices.Collect(g.Rules().CellsOf(g.Marks(mark)))
		slices.SortStableFunc(cells, func(a, b engine.Cell) int { return g.Age(b) - g.Age(a) })
		switch {
		case len(cells) == 0:
		case going.any()&g.Marks(mark) == 0:
			lines += "\n" + marks.of(mark).Plain + " " + g.Rules().FormatMoves(cells)
		default:
			oldest, then := g.Rules().CellName(cells[0]), g.Rules().FormatMoves(cells[1:])
			lines += "\n" + v.say("marks.going", args{"Mark": marks.of(mark).vanishing(), "Cell": oldest, "Then": then})
		}
	}
	return lines
}

// going says which marks of a running match vanish next. Whoever decides on a move needs
// to know both: their own oldest mark is gone after it, so that a line through it is none;
// and the other's is gone after the answer, so that a threat with it is none. Only the
// first goes with the coming move. So texts tell both, and on the grid, where nobody explains
// a sign, only the first has one, and looks like an empty cell already.
type going struct {
	now      engine.Bitboard // of the side to move
	later    engine.Bitboard // of the other side
	possible bool            // marks vanish in this match, and it goes on
}

func (g going) any() engine.Bitboard { return g.now | g.later }

func goingOf(m store.Match, g engine.Game) going {
	if m.State != store.Active || m.Rules.Limit == 0 {
		return going{}
	}
	cell := func(mark engine.Mark) engine.Bitboard {
		c, ok := g.Vanishes(mark)
		return when(ok, m.Rules.Bit(c))
	}
	toMove := match.SideToMove(m)
	return going{now: cell(toMove), later: cell(toMove.Other()), possible: true}
}
