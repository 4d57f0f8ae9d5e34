package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestMistakesOfOthers holds the bot to what went wrong in other bots that play
// tic-tac-toe. Each case expects one answer in time, a private reason, a match that
// changes by legal moves only, and nobody who stays in a game.
//
// Proved by tests of their own, and not repeated here:
//
//	a click out of turn, by a bystander, on a taken cell, after the end   TestTwoPeople, TestClickOnAFinishedBoard
//	a click on an expired challenge                                       TestChallengeExpires
//	a command refused without a word                                      TestStartLimitOfAPersonInFlows, TestBoardIsPostedAgain
//	the board's message deleted (the game is kept, not closed)            TestBoardMessageDeleted, TestGoneAndForbidden
//	access, permission, channel or thread lost                            TestGoneAndForbidden
//	something left of the challenge after Accept                          TestTwoPeople
//	a panic inside a game                                                 TestPanicInAHandler, TestPanicWhileAnswering
//	both press the same cell, one presses two                             TestTwoClicksInTheSameInstant
//	a bystander winds the clock                                           TestClockRunsOut
//	the cap of a guild                                                    TestStartLimitOfAGuildInFlows
//	an open offer of a rematch blocks both                                TestRematch
//	the program moves first                                               TestPlayWhoMovesFirst
//	an unbeatable opponent that is beaten, a line that is not seen        the tests of engine and engine/strategy
//	two answers to one interaction                                        TestEverythingDeliveredTwice, TestAnswerFaultsAtAMove
//	a turn that outlasts the interaction's token                          TestEditsGoByTheTokenThatWorks
//	a restart at any moment                                               TestGamesGoOnAfterARestart, TestRematchOfferedBeforeARestart, TestKilledUnderLoad
//	Accept twice, late, or where a game has begun meanwhile               TestAcceptTwice, TestChallengeExpires, TestAcceptWhereTheChannelIsBusy
//	names with markup                                                     TestNamesAreNeverSent
//
// Histories, seasons and ratings are left out: there are none yet. So are several
// instances behind HTTP interactions, which do not exist either.
func TestMistakesOfOthers(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		play func(t *testing.T, w *faultWorld)
	}{
		{"B5 permissions that buttons do not need", needsNoPermission},
		{"B7 B19 a bot is challenged and leaves no ghost", challengedBotLeavesNothing},
		{"B9 a second game while playing the program", secondGame},
		{"B11 a win on the last free cell is a win", winOnLastCell},
		{"B12 games in parallel and in a row share nothing", gamesShareNothing},
		{"B13 two moves in a row", twoMovesInARow},
		{"B15 a crowd clicks at once", crowdClicks},
		{"B17 an old button", oldButton},
		{"B18 oneself is challenged", challengedSelf},
		{"B21 one place is one place", onePlace},
		{"B22 a question that is not answered is no yes", unansweredQuestion},
		{"B27 buttons of two games never collide", buttonsNeverCollide},
		{"B34 a player leaves or deletes the account", playerLeaves},
		{"B35 the bot is removed and comes back", botComesBack},
		{"B36 a thread is a channel of its own", threads},
		{"B39 what is not allowed is said to the person", toldWhatIsMissing},
		{"B41 a challenge notifies", challengeNotifies},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.play(t, newFaultWorld(t)) })
	}
	t.Run("B14 an id that is a part of another", func(t *testing.T) {
		m := store.Match{X: store.Player{User: "123456"}, O: store.Player{User: "99123456"}}
		for _, id := range []store.UserID{"12345", "23456", "1", "", "1234567", "9912345"} {
			if seat := m.Seat(id); seat != engine.None {
				t.Errorf("%q sits at %v", id, seat)
			}
		}
	})
}

func needsNoPermission(t *testing.T, w *faultWorld) {
	w.general.Set(sandbox.DenyBot(-1))
	m := w.finished()
	wantText(t, m, "wins")
	w.ada.Click(t, m, "Rematch")
	next := w.answer(w.bob.Click(t, m, "Rematch 1/2"))
	w.cells(next, w.bob, w.ada, "a1", "b2")
}

func challengedBotLeavesNothing(t *testing.T, w *faultWorld) {
	robot := w.srv.User("Robot", sandbox.AsBot)
	w.refused(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", robot)), "except yourself and bots")
	w.refused(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.srv.BotUser())), "To play me")
	if open, err := w.db.OpenChallenges(t.Context(), 0, 10); err != nil || len(open) > 0 {
		t.Errorf("%d challenges are open, %v", len(open), err)
	}
	w.free()
	w.elsewhere("again")
	w.challenge(w.ada, w.bob)
}

func secondGame(t *testing.T, w *faultWorld) {
	m := w.play(w.ada)
	w.refused(w.ada.Command(t, w.general, "tictactoe play"), "A game is running here", "Play privately", "Show board")
	private := w.answer(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)))
	w.elsewhere("second")
	other := w.play(w.ada)
	for _, board := range []*sandbox.Message{m, private, other} {
		w.cell(w.ada, board, "a1")
		if n := len(empties(board.Snapshot())); n != 7 {
			t.Errorf("a board has %d empty cells after a move and its reply", n)
		}
	}
}

func winOnLastCell(t *testing.T, w *faultWorld) {
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "c1", "b2", "b3", "b1", "a2", "c2", "a3", "c3")
	if text := m.Text(); !strings.Contains(text, w.ada.Mention()+" wins: a1 b2 c3") || strings.Contains(text, "draw") {
		t.Errorf("the full board says %q", text)
	}
}

func gamesShareNothing(t *testing.T, w *faultWorld) {
	first := w.challenge(w.ada, w.bob)
	w.elsewhere("second")
	second := w.challenge(w.bob, w.ada)
	w.cells(first, w.ada, w.bob, "a1")
	w.cells(second, w.bob, w.ada, "c3")
	w.cells(first, w.bob, w.ada, "b2")
	w.cells(second, w.ada, w.bob, "a1")
	if a, b := grid(first.Snapshot()), grid(second.Snapshot()); a != "X../.O./..." || b != "O../.../..X" {
		t.Errorf("the boards are %s and %s", a, b)
	}
	w.cells(first, w.ada, w.bob, "a2", "c1", "a3")
	third := w.srv.Guild().Channel("general")
	w.general = third
	next := w.challenge(w.ada, w.bob)
	if got := grid(next.Snapshot()); got != ".../.../..." {
		t.Errorf("the next game begins with %s", got)
	}
	w.cells(second, w.bob, w.ada, "b2")
}

func twoMovesInARow(t *testing.T, w *faultWorld) {
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	w.refused(w.cell(w.ada, m, "b2"), "Not yet: it is "+w.bob.Mention()+"'s turn.")
	if got := w.position(); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
}

func crowdClicks(t *testing.T, w *faultWorld) {
	m := w.challenge(w.ada, w.bob)
	crowd := []*sandbox.User{w.ada, w.bob, w.cleo}
	for i := range 17 {
		crowd = append(crowd, w.srv.User(fmt.Sprint("someone-", i)))
	}
	var calls []*sandbox.Call
	for i := range crowdSize {
		calls = append(calls, crowd[i%len(crowd)].PrepareClickCell(t, m, i%3, i/3%3))
	}
	w.srv.DispatchTogether(calls...)
	for _, c := range calls {
		if r := c.Wait(t); !r.Answered() || r.Acks != 1 {
			t.Errorf("%v: answered %v by %d answers: %v", c, r.Answered(), r.Acks, r.Problems)
		}
	}
	stored := w.must(w.activeMatch())
	if len(stored.Moves) != 1 {
		t.Errorf("%d moves were made on a board that all had seen empty, want 1", len(stored.Moves))
	}
	want := positionOf(t, stored)
	w.shows(m, want)
	neverBackwards(t, m)
}

func oldButton(t *testing.T, w *faultWorld) {
	m := w.challenge(w.ada, w.bob)
	old := w.stale(w.ada, m, "\u200b")
	w.cells(m, w.ada, w.bob, "b2", "c3")
	w.refused(old(), "The board changed before your tap, so nothing was played.")
	if got := w.position(); got != ".../.X./..O" {
		t.Errorf("stored is %s", got)
	}
}

func challengedSelf(t *testing.T, w *faultWorld) {
	w.refused(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.ada)), "except yourself and bots", "Play privately")
	w.free()
}

func onePlace(t *testing.T, w *faultWorld) {
	var calls []*sandbox.Call
	for i := range 20 {
		who := w.srv.User(fmt.Sprint("someone-", i))
		calls = append(calls, who.MustPrepare(t, sandbox.SlashCommand{Channel: w.general, Path: "tictactoe play"}))
	}
	w.srv.DispatchTogether(calls...)
	boards := 0
	for _, c := range calls {
		r := c.Wait(t)
		switch {
		case !r.Answered():
			t.Errorf("not answered: %v", c)
		case !r.Ephemeral:
			boards++
		}
	}
	if boards != 1 {
		t.Errorf("%d boards in one channel", boards)
	}
}

func unansweredQuestion(t *testing.T, w *faultWorld) {
	m := w.challenge(w.ada, w.bob)
	question := w.answer(w.ada.Click(t, m, "Resign"))
	w.cells(m, w.ada, w.bob, "a1", "a2", "b2", "a3", "c3")
	wantText(t, m, w.ada.Mention()+" wins: a1 b2 c3")
	if r := w.ada.Click(t, question, "Resign"); !strings.Contains(r.Text(), "Nothing was resigned.") {
		t.Errorf("a late yes says %q", r.Text())
	}
	open := w.answer(w.cleo.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.ada)))
	w.refused(w.bob.Click(t, open, "Accept"), "This challenge is for")
	if _, ok := w.activeMatch(); ok {
		t.Error("a challenge that nobody accepted became a game")
	}
}

func buttonsNeverCollide(t *testing.T, w *faultWorld) {
	seen := map[string]string{}
	collect := func(m *sandbox.Message) {
		for _, row := range m.Snapshot().Rows() {
			for _, b := range row {
				if before, ok := seen[b.CustomID]; ok {
					t.Errorf("%q is on %s and on %s", b.CustomID, before, m.ID())
				}
				seen[b.CustomID] = m.ID()
			}
		}
	}
	for i := range 3 {
		w.elsewhere(fmt.Sprint("collide-", i))
		m := w.challenge(w.ada, w.bob)
		collect(m)
		w.cells(m, w.ada, w.bob, "a1")
	}
	collect(w.answer(w.cleo.Command(t, w.general, "tictactoe challenge")))
}

func playerLeaves(t *testing.T, w *faultWorld) {
	for _, gone := range []struct {
		how   string
		leave func(*sandbox.User)
	}{
		{"left", func(u *sandbox.User) { u.Leave(w.srv.Guild()) }},
		{"deleted", (*sandbox.User).Delete},
	} {
		w.elsewhere(gone.how)
		dora := w.srv.User("Dora " + gone.how)
		m := w.challenge(w.ada, dora)
		w.cells(m, w.ada, dora, "a1")
		gone.leave(dora)
		w.refused(w.ada.ClickCell(t, m, 1, 1), "Not yet")
		w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign"))
		wantText(t, m, "resigned")
		w.ada.Click(t, m, "Rematch")
		w.free()
	}
}

func botComesBack(t *testing.T, w *faultWorld) {
	guild := w.srv.Guild()
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	guild.RemoveBot()
	guild.InviteBot()
	w.cells(m, w.bob, w.ada, "b2", "c3")
	w.shows(m, "X../.O./..X")
	w.refused(w.cleo.Command(t, w.general, "tictactoe play"), "A game is running here")
	w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign"))
	w.free()
}

func threads(t *testing.T, w *faultWorld) {
	parent := w.general
	m := w.challenge(w.ada, w.bob)
	w.general = w.srv.Guild().Channel("a thread", sandbox.Thread(parent))
	inThread := w.challenge(w.bob, w.ada)
	w.cells(inThread, w.bob, w.ada, "b2")
	w.cells(m, w.ada, w.bob, "a1")
	if a, b := grid(m.Snapshot()), grid(inThread.Snapshot()); a != "X../.../..." || b != ".../.X./..." {
		t.Errorf("the boards are %s and %s", a, b)
	}
	w.refused(w.cleo.Command(t, w.general, "tictactoe play"), inThread.Link())
}

func toldWhatIsMissing(t *testing.T, w *faultWorld) {
	w.challenge(w.ada, w.bob)
	w.refused(w.cleo.Command(t, w.general, "tictactoe resign"), "You aren't playing here.", "Show board")
	hidden := w.srv.Guild().Channel("hidden", sandbox.Visible(w.ada))
	w.refused(w.ada.Command(t, hidden, "tictactoe challenge", sandbox.OptUser("user", w.bob)), w.bob.Mention())
	w.refused(w.ada.Command(t, w.ada.DM(), "tictactoe challenge"), "</tictactoe play:")
}

func challengeNotifies(t *testing.T, w *faultWorld) {
	r := w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob))
	s := w.answer(r).Snapshot()
	if r.Type != sandbox.CallbackMessage || !slices.Contains(s.Pinged, w.bob.ID()) || s.Notification() == "" {
		t.Errorf("answered by type %d, notifies %v with %q", r.Type, s.Pinged, s.Notification())
	}
}

// TestClockOfAPlayerWhoIsGone: nobody can resign for him, and the clock ends it.
func TestClockOfAPlayerWhoIsGone(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	w := newFaultWorld(t, func(c *faultConfig) {
		c.bot = func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, time.Minute }
	})
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	w.bob.Delete()
	clock.advance(61 * time.Second)
	wantText(t, m, w.bob.Mention()+" ran out of time")
	w.free()
}
