package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

const (
	club    = store.GuildID("41771983423143937")
	feat    = store.Honours(1)
	another = store.Honours(8)
)

// between returns a match of two people that the first is about to win.
func between(id store.MatchID, x, o store.Player) store.Match {
	return with(match(id, channelOf(int(id)), 1), func(m *store.Match) {
		m.X, m.O, m.Moves = x, o, []engine.Cell{0, 3, 1, 4}
	})
}

// againstProgram is an award of a win against the program.
func againstProgram(a *store.Award) { a.Why, a.BotWin = store.AgainstProgram, true }

// won returns the match after X has made a line.
func won(m store.Match) store.Match {
	m.Moves = []engine.Cell{0, 3, 1, 4, 2}
	m.State, m.EndReason, m.Winner = store.Ended, store.ByLine, engine.X
	return m
}

// lastMove returns the change that ends the match at the time, worth 3 points for X.
func lastMove(m store.Match, at time.Time, award func(*store.Award)) store.Change {
	a := store.Award{Match: m.ID, X: 3}
	if award != nil {
		award(&a)
	}
	m = won(m)
	m.Updated = at
	return changeOf(m, a)
}

// end plays the match, which is new, to its end.
func (f *fixture) end(t tester, m store.Match, at time.Time, award func(*store.Award)) {
	f.apply(t, lastMove(put(t, f, m), at, award))
}

// wantStandings compares the rows of a guild's standings, written as user:rank:points.
func (f *fixture) wantStandings(t tester, guild store.GuildID, p store.Period, want ...string) {
	rows, total, err := f.Standings(t.Context(), guild, p, 0, 100)
	wantEach(t, fmt.Sprintf("Standings of %s in %d", guild, p), func(r store.Standing) string {
		wantEqual(t, "Standing", r)(f.Standing(t.Context(), guild, p, r.User))
		return fmt.Sprintf("%s:%d:%d", r.User, r.Rank, r.Points)
	}, want...)(rows, err)
	wantEqual(t, "total of Standings", len(want))(total, nil)
}

// wantRecounted wants every sum to be that of the ledger.
func (f *fixture) wantRecounted(t tester) {
	wantEqual(t, "sums that are wrong", 0)(f.Recount(t.Context()))
}

var resultCases = []testCase{
	{"StandingsOfMany", "where more people have points than are counted the total says so, and everybody has their place", func(t *testing.T, f *fixture) {
		const many = store.MostListed + 5
		f.apart() // everything about everybody would be asked for minutes
		var c store.Change
		for i := range many {
			m := won(between(store.MatchID(i+1), store.Player{User: store.UserID(fmt.Sprint(10_000 + i))}, easy))
			m.Updated = noon
			c.Matches = append(c.Matches, m)
			c.Awards = append(c.Awards, store.Award{Match: m.ID, X: 1 + i})
		}
		f.apply(t, c)
		wants := func(total, last int) {
			rows, got, err := f.Standings(t.Context(), club, store.AllTime, store.MostListed-1, 1)
			wantEqual(t, "total", total)(got, err)
			wantEach(t, "rank of the last row that is listed", func(r store.Standing) int { return r.Rank }, store.MostListed)(rows, err)
			wantEqual(t, "who comes last", store.Standing{User: "10000", Rank: last, Points: 1, Won: 1})(f.Standing(t.Context(), club, store.AllTime, "10000"))
		}
		wants(store.MostListed+1, many)
		f.leave(t, club, "10001", "11004", "10500", "404") // of whom one has no points
		wants(store.MostListed+1, many-3)
		f.leave(t, club, "11003")
		wants(store.MostListed+1, many-4)
		f.leave(t, club, "11000")
		wants(store.MostListed, many-5)
	}},
	{"PastMatches", "a match that ended with its result is none of the past, and is not written again as one", func(t *testing.T, f *fixture) {
		f.end(t, between(1, ada, bob), noon, nil)
		put(t, f, between(2, ada, bob))
		wantEach(t, "PastMatches", idOfMatch)(f.PastMatches(t.Context(), 10))
		f.apply(t, store.Change{Past: []store.Match{sure(f.Match(t.Context(), 1)), won(between(3, ada, bob))}, PastTo: 7})
		wantEqual(t, "why it counts as at its end", store.Counts)(sure(f.Result(t.Context(), 1)).Why, nil)
		wantNone(t, "Result of a match that is not stored")(f.Result(t.Context(), 3))
	}},
	{"RaceCaps", "of many games of two people that end in the same moment as many count as the caps allow", func(t *testing.T, f *fixture) {
		f.apart()
		for round := range 3 {
			var running []store.Match
			for i := range racers {
				x, o := ada, bob
				if i%2 == 1 {
					x, o = bob, ada
				}
				running = append(running, put(t, f, between(store.MatchID(100*round+i+1), x, o)))
			}
			at := noon.AddDate(0, 0, round)
			errs := Race(func(i int) error {
				return f.Apply(t.Context(), lastMove(running[i], at, func(a *store.Award) { a.Caps = store.Caps{Seats: 2, Pair: 4, Person: 3} }))
			})
			must(t, errors.Join(errs...))
			count := map[store.Why]int{}
			for _, m := range running {
				count[sure(f.Result(t.Context(), m.ID)).Why]++
			}
			wantEqual(t, "how many count", 3)(count[store.Counts], nil)
		}
	}},
	{"RaceEnds", "two who end the same match write one result", func(t *testing.T, f *fixture) {
		for id := store.MatchID(1); id <= 3; id++ {
			m := put(t, f, between(id, ada, bob))
			errs := f.race(t, func(i int) store.Change { return lastMove(m, noon, func(a *store.Award) { a.X = i }) })
			wantEqual(t, "points, those of who succeeded", wantOne(t, errs, store.ErrConflict))(sure(f.Result(t.Context(), id)).PointsX, nil)
		}
	}},
}
