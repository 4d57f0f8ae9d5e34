package match

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// checkMatch fails when the record breaks a law that holds after every event.
func checkMatch(t *rapid.T, m store.Match) {
	g, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		t.Fatalf("moves %s: %v", m.Rules.FormatMoves(m.Moves), err)
	}
	offered := m.RematchX || m.RematchO
	switch m.State {
	case store.Active:
		if g.Over() || m.EndReason != store.NotEnded || m.Winner != engine.None || offered || m.Next != 0 {
			t.Fatalf("active, and yet %v, reason %d, winner %v, offered %v", g.Outcome(), m.EndReason, m.Winner, offered)
		}
		if m.Deadline == 0 {
			t.Fatal("active without a deadline: it would never end")
		}
		if ProgramMark(m) == g.SideToMove() {
			t.Fatal("the program has not replied")
		}
	case store.Ended:
		waiting := offered && m.Next == 0 && !AgainstProgram(m)
		if (m.Deadline != 0) != waiting {
			t.Fatalf("ended with deadline %v, offers %v %v, next %d", m.Deadline, m.RematchX, m.RematchO, m.Next)
		}
		checkResult(t, m, g)
	default:
		t.Fatalf("state %d", m.State)
	}
}

func checkResult(t *rapid.T, m store.Match, g engine.Game) {
	switch m.EndReason {
	case store.ByLine:
		if g.Outcome() != engine.Won(m.Winner) {
			t.Fatalf("won by %v with a line, but the board says %v", m.Winner, g.Outcome())
		}
	case store.FullBoard, store.Repetition, store.MoveLimit:
		if reason, _ := store.EndOf(g); g.Outcome() != engine.Drawn || m.Winner != engine.None || m.EndReason != reason {
			t.Fatalf("drawn, but the board says %v and the winner is %v", g.Outcome(), m.Winner)
		}
	case store.Resignation:
		if g.Over() || m.Winner == engine.None {
			t.Fatalf("resigned on a board that says %v; winner %v", g.Outcome(), m.Winner)
		}
	case store.Clock:
		if g.Over() || m.Winner != g.SideToMove().Other() || AgainstProgram(m) {
			t.Fatalf("out of time with %v to move; winner %v", g.SideToMove(), m.Winner)
		}
	case store.Idle, store.Abandoned, store.Stopped:
		if g.Over() || m.Winner != engine.None || m.EndReason == store.Idle && !AgainstProgram(m) {
			t.Fatalf("reason %d on a board that says %v; winner %v", m.EndReason, g.Outcome(), m.Winner)
		}
	default:
		t.Fatalf("ended for reason %d", m.EndReason)
	}
}

// Whatever people, moderators and clocks do in whatever order, the record stays one
// that the rules allow, and a refused event changes nothing.
func TestMatchLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatch(t)
		uptime := time.Duration(rapid.IntRange(0, 1000).Draw(t, "uptime")) * time.Hour
		m, err := Open(m, anyReply(t), time.Minute, uptime)
		if err != nil {
			t.Fatal(err)
		}
		checkMatch(t, m)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			before := copyOf(m)
			next, changed := anyEvent(t, m, &uptime)
			if d := cmp.Diff(before, m); d != "" {
				t.Fatalf("an event changed its argument:\n%s", d)
			}
			if !changed {
				if d := cmp.Diff(before, next); d != "" {
					t.Fatalf("a refused event changed the match:\n%s", d)
				}
			}
			if before.State == store.Ended && next.ID == before.ID &&
				(!slices.Equal(before.Moves, next.Moves) || before.EndReason != next.EndReason || before.Winner != next.Winner) {
				t.Fatal("the result of an ended match changed")
			}
			checkMatch(t, next)
			m = next
		}
	})
}

func drawMatch(t *rapid.T) store.Match {
	players := []store.Player{{User: matchtest.Ada}, {User: matchtest.Bob}}
	if rapid.Bool().Draw(t, "program") {
		players[1] = store.Player{Opponent: "easy"}
	}
	if rapid.Bool().Draw(t, "swap") {
		slices.Reverse(players)
	}
	clocks := []time.Duration{0, time.Second, 10 * time.Minute, 6 * 24 * time.Hour, 30 * 24 * time.Hour}
	return store.Match{
		ID: 1, Channel: "301", Place: rapid.IntRange(0, 1).Draw(t, "place"),
		Rules: rapid.SampledFrom(Boards).Draw(t, "board"), X: players[0], O: players[1],
		Clock: rapid.SampledFrom(clocks).Draw(t, "clock"),
	}
}

// anyReply is an opponent that plays any legal move.
func anyReply(t *rapid.T) Choose {
	return func(g engine.Game) (engine.Cell, error) {
		return rapid.SampledFrom(slices.Collect(g.Moves())).Draw(t, "reply"), nil
	}
}

// anyEvent lets something happen to the match, and reports whether it took it.
func anyEvent(t *rapid.T, m store.Match, uptime *time.Duration) (next store.Match, changed bool) {
	user := rapid.SampledFrom([]store.UserID{matchtest.Ada, matchtest.Bob, matchtest.Cleo, ""}).Draw(t, "user")
	var err error
	// Moves are what happens most.
	switch event := rapid.IntRange(0, 11).Draw(t, "event"); event {
	case 0:
		next, err = Resign(m, user)
	case 1:
		next, err = Stop(m, matchtest.Cleo)
	case 2:
		*uptime += time.Duration(rapid.IntRange(1, 20*24*60).Draw(t, "minutes")) * time.Minute
		return Expire(m, 15*time.Minute, *uptime)
	case 3, 4:
		var agreed bool
		if next, agreed, err = OfferRematch(m, user, 15*time.Minute, *uptime); agreed {
			next, _ = Next(next, m.ID+1)
			next, err = Open(next, anyReply(t), time.Minute, *uptime)
		}
	default:
		ply := len(m.Moves)
		if rapid.IntRange(0, 9).Draw(t, "late") == 0 {
			ply = rapid.IntRange(0, m.Rules.MaxPlies()).Draw(t, "ply")
		}
		if event > 6 && m.Player(SideToMove(m)).IsUser() {
			user = m.Player(SideToMove(m)).User
		}
		c := engine.Cell(rapid.IntRange(0, m.Rules.Cells()).Draw(t, "cell"))
		before := len(m.Moves)
		next, err = Play(m, user, ply, c, anyReply(t), *uptime)
		if err == nil && (next.Moves[before] != c || len(next.Moves) > before+2) {
			t.Fatalf("played %d, moves became %v", c, next.Moves)
		}
	}
	return next, err == nil
}
