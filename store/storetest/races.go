package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// race has many changes be made at once. Those that are stored are stored in memory too: there it
// must not matter in which order.
func (f *fixture) race(t tester, change func(i int) store.Change) []error {
	errs := Race(func(i int) error { return f.Store.Apply(t.Context(), change(i)) })
	for i, err := range errs {
		f.named.note(reflect.ValueOf(change(i)))
		if err == nil {
			must(t, f.memory.Apply(t.Context(), change(i)))
		}
	}
	return errs
}

// oneOf is the promise that of many changes that are made at once one is stored, and the others
// are refused with the error.
func oneOf(name, explanation string, refusal error, change func(i int) store.Change) testCase {
	return testCase{name, explanation, func(t *testing.T, f *fixture) { wantOne(t, f.race(t, change), refusal) }}
}

var raceCases = []testCase{
	oneOf("RacePlace", "of many who start a match in one place one succeeds", store.ErrPlaceTaken,
		func(i int) store.Change { return changeOf(matchOf(store.MatchID(i+1), "1", 1)) }),
	oneOf("RaceSeat", "of many matches that a person starts in places of their own one succeeds", store.ErrSeatTaken,
		func(i int) store.Change { return changeOf(match(store.MatchID(i+1), "1", i+1)) }),
	oneOf("RacePair", "of many challenges between two people one succeeds, whoever of them makes it", store.ErrPairTaken,
		func(i int) store.Change {
			pair := [...]store.UserID{"1", "2"}
			return changeOf(challenge(store.ChallengeID(i+1), pair[i%2], pair[1-i%2]))
		}),
	oneOf("RaceClaim", "of many changes with one interaction one succeeds, and only its records are stored", store.ErrClaimed,
		func(i int) store.Change { return changeOf(claim(1), match(store.MatchID(i+1), channelOf(i), 1)) }),
	oneOf("RaceCreate", "of many who create the same record one succeeds", store.ErrConflict,
		func(i int) store.Change { return changeOf(match(1, channelOf(i), 1)) }),
	oneOf("RaceForCrown", "of many who challenge a king at the same time one does", store.ErrPairTaken,
		func(i int) store.Change {
			c := challenge(store.ChallengeID(i+1), matchOf(store.MatchID(i+1), "1", 1).X.User, bob.User)
			c.Crown = "7"
			return changeOf(c)
		}),
	{"RaceVersions", "of many who create a record, and of many who store it over the version that they read, one succeeds", func(t *testing.T, f *fixture) {
		for _, record := range []func(version, i int) any{
			func(version, i int) any {
				return with(match(1, "1", 1), func(m *store.Match) { m.Version, m.Clock = version, time.Duration(i) })
			},
			func(version, i int) any {
				return with(challenge(1, "1", "2"), func(c *store.Challenge) { c.Version, c.Clock = version, time.Duration(i) })
			},
			func(version, i int) any { return store.GuildSettings{Guild: "5", Version: version, Places: i} },
			func(version, i int) any { return store.Person{User: "7", Version: version, Locale: strconv.Itoa(i)} },
			func(version, i int) any {
				return store.PuzzleTry{User: "7", State: store.PuzzleOpen, Version: version, Wrong: i}
			},
			func(version, i int) any { return store.Puzzler{User: "7", Version: version, Solved: i} },
			func(version, i int) any {
				return store.Post{Key: "a", Version: version, Message: store.MessageID(strconv.Itoa(i))}
			},
			func(version, i int) any {
				return store.Crown{Guild: club, Channel: "1", User: ada.User, Version: version, Wins: i}
			},
		} {
			for version := range 3 {
				wantOne(t, f.race(t, func(i int) store.Change { return changeOf(record(version, i)) }), store.ErrConflict)
				f.reopen(t)
			}
		}
	}},
	{"ConflictsAlone", "a change that fails harms none of those that are stored in the same instant", func(t *testing.T, f *fixture) {
		put(t, f, match(1000, "1", 1))
		for first := 0; first < 5*racers; first += racers {
			for i, err := range f.race(t, func(i int) store.Change {
				n := first + i
				c := changeOf(claim(n), match(store.MatchID(1+n), channelOf(n), 1))
				if i%3 == 0 { // after something that could be stored
					c.Matches = append(c.Matches, match(store.MatchID(2000+n), "1", 1))
				}
				return c
			}) {
				if i%3 > 0 {
					must(t, err)
					continue
				}
				wantError(t, fmt.Sprintf("match %d", 1+first+i), store.ErrPlaceTaken, err)
				f.wantNoMatch(t, store.MatchID(1+first+i))
				f.apply(t, changeOf(claim(first+i))) // which was not claimed
			}
		}
	}},
	{"RaceDeliveries", "deliveries that come while changes are being stored are lost to nobody, and what is read of them never goes back", func(t *testing.T, f *fixture) {
		f.apart()
		const steps = 60
		put(t, f, match(1, "1", 1))
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
		f.wantMatch(t, with(later(match(1, "1", 1)), func(m *store.Match) { m.Drawn, m.Message = steps, "50" }))
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
				f.wantMatch(t, later(match(store.MatchID(i+1), channelOf(i), 1)))
			default:
				wantError(t, fmt.Sprintf("racer %d", i), store.ErrClosed, err)
				f.wantNoMatch(t, store.MatchID(i+1))
			}
		}
	}},
	{"RaceConsent", "of those who need consent while it is withdrawn, none is stored that began after the block was", func(t *testing.T, f *fixture) {
		f.apart()
		var wait sync.WaitGroup
		var blocked atomic.Bool
		for i := range 8 {
			wait.Go(func() {
				for n := range 20 {
					after := blocked.Load()
					c := changeOf(store.Consent{By: "1", To: "2"})
					c.Challenges = []store.Challenge{challenge(store.ChallengeID(100*i+n+1), store.UserID(rune('a'+i)), store.UserID(rune('A'+n)))}
					switch err := f.Apply(t.Context(), c); {
					case errors.Is(err, store.ErrBlocked):
					case err != nil, after:
						t.Errorf("Apply = %v, behind the block %v", err, after)
					}
				}
			})
		}
		f.refuses(t, changeOf(store.Block{User: "2", From: "1", Since: noon}), nil)
		blocked.Store(true)
		wait.Wait()
	}},
	{"RaceLobbies", "of many who want to draw a lobby at the same time one does", func(t *testing.T, f *fixture) {
		f.apart()
		was := store.Lobby{Channel: "1", Guild: "51", Message: "10", Drawn: noon}
		must(t, f.SetLobby(t.Context(), store.Lobby{}, was))
		wantOne(t, Race(func(i int) error {
			return f.SetLobby(t.Context(), was, with(was, func(l *store.Lobby) { l.Drawn = noon.Add(time.Duration(i+1) * time.Second) }))
		}), store.ErrConflict)
	}},
	{"RaceSessions", "of many who ask for a session at the same time one gets it", func(t *testing.T, f *fixture) {
		of := store.Session{Application: "7", Count: 1, Token: "hash", ID: "session"}
		must(t, f.KeepSession(t.Context(), of))
		wantOne(t, Race(func(int) error { return failure(f.TakeSession(t.Context(), of)) }), store.ErrNotFound)
	}},
}

func channelOf(i int) store.ChannelID { return store.ChannelID(fmt.Sprintf("7%05d", i)) }
