package match

import (
	"slices"

	"tictactoe/engine"
	"tictactoe/store"
)

// What games are worth in the standings of a guild, and how many of a day (UTC) count
// there. A rating would stand still where good play draws.
const (
	PointsWin         = 3
	PointsDraw        = 1
	PointsBeatHard    = 2 // once a day
	PointsDrawPerfect = 1 // on 3x3, once a day

	CountedSeats  = 2  // games of a pair a day, for each of them with X
	CountedPair   = 4  // games of a pair a day
	CountedPerson = 10 // games of a person with people a day
	CountedBot    = 1  // rewards of a person a day, for each feat

	CountedMoves = 2 // that both must have made
)

// ofTwoMinds reports whether the match began with an empty board, and no move was told in it.
func ofTwoMinds(m store.Match) bool { return m.Given == 0 && !m.Hinted }

// Award returns what an ended match is worth: points and the caps on them, or why there
// are none, and honours. For one that goes on it returns nothing.
func Award(m store.Match) store.Award {
	a := store.Award{Match: m.ID, Hinted: m.Hinted, FromPosition: m.Given > 0}
	if m.State != store.Ended {
		return a
	}
	a.Why = whyNot(m)
	if slices.Contains([]store.Why{store.Counts, store.AgainstProgram, store.ForcedBoard, store.OutsideGuilds}, a.Why) {
		a.HonoursX, a.HonoursO = honours(m, engine.X), honours(m, engine.O)
	}
	switch {
	case a.Why == store.ForcedBoard: // no points, but a win that hardly anybody finds is one
		a.BotWin = !FirstPlayerWins(m.Rules) && beatStrongProgram(m)
		return a
	case a.Why == store.AgainstProgram:
		return againstProgram(m, a)
	case a.Why != store.Counts:
		return a
	}
	a.Caps = store.Caps{Seats: CountedSeats, Pair: CountedPair, Person: CountedPerson}
	if m.Winner == engine.None {
		a.X, a.O = PointsDraw, PointsDraw
	} else {
		*ofSide(m.Winner, &a.X, &a.O) = PointsWin
	}
	return a
}

// whyNot returns why the match earns nothing whoever won it.
func whyNot(m store.Match) store.Why {
	decided := m.EndReason == store.ByLine || m.EndReason.Draw() || m.EndReason == store.Resignation || m.EndReason == store.Clock
	switch {
	case !decided:
		return store.WithoutResult
	case m.Given > 0:
		return store.NotFromStart
	case m.Hinted:
		return store.WithHint
	case len(m.Moves) < 2*CountedMoves:
		return store.TooShort
	case m.Guild == "", m.TokenOnly: // nobody there has asked for standings
		return store.OutsideGuilds
	case FirstPlayerCanForce(m.Rules):
		return store.ForcedBoard
	case AgainstProgram(m):
		return store.AgainstProgram
	default:
		return store.Counts
	}
}

// againstProgram gives what is rewarded against the program.
func againstProgram(m store.Match, a store.Award) store.Award {
	person := ProgramMark(m).Other()
	level := m.Player(person.Other()).Opponent
	points := 0
	switch {
	case m.Winner == person:
		a.BotWin = beatStrongProgram(m)
		if level == Hard {
			points = PointsBeatHard
		}
	case m.EndReason.Draw() && level == Perfect && m.Rules == engine.Standard:
		points = PointsDrawPerfect
	}
	if points == 0 {
		return a
	}
	a.Why, a.Caps = store.Counts, store.Caps{Pair: CountedBot}
	*ofSide(person, &a.X, &a.O) = points
	return a
}

// beatStrongProgram reports whether a person won against Hard or Perfect.
func beatStrongProgram(m store.Match) bool {
	program := ProgramMark(m)
	level := m.Player(program).Opponent
	return m.Winner == program.Other() && (level == Hard || level == Perfect)
}
