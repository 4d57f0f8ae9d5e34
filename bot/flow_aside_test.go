package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// TestAMoveWhileItsMatchStepsAside: a move against the bot and what begins a match with
// somebody else come in the same instant. The match begins, and a move that was shown is kept.
func TestAMoveWhileItsMatchStepsAside(t *testing.T) {
	t.Parallel()
	t.Run("one process", func(t *testing.T) { t.Parallel(); movesWhileAside(t, bottest.New(t), 10) })
	t.Run("two processes", func(t *testing.T) {
		t.Parallel()
		w, _ := toBothProcesses(t)
		movesWhileAside(t, w, 4)
	})
}

func movesWhileAside(t *testing.T, w *bottest.World, rounds int) {
	for i := range rounds {
		w.Elsewhere(fmt.Sprint("aside-", i))
		board := w.Play(t, w.Ada)
		against := w.Match(t)
		challenge := w.Offer(t, w.Bob, w.Ada)
		move, accept := w.Ada.PrepareClickCell(t, board, 1, 1), w.Ada.PrepareClick(t, challenge, "Accept")
		w.Discord.DispatchTogether(move, accept)
		moved, accepted := move.Wait(t), accept.Wait(t)
		if accepted.Ephemeral || !accepted.Answered() {
			t.Fatalf("not accepted: %s %v", accepted.Text(), accepted.Problems)
		}
		aside, err := w.Store.Match(t.Context(), against.ID)
		if err != nil || aside.EndReason != store.PutAside {
			t.Fatalf("put aside: %+v, %v", aside, err)
		}
		switch {
		case len(aside.Moves) > 0: // it came first
		case moved.Type == sandbox.CallbackUpdate:
			w.FollowUp(t, moved, "Paused for a game with")
		default:
			w.Refused(t, moved, "Paused for a game with", "Go on")
		}
		if m := w.Match(t); m.X.User != store.UserID(w.Bob.ID()) || m.Place != 1 {
			t.Fatalf("the channel has %+v", m)
		}
		bottest.WantText(t, board, "Paused for a game with "+w.Bob.Mention())
	}
}

// TestGoOnTwiceInTheSameInstant: one match goes on, and the other press leads to it.
func TestGoOnTwiceInTheSameInstant(t *testing.T) {
	t.Parallel()
	t.Run("one process", func(t *testing.T) { t.Parallel(); goesOnTwice(t, bottest.New(t), 10) })
	t.Run("two processes", func(t *testing.T) {
		t.Parallel()
		w, _ := toBothProcesses(t)
		goesOnTwice(t, w, 4)
	})
}

func goesOnTwice(t *testing.T, w *bottest.World, rounds int) {
	for i := range rounds {
		w.Elsewhere(fmt.Sprint("on-", i))
		board := w.Play(t, w.Ada)
		w.Resign(t, w.Bob, w.Challenge(t, w.Bob, w.Ada))
		bottest.WantText(t, board, "Paused for a game with "+w.Bob.Mention())
		a, b := w.Ada.PrepareClick(t, board, "Go on"), w.Ada.PrepareClick(t, board, "Go on")
		w.Discord.DispatchTogether(a, b)
		ra, rb := a.Wait(t), b.Wait(t)
		if ra.Ephemeral || ra.Type == sandbox.CallbackUpdate {
			ra, rb = rb, ra
		}
		if rb.Type == sandbox.CallbackUpdate { // the board's words had to follow
			w.FollowUp(t, rb, "This board has moved")
		} else {
			w.Refused(t, rb, "This board has moved", "Show board")
		}
		w.Cell(t, w.Ada, w.Answer(t, ra), "b2")
		bottest.WantText(t, board, "The board is further down now.")
	}
}

// TestPausedMatchIsNotReviewed: who goes on with it would know the best moves.
func TestPausedMatchIsNotReviewed(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	board := w.Play(t, w.Ada)
	w.Cell(t, w.Ada, board, "b2")
	w.Challenge(t, w.Cleo, w.Ada)
	bottest.WantText(t, board, "Paused for a game with")
	goOn, _ := board.Snapshot().Button("Go on")
	review := forgeMatch("1:q:0", goOn.CustomID)
	w.Refused(t, w.Ada.ClickID(t, board, review, sandbox.Forced), "Paused for a game", "Go on")
}

// TestResignAndAcceptTwiceInTheSameInstant: one match is resigned and one begins, and nobody
// resigns what other people play.
func TestResignAndAcceptTwiceInTheSameInstant(t *testing.T) {
	t.Parallel()
	t.Run("one process", func(t *testing.T) { t.Parallel(); resignsAndAcceptsTwice(t, bottest.New(t), 10) })
	t.Run("two processes", func(t *testing.T) {
		t.Parallel()
		w, _ := toBothProcesses(t)
		resignsAndAcceptsTwice(t, w, 3)
	})
}

func resignsAndAcceptsTwice(t *testing.T, w *bottest.World, rounds int) {
	for i := range rounds {
		w.Elsewhere(fmt.Sprint("instead-of-", i))
		board := w.Challenge(t, w.Bob, w.Cleo)
		before := w.Match(t)
		way := w.Refused(t, w.Bob.Click(t, w.Offer(t, w.Ada, w.Bob), "Accept"), "already have a game", "Resign it and accept")
		sure := w.Answer(t, w.Bob.Click(t, way, "Resign it and accept"))
		a, b := w.Bob.PrepareClick(t, sure, "Resign it and accept"), w.Bob.PrepareClick(t, sure, "Resign it and accept")
		w.Discord.DispatchTogether(a, b)
		ra, rb := a.Wait(t), b.Wait(t)
		if ra.Ephemeral {
			ra, rb = rb, ra
		}
		w.Refused(t, rb, "no longer open")
		w.Cell(t, w.Ada, w.Answer(t, ra), "b2")
		bottest.WantText(t, board, w.Bob.Mention()+" resigned")
		if r, err := w.Store.Result(t.Context(), before.ID); err != nil || r.EndReason != store.Resignation {
			t.Fatalf("Result() = %+v, %v", r, err)
		}
		if m := w.Match(t); m.Seat(store.UserID(w.Ada.ID())) == 0 || len(m.Moves) != 1 {
			t.Fatalf("the channel has %+v", m)
		}
	}
}

// TestForgedResignAndAccept: the button resigns no match of other people.
func TestForgedResignAndAccept(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	theirs := w.Play(t, w.Cleo)
	challenge := w.Offer(t, w.Ada, w.Bob)
	accept, _ := challenge.Snapshot().Button("Accept")
	cell, _ := theirs.Snapshot().Button("⋯ More")
	for _, action := range []string{"ai", "ay"} {
		id := strings.Replace(accept.CustomID, ":a:", ":"+action+":", 1) + ":" + strings.Split(cell.CustomID, ":")[2]
		w.Refused(t, w.Bob.ClickID(t, challenge, id, sandbox.Forced), "out of date")
	}
	w.Cell(t, w.Cleo, theirs, "b2")
}

// TestStepsAsideWhereTheBotIsNoMember: the paused board is drawn and gone on with where
// interaction tokens alone can write.
func TestStepsAsideWhereTheBotIsNoMember(t *testing.T) {
	t.Parallel()
	for name, place := range away {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := brought(t, place)
			board := w.Play(t, w.Ada)
			if m := w.Match(t); m.Private() || !m.TokenOnly {
				t.Fatalf("public and by token: %+v", m)
			}
			w.Resign(t, w.Bob, w.Challenge(t, w.Ada, w.Bob))
			bottest.WantText(t, board, "Paused for a game with "+w.Bob.Mention())
			on := w.Answer(t, w.Ada.Click(t, board, "Go on"))
			w.Cell(t, w.Ada, on, "b2")
			bottest.WantText(t, board, "The board is further down now.")
			nothingByItself(t, w)
		})
	}
}
