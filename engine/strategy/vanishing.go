package strategy

import (
	"context"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// chooseVanishing plays on where marks vanish and nothing urgent was seen. There are no forks,
// as a side has two marks at most that its next move leaves in place. Instead there are threats
// that cannot be blocked.
func (p profile) chooseVanishing(g engine.Game, v view, overlooked bool, dice dice) engine.Cell {
	if overlooked {
		return anyOf(v.rules, v.empty, dice) // that mattered, and nothing else
	}
	wins, losses := unstoppable(g)
	if wins != 0 && dice.happens(p.fork) {
		return anyOf(v.rules, wins, dice)
	}
	cells := v.empty
	if safe := cells &^ losses; safe != 0 && losses != 0 && dice.happens(p.counter) {
		cells = safe
	}
	return p.place(v, cells, dice)
}

// unstoppable returns the moves that make a threat which the other side cannot stop, and the
// moves after which the other side can make one.
func unstoppable(g engine.Game) (wins, losses engine.Bitboard) {
	moves, err := solver.Moves(context.Background(), g)
	if err != nil {
		return 0, 0 // not for a game that goes on, as this one does
	}
	for _, m := range moves {
		bit := g.Rules().Bit(m.Cell)
		switch {
		case m.Value == solver.Win && m.Plies == 3:
			wins |= bit
		case m.Value == solver.Loss && m.Plies == 4:
			losses |= bit
		}
	}
	return wins, losses
}

// fresh returns those of the moves that lead to a position which has not stood before in the
// game, and all of them if there is none. Where no mark vanishes, that is all of them.
func fresh(g engine.Game, moves engine.Bitboard) engine.Bitboard {
	return bestOf(moves, func(bit engine.Bitboard) int { return -min(place(g, bit).Repeats(), 1) })
}
