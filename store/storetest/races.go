package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// racers is how many do the same thing in the same instant.
const racers = 24

// Race runs the function for 0 and some more, all at once, and returns what it returned.
func Race(run func(i int) error) []error {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, racers)
	ready.Add(racers)
	for i := range racers {
		done.Go(func() {
			ready.Done()
			<-start
			errs[i] = run(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return errs
}

// wantOne wants one to have succeeded and all others to have got the error. It
// returns which one.
func wantOne(t tester, errs []error, want error) int {
	winner := slices.Index(errs, nil)
	if winner < 0 {
		must(t, fmt.Errorf("nobody succeeded: %w", errors.Join(errs...)))
	}
	for i, err := range errs {
		if i != winner {
			wantError(t, fmt.Sprintf("racer %d beside %d", i, winner), want, err)
		}
	}
	return winner
}

// wantOne wants one of many changes that are made at once to be stored, and the others to be
// refused with the error. It returns which one.
func (f *fixture) wantOne(t tester, want error, change func(i int) store.Change) int {
	winner := wantOne(t, Race(func(i int) error { return f.Store.Apply(t.Context(), change(i)) }), want)
	f.named.note(reflect.ValueOf(change(winner)))
	must(t, f.memory.Apply(t.Context(), change(winner)))
	return winner
}

var raceCases = []testCase{
	{"RaceVersion", "of many who read the same version one succeeds, the others have changed nothing", func(t *testing.T, f *fixture) {
		m := f.put(t, with(match(1, "1", 1), func(m *store.Match) { m.Rules = engine.Rules{M: 5, N: 5, K: 5} }))
		for range 5 {
			next := func(i int) store.Match {
				return with(m, func(m *store.Match) { m.Moves = append(m.Moves[:len(m.Moves):len(m.Moves)], freeCell(*m, i)) })
			}
			winner := f.wantOne(t, store.ErrConflict, func(i int) store.Change {
				return changeOf(claim(i+100*m.Version), next(i))
			})
			m = stored(next(winner))
			f.wantMatch(t, m)
		}
	}},
	{"RacePlace", "of many who start a match in one place one succeeds", func(t *testing.T, f *fixture) {
		winner := f.wantOne(t, store.ErrPlaceTaken, func(i int) store.Change { return changeOf(matchOf(store.MatchID(i+1), "1", 1)) })
		wantIDs(t, "ActiveMatches", store.MatchID(winner+1))(f.ActiveMatches(t.Context(), "1"))
	}},
	{"RaceSeat", "of many matches that a person starts in places of their own one succeeds", func(t *testing.T, f *fixture) {
		winner := f.wantOne(t, store.ErrSeatTaken, func(i int) store.Change { return changeOf(match(store.MatchID(i+1), "1", i+1)) })
		wantIDs(t, "ActiveMatches", store.MatchID(winner+1))(f.ActiveMatches(t.Context(), "1"))
	}},
	{"RacePair", "of many challenges between two people one succeeds, whoever of them makes it", func(t *testing.T, f *fixture) {
		winner := f.wantOne(t, store.ErrPairTaken, func(i int) store.Change {
			c := challenge(store.ChallengeID(i+1), "1", "2")
			if i%2 == 1 {
				c.Challenger, c.Opponent = c.Opponent, c.Challenger
			}
			return changeOf(c)
		})
		wantChallengeIDs(t, "GuildChallenges", store.ChallengeID(winner+1))(f.GuildChallenges(t.Context(), club, 0, racers))
	}},
	{"RaceClaim", "of many changes with one interaction one succeeds, and only its records are stored", func(t *testing.T, f *fixture) {
		winner := f.wantOne(t, store.ErrClaimed, func(i int) store.Change {
			return changeOf(store.InteractionID("1"), match(store.MatchID(i+1), channelOf(i), 1))
		})
		for i := range racers {
			if i == winner {
				f.wantMatch(t, stored(match(store.MatchID(i+1), channelOf(i), 1)))
			} else {
				f.wantNoMatch(t, store.MatchID(i+1))
			}
		}
	}},
	{"RaceCreate", "of many who create the same record one succeeds", func(t *testing.T, f *fixture) {
		winner := f.wantOne(t, store.ErrConflict, func(i int) store.Change { return changeOf(match(1, channelOf(i), 1)) })
		f.wantMatch(t, stored(match(1, channelOf(winner), 1)))
	}},
	{"ConflictsAlone", "a change that fails harms none of those that are stored in the same instant", func(t *testing.T, f *fixture) {
		f.apart()
		f.put(t, match(1000, "1", 1))
		for round := range 5 {
			errs := Race(func(i int) error {
				n := round*racers + i
				c := changeOf(claim(n), match(store.MatchID(1+n), channelOf(n), 1))
				if i%3 == 0 { // after something that could be stored
					c.Matches = append(c.Matches, match(store.MatchID(2000+n), "1", 1))
				}
				return f.Apply(t.Context(), c)
			})
			for i, err := range errs {
				n := round*racers + i
				id := store.MatchID(1 + n)
				if i%3 == 0 {
					wantError(t, fmt.Sprintf("match %d", id), store.ErrPlaceTaken, err)
					f.wantNoMatch(t, id)
					f.apply(t, store.Change{Interaction: claim(n)}) // which was not claimed
					continue
				}
				must(t, err)
				f.wantMatch(t, stored(match(id, channelOf(n), 1)))
			}
		}
	}},
	{"RaceDeliveries", "deliveries that come while changes are being stored are lost to nobody, and what is read of them never goes back", func(t *testing.T, f *fixture) {
		f.apart()
		const steps = 60
		f.put(t, match(1, "1", 1))
		Race(func(i int) error {
			last := 0
			for n := range steps {
				switch {
				case i == 0: // the only one who delivers
					f.Deliver(store.Delivery{Match: 1, Drawn: n + 1, Message: "50"})
					if n%10 == 9 {
						wantError(t, "Check", nil, f.Check(t.Context()))
						got, err := f.MatchVersion(t.Context(), 1)
						wantEqual(t, "drawn, as it was stored", n+1)(got.Drawn, err)
					}
				case i < 8:
					f.refuses(t, changeOf(match(store.MatchID(i*1000+n), "2", 0)), nil)
				case i < 12:
					got, err := f.MatchVersion(t.Context(), 1)
					wantEqual(t, "drawn, the greatest that was read", max(last, got.Drawn))(got.Drawn, err)
					last = got.Drawn
				}
			}
			return nil
		})
		f.reopen(t)
		f.wantMatch(t, with(stored(match(1, "1", 1)), func(m *store.Match) { m.Drawn, m.Message = steps, "50" }))
	}},
	{"RaceUptime", "however its savings are ordered, the up-time is the greatest of them", func(t *testing.T, f *fixture) {
		f.apart()
		f.lease(t, store.Uptimes{})
		must(t, errors.Join(Race(func(i int) error {
			return failure(f.Lease(t.Context(), everything, uptimes(store.Domain(i%2), time.Duration(1+i*7%racers))))
		})...))
		want := uptimes(0, racers-1)
		want[1] = racers
		wantEqual(t, "Uptime", want)(f.Uptime(t.Context()))
	}},
	{"RaceClose", "changes that race with Close are stored or answered with the closing; none is left without an answer", func(t *testing.T, f *fixture) {
		f.apart()
		errs := Race(func(i int) error {
			if i == racers/2 {
				return f.Close()
			}
			return f.Apply(t.Context(), changeOf(match(store.MatchID(i+1), channelOf(i), 1)))
		})
		wantError(t, "Close", nil, errs[racers/2])
		f.reopen(t)
		for i, err := range errs {
			switch {
			case i == racers/2:
			case err == nil:
				f.wantMatch(t, stored(match(store.MatchID(i+1), channelOf(i), 1)))
			default:
				wantError(t, fmt.Sprintf("racer %d", i), store.ErrClosed, err)
				f.wantNoMatch(t, store.MatchID(i+1))
			}
		}
	}},
}

func channelOf(i int) store.ChannelID { return store.ChannelID(fmt.Sprintf("7%05d", i)) }

// freeCell returns a cell that the match's moves leave free, another one for each
// i up to racers as long as there are so many.
func freeCell(m store.Match, i int) engine.Cell {
	game, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		panic(err) // the cases keep to legal games
	}
	free := slices.Collect(game.Moves())
	return free[i%len(free)]
}
