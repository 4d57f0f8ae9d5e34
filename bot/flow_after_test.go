package bot_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// finished plays a match between Ada and Bob that Ada wins.
func (w *world) finished() *sandbox.Message {
	w.t.Helper()
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "a2", "b2", "a3", "c3")
	return m
}

func TestRematch(t *testing.T) {
	w := newWorld(t)
	m := w.finished()
	w.refused(w.cleo.Click(t, m, "Rematch"), "Want one of your own?")
	r := w.bob.Click(t, m, "Rematch")
	if r.Type != sandbox.CallbackUpdate {
		t.Errorf("the first press was answered with type %d", r.Type)
	}
	s := m.Snapshot()
	if _, ok := s.Button("Rematch 1/2"); !ok || !strings.Contains(s.Text(), w.bob.Mention()+" wants a rematch.") {
		t.Errorf("the offer does not show: %q", s.Text())
	}
	w.refused(w.bob.Click(t, m, "Rematch 1/2"), "asked for a rematch already")
	w.answer(w.bob.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true))) // an offer blocks nobody
	next := w.answer(w.ada.Click(t, m, "Rematch 1/2"))
	if next == m {
		t.Fatal("the rematch is no new message")
	}
	m.Wait(t, "the old board without controls", func(s sandbox.Snapshot) bool { return len(s.Rows()) == 3 })
	s = next.Snapshot()
	if !strings.Contains(s.Text(), "❌ "+w.bob.Mention()+" to move") {
		t.Errorf("sides are not swapped: %q", s.Text())
	}
	if !strings.Contains(s.Text(), "0–1") {
		t.Errorf("the score of the series is missing: %q", s.Text())
	}
	if len(s.Pinged) > 0 {
		t.Errorf("the rematch notifies %v", s.Pinged)
	}
	w.cells(next, w.bob, w.ada, "a1", "a2", "b2", "a3", "c3")
	if text := next.Text(); !strings.Contains(text, "series 1–1") {
		t.Errorf("the series stands at %q", text)
	}
}

func TestRematchInTheSameInstant(t *testing.T) {
	w := newWorld(t)
	for range 10 {
		m := w.finished()
		a, b := w.ada.PrepareClick(t, m, "Rematch"), w.bob.PrepareClick(t, m, "Rematch")
		w.srv.DispatchTogether(a, b)
		ra, rb := a.Wait(t), b.Wait(t)
		made := 0
		var next *sandbox.Message
		for _, r := range []*sandbox.Reply{ra, rb} {
			if !r.Answered() {
				t.Fatalf("unanswered: %v", r.Problems)
			}
			if r.Type == sandbox.CallbackMessage && !r.Ephemeral {
				made++
				next = r.Message
			}
		}
		if made != 1 {
			t.Fatalf("both at once made %d games", made)
		}
		w.cells(next, w.bob, w.ada, "a1", "a2", "b2", "a3", "c3")
	}
}

func TestRematchLapses(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.ChallengeTTL = clock.Now, time.Minute })
	m := w.finished()
	w.ada.Click(t, m, "Rematch")
	clock.advance(61 * time.Second)
	m.Wait(t, "the offer to lapse", func(s sandbox.Snapshot) bool {
		_, ok := s.Button("Rematch")
		return ok && !strings.Contains(s.Text(), "wants a rematch")
	})
	r := w.bob.Click(t, m, "Rematch")
	if r.Type != sandbox.CallbackUpdate {
		t.Error("a lapsed offer counted")
	}
}

func TestRematchWhereTheChannelIsBusy(t *testing.T) {
	w := newWorld(t)
	m := w.finished()
	busy := w.play(w.cleo)
	w.ada.Click(t, m, "Rematch")
	w.refused(w.bob.Click(t, m, "Rematch 1/2"), "A game is running here: "+busy.Link(), "Show board")
	w.cleo.Click(t, w.answer(w.cleo.Click(t, busy, "Resign")), "Resign")
	wantText(t, busy, "resigned")
	w.answer(w.bob.Click(t, m, "Rematch 1/2"))
}

func TestAgainstTheBotAgainAndHarder(t *testing.T) {
	w := newWorld(t)
	m := w.play(w.ada, sandbox.Opt("difficulty", "easy"))
	w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign")
	wantText(t, m, "resigned")
	late := w.stale(w.ada, m, "Rematch")
	again := w.answer(w.ada.Click(t, m, "Rematch"))
	if s := again.Snapshot(); len(empties(s)) != 8 || !strings.Contains(s.Text(), "Easy played") {
		t.Errorf("the rematch does not swap sides: %s %q", grid(s), s.Text())
	}
	w.refused(late(), "The next game has begun", "Show board")
	w.ada.Click(t, w.answer(w.ada.Click(t, again, "Resign")), "Resign")
	wantText(t, again, "resigned")
	w.refused(w.bob.Click(t, again, "Harder"), "Want one of your own?")
	for _, level := range []string{"Medium", "Hard", "Perfect"} {
		next := w.answer(w.ada.Click(t, again, "Harder"))
		if !strings.Contains(next.Text(), level) {
			t.Fatalf("harder is %q, want %s", next.Text(), level)
		}
		w.ada.Click(t, w.answer(w.ada.Click(t, next, "Resign")), "Resign")
		wantText(t, next, "resigned")
		again = next
	}
	if _, ok := again.Snapshot().Button("Harder"); ok {
		t.Error("there is something harder than perfect")
	}
}

// Harder stands below a game against every opponent but the strongest, and leads to
// the one that the package of opponents names, wherever it is pressed.
func TestHarderThanEachOpponent(t *testing.T) {
	w := newWorld(t)
	g, err := engine.New(engine.Standard)
	if err != nil {
		t.Fatal(err)
	}
	perfect, _ := strategy.ByName("perfect")
	perfect.Choose(g, rand.New(rand.NewPCG(1, 1))) // its first thought in a process takes the longest
	for _, o := range strategy.All() {
		t.Run(o.Name, func(t *testing.T) {
			w.general = w.srv.Guild().Channel("harder-than-" + o.Name)
			want, ok := strategy.Stronger(o.Name)
			m := w.play(w.ada, sandbox.Opt("difficulty", o.Name))
			w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign")
			wantText(t, m, "resigned")
			if _, there := m.Snapshot().Button("Harder"); there != ok {
				t.Fatalf("Harder is there: %v, want %v", there, ok)
			}
			if !ok {
				// A button that an older version may have left.
				b, _ := m.Snapshot().Button("Rematch")
				r := w.ada.ClickID(t, m, strings.Replace(b.CustomID, ":m:", ":h:", 1), sandbox.Forced)
				w.refused(r, "from an older version of me")
				return
			}
			// In a busy channel the way out leads to the same opponent.
			busy := w.play(w.bob)
			door := w.refused(w.ada.Click(t, m, "Harder"), "A game is running here: "+busy.Link(), "Play privately", "Show board")
			if b, _ := door.Snapshot().Button("Play privately"); !strings.HasPrefix(b.CustomID, "1:p:"+want+":3x3:") {
				t.Errorf("the door leads to %s, want %s", b.CustomID, want)
			}
			w.ada.Click(t, door, "Play privately")
			wantText(t, door, w.called(want))
			w.bob.Click(t, w.answer(w.bob.Click(t, busy, "Resign")), "Resign")
			wantText(t, busy, "resigned")

			next := w.answer(w.ada.Click(t, m, "Harder"))
			stored, _ := w.activeMatch()
			if stored.X.Opponent != want || string(stored.O.User) != w.ada.ID() || stored.Series.Played() {
				t.Errorf("the game is %v against %v with the series %v, want the bot as %s with X and a new series",
					stored.X, stored.O, stored.Series, want)
			}
			if text := next.Text(); !strings.Contains(text, w.called(want)+" played") {
				t.Errorf("the board says %q, want %s", text, want)
			}
			playOut(t, w.ada, next, rand.New(rand.NewPCG(1, 1)))
		})
	}
}

// called is how the board names an opponent.
func (w *world) called(opponent string) string {
	return strings.ToUpper(opponent[:1]) + opponent[1:]
}

func TestAPrivateRematchMadeAlreadyHasADoorAndNoLink(t *testing.T) {
	w := newWorld(t)
	m := w.answer(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)))
	w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign")
	wantText(t, m, "resigned")
	late := w.stale(w.ada, m, "Rematch")
	w.answer(w.ada.Click(t, m, "Rematch"))
	refusal := w.refused(late(), "The next game has begun.", "Show board")
	if text := refusal.Text(); strings.Contains(text, "https://") {
		t.Errorf("a link to what only Discord's own client can show: %q", text)
	}
	w.refused(w.ada.Click(t, refusal, "Show board"), "Medium played")
}

func TestPlayTheWinner(t *testing.T) {
	w := newWorld(t)
	m := w.finished()
	w.refused(w.ada.Click(t, m, "Play the winner"), "press Rematch")
	w.refused(w.bob.Click(t, m, "Play the winner"), "press Rematch")
	challenge := w.answer(w.cleo.Click(t, m, "Play the winner"))
	s := challenge.Snapshot()
	if !strings.HasPrefix(s.Text(), w.ada.Mention()+", "+w.cleo.Mention()+" challenges you") || !slices.Contains(s.Pinged, w.ada.ID()) {
		t.Errorf("the winner is not asked: %q, notified %v", s.Text(), s.Pinged)
	}
	w.ada.Click(t, challenge, "Accept")
	w.cells(challenge, w.cleo, w.ada, "a1", "b2")
}

func TestResign(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob)
	ask := w.refused(w.ada.Command(t, w.general, "tictactoe resign"), "Resign? "+w.bob.Mention()+" gets the win.", "Resign", "Keep playing")
	w.ada.Click(t, ask, "Keep playing")
	if text := ask.Text(); !strings.Contains(text, "goes on") {
		t.Errorf("Keep playing says %q", text)
	}
	ask = w.refused(w.bob.Click(t, m, "Resign"), "Resign? "+w.ada.Mention()+" gets the win.")
	w.cells(m, w.ada, w.bob, "a1", "a2", "b2", "a3", "c3")
	r := w.bob.Click(t, ask, "Resign")
	if !strings.Contains(r.Text(), "The game ended before you confirmed. Nothing was resigned.") {
		t.Errorf("a late confirmation says %q", r.Text())
	}
	if !strings.Contains(m.Text(), w.ada.Mention()+" wins: a1 b2 c3") {
		t.Errorf("the result changed: %q", m.Text())
	}

	m = w.challenge(w.ada, w.bob)
	w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign")
	s := wantText(t, m, "🏳️ "+w.ada.Mention()+" resigned. ⭕ "+w.bob.Mention()+" wins.")
	if !over(s) {
		t.Error("cells can still be pressed")
	}
	w.refused(w.ada.Command(t, w.general, "tictactoe resign"), "You aren't playing here.", "Play privately")
}

// Whoever gives up a lost game is told by which move he lost it.
func TestResignALostGame(t *testing.T) {
	w := newWorld(t)
	m := w.play(w.ada, sandbox.Opt("difficulty", "perfect"), sandbox.Opt("first", "bot"))
	mistake := "b1" // loses to every opening but the one that is there
	if grid(m.Snapshot()) == ".X./.../..." {
		mistake = "a2"
	}
	w.cell(w.ada, m, mistake)
	w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign")
	if s := wantText(t, m, "resigned"); !strings.Contains(s.Text(), "Move 2 lost it: ") || !strings.Contains(s.Text(), " would have held.") {
		t.Errorf("the lost game says %q", s.Text())
	}

	held := w.play(w.ada, sandbox.Opt("difficulty", "perfect"))
	w.ada.Click(t, w.answer(w.ada.Click(t, held, "Resign")), "Resign")
	if s := wantText(t, held, "resigned"); strings.Contains(s.Text(), "lost it") {
		t.Errorf("no move lost it, but: %q", s.Text())
	}
}

func TestModeratorStopsAGame(t *testing.T) {
	w := newWorld(t)
	mod := w.srv.User("Mod", sandbox.Moderator)
	m := w.challenge(w.ada, w.bob)
	w.refused(w.cleo.Command(t, w.general, "tictactoe resign"), "You aren't playing here.", "Show board")
	ask := w.refused(mod.Command(t, w.general, "tictactoe resign"), "Stop this game? It counts for nobody.", "Stop the game")
	mod.Click(t, ask, "Stop the game")
	s := wantText(t, m, "Stopped by "+mod.Mention())
	if !over(s) {
		t.Error("cells can still be pressed")
	}
	w.play(w.cleo)
}
