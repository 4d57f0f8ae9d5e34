package strategy

import (
	"context"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// chooseVanishing plays what the player sees where marks vanish, the most urgent first.
// Players see lines there as on other boards, but they may forget which mark goes next: then
// they complete a line that is none by the time it is complete, or block one that is no threat.
// There are no forks, as a side has two marks at most that its next move leaves in place.
// Instead there are threats that cannot be blocked. The moves before the position do not
// matter to them: only perfect takes care not to repeat it.
func (p profile) chooseVanishing(g engine.Game, dice dice) engine.Cell {
	v := newView(g)
	if seen := p.lastCells(v, v.own, p.win, dice); seen != 0 {
		return anyOf(v.rules, seen, dice)
	}
	if !dice.happens(p.memory) {
		if seen := p.lastCells(v, g.Marks(g.SideToMove()), p.win, dice); seen != 0 {
			return anyOf(v.rules, seen, dice)
		}
	}
	threats := v.other
	if !dice.happens(p.memory) {
		threats = g.Marks(g.SideToMove().Other())
	}
	if seen := p.lastCells(v, threats, p.threat, dice); seen != 0 {
		return anyOf(v.rules, seen, dice)
	}
	urgent := v.lines.wins(v.own, v.empty) | v.lines.wins(v.other, v.empty)
	if urgent != 0 {
		return anyOf(v.rules, v.empty, dice) // what was overlooked mattered, and nothing else
	}
	if dice.happens(p.plan) {
		return p.place(v, keeping(g), dice)
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
