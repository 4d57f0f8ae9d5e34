package match

import (
	"tictactoe/engine"
	"tictactoe/store"
)

// MostTold is down to which place a result tells it.
const MostTold = 100

// Gainer returns whose gain the result of a match tells: the winner's, of a draw with the
// program the person's, and of one between people that of X, as good as the other's. None is
// nobody.
func Gainer(m store.Match) engine.Mark {
	side := m.Winner
	switch {
	case side != engine.None:
	case AgainstProgram(m):
		side = ProgramMark(m).Other()
	case m.EndReason.Draw():
		side = engine.X
	}
	if !m.Player(side).IsUser() {
		return engine.None
	}
	return side
}

// MayGain reports whether the match can have given somebody something that is told.
func MayGain(m store.Match) bool {
	a := Award(m)
	switch {
	case m.State != store.Ended || Gainer(m) == engine.None:
		return false
	case a.Why == store.Counts || a.HonoursX|a.HonoursO != 0:
		return true
	default:
		return a.Why != store.NotFromStart && m.Winner != engine.None && !AgainstProgram(m) // a streak goes on
	}
}

// Gain returns what a match has given one side, by its result and by how that person plays
// since, with a place in the standings of the month or 0. Of a draw between people only the
// points are told, which both have.
func Gain(m store.Match, r store.Result, p store.Profile, place int) store.Gain {
	side := Gainer(m)
	g := store.Gain{Points: ofSide(side, r.PointsX, r.PointsO)}
	if m.Winner == engine.None && !AgainstProgram(m) {
		return g
	}
	g.Honours = newHonours(p, ofSide(side, r.HonoursX, r.HonoursO))
	if g.Points > 0 && place <= MostTold {
		g.Place = place
	}
	if !AgainstProgram(m) && p.Streak > 1 {
		g.Streak = p.Streak
	}
	return g
}

// newHonours returns which of the honours that are shown somebody has only since a match
// that has given these. Wins in a row are told as such.
func newHonours(p store.Profile, of store.Honours) (all store.Honours) {
	fresh := func(h store.Honours) bool { return of&h != 0 && p.Honours[h] == 1 }
	for _, h := range [...]store.Honours{HonourFork, HonourPerfect, HonourHardAsO, HonourVanishing} {
		if fresh(h) {
			all |= h
		}
	}
	if fresh(honourWideX) && p.Honours[honourWideO] > 0 || fresh(honourWideO) && p.Honours[honourWideX] > 0 {
		all |= HonourBothSides
	}
	return all
}

// HonoursIn returns each of the honours.
func HonoursIn(all store.Honours) (each []store.Honours) {
	for h := store.Honours(1); h <= HonourPuzzleWeek; h <<= 1 {
		if all&h != 0 {
			each = append(each, h)
		}
	}
	return each
}
