package match

import (
	"slices"

	"tictactoe/engine"
	"tictactoe/store"
)

// The honours that a match can give. The numbers are stored.
const (
	HonourFork      store.Honours = 1 << 0 // won by a line after two threats at once
	HonourPerfect   store.Honours = 1 << 1 // drew with Perfect
	HonourHardAsO   store.Honours = 1 << 2 // beat Hard without the first move
	HonourVanishing store.Honours = 1 << 3 // beat Perfect where marks vanish
	honourWideX     store.Honours = 1 << 4 // won on 4x5 with X, and
	honourWideO     store.Honours = 1 << 5 // with O
)

// The honours that come of several matches. They are not stored.
const (
	HonourBothSides  store.Honours = 1 << (store.MostHonours + iota) // won on 4x5 with both
	HonourTenInARow                                                  // won against people
	HonourPuzzleWeek                                                 // puzzles of seven days in a row
)

const (
	TenInARow  = 10 // wins
	PuzzleWeek = 7  // days of a streak of puzzles
)

// wide is the board that is to be won from both sides.
var wide = engine.Rules{M: 4, N: 5, K: 4}

// Honours are those of a person who plays and solves puzzles like that, in the order in
// which they are shown.
func Honours(p store.Profile, puzzler store.Puzzler) []store.Honours {
	lacks := func(h store.Honours) bool {
		switch h {
		case HonourBothSides:
			return p.Honours[honourWideX] == 0 || p.Honours[honourWideO] == 0
		case HonourTenInARow:
			return p.Best < TenInARow
		case HonourPuzzleWeek:
			return puzzler.Best < PuzzleWeek
		default:
			return p.Honours[h] == 0
		}
	}
	all := []store.Honours{HonourFork, HonourPerfect, HonourHardAsO, HonourTenInARow, HonourBothSides, HonourVanishing, HonourPuzzleWeek}
	return slices.DeleteFunc(all, lacks)
}

// honours returns the honours that an ended match gives the person of a side. A draw or a line
// gives them, no resignation: that can be arranged.
func honours(m store.Match, side engine.Mark) (h store.Honours) {
	if !m.Player(side).IsUser() || FirstPlayerWins(m.Rules) {
		return 0
	}
	level := m.Player(side.Other()).Opponent
	if m.EndReason.Draw() && level == Perfect {
		return HonourPerfect
	}
	if m.EndReason != store.ByLine || m.Winner != side {
		return 0
	}
	if m.Rules.Limit == 0 && forked(m, side) {
		h |= HonourFork
	}
	if level == Hard && side == engine.O {
		h |= HonourHardAsO
	}
	if level == Perfect && m.Rules == engine.Vanishing {
		h |= HonourVanishing
	}
	if m.Rules == wide && (level == "" || level == Hard || level == Perfect) {
		h |= ofSide(side, honourWideX, honourWideO)
	}
	return h
}

// forked reports whether the side made two threats at once that the other could not
// answer by winning first.
func forked(m store.Match, side engine.Mark) bool {
	g, err := engine.New(m.Rules)
	for _, c := range m.Moves {
		if err != nil {
			return false
		}
		mover := g.SideToMove()
		if g, err = g.Play(c); err != nil || g.Over() {
			return false
		}
		if mover == side && g.Threats(side).Count() >= 2 && g.Threats(side.Other()) == 0 {
			return true
		}
	}
	return false
}
