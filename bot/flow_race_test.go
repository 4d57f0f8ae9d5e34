package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot"
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

// TestPlayPrivatelyTwiceInTheSameInstant taps the door out of a busy channel twice:
// one game, shown to both clicks, and one start.
func TestPlayPrivatelyTwiceInTheSameInstant(t *testing.T) {
	w := newWorld(t, func(o *bot.Options) { o.StartLimit = bot.StartLimit{PerUser: 2, PerGuild: 1000} })
	w.play(w.bob)
	for round := range 20 {
		w.ada = w.srv.User(fmt.Sprint("Ada-", round)) // who has started nothing yet
		door := w.refused(w.ada.Command(t, w.general, "tictactoe play"), "A game is running here", "Play privately")
		a, b := w.ada.PrepareClick(t, door, "Play privately"), w.ada.PrepareClick(t, door, "Play privately")
		w.srv.DispatchTogether(a, b)
		for _, r := range []*sandbox.Reply{a.Wait(t), b.Wait(t)} {
			if r.Type != sandbox.CallbackUpdate && r.Type != sandbox.CallbackDeferUpdate {
				t.Fatalf("round %d: answered with type %d: %s %v", round, r.Type, r.Text(), r.Problems)
			}
		}
		w.settled(door, 9)
		w.cell(w.ada, door, "b2")
		w.settled(door, 7)
		if n := w.privateGames(w.ada); n != 1 {
			t.Fatalf("round %d: %d private games", round, n)
		}
		ask := w.answer(w.ada.Click(t, door, "Resign"))
		w.ada.Click(t, ask, "Resign")
		wantText(t, door, "resigned")
		w.answer(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true))) // the second start
		w.refused(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)), "a lot of games")
	}
}

// TestTwoStartsInTheSameInstant lets two people start a game in one channel: one of
// them does, and the other has started nothing.
func TestTwoStartsInTheSameInstant(t *testing.T) {
	w := newWorld(t, func(o *bot.Options) { o.StartLimit = bot.StartLimit{PerUser: 1, PerGuild: 1000} })
	for round := range 30 {
		name := fmt.Sprint("round-", round)
		w.general = w.srv.Guild().Channel(name)
		people := []*sandbox.User{w.srv.User("first-" + name), w.srv.User("second-" + name)}
		play := sandbox.SlashCommand{Channel: w.general, Path: "tictactoe play"}
		calls := []*sandbox.Call{people[0].MustPrepare(t, play), people[1].MustPrepare(t, play)}
		w.srv.DispatchTogether(calls...)
		started := 0
		for i, c := range calls {
			r := c.Wait(t)
			if !r.Ephemeral {
				started++
				continue
			}
			door := w.refused(r, "A game is running here", "Play privately")
			people[i].Click(t, door, "Play privately")
			w.settled(door, 9)
		}
		if started != 1 {
			t.Fatalf("%d games were started", started)
		}
	}
}

func (w *world) privateGames(who *sandbox.User) int {
	w.t.Helper()
	list, err := w.db.PrivateMatches(w.t.Context(), store.ChannelID(w.general.ID()), store.UserID(who.ID()))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(list)
}

// TestPlayPrivatelyAgainAfterALostAnswer presses the door again when nothing seems to
// have happened, and once more when the game that it led to is over.
func TestPlayPrivatelyAgainAfterALostAnswer(t *testing.T) {
	w := newFaultWorld(t)
	door := w.answer(w.ada.Command(t, w.general, "tictactoe help"))
	press := w.stale(w.ada, door, "Play privately")
	w.srv.FailNext(sandbox.InteractionRoutes, 403)
	w.ada.StartClick(t, door, "Play privately").AllowUnanswered()
	w.disarmed()
	eventually(t, "the bot to give up", func() bool { return w.sup.Status().Handling == 0 })
	w.answer(press())
	w.settled(door, 9)
	if n := w.privateGames(w.ada); n != 1 {
		t.Errorf("%d private games", n)
	}
	w.cell(w.ada, door, "b2")
	w.ada.Click(t, w.answer(w.ada.Click(t, door, "Resign")), "Resign")
	wantText(t, door, "resigned")
	w.answer(press())
	w.settled(door, 9)
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
