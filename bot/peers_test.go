package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
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
//	a click out of turn, by a bystander, on a taken cell, after the end   TestScripts/challenge, TestClickOnAFinishedBoard
//	a click on an expired challenge                                       TestScripts/challenge_expires
//	a command refused without a word                                      TestStartLimitOfAPersonInFlows, TestScripts/board
//	the board's message deleted (the game is kept, not closed)            TestScripts/board_deleted, TestGoneAndForbidden
//	access, permission, channel or thread lost                            TestGoneAndForbidden
//	something left of the challenge after Accept                          TestScripts/challenge
//	a panic inside a game                                                 TestPanicInAHandler, TestPanicWhileAnswering
//	both press the same cell, one presses two                             TestTwoClicksInTheSameInstant
//	a bystander winds the clock                                           TestClockRunsOut
//	the cap of a guild                                                    TestStartLimitOfAGuildInFlows
//	an open offer of a rematch blocks both                                TestScripts/rematch
//	the program moves first                                               TestPlayWhoMovesFirst
//	an unbeatable opponent that is beaten, a line that is not seen        the tests of engine and engine/strategy
//	two answers to one interaction                                        TestEverythingDeliveredTwice, TestAnswerFaultsAtAMove
//	a turn that outlasts the interaction's token                          TestEditsGoByTheTokenThatWorks
//	a restart at any moment                                               TestGamesGoOnAfterARestart, TestScripts/rematch_restart, TestKilledUnderLoad
//	Accept twice, late, or where a game has begun meanwhile               TestAcceptTwice, TestScripts/challenge_expires, TestScripts/challenge_busy
//	names with markup                                                     TestNamesAreNeverSent
//
// Histories, seasons and ratings are left out: there are none yet. So are several
// instances behind HTTP interactions, which do not exist either.
func TestMistakesOfOthers(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		play func(t *testing.T, w *bottest.World)
	}{
		{"permissions that buttons do not need", needsNoPermission},
		{"a bot is challenged and leaves no ghost", challengedBotLeavesNothing},
		{"a second game while playing the program", secondGame},
		{"a win on the last free cell is a win", winOnLastCell},
		{"games in parallel and in a row share nothing", gamesShareNothing},
		{"two moves in a row", twoMovesInARow},
		{"a crowd clicks at once", crowdClicks},
		{"an old button", oldButton},
		{"oneself is challenged", challengedSelf},
		{"no more games than places", onePlace},
		{"a question that is not answered is no yes", unansweredQuestion},
		{"buttons of two games never collide", buttonsNeverCollide},
		{"a player leaves or deletes the account", playerLeaves},
		{"the bot is removed and comes back", botComesBack},
		{"a thread is a channel of its own", threads},
		{"what is not allowed is said to the person", toldWhatIsMissing},
		{"a challenge notifies", challengeNotifies},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.play(t, bottest.New(t)) })
	}
	t.Run("an id that is a part of another", func(t *testing.T) {
		m := store.Match{X: store.Player{User: "123456"}, O: store.Player{User: "99123456"}}
		for _, id := range []store.UserID{"12345", "23456", "1", "", "1234567", "9912345"} {
			if seat := m.Seat(id); seat != engine.None {
				t.Errorf("%q sits at %v", id, seat)
			}
		}
	})
}

func needsNoPermission(t *testing.T, w *bottest.World) {
	w.Channel.Set(sandbox.DenyBot(-1))
	m := w.Finished(t)
	bottest.WantText(t, m, "wins")
	w.Ada.Click(t, m, "Rematch")
	next := w.Answer(t, w.Bob.Click(t, m, "Yes, rematch"))
	w.Cells(t, next, w.Bob, w.Ada, "a1", "b2")
}

func challengedBotLeavesNothing(t *testing.T, w *bottest.World) {
	robot := w.Discord.User("Robot", sandbox.AsBot)
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", robot)), "except yourself and other bots")
	if open, err := w.Store.GuildChallenges(t.Context(), store.GuildID(w.Discord.Guild().ID()), 0, 10); err != nil || len(open) > 0 {
		t.Errorf("%d challenges are open, %v", len(open), err)
	}
	w.Free(t)
	w.Elsewhere("again")
	w.Challenge(t, w.Ada, w.Bob)
}

func secondGame(t *testing.T, w *bottest.World) {
	m := w.Play(t, w.Ada)
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "You already have a game here", "Show my board", "Resign and start this one")
	private := w.PlayPrivately(t, w.Ada)
	w.Elsewhere("second")
	other := w.Play(t, w.Ada)
	for _, board := range []*sandbox.Message{m, private, other} {
		w.Cell(t, w.Ada, board, "a1")
		if n := len(bottest.Empties(board.Snapshot())); n != 7 {
			t.Errorf("a board has %d empty cells after a move and its reply", n)
		}
	}
}

func winOnLastCell(t *testing.T, w *bottest.World) {
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "c1", "b2", "b3", "b1", "a2", "c2", "a3", "c3")
	if text := m.Text(); !strings.Contains(text, w.Ada.Mention()+" wins!**") || strings.Contains(text, "Draw") {
		t.Errorf("the full board says %q", text)
	}
}

func gamesShareNothing(t *testing.T, w *bottest.World) {
	first := w.Challenge(t, w.Ada, w.Bob)
	w.Elsewhere("second")
	second := w.Challenge(t, w.Bob, w.Ada)
	w.Cells(t, first, w.Ada, w.Bob, "a1")
	w.Cells(t, second, w.Bob, w.Ada, "c3")
	w.Cells(t, first, w.Bob, w.Ada, "b2")
	w.Cells(t, second, w.Ada, w.Bob, "a1")
	if a, b := bottest.Grid(first.Snapshot()), bottest.Grid(second.Snapshot()); a != "X../.O./..." || b != "O../.../..X" {
		t.Errorf("the boards are %s and %s", a, b)
	}
	w.Cells(t, first, w.Ada, w.Bob, "a2", "c1", "a3")
	third := w.Discord.Guild().Channel("general")
	w.Channel = third
	next := w.Challenge(t, w.Ada, w.Bob)
	if got := bottest.Grid(next.Snapshot()); got != ".../.../..." {
		t.Errorf("the next game begins with %s", got)
	}
	w.Cells(t, second, w.Bob, w.Ada, "b2")
}

func twoMovesInARow(t *testing.T, w *bottest.World) {
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	w.Refused(t, w.Cell(t, w.Ada, m, "b2"), "Not yet: it's "+w.Bob.Mention()+"'s turn.")
	if got := w.Position(t); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
}

func crowdClicks(t *testing.T, w *bottest.World) {
	m := w.Challenge(t, w.Ada, w.Bob)
	crowd := []*sandbox.User{w.Ada, w.Bob, w.Cleo}
	for i := range 17 {
		crowd = append(crowd, w.Discord.User(fmt.Sprint("someone-", i)))
	}
	var calls []*sandbox.Call
	for i := range crowdSize {
		calls = append(calls, crowd[i%len(crowd)].PrepareClickCell(t, m, i%3, i/3%3))
	}
	w.Discord.DispatchTogether(calls...)
	for _, c := range calls {
		if r := c.Wait(t); !r.Answered() || r.Acks != 1 {
			t.Errorf("%v: answered %v by %d answers: %v", c, r.Answered(), r.Acks, r.Problems)
		}
	}
	stored := w.Match(t)
	if len(stored.Moves) != 1 {
		t.Errorf("%d moves were made on a board that all had seen empty, want 1", len(stored.Moves))
	}
	want := bottest.PositionOf(t, stored)
	w.Shows(t, m, want)
	bottest.NeverBackwards(t, m)
}

func oldButton(t *testing.T, w *bottest.World) {
	m := w.Challenge(t, w.Ada, w.Bob)
	old := w.Stale(t, w.Ada, m, "\u200b")
	w.Cells(t, m, w.Ada, w.Bob, "b2", "c3")
	w.Refused(t, old(), "The board has just changed, so your move wasn't played.")
	if got := w.Position(t); got != ".../.X./..O" {
		t.Errorf("stored is %s", got)
	}
}

func challengedSelf(t *testing.T, w *bottest.World) {
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Ada)), "except yourself and other bots", "Play privately")
	w.Free(t)
}

func onePlace(t *testing.T, w *bottest.World) {
	var calls []*sandbox.Call
	for i := range 20 {
		who := w.Discord.User(fmt.Sprint("someone-", i))
		calls = append(calls, who.MustPrepare(t, sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe play"}))
	}
	w.Discord.DispatchTogether(calls...)
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
	if boards != match.Places {
		t.Errorf("%d boards in one channel", boards)
	}
}

func unansweredQuestion(t *testing.T, w *bottest.World) {
	m := w.Challenge(t, w.Ada, w.Bob)
	question := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, m, "wins!")
	if r := w.Ada.Click(t, question, "Resign"); !strings.Contains(r.Text(), "so you didn't resign.") {
		t.Errorf("a late yes says %q", r.Text())
	}
	open := w.Offer(t, w.Cleo, w.Ada)
	w.Refused(t, w.Bob.Click(t, open, "Accept"), "This challenge is for")
	if _, ok := w.Active(t); ok {
		t.Error("a challenge that nobody accepted became a game")
	}
}

func buttonsNeverCollide(t *testing.T, w *bottest.World) {
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
		w.Elsewhere(fmt.Sprint("collide-", i))
		m := w.Challenge(t, w.Ada, w.Bob)
		collect(m)
		w.Cells(t, m, w.Ada, w.Bob, "a1")
	}
	collect(w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe challenge")))
}

func playerLeaves(t *testing.T, w *bottest.World) {
	for _, gone := range []struct {
		how   string
		leave func(*sandbox.User)
	}{
		{"left", func(u *sandbox.User) { u.Leave(w.Discord.Guild()) }},
		{"deleted", (*sandbox.User).Delete},
	} {
		w.Elsewhere(gone.how)
		dora := w.Discord.User("Dora " + gone.how)
		m := w.Challenge(t, w.Ada, dora)
		w.Cells(t, m, w.Ada, dora, "a1")
		gone.leave(dora)
		w.Refused(t, w.Ada.ClickCell(t, m, 1, 1), "Not yet")
		w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, m, "⋯ More")), "Resign"))
		bottest.WantText(t, m, "resigned")
		w.Ada.Click(t, m, "Rematch")
		w.Free(t)
	}
}

func botComesBack(t *testing.T, w *bottest.World) {
	guild := w.Discord.Guild()
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	guild.RemoveBot()
	guild.InviteBot()
	w.Cells(t, m, w.Bob, w.Ada, "b2", "c3")
	w.Shows(t, m, "X../.O./..X")
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "You already have a game here")
	w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, m, "⋯ More")), "Resign"))
	w.Free(t)
}

func threads(t *testing.T, w *bottest.World) {
	parent := w.Channel
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Channel = w.Discord.Guild().Channel("a thread", sandbox.Thread(parent))
	inThread := w.Challenge(t, w.Bob, w.Ada)
	w.Cells(t, inThread, w.Bob, w.Ada, "b2")
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	if a, b := bottest.Grid(m.Snapshot()), bottest.Grid(inThread.Snapshot()); a != "X../.../..." || b != ".../.X./..." {
		t.Errorf("the boards are %s and %s", a, b)
	}
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), inThread.Link())
}

func toldWhatIsMissing(t *testing.T, w *bottest.World) {
	w.Challenge(t, w.Ada, w.Bob)
	w.Refused(t, w.Cleo.Command(t, w.Channel, "tictactoe resign"), "You aren't playing here.", "Show board")
	hidden := w.Discord.Guild().Channel("hidden", sandbox.Visible(w.Ada))
	w.Refused(t, w.Ada.Command(t, hidden, "tictactoe challenge", sandbox.OptUser("user", w.Bob)), w.Bob.Mention())
	w.Refused(t, w.Ada.Command(t, w.Ada.DM(), "tictactoe challenge"), "</tictactoe play:")
}

func challengeNotifies(t *testing.T, w *bottest.World) {
	r := w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob))
	s := w.Answer(t, r).Snapshot()
	if r.Type != sandbox.CallbackMessage || !slices.Contains(s.Pinged, w.Bob.ID()) || s.Notification() == "" {
		t.Errorf("answered by type %d, notifies %v with %q", r.Type, s.Pinged, s.Notification())
	}
}

// TestClockOfAPlayerWhoIsGone: nobody can resign for him, and the clock ends it.
func TestClockOfAPlayerWhoIsGone(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	w.Bob.Delete()
	clock.Advance(61 * time.Second)
	bottest.WantText(t, m, w.Bob.Mention()+" ran out of time")
	w.Free(t)
}
