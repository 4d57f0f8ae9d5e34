package matchtest

import (
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// TestEpoch is when the tests with a clock begin.
var TestEpoch = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// The people of the tests.
const (
	Ada  store.UserID = "101"
	Bob  store.UserID = "102"
	Cleo store.UserID = "103" // never plays
	Nora store.UserID = "104" // plays by buttons with names
	Lena store.UserID = "105" // plays by a list
	Lou  store.UserID = "106" // too
)

// PlaysBy returns by what the people of the tests play.
func PlaysBy(user store.UserID) store.PlaysBy {
	return map[store.UserID]store.PlaysBy{Nora: store.ByNames, Lena: store.ByList, Lou: store.ByList}[user]
}

// Named has somebody play the match by buttons with names.
func Named(m *store.Match) { m.X.User = Nora }

// Listed has those who play the match do so by a list.
func Listed(m *store.Match) {
	if m.X.IsUser() {
		m.X.User = Lena
	}
	if m.O.IsUser() {
		m.O.User = Lou
	}
}

// Between returns a public match that two people have begun with the moves given
// as cell names: Ada has X, Bob has O.
func Between(t testing.TB, r engine.Rules, moves string) store.Match {
	t.Helper()
	return store.Match{
		ID: 7, Guild: "201", Channel: "301", Place: 1, Rules: r,
		X: store.Player{User: Ada}, O: store.Player{User: Bob}, Moves: Cells(t, r, moves),
		State: store.Active, Clock: 10 * time.Minute, Deadline: time.Hour, Locale: "en-US", Version: 3,
	}
}

// Against is a match of Ada, who has X, against an opponent of the program.
func Against(t testing.TB, opponent string, r engine.Rules, moves string) store.Match {
	t.Helper()
	m := Between(t, r, moves)
	m.O = store.Player{Opponent: opponent}
	return m
}

// Swapped returns the match with the seats exchanged.
func Swapped(m store.Match) store.Match {
	m.X, m.O = m.O, m.X
	return m
}

// Over returns the match, ended for the reason and won by the mark.
func Over(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	m.State, m.EndReason, m.Winner, m.Deadline = store.Ended, reason, winner, 0
	return m
}

// Cells reads moves given as cell names.
func Cells(t testing.TB, r engine.Rules, names string) []engine.Cell {
	t.Helper()
	moves, err := r.ParseMoves(names)
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

// Cell reads one.
func Cell(t testing.TB, r engine.Rules, name string) engine.Cell {
	t.Helper()
	return Cells(t, r, name)[0]
}

// ChallengeDeadline is when the challenges of the tests run out, in up-time.
const ChallengeDeadline = time.Hour

// OpenChallenge is Ada's challenge to Bob.
func OpenChallenge() store.Challenge {
	return store.Challenge{
		ID: 5, Guild: "201", Channel: "301", Message: "401", Challenger: Ada, Opponent: Bob,
		Rules: engine.Rules{M: 4, N: 4, K: 4}, First: store.FirstOpponent, Clock: 10 * time.Minute,
		Locale: "de", GuildLocale: "fr", State: store.Open, Deadline: ChallengeDeadline, Version: 2,
	}
}

// OpenTable is Ada's challenge to anybody.
func OpenTable() store.Challenge {
	c := OpenChallenge()
	c.Opponent = ""
	return c
}

// Closed returns the challenge in a state in which nothing is waited for.
func Closed(c store.Challenge, s store.ChallengeState) store.Challenge {
	c.State, c.Deadline = s, 0
	return c
}

// LineMoves lets X complete the start of the first row while O fills the second.
func LineMoves(r engine.Rules) []engine.Cell {
	var moves []engine.Cell
	for i := range engine.Cell(r.K) {
		moves = append(moves, i, i+engine.Cell(r.M))
	}
	return moves[:len(moves)-1]
}

// DrawMoves fills the board so that three in a row occur nowhere, or plays until a
// position stands for the third time where marks vanish.
func DrawMoves(t testing.TB, r engine.Rules) []engine.Cell {
	t.Helper()
	if r == engine.Vanishing {
		return Cells(t, r, Round+Round+SixMarks)
	}
	var xs, os []engine.Cell
	for c := engine.Cell(0); r.Contains(c); c++ {
		if (r.Column(c)/2+r.Row(c))%2 == 0 {
			xs = append(xs, c)
		} else {
			os = append(os, c)
		}
	}
	moves := make([]engine.Cell, 0, r.Cells())
	for i := range xs {
		moves = append(moves, xs[i])
		if i < len(os) {
			moves = append(moves, os[i])
		}
	}
	if g, err := engine.Replay(r, moves); err != nil || g.Outcome() != engine.Drawn {
		t.Fatalf("%v: %v, %v, want a draw", r, g.Outcome(), err)
	}
	return moves
}

// Round leads back, where marks vanish, to where it began: X goes round the corners and O
// round the edges. SixMarks is its beginning, after which both have all their marks.
const (
	SixMarks = " a1 b1 c1 a2 c3 c2"
	Round    = SixMarks + " a3 b3"
)
