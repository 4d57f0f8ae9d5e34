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

// finish plays a match of the two to its end and returns its result.
func (f *fixture) finish(t tester, id store.MatchID, x, o store.Player, at time.Time, award func(*store.Award)) store.Result {
	return f.end(t, between(id, x, o), at, award)
}

// end plays the match, which is new, to its end and returns its result.
func (f *fixture) end(t tester, m store.Match, at time.Time, award func(*store.Award)) store.Result {
	f.apply(t, lastMove(put(t, f, m), at, award))
	return sure(f.Result(t.Context(), m.ID))
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
	{"Result", "the change that ends a match writes its result, in the guild and at the time of the match", func(t *testing.T, f *fixture) {
		m := put(t, f, between(1, ada, bob))
		wantNone(t, "Result of a match that goes on")(f.Result(t.Context(), 1))
		at := noon.Add(time.Hour + 1500*time.Microsecond)
		c := lastMove(m, at, func(a *store.Award) {
			a.O, a.HonoursX, a.HonoursO, a.Hinted, a.BotWin = 1, feat|another, another, true, true
		})
		f.apply(t, c)
		f.reopen(t)
		wantEqual(t, "Result", store.Result{
			Match: 1, Guild: club, Ended: noon.Add(time.Hour + time.Millisecond), Rules: engine.Standard, X: ada, O: bob,
			Winner: engine.X, EndReason: store.ByLine, Plies: 5, Hinted: true, PointsX: 3, PointsO: 1,
			HonoursX: feat | another, HonoursO: another, BotWin: true,
		})(f.Result(t.Context(), 1))
	}},
	{"ResultOnce", "a match has one result: what is stored of it after its end, and a change that is refused, write none", func(t *testing.T, f *fixture) {
		m := put(t, f, between(1, ada, bob))
		c := lastMove(m, noon, nil)
		f.refuses(t, changeOf(c.Matches[0], match(2, "1", -1), c.Awards[0]), store.ErrInvalid)
		put(t, f, matchOf(3, "1", 1))
		f.refuses(t, changeOf(c.Matches[0], matchOf(4, "1", 1), c.Awards[0]), store.ErrPlaceTaken)
		f.wantStandings(t, club, store.AllTime)
		wantNone(t, "Result after changes that were refused")(f.Result(t.Context(), 1))
		c.Interaction = "1"
		f.apply(t, c)
		f.refuses(t, c, store.ErrClaimed)
		c.Interaction = ""
		f.refuses(t, c, store.ErrConflict)
		before := sure(f.Result(t.Context(), 1))
		after := later(c.Matches[0])
		after.Updated, after.RematchX = noon.AddDate(0, 2, 0), true
		c.Matches[0], c.Awards[0].X = after, 9
		f.apply(t, c)
		wantEqual(t, "Result", before)(f.Result(t.Context(), 1))
		f.wantStandings(t, club, store.AllTime, "80351110224678912:1:3")
	}},
	{"ResultWithoutAward", "a match that ends without an award has a result that gives no points, and one whose award says why not says so", func(t *testing.T, f *fixture) {
		put(t, f, won(between(1, ada, easy))) // and was never stored as active
		wantEqual(t, "why it is worth nothing", store.NotWeighed)(sure(f.Result(t.Context(), 1)).Why, nil)
		r := f.finish(t, 2, ada, bob, noon, func(a *store.Award) { a.Why = store.ForcedBoard })
		wantEqual(t, "why it is worth nothing", store.ForcedBoard)(r.Why, nil)
		wantEqual(t, "points", 0)(r.PointsX, nil)
		f.wantStandings(t, club, store.AllTime)
	}},
	{"Caps", "results beyond the caps of a day in a guild give no points: those in the same seats, those of a pair, those of a person", func(t *testing.T, f *fixture) {
		caps := func(a *store.Award) { a.Caps = store.Caps{Seats: 2, Pair: 3, Person: 5} }
		id := store.MatchID(0)
		wants := func(x, o store.Player, at time.Time, want store.Why) {
			id++
			if r := f.finish(t, id, x, o, at, caps); r.Why != want || (r.PointsX == 3) != (want == store.Counts) {
				fail(t, "game %d: %d points and why %d, want why %d", id, r.PointsX, r.Why, want)
			}
		}
		day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
		last := day.Add(24*time.Hour - time.Millisecond)
		wants(ada, bob, day, store.Counts)
		wants(ada, bob, last, store.Counts)
		wants(ada, bob, last, store.PairDone) // in these seats
		wants(bob, ada, last, store.Counts)
		wants(bob, ada, last, store.PairDone) // at all
		wants(eva, bob, day, store.Counts)
		wants(bob, eva, day, store.Counts)
		wants(bob, cleo, day, store.PersonDone)
		wants(cleo, bob, day, store.PersonDone)
		wants(cleo, ada, day, store.Counts)
		wants(ada, easy, day, store.Counts) // no game between people
		wants(easy, ada, day, store.Counts)
		wants(ada, easy, day, store.Counts)
		wants(ada, easy, day, store.PairDone)
		wants(ada, eva, day, store.Counts)
		wants(ada, cleo, day, store.PersonDone)
		wants(ada, bob, day.Add(-time.Millisecond), store.Counts)
		wants(ada, bob, last.Add(time.Millisecond), store.Counts)
	}},
	{"Standings", "standings are those of the guild, of all time, of the month by UTC, and of wins against the program; who has no points is not among them", func(t *testing.T, f *fixture) {
		end := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
		f.finish(t, 1, ada, bob, end.Add(-time.Millisecond), nil)
		f.finish(t, 2, bob, eva, end, nil)
		f.finish(t, 3, eva, ada, end.Add(time.Hour), func(a *store.Award) { a.X, a.O = 1, 1 })
		f.finish(t, 4, ada, easy, end, againstProgram)
		f.wantStandings(t, club, 202402, "80351110224678912:1:3")
		wantNone(t, "Standing of somebody without points")(f.Standing(t.Context(), club, 202402, bob.User))
		f.wantStandings(t, club, 202403, "1:1:3", "80351110224678912:2:1", "5:3:1")
		f.wantStandings(t, club, store.AllTime, "80351110224678912:1:4", "1:2:3", "5:3:1")
		f.wantStandings(t, club, store.BotWins, "80351110224678912:1:1")
		f.wantStandings(t, club, 202404)
		f.wantStandings(t, "1", store.AllTime)
		wantNone(t, "Standing of somebody without a result")(f.Standing(t.Context(), club, 202402, eva.User))
	}},
	{"StandingsOfMany", "where more people have points than are counted the total says so, and everybody has their place", func(t *testing.T, f *fixture) {
		const many = store.MostListed + 5
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
		f.leave(t, club, true, "10001", "11004", "10500", "404") // of whom one has no points
		wants(store.MostListed+1, many-3)
		f.leave(t, club, true, "11003")
		wants(store.MostListed+1, many-4)
		f.leave(t, club, true, "11000")
		wants(store.MostListed, many-5)
	}},
	{"Absence", "who is gone takes no rank in their guild, until they come back or have a result there", func(t *testing.T, f *fixture) {
		f.finish(t, 1, ada, bob, noon, nil)
		f.finish(t, 2, eva, cleo, noon, func(a *store.Award) { a.X = 2 })
		f.leave(t, "1", true, ada.User)
		f.wantStandings(t, club, store.AllTime, "80351110224678912:1:3", "5:2:2")
		f.leave(t, club, true, ada.User)
		f.leave(t, club, true, ada.User)
		f.wantStandings(t, club, store.AllTime, "5:1:2")
		wantNone(t, "Standing of somebody who is gone")(f.Standing(t.Context(), club, store.AllTime, ada.User))
		f.leave(t, club, false, ada.User)
		f.wantStandings(t, club, store.AllTime, "80351110224678912:1:3", "5:2:2")
		for i, seats := range [][2]store.Player{{ada, easy}, {easy, ada}} {
			f.leave(t, club, true, ada.User)
			f.finish(t, store.MatchID(3+i), seats[0], seats[1], noon, func(a *store.Award) { a.Why = store.AgainstProgram })
			f.wantStandings(t, club, store.AllTime, "80351110224678912:1:3", "5:2:2")
		}
	}},
	{"PastMatches", "a match that ended with its result is none of the past, and is not written again as one", func(t *testing.T, f *fixture) {
		f.finish(t, 1, ada, bob, noon, nil)
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
