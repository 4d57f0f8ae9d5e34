package storetest

import (
	"reflect"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/enginetest"
	"tictactoe/store"
)

// later returns the record in its next version.
func later[T any](record T) T {
	version := reflect.ValueOf(&record).Elem().FieldByName("Version")
	version.SetInt(version.Int() + 1)
	return record
}

var versionCases = []testCase{
	{"SameGame", "place, rules and players of a match never change, nor does its verdict once it is known", func(t *testing.T, f *fixture) {
		f.staysSame(t, put(t, f, match(1, "1", 1)),
			func(m *store.Match) { m.Guild = "" }, func(m *store.Match) { m.Channel = "2" },
			func(m *store.Match) { m.Thread = "2" }, func(m *store.Match) { m.Place = 2 },
			func(m *store.Match) { m.Rules.M = 4 }, func(m *store.Match) { m.Rules.N = 4 },
			func(m *store.Match) { m.Rules = engine.Vanishing },
			func(m *store.Match) { m.X = bob }, func(m *store.Match) { m.O = bob }, func(m *store.Match) { m.O.Opponent = "hard" })
		wide := with(match(2, "2", 1), func(m *store.Match) { m.Rules = engine.Rules{M: 3, N: 4, K: 3} })
		f.staysSame(t, put(t, f, wide), func(m *store.Match) { m.Rules.K = 4 })
		judged := won(match(3, "3", 1))
		judged.Verdict = store.Verdict{Kind: store.ThrewDraw, Ply: 1, Cell: 5}
		f.staysSame(t, put(t, f, judged),
			func(m *store.Match) { m.Verdict.Kind = store.ThrewWin },
			func(m *store.Match) { m.Verdict.Ply = 3 }, func(m *store.Match) { m.Verdict.Cell = 8 })
	}},
	{"LongGames", "a match where marks vanish can have far more moves than the board has cells, each stored by itself", func(t *testing.T, f *fixture) {
		m := put(t, f, with(match(1, "1", 1), func(m *store.Match) { m.Rules = engine.Vanishing }))
		moves := enginetest.Longest()
		for n := range moves {
			m.Moves = moves[:n+1]
			if n+1 == len(moves) {
				m.State, m.EndReason = store.Ended, store.MoveLimit
			}
			m = put(t, f, m)
		}
		f.refuses(t, changeOf(with(m, func(m *store.Match) { m.Rules.Limit = 0 })), store.ErrInvalid)
		put(t, f, with(challenge(1, "1", "2"), func(c *store.Challenge) { c.Rules = engine.Vanishing }))
	}},
}
