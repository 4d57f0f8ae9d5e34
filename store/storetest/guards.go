package storetest

import (
	"testing"

	"tictactoe/store"
)

// seat returns a new match of the two in a channel.
func seat(id store.MatchID, place int, x, o store.Player) store.Match {
	return with(match(id, "1", place), func(m *store.Match) { m.X, m.O = x, o })
}

var guardCases = []testCase{
	{"Place", "a place in a channel has at most one active match; private ones take none, ended ones leave theirs", func(t *testing.T, f *fixture) {
		first := put(t, f, matchOf(1, "1", 1))
		f.refuses(t, changeOf(matchOf(2, "1", 1)), store.ErrPlaceTaken)
		f.putEach(t, matchOf(3, "1", 2), matchOf(4, "01", 1), matchOf(5, "1", 0), matchOf(6, "1", 0), ended(matchOf(7, "1", 1)), ended(first), matchOf(8, "1", 1))
	}},
	{"PlaceMoved", "a match stays in its channel, its thread and its place", func(t *testing.T, f *fixture) {
		m := put(t, f, matchOf(1, "1", 1))
		hidden := put(t, f, matchOf(2, "1", 0))
		f.staysSame(t, m,
			func(m *store.Match) { m.Place = 2 }, func(m *store.Match) { m.Place = 0 },
			func(m *store.Match) { m.Channel = "2" }, func(m *store.Match) { m.Thread = "2" },
			func(m *store.Match) { m.Moves, m.Given = append(m.Moves, 8), 1 })
		f.staysSame(t, hidden, func(m *store.Match) { m.Place = 2 })
	}},
	{"PutAside", "a change puts matches aside and begins another in their places; they have no result", func(t *testing.T, f *fixture) {
		var c store.Change
		for i, of := range []store.Player{ada, bob} {
			m := put(t, f, with(match(store.MatchID(i+1), "1", i+1), func(m *store.Match) { m.X, m.O = of, easy }))
			m.State, m.EndReason, m.EndedBy, m.GridStands, m.Deadline = store.Ended, store.PutAside, "9", true, 5
			c.Matches = append(c.Matches, m)
		}
		first := c.Matches[0]
		c.Matches = append(c.Matches, with(match(3, "1", 1), func(m *store.Match) { m.X, m.O = ada, bob }))
		moved := with(first, func(m *store.Match) {
			m.State, m.EndReason, m.EndedBy, m.GridStands, m.Deadline = store.Active, store.NotEnded, "", false, 0
			m.Moves = append(m.Moves, 4)
		})
		put(t, f, moved)
		f.refuses(t, c, store.ErrConflict)
		c.Matches[0].Version++
		c.Matches[0].Moves = moved.Moves
		f.apply(t, c)
		f.look(t)
		for _, m := range c.Matches[:2] {
			put(t, f, with(later(m), func(m *store.Match) { m.GridStands, m.Deadline = false, 0 }))
		}
	}},
	{"SeatBetweenGames", "people keep their seats between two games of a series, until the next one begins or the series ends", func(t *testing.T, f *fixture) {
		goesOn := func(m *store.Match) { *m = ended(*m); m.GoesOn = true }
		first := put(t, f, with(seat(1, 1, ada, bob), func(m *store.Match) { m.BestOf = 3 }))
		first = put(t, f, with(first, goesOn))
		f.refuses(t, changeOf(seat(2, 2, ada, easy)), store.ErrSeatTaken)
		f.reopen(t)
		f.look(t)
		second := with(seat(3, 1, bob, ada), func(m *store.Match) { m.BestOf = 3 })
		f.apply(t, changeOf(with(first, func(m *store.Match) { m.Next = 3 }), second))
		f.look(t)
		second = put(t, f, with(later(second), goesOn))
		put(t, f, with(second, func(m *store.Match) { m.GoesOn = false }))
		put(t, f, seat(2, 1, ada, easy))
	}},
}

var challengeCases = []testCase{
	{"ClosedChallenges", "a closed challenge is still known, one that expired can be marked as renewed, and it knows the one that was made in its place", func(t *testing.T, f *fixture) {
		c := put(t, f, challenge(1, "1", "2"))
		for _, step := range []func(*store.Challenge){
			func(c *store.Challenge) { c.State = store.Expired },
			func(c *store.Challenge) { c.State = store.Renewed },
			func(c *store.Challenge) { c.Next = 2 },
		} {
			c = put(t, f, with(c, step))
			f.reopen(t)
			f.look(t)
		}
	}},
}
