package storetest

import (
	"reflect"
	"testing"
	"time"

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

// keeps wants a record, of which there is none yet, to be stored over the version that was
// read, step by step: of many who vary what a step makes of it one succeeds. Each time it
// is read as it was stored, also by a store that is opened later, and no other version is
// stored over.
func keeps[T any](t tester, f *fixture, none T, vary func(*T, int), steps ...func(*T)) {
	f.refuses(t, changeOf(later(none)), store.ErrNotFound)
	f.look(t)
	is := none
	for n, step := range steps {
		next := func(i int) T { return with(is, func(r *T) { vary(r, n*racers+i); step(r) }) } // never the same
		stale := changeOf(is)
		errs := f.race(t, func(i int) store.Change { return changeOf(next(i)) })
		is = later(next(wantOne(t, errs, store.ErrConflict)))
		f.refuses(t, stale, store.ErrConflict)
		f.refuses(t, changeOf(later(is)), store.ErrConflict)
		f.reopen(t)
		f.look(t)
	}
}

var versionCases = []testCase{
	{"Version", "a record is stored only over the version that was read, and has the next one then; a later version of one that does not exist cannot be stored", func(t *testing.T, f *fixture) {
		m, c := match(1, "1", 1), challenge(1, "1", "2")
		keeps(t, f, m,
			func(m *store.Match, i int) { m.Deadline = time.Duration(i) },
			func(m *store.Match) { m.Moves = []engine.Cell{4} },
			func(m *store.Match) { m.Moves = []engine.Cell{4, 0} },
			func(m *store.Match) { m.RematchTold = true })
		keeps(t, f, c,
			func(c *store.Challenge, i int) { c.Deadline = time.Duration(i) },
			func(*store.Challenge) {},
			func(c *store.Challenge) { c.TokenOnly = true })
		// Nor is a record that exists created again, not even where its own place or pair is in the way.
		f.refuses(t, changeOf(match(1, "1", 1)), store.ErrConflict)
		f.refuses(t, changeOf(match(1, "2", 1)), store.ErrConflict)
		f.refuses(t, changeOf(challenge(1, "1", "2")), store.ErrConflict)
		f.refuses(t, changeOf(challenge(1, "1", "3")), store.ErrConflict)
		f.refuses(t, changeOf(later(match(2, "2", 1))), store.ErrNotFound)
		f.refuses(t, changeOf(later(challenge(2, "1", "3"))), store.ErrNotFound)
	}},
	{"AppendOnly", "moves are only ever added to; a change that is both out of date and a rewrite is out of date: whoever made it shall look again", func(t *testing.T, f *fixture) {
		m := put(t, f, with(match(1, "1", 1), func(m *store.Match) { m.Moves = []engine.Cell{4, 0, 8} }))
		for _, moves := range [][]engine.Cell{nil, {4, 0}, {0, 4, 8}, {4, 0, 7}, {4, 0, 7, 8}, {0}} {
			f.staysSame(t, m, func(m *store.Match) { m.Moves = moves })
		}
		old := m
		m = put(t, f, m) // none added
		f.refuses(t, changeOf(with(old, func(m *store.Match) { m.Moves = []engine.Cell{5} })), store.ErrConflict)
		put(t, f, with(m, func(m *store.Match) { m.Moves = []engine.Cell{4, 0, 8, 1, 2} }))
	}},
	{"SameGame", "guild, rules and players of a match never change: its moves would mean something else", func(t *testing.T, f *fixture) {
		m := put(t, f, match(1, "1", 1))
		f.staysSame(t, m,
			func(m *store.Match) { m.Guild = "" },
			func(m *store.Match) { m.Rules.M = 4 }, func(m *store.Match) { m.Rules.N = 4 },
			func(m *store.Match) { m.Rules = engine.Vanishing }, func(m *store.Match) { m.Rules = engine.Rules{M: 3, N: 4, K: 4} },
			func(m *store.Match) { m.X = bob }, func(m *store.Match) { m.O = bob },
			func(m *store.Match) { m.O.Opponent = "hard" }, func(m *store.Match) { m.X, m.O = m.O, m.X })
	}},
	{"ResultStays", "moves and result of an ended match never change; what else belongs to it may", func(t *testing.T, f *fixture) {
		for _, m := range []store.Match{put(t, f, ended(match(1, "1", 1))), put(t, f, ended(put(t, f, match(2, "2", 1))))} {
			f.staysSame(t, m,
				func(m *store.Match) { m.Moves = []engine.Cell{0} },
				func(m *store.Match) { m.EndReason = store.Clock },
				func(m *store.Match) { m.Winner = engine.O },
				func(m *store.Match) { m.EndReason, m.Winner = store.Abandoned, engine.None },
				func(m *store.Match) { m.EndReason, m.Winner, m.EndedBy = store.Stopped, engine.None, "5" },
				func(m *store.Match) { m.State, m.EndReason, m.Winner = store.Active, store.NotEnded, engine.None })
			f.wantMatch(t, put(t, f, with(m, func(m *store.Match) { m.RematchX, m.Next, m.Deadline = true, 9, 0 })))
		}
		stopped := put(t, f, with(match(3, "3", 0), func(m *store.Match) { m.State, m.EndReason, m.EndedBy = store.Ended, store.Stopped, "5" }))
		f.staysSame(t, stopped, func(m *store.Match) { m.EndedBy = "6" })
	}},
	{"Verdict", "the verdict on an ended match can be given once, with its end or later, and never changes then", func(t *testing.T, f *fixture) {
		lost := store.Verdict{Kind: store.ThrewDraw, Ply: 1, Cell: 4}
		judged := func(m store.Match, v store.Verdict) store.Match {
			return with(m, func(m *store.Match) { m.Verdict = v })
		}
		at := put(t, f, judged(won(match(1, "1", 1)), lost))
		later := put(t, f, won(put(t, f, match(2, "2", 1))))
		later = put(t, f, later) // something else of it changed first
		later = put(t, f, judged(later, lost))
		none := put(t, f, judged(won(match(3, "3", 1)), store.Verdict{Kind: store.NoMistake}))
		for _, m := range []store.Match{at, later, none} {
			for _, v := range []store.Verdict{
				{}, {Kind: store.ThrewWin, Ply: 1, Cell: 4}, {Kind: store.ThrewDraw, Ply: 3, Cell: 2}, {Kind: store.ThrewDraw, Ply: 1, Cell: 8},
			} {
				f.staysSame(t, m, func(m *store.Match) { m.Verdict = v })
			}
			f.wantMatch(t, put(t, f, with(m, func(m *store.Match) { m.RematchX = true })))
		}
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
