package match

import (
	"errors"
	"testing"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

func TestPlayOn(t *testing.T) {
	people := matchtest.Between(t, engine.Standard, "a1 a2 b2 a3 c3")
	program := matchtest.Against(t, "hard", engine.Vanishing, "a1 b2 c3")
	for _, test := range []struct {
		name string
		m    store.Match
		ply  int
		user store.UserID
		x, o store.Player
		err  error
	}{
		{"a player keeps their side", people, 1, matchtest.Ada, store.Player{User: matchtest.Ada}, store.Player{Opponent: "medium"}, nil},
		{"whoever is to move", people, 2, matchtest.Bob, store.Player{Opponent: "medium"}, store.Player{User: matchtest.Bob}, nil},
		{"somebody else has the side to move", people, 1, matchtest.Cleo, store.Player{Opponent: "medium"}, store.Player{User: matchtest.Cleo}, nil},
		{"the opponent stays", program, 3, matchtest.Ada, store.Player{User: matchtest.Ada}, store.Player{Opponent: "hard"}, nil},
		{"from the beginning", people, 0, matchtest.Ada, store.Player{User: matchtest.Ada}, store.Player{Opponent: "medium"}, nil},
		{"a game that is over", people, 5, matchtest.Ada, store.Player{}, store.Player{}, ErrUnknownRecord},
		{"beyond the game", people, 6, matchtest.Ada, store.Player{}, store.Player{}, ErrUnknownRecord},
	} {
		c, err := PlayOn(test.m, test.ply, test.user, DefaultChoice)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v, want %v", test.name, err, test.err)
		}
		if err != nil {
			continue
		}
		next := WithChoice(store.Match{
			Rules: test.m.Rules, X: store.Player{User: test.user}, O: store.Player{Opponent: c.Opponent}, Moves: test.m.Moves[:test.ply], Given: test.ply,
		}, c)
		if next.X != test.x || next.O != test.o || c.Rules != test.m.Rules {
			t.Errorf("%s: %+v", test.name, next)
		}
		// The program moves at once where it is its turn, and nothing of it counts.
		opened, err := Open(next, func(g engine.Game) (engine.Cell, error) {
			for c := range g.Moves() {
				return c, nil
			}
			return 0, nil
		}, 0, 0)
		if err != nil || SideToMove(opened) != opened.Seat(test.user) {
			t.Errorf("%s: opened with %d moves, %v", test.name, len(opened.Moves), err)
		}
		if s := SeriesAfter(End(opened, store.Resignation, ProgramMark(opened))); s.Played() == (test.ply > 0) {
			t.Errorf("%s: the series stands %+v", test.name, s)
		}
		if a := Award(End(opened, store.Resignation, ProgramMark(opened))); a.FromPosition != (test.ply > 0) || test.ply > 0 && a.Why != store.NotFromStart {
			t.Errorf("%s: worth %+v", test.name, a)
		}
	}
}
