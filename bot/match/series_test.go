package match

import (
	"errors"
	"slices"
	"testing"
	"time"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// score counts results as they are written below: X and O have won, and = is a draw.
func score(results string) (s store.Score) {
	for _, r := range results {
		switch r {
		case 'X':
			s.X++
		case 'O':
			s.O++
		default:
			s.Draws++
		}
	}
	return s
}

func TestSeries(t *testing.T) {
	for _, test := range []struct {
		length  int
		results string
		x, o    int // points in halves
		decided bool
		leader  engine.Mark
	}{
		{3, "", 0, 0, false, engine.None},
		{3, "X", 2, 0, false, engine.X},
		{3, "XX", 4, 0, true, engine.X},
		{3, "XO", 2, 2, false, engine.None},
		{3, "XOO", 2, 4, true, engine.O},
		{3, "XO=", 3, 3, true, engine.None},
		{3, "X=", 3, 1, false, engine.X}, // the last game can make it level
		{3, "X=O", 3, 3, true, engine.None},
		{3, "X==", 4, 2, true, engine.X},
		{3, "==", 2, 2, false, engine.None},
		{3, "===", 3, 3, true, engine.None},
		{3, "==O", 2, 4, true, engine.O},
		{5, "XX", 4, 0, false, engine.X},
		{5, "XXX", 6, 0, true, engine.X},
		{5, "XX=", 5, 1, false, engine.X}, // the last two can make it level
		{5, "XX==", 6, 2, true, engine.X},
		{5, "OO==", 2, 6, true, engine.O},
		{5, "====", 4, 4, false, engine.None},
		{5, "=====", 5, 5, true, engine.None},
		{5, "XOXO=", 5, 5, true, engine.None},
	} {
		s := Series{test.length, score(test.results)}
		if x, o := s.Halves(engine.X), s.Halves(engine.O); x != test.x || o != test.o || s.Played() != len(test.results) {
			t.Errorf("best of %d, %q: %d and %d halves in %d games", test.length, test.results, x, o, s.Played())
		}
		if s.Decided() != test.decided || s.Leader() != test.leader {
			t.Errorf("best of %d, %q: decided %t, %v leads", test.length, test.results, s.Decided(), s.Leader())
		}
	}
}

// TestSeriesIsDecidedWhenNothingCanTurnIt tries every way on behind every series: it is decided
// exactly where all of them lead to the same leader.
func TestSeriesIsDecidedWhenNothingCanTurnIt(t *testing.T) {
	var ends func(length int, results string) []engine.Mark
	ends = func(length int, results string) (leaders []engine.Mark) {
		s := Series{length, score(results)}
		if len(results) == length {
			return []engine.Mark{s.Leader()}
		}
		for _, next := range []string{"X", "O", "="} {
			leaders = append(leaders, ends(length, results+next)...)
		}
		slices.Sort(leaders)
		if leaders = slices.Compact(leaders); s.Decided() != (len(leaders) == 1) {
			t.Errorf("best of %d, %q: decided %t, and it can end with %v", length, results, s.Decided(), leaders)
		}
		return leaders
	}
	ends(3, "")
	ends(5, "")
}

// TestSeriesGameByGame plays series from game to game: who begins, what goes on, and for how
// long it waits.
func TestSeriesGameByGame(t *testing.T) {
	const ttl, uptime = 15 * time.Minute, time.Hour
	win := func(m store.Match) store.Match { return End(m, store.ByLine, engine.X) }
	lose := func(m store.Match) store.Match { return End(m, store.Clock, engine.O) }
	resign := func(m store.Match) store.Match { m, _ = Resign(m, m.X.User); return m }
	draw := func(m store.Match) store.Match { return End(m, store.FullBoard, engine.None) }
	stop := func(m store.Match) store.Match { m, _ = Stop(m, "99"); return m }
	late := func(m store.Match) store.Match { m, _ = Expire(m, ttl, m.Deadline); return m }
	for name, test := range map[string]struct {
		games []func(store.Match) store.Match
		want  store.Score // by the seats of the first game
	}{
		"two wins":               {[]func(store.Match) store.Match{win, lose}, store.Score{X: 2}},
		"each wins with X":       {[]func(store.Match) store.Match{win, win, win}, store.Score{X: 2, O: 1}},
		"draw, draw, draw":       {[]func(store.Match) store.Match{draw, draw, draw}, store.Score{Draws: 3}},
		"resigned, then a draw":  {[]func(store.Match) store.Match{resign, draw, win}, store.Score{X: 1, O: 1, Draws: 1}},
		"time, time":             {[]func(store.Match) store.Match{lose, win}, store.Score{O: 2}},
		"stopped in the second":  {[]func(store.Match) store.Match{win, stop}, store.Score{X: 1}},
		"no first move in time":  {[]func(store.Match) store.Match{draw, late}, store.Score{Draws: 1}},
		"stopped in the first":   {[]func(store.Match) store.Match{stop}, store.Score{}},
		"no first move in third": {[]func(store.Match) store.Match{win, win, late}, store.Score{X: 1, O: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Open(store.Match{
				Rules: engine.Standard, Place: 1, BestOf: 3, Clock: time.Minute,
				X: store.Player{User: matchtest.Ada}, O: store.Player{User: matchtest.Bob},
			}, nil, ttl, uptime)
			if err != nil || m.Deadline != uptime+time.Minute {
				t.Fatalf("the clock of the first game runs until %v, %v", m.Deadline, err)
			}
			for i, end := range test.games {
				if i%2 == 0 != (m.X.User == matchtest.Ada) {
					t.Errorf("game %d begins with %s", i+1, m.X.User)
				}
				last := i == len(test.games)-1
				if m = end(m); BetweenGames(m) == last || SeriesOver(m) != (last && test.want.Played()) || m.Seated() == last {
					t.Fatalf("behind game %d: goes on %t, over %t", i+1, BetweenGames(m), SeriesOver(m))
				}
				if last {
					break
				}
				next, old, err := NextInSeries(m, matchtest.Bob, store.MatchID(i+2))
				if err != nil || !HandedOn(old) || old.Seated() || SeriesOver(old) {
					t.Fatalf("game %d: %v, %+v", i+2, err, old)
				}
				if m, err = Open(next, nil, ttl, uptime); err != nil {
					t.Fatal(err)
				}
				if m.Deadline != uptime+ttl || m.BestOf != 3 {
					t.Errorf("game %d waits until %v", i+2, m.Deadline)
				}
			}
			got := SeriesAfter(m)
			if len(test.games)%2 == 0 {
				got.X, got.O = got.O, got.X
			}
			if got != test.want {
				t.Errorf("ends %+v, want %+v", got, test.want)
			}
			// Behind it a rematch is another series of that length.
			if again, _ := Next(m, 9); again.BestOf != 3 || again.Series.Played() {
				t.Errorf("the rematch is %+v", again)
			}
		})
	}
}

// TestSeriesRunsOut: between games it waits for as long as a challenge does, and a first move
// starts the clock.
func TestSeriesRunsOut(t *testing.T) {
	const ttl, uptime = 15 * time.Minute, time.Hour
	m := matchtest.Between(t, engine.Standard, "a1 a2 b1 b2")
	m.Place, m.BestOf, m.Clock = 1, 3, time.Minute
	m = End(m, store.Resignation, engine.X)
	m.Deadline = uptime // when the buttons of its board go
	if _, _, err := OfferRematch(m, matchtest.Ada, ttl, uptime); !errors.Is(err, ErrNotOver) {
		t.Errorf("a rematch meanwhile: %v", err)
	}
	folded, ok := Expire(m, ttl, uptime)
	if !ok || !BetweenGames(folded) || folded.Deadline != uptime+ttl {
		t.Fatalf("waits until %v", folded.Deadline)
	}
	over, ok := Expire(folded, ttl, folded.Deadline)
	if !ok || BetweenGames(over) || !SeriesOver(over) || over.Deadline != 0 || over.Winner != engine.X {
		t.Errorf("it has run out: %+v", over)
	}
	for want, try := range map[error]func() (store.Match, store.UserID){
		ErrSeriesOver:  func() (store.Match, store.UserID) { return over, matchtest.Ada },
		ErrNotYourGame: func() (store.Match, store.UserID) { return folded, matchtest.Cleo },
		ErrNotOver: func() (store.Match, store.UserID) {
			return matchtest.Between(t, engine.Standard, "a1"), matchtest.Ada
		},
		ErrNoRematch: func() (store.Match, store.UserID) { _, old := Next(folded, 9); return old, matchtest.Ada },
	} {
		m, user := try()
		if _, _, err := NextInSeries(m, user, 9); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	second, _, err := NextInSeries(folded, matchtest.Ada, 9)
	if second, _ = Open(second, nil, ttl, uptime); err != nil || !Unbegun(second) {
		t.Fatal(err, second)
	}
	moved, err := Play(second, second.X.User, 0, 4, nil, uptime)
	if err != nil || moved.Deadline != uptime+time.Minute || Unbegun(moved) {
		t.Errorf("behind its first move: %v, %v", moved.Deadline, err)
	}
}
