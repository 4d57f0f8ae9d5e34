package view

import (
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

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
		if !ok {
			return 0
		}
		return m.Rules.Bit(c)
	}
	toMove := match.SideToMove(m)
	return going{now: cell(toMove), later: cell(toMove.Other()), possible: true}
}
