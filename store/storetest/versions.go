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
