package match

import (
	"testing"
	"time"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// played is a game of ada's that counts, so many hours after the first day began.
type played struct {
	hour  int
	other store.UserID
	how   byte // w, d or l
}

// resultsOf returns the results of Ada's games, whose matches are counted from 1.
func resultsOf(games ...played) (all []store.Result) {
	for i, g := range games {
		r := store.Result{
			Match: store.MatchID(i + 1), Ended: matchtest.TestEpoch.Truncate(24 * time.Hour).Add(time.Duration(g.hour) * time.Hour),
			X: store.Player{User: matchtest.Ada}, O: store.Player{User: g.other},
		}
		switch g.how {
		case 'w':
			r.Winner = engine.X
		case 'l':
			r.Winner = engine.O
		}
		if i%2 == 1 { // in the other seat
			r.X, r.O, r.Winner = r.O, r.X, r.Winner.Other()
		}
		all = append(all, r)
	}
	return all
}

func TestEarned(t *testing.T) {
	const b, c = matchtest.Bob, matchtest.Cleo
	for name, test := range map[string]struct {
		games []played
		wins  int // 0 for no crown by the last
	}{
		"three":                        {[]played{{1, b, 'w'}, {2, c, 'w'}, {3, "7", 'w'}}, 3},
		"two":                          {[]played{{1, b, 'w'}, {2, c, 'w'}}, 0},
		"the same one twice a day":     {[]played{{1, b, 'w'}, {2, b, 'w'}, {3, c, 'w'}}, 0},
		"the same one on two days":     {[]played{{1, b, 'w'}, {25, b, 'w'}, {26, c, 'w'}}, 3},
		"one person alone":             {[]played{{1, b, 'w'}, {25, b, 'w'}, {49, b, 'w'}, {73, b, 'w'}}, 0},
		"a draw in between":            {[]played{{1, b, 'w'}, {2, c, 'd'}, {3, "7", 'w'}, {4, "8", 'w'}}, 0},
		"a defeat in between":          {[]played{{1, b, 'w'}, {2, c, 'w'}, {3, "7", 'l'}, {4, "8", 'w'}}, 0},
		"a defeat that counts nothing": {[]played{{1, b, 'w'}, {2, b, 'l'}, {3, c, 'w'}, {4, "7", 'w'}}, 3},
		"a win that counts nothing":    {[]played{{1, b, 'w'}, {2, c, 'w'}, {3, "7", 'w'}, {4, b, 'w'}}, 0},
		"a row behind a defeat":        {[]played{{1, "9", 'l'}, {2, b, 'w'}, {3, c, 'w'}, {4, "7", 'w'}, {5, "8", 'w'}}, 4},
	} {
		got, ok := Earned(store.Crown{Channel: "1", Guild: "2", Version: 3}, matchtest.Ada, store.MatchID(len(test.games)), resultsOf(test.games...))
		if ok != (test.wins > 0) || ok && (got.Wins != test.wins || got.User != matchtest.Ada || got.Version != 3 || !got.Last.Equal(got.Since)) {
			t.Errorf("%s: %+v, %v, want %d wins", name, got, ok, test.wins)
		}
	}
	uncounted := resultsOf(played{1, b, 'w'}, played{2, c, 'w'}, played{3, "7", 'w'})
	uncounted[1].Why = store.TooShort
	if got, ok := Earned(store.Crown{}, matchtest.Ada, 3, uncounted); ok {
		t.Errorf("%+v by a game without points", got)
	}
}

func TestReign(t *testing.T) {
	const b, c = matchtest.Bob, matchtest.Cleo
	hour := func(n int) time.Time {
		return matchtest.TestEpoch.Truncate(24 * time.Hour).Add(time.Duration(n) * time.Hour)
	}
	king := store.Crown{Channel: "1", Guild: "2", User: matchtest.Ada, Match: 50, Wins: 3, Since: hour(2), Last: hour(2), Version: 1}
	for name, test := range map[string]struct {
		games []played
		now   int
		wins  int // -1 for a crown that is free
		last  int
	}{
		"nothing since":                 {nil, 100, 3, 2},
		"a day less than a week":        {nil, 2 + 6*24, 3, 2},
		"a week":                        {nil, 2 + 7*24, -1, 0},
		"what was before":               {[]played{{1, b, 'l'}, {2, c, 'w'}}, 10, 3, 2},
		"a win":                         {[]played{{3, b, 'w'}}, 10, 4, 3},
		"two wins":                      {[]played{{3, b, 'w'}, {4, c, 'w'}}, 10, 5, 4},
		"a draw":                        {[]played{{3, b, 'd'}}, 10, 0, 3},
		"a draw and a win":              {[]played{{3, b, 'd'}, {4, c, 'w'}}, 10, 1, 4},
		"a defeat":                      {[]played{{3, b, 'l'}}, 10, -1, 0},
		"a defeat, then a win":          {[]played{{3, b, 'l'}, {4, c, 'w'}}, 10, -1, 0},
		"a defeat that counts nothing":  {[]played{{1, b, 'w'}, {3, b, 'l'}}, 10, 3, 2},
		"a game, and a week after that": {[]played{{26, b, 'w'}}, 26 + 7*24, -1, 0},
		"a game after a week":           {[]played{{2 + 7*24, b, 'w'}}, 3 + 7*24, -1, 0},
	} {
		got := Reign(king, resultsOf(test.games...), hour(test.now))
		switch {
		case test.wins < 0:
			if got != Free(king) {
				t.Errorf("%s: %+v, want it to be free", name, got)
			}
		case got.User != matchtest.Ada || got.Wins != test.wins || !got.Last.Equal(hour(test.last)):
			t.Errorf("%s: %+v, want %d wins and the last in hour %d", name, got, test.wins, test.last)
		case Reign(got, resultsOf(test.games...), hour(test.now)) != got:
			t.Errorf("%s: what was counted counts again", name)
		}
	}
	if free := Free(king); Reign(free, resultsOf(played{3, b, 'w'}), hour(4)) != free {
		t.Error("a free crown has come to somebody")
	}
}

func TestCrownClosed(t *testing.T) {
	c := store.Challenge{State: store.Declined, Opponent: matchtest.Ada, Updated: matchtest.TestEpoch}
	if !CrownClosed(c, matchtest.Ada, matchtest.TestEpoch.Add(DeclineHolds-1)) || CrownClosed(c, matchtest.Ada, matchtest.TestEpoch.Add(DeclineHolds)) {
		t.Error("who declines is not left alone for an hour")
	}
	if CrownClosed(c, matchtest.Bob, matchtest.TestEpoch) {
		t.Error("another king has declined nothing")
	}
	if c.State = store.Cancelled; CrownClosed(c, matchtest.Ada, matchtest.TestEpoch) {
		t.Error("one that was taken back keeps others away")
	}
}
