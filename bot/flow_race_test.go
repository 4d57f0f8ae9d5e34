package bot_test

import (
	"context"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

type writableStore interface {
	Apply(ctx context.Context, c store.Change) error
}

// tamper changes the file while the bot is away.
func (w *world) tamper(f func(writableStore) error) {
	w.t.Helper()
	db, err := sqlite.Open(context.Background(), w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := f(db); err != nil {
		w.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// rounds is how many games the two-clicks-at-once tests play.
const rounds = 200

// TestTwoClicksInTheSameInstant sends clicks of both players before either can be
// answered. Whatever order they are taken in: one legal move, each click answered,
// and no picture older than one before it.
func TestTwoClicksInTheSameInstant(t *testing.T) {
	w := newWorld(t)
	channels := make([]*sandbox.Channel, 4)
	boards := make([]*sandbox.Message, len(channels))
	for i := range channels {
		channels[i] = w.srv.Guild().Channel("race-" + string(rune('a'+i)))
	}
	for round := range rounds {
		i := round % len(channels)
		if boards[i] == nil || over(boards[i].Snapshot()) {
			boards[i] = w.answer(w.ada.Command(t, channels[i], "tictactoe challenge", sandbox.OptUser("user", w.bob)))
			w.bob.Click(t, boards[i], "Accept")
		}
		m := boards[i]
		before := m.Snapshot()
		free := empties(before)
		// The same cell, or two; and every fifth time one player clicks twice.
		a, b := free[round%len(free)], free[(round/2)%len(free)]
		second := w.bob
		if round%5 == 4 {
			second = w.ada
		}
		first := w.ada.PrepareClickCell(t, m, a[0], a[1])
		other := second.PrepareClickCell(t, m, b[0], b[1])
		w.srv.DispatchTogether(first, other)
		ra, rb := first.Wait(t), other.Wait(t)
		if !ra.Answered() || !rb.Answered() {
			t.Fatalf("round %d: answered %v and %v", round, ra.Problems, rb.Problems)
		}
		moved, unknown := 0, 0
		for _, r := range []*sandbox.Reply{ra, rb} {
			switch r.Type {
			case sandbox.CallbackUpdate:
				moved++
			case sandbox.CallbackDeferUpdate: // on a busy machine; the words or the board follow
				unknown++
			case sandbox.CallbackMessage:
				if !r.Ephemeral {
					t.Errorf("round %d: a public refusal", round)
				}
			}
		}
		// A player who clicks twice makes one move; of the two players one is to
		// move, and the other may follow at once only on a board that he has seen.
		want := 1
		if second == w.bob && moved+unknown == 0 {
			t.Fatalf("round %d: neither click moved: %q, %q", round, ra.Text(), rb.Text())
		}
		if second == w.ada && !strings.Contains(before.Text(), w.ada.Mention()+" to move") {
			want = 0
		}
		if moved+unknown < want {
			t.Fatalf("round %d: %d clicks moved, want %d", round, moved, want)
		}
		if moved > want { // one was refused behind a board that is redrawn for it
			eventually(t, "the words of a refusal", func() bool { return len(ra.Followups())+len(rb.Followups()) == moved-want })
		}
		w.settled(m, len(free)-want)
	}
	for _, m := range boards {
		neverBackwards(t, m)
	}
}

// settled waits until the board has so many empty cells.
func (w *world) settled(m *sandbox.Message, free int) {
	w.t.Helper()
	m.Wait(w.t, "the board to settle", func(s sandbox.Snapshot) bool { return len(empties(s)) == free })
}

// neverBackwards checks that no write of the message shows fewer marks than one
// before it.
func neverBackwards(t *testing.T, m *sandbox.Message) {
	t.Helper()
	most := 0
	for _, write := range m.Snapshot().Writes {
		body := string(write.Body)
		marks := strings.Count(body, `"label":"X"`) + strings.Count(body, `"label":"O"`)
		if marks < most {
			t.Errorf("a picture with %d marks came after one with %d", marks, most)
		}
		most = max(most, marks)
	}
}

// TestDeliveredTwice delivers interactions twice, at once and later: one effect.
func TestDeliveredTwice(t *testing.T) {
	w := newWorld(t)
	play := w.ada.MustPrepare(t, sandbox.SlashCommand{Channel: w.general, Path: "tictactoe play"})
	w.srv.DispatchTogether(play, play)
	m := w.answer(play.Wait(t))
	click := w.ada.PrepareClickCell(t, m, 1, 1)
	w.srv.DispatchTogether(click, click)
	if r := click.Wait(t); !r.Answered() {
		t.Fatalf("the click was not answered: %v", r.Problems)
	}
	w.settled(m, 7)
	w.srv.Redeliver(click)
	w.srv.Redeliver(play)
	w.cell(w.ada, m, nameOf(empties(m.Snapshot())[0]))
	w.settled(m, 5)
	if got := len(w.general.Messages(nil)); got != 1 {
		t.Errorf("there are %d messages, want one board", got)
	}
}

// TestDeliveredAgainAfterARestart hands an interaction to a process that has not
// seen it: the store has.
func TestDeliveredAgainAfterARestart(t *testing.T) {
	w := newWorld(t)
	challenge := w.ada.StartCommand(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob))
	m := w.answer(challenge.Wait(t))
	accept := w.bob.StartClick(t, m, "Accept")
	accept.Wait(t)
	move := w.ada.StartClickCell(t, m, 0, 0)
	move.Wait(t)
	w.restart()
	for _, c := range []*sandbox.Call{challenge, accept, move} {
		w.srv.Redeliver(c)
	}
	w.cells(m, w.bob, w.ada, "b2", "c3")
	if got := grid(m.Snapshot()); got != "X../.O./..X" {
		t.Errorf("the board is %s", got)
	}
	if got := len(w.general.Messages(nil)); got != 1 {
		t.Errorf("there are %d messages, want one board", got)
	}
}

func nameOf(at [2]int) string { return string([]byte{'a' + byte(at[1]), '1' + byte(at[0])}) }
