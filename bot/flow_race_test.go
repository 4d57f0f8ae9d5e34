package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// TestTwoClicksInTheSameInstant sends clicks of both players before either can be
// answered. Whatever order they are taken in: one legal move, each click answered,
// and no picture older than one before it.
func TestTwoClicksInTheSameInstant(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	channels := make([]*sandbox.Channel, 4)
	boards := make([]*sandbox.Message, len(channels))
	for i := range channels {
		channels[i] = w.Discord.Guild().Channel("race-" + string(rune('a'+i)))
	}
	for round := range rounds {
		i := round % len(channels)
		if boards[i] == nil || bottest.Over(boards[i].Snapshot()) {
			w.Channel = channels[i]
			boards[i] = w.Challenge(t, w.Ada, w.Bob)
		}
		m := boards[i]
		before := m.Snapshot()
		free := bottest.Empties(before)
		// The same cell, or two; and every fifth time one player clicks twice.
		a, b := free[round%len(free)], free[(round/2)%len(free)]
		second := w.Bob
		if round%5 == 4 {
			second = w.Ada
		}
		first := w.Ada.PrepareClickCell(t, m, a[0], a[1])
		other := second.PrepareClickCell(t, m, b[0], b[1])
		w.Discord.DispatchTogether(first, other)
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
		if second == w.Bob && moved+unknown == 0 {
			t.Fatalf("round %d: neither click moved: %q, %q", round, ra.Text(), rb.Text())
		}
		if second == w.Ada && !strings.Contains(before.Text(), w.Ada.Mention()+", your move") {
			want = 0
		}
		if moved+unknown < want {
			t.Fatalf("round %d: %d clicks moved, want %d", round, moved, want)
		}
		if moved > want { // one was refused behind a board that is redrawn for it
			waittest.Until(t, "the words of a refusal", func() bool { return len(ra.Followups())+len(rb.Followups()) == moved-want })
		}
		w.Settled(t, m, len(free)-want)
	}
	for _, m := range boards {
		bottest.NeverBackwards(t, m)
	}
}

// lookedOn has somebody press other people's board, and returns the ways to a game of their own.
func lookedOn(t *testing.T, w *bottest.World, who *sandbox.User, board *sandbox.Message) *sandbox.Message {
	t.Helper()
	return w.Refused(t, w.Cell(t, who, board, "a1"), "Want one of your own?", "Play here", "Play privately")
}

// TestPlayPrivatelyTwiceInTheSameInstant taps the way to a private game twice:
// one game, shown to both clicks, and one start.
func TestPlayPrivatelyTwiceInTheSameInstant(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), bottest.StartLimit("2/1000"))
	busy := w.Play(t, w.Bob)
	for round := range 20 {
		w.Ada = w.Discord.User(fmt.Sprint("Ada-", round)) // who has started nothing yet
		door := lookedOn(t, w, w.Ada, busy)
		a, b := w.Ada.PrepareClick(t, door, "Play privately"), w.Ada.PrepareClick(t, door, "Play privately")
		w.Discord.DispatchTogether(a, b)
		for _, r := range []*sandbox.Reply{a.Wait(t), b.Wait(t)} {
			if r.Type != sandbox.CallbackUpdate && r.Type != sandbox.CallbackDeferUpdate {
				t.Fatalf("round %d: answered with type %d: %s %v", round, r.Type, r.Text(), r.Problems)
			}
		}
		w.Settled(t, door, 9)
		w.Cell(t, w.Ada, door, "b2")
		w.Settled(t, door, 7)
		if n := len(w.Private(t, w.Ada)); n != 1 {
			t.Fatalf("round %d: %d private games", round, n)
		}
		ask := w.Answer(t, w.Ada.Click(t, door, "⋯ More"))
		w.Ada.Click(t, ask, "Resign")
		bottest.WantText(t, door, "resigned")
		w.PlayPrivately(t, w.Ada) // the second start
		w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("private", true)), "Slow down")
	}
}

// TestTwoStartsInTheSameInstant lets two people start a game in one channel: one of
// them does, and the other plays privately, which is one start too.
func TestTwoStartsInTheSameInstant(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), bottest.StartLimit("1/1000"))
	for round := range 30 {
		name := fmt.Sprint("round-", round)
		w.Channel = w.Discord.Guild().Channel(name)
		people := []*sandbox.User{w.Discord.User("first-" + name), w.Discord.User("second-" + name)}
		play := sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe play"}
		calls := []*sandbox.Call{people[0].MustPrepare(t, play), people[1].MustPrepare(t, play)}
		w.Discord.DispatchTogether(calls...)
		started := 0
		for i, c := range calls {
			r := c.Wait(t)
			if !r.Ephemeral {
				started++
				continue
			}
			w.FollowUp(t, r, "so this one is just for you")
			w.Refused(t, people[i].Command(t, w.Side("more-"+name), "tictactoe play"), "Slow down")
		}
		if started != 1 {
			t.Fatalf("%d games were started", started)
		}
	}
}

// TestPlayPrivatelyAgainAfterALostAnswer presses the door again when nothing seems to
// have happened, and once more when the game that it led to is over.
func TestPlayPrivatelyAgainAfterALostAnswer(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	door := lookedOn(t, w, w.Ada, w.Play(t, w.Bob))
	press := w.Stale(t, w.Ada, door, "Play privately")
	w.Discord.Faults().FailNext(sandbox.InteractionRoutes, 403)
	w.Ada.StartClick(t, door, "Play privately").AllowUnanswered()
	w.Disarmed(t)
	waittest.Until(t, "the bot to give up", func() bool { return w.Service.Handling() == 0 })
	w.Answer(t, press())
	w.Settled(t, door, 9)
	if n := len(w.Private(t, w.Ada)); n != 1 {
		t.Errorf("%d private games", n)
	}
	w.Cell(t, w.Ada, door, "b2")
	w.Resign(t, w.Ada, door)
	w.Answer(t, press())
	w.Settled(t, door, 9)
}

// TestDeliveredTwice delivers interactions twice, at once and later: one effect.
func TestDeliveredTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	play := w.Ada.MustPrepare(t, sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe play"})
	w.Discord.DispatchTogether(play, play)
	m := w.Answer(t, play.Wait(t))
	click := w.Ada.PrepareClickCell(t, m, 1, 1)
	w.Discord.DispatchTogether(click, click)
	if r := click.Wait(t); !r.Answered() {
		t.Fatalf("the click was not answered: %v", r.Problems)
	}
	w.Settled(t, m, 7)
	w.Discord.Faults().Redeliver(click)
	w.Discord.Faults().Redeliver(play)
	w.Cell(t, w.Ada, m, bottest.CellName(bottest.Empties(m.Snapshot())[0]))
	w.Settled(t, m, 5)
	if got := len(w.Channel.Messages(nil)); got != 1 {
		t.Errorf("there are %d messages, want one board", got)
	}
}

// TestDeliveredAgainAfterARestart hands an interaction to a process that has not seen
// it: the store has. What it did then is over by now, so that nothing but the memory
// of the interaction itself keeps it from being done again.
func TestDeliveredAgainAfterARestart(t *testing.T) {
	t.Parallel()
	command := func(path string, args ...sandbox.Arg) func(*testing.T, *bottest.World) *sandbox.Call {
		return func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Ada.StartCommand(t, w.Channel, "tictactoe "+path, args...)
		}
	}
	resign := func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Resign(t, w.Ada, m) }
	withdraw := func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Click(t, m, "Stop looking") } // of a table
	for _, c := range []struct {
		name string
		act  func(*testing.T, *bottest.World) *sandbox.Call
		over func(*testing.T, *bottest.World, *sandbox.Message) // what ends its effect
	}{
		{"a game", command("play"), resign},
		{"a private game", command("play", sandbox.Opt("private", true)), func(*testing.T, *bottest.World, *sandbox.Message) {}},
		{"a private game that is over", command("play", sandbox.Opt("private", true)), resign},
		{"a table", command("challenge"), withdraw},
		{"a challenge", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Ada.StartCommand(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob))
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Bob.Click(t, m, "Decline") }},
		{"an acceptance", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Bob.StartClick(t, w.Offer(t, w.Ada, w.Bob), "Accept")
		}, resign},
		{"a rematch", func(t *testing.T, w *bottest.World) *sandbox.Call {
			m := w.Play(t, w.Ada)
			w.Resign(t, w.Ada, m)
			return w.Ada.StartClick(t, m, "Rematch")
		}, resign},
		{"a game by a button", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Ada.StartClick(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help")), "Play")
		}, resign},
		{"a private game by a button", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Ada.StartClick(t, lookedOn(t, w, w.Ada, w.Play(t, w.Bob)), "Play privately")
		}, resign},
		{"a game instead of another", func(t *testing.T, w *bottest.World) *sandbox.Call {
			w.Play(t, w.Ada)
			return w.Ada.StartClick(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe play")), "Resign and start this one")
		}, resign},
		{"a game from a position", func(t *testing.T, w *bottest.World) *sandbox.Call {
			review := shownBetter(t, w, w.Ada, w.Finished(t))
			return w.Ada.StartClick(t, review, "Play on")
		}, resign},
		{"a table by a button", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Ada.StartClick(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help")), "Find an opponent")
		}, withdraw},
		{"a challenge from the menu", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Ada.Start(t, sandbox.UserCommand{Channel: w.Channel, Name: "Challenge to tic-tac-toe", Target: w.Bob})
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { takeBack(t, w, w.Ada, m) }},
		{"a challenge of the winner", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return w.Cleo.StartClick(t, w.More(t, w.Cleo, w.Finished(t)), "Play the winner")
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { takeBack(t, w, w.Cleo, m) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			call := c.act(t, w)
			m := w.Answer(t, call.Wait(t))
			c.over(t, w, m)
			w.Restart(t)
			matches, challenges := w.Stored(t)
			w.Discord.Faults().Redeliver(call)
			w.Bystander(t) // comes after it
			w.Stop(t)      // when it has been handled
			if nowMatches, nowChallenges := w.Stored(t); nowMatches != matches || nowChallenges != challenges {
				t.Errorf("%d matches and %d challenges became %d and %d", matches, challenges, nowMatches, nowChallenges)
			}
		})
	}
}

// TestWhatWasUndoneIsNotDoneAgain does the same with what changes no game: it was taken
// back meanwhile, and a delivery that comes then does not bring it back.
func TestWhatWasUndoneIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	choice := func(t *testing.T, who *sandbox.User, m *sandbox.Message, id, value string) *sandbox.Call {
		c, err := who.Do(sandbox.Selection{Message: m, CustomID: id, Values: []string{value}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	blocks := func(t *testing.T, w *bottest.World) string {
		all, err := w.Store.Blocks(t.Context(), store.UserID(w.Ada.ID()))
		return fmt.Sprint(len(all), err)
	}
	for _, c := range []struct {
		name   string
		act    func(*testing.T, *bottest.World) *sandbox.Call
		undo   func(*testing.T, *bottest.World, *sandbox.Message)
		stored func(*testing.T, *bottest.World) string
	}{
		{"a person blocked", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return choice(t, w.Ada, preferencesOf(t, w, w.Ada, "games"), "1:bc", w.Bob.ID())
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Click(t, m, "Unblock") }, blocks},
		{"a block lifted", func(t *testing.T, w *bottest.World) *sandbox.Call {
			m := preferencesOf(t, w, w.Ada, "games")
			w.Ada.Select(t, m, "1:bc", w.Bob.ID())
			return w.Ada.StartClick(t, m, "Unblock")
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Select(t, m, "1:bc", w.Bob.ID()) }, blocks},
		{"who has declined blocks", func(t *testing.T, w *bottest.World) *sandbox.Call {
			r := w.Ada.Click(t, w.Offer(t, w.Bob, w.Ada), "Decline")
			return w.Ada.StartClick(t, w.FollowUp(t, r, "can ask again after"), "Block")
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Click(t, m, "Unblock") }, blocks},
		{"no challenges taken", func(t *testing.T, w *bottest.World) *sandbox.Call {
			return choice(t, w.Ada, preferencesOf(t, w, w.Ada, "games"), "1:cf", "nobody")
		}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Select(t, m, "1:cf", "anybody") }, blocks},
		{
			"by a list", func(t *testing.T, w *bottest.World) *sandbox.Call {
				return choice(t, w.Ada, preferencesOf(t, w, w.Ada, "boards"), "1:pb", "list")
			}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Select(t, m, "1:pb", "buttons") },
			func(t *testing.T, w *bottest.World) string {
				p, err := w.Store.Person(t.Context(), store.UserID(w.Ada.ID()))
				return fmt.Sprint(p.PlaysBy, err)
			},
		},
		{
			"no reminders", func(t *testing.T, w *bottest.World) *sandbox.Call {
				return w.Ada.StartClick(t, preferencesOf(t, w, w.Ada, "messages"), "Turn off")
			}, func(t *testing.T, w *bottest.World, m *sandbox.Message) { w.Ada.Click(t, m, "Turn on") },
			func(t *testing.T, w *bottest.World) string {
				p, err := w.Store.Person(t.Context(), store.UserID(w.Ada.ID()))
				return fmt.Sprint(p, err)
			},
		},
		{
			"standings begun anew", func(t *testing.T, w *bottest.World) *sandbox.Call {
				mona := manager(w, "Mona")
				m := panel(t, w, mona)
				mona.ClickID(t, m, "1:st:standings")
				return mona.Start(t, sandbox.ButtonClick{Message: w.Answer(t, mona.ClickID(t, m, "1:sa")), CustomID: "1:sx"})
			}, func(t *testing.T, w *bottest.World, _ *sandbox.Message) { w.Finished(t) },
			func(t *testing.T, w *bottest.World) string {
				rows, n, err := w.Store.Standings(t.Context(), store.GuildID(w.Discord.Guild().ID()), store.AllTime, 0, 9)
				return fmt.Sprint(rows, n, err)
			},
		},
		{
			"all of a person stopped", func(t *testing.T, w *bottest.World) *sandbox.Call {
				w.Play(t, w.Ada)
				mod := w.Discord.User("Mod", sandbox.Moderator)
				question := w.Answer(t, mod.Command(t, w.Channel, "tictactoe resign", sandbox.OptUser("user", w.Ada)))
				return mod.StartClick(t, question, "Stop everything")
			}, func(t *testing.T, w *bottest.World, _ *sandbox.Message) { w.Play(t, w.Ada) },
			func(t *testing.T, w *bottest.World) string { return w.Position(t) },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			call := c.act(t, w)
			c.undo(t, w, w.Answer(t, call.Wait(t)))
			w.Restart(t)
			before := c.stored(t, w)
			w.Discord.Faults().Redeliver(call)
			w.Bystander(t) // comes after it
			w.Stop(t)      // when it has been handled
			w.Start(t)
			if after := c.stored(t, w); after != before {
				t.Errorf("stored was %s, and is %s", before, after)
			}
			if r := call.Reply(); r.Acks != 1 {
				t.Errorf("it got %d answers", r.Acks)
			}
		})
	}
}

// TestClickDeliveredAgainAfterARestart does the same with a click that would change the
// board again: names that were written on the cells would be taken off.
func TestClickDeliveredAgainAfterARestart(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	click := w.Ada.StartClick(t, w.More(t, w.Ada, m), "Cell names")
	click.Wait(t)
	w.Restart(t)
	w.Discord.Faults().Redeliver(click)
	w.Bystander(t) // comes after it
	w.Stop(t)      // when it has been handled
	w.Start(t)
	if p, err := w.Store.Person(t.Context(), store.UserID(w.Ada.ID())); p.PlaysBy != store.ByNames || err != nil {
		t.Errorf("the names were taken off: %+v, %v", p, err)
	}
	bottest.CustomID(t, m, "a1")
}

// TestAcceptWhileTheChallengeIsBeingEdited accepts a challenge whose message is just
// being drawn again, as after a start: the edit does not come behind the board.
func TestAcceptWhileTheChallengeIsBeingEdited(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Offer(t, w.Ada, w.Bob)
	w.Stop(t)
	w.Discord.Faults().SlowNext(sandbox.RouteEditMessage, 200*time.Millisecond)
	w.Start(t)
	w.Disarmed(t)
	w.Bob.Click(t, m, "Accept")
	bottest.WantText(t, m, "your move")
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	w.Shows(t, m, "X../.O./...")
}
