package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// series has Ada and Bob play the first game of a series, which Ada wins, and returns its
// message.
func series(t *testing.T, w *bottest.World, length string) *sandbox.Message {
	t.Helper()
	m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("series", length))
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	return m
}

// TestSeries plays a best of five to its end in one message. Each game counts as if alone.
func TestSeries(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := series(t, w, "5")
	for i, moves := range []string{"a1 b1 a2 b2 a3", "b2 a1 a2 c2 b1 b3 a3 c1 c3", "a1 a2 b1 b2 c3 c2", "a1 b1 a2 b2 a3"} {
		players := []*sandbox.User{w.Bob, w.Ada}
		if i%2 == 1 {
			slices.Reverse(players)
		}
		players[i/2].Click(t, m, fmt.Sprintf("Game %d", i+2))
		bottest.WantText(t, m, "❌ "+players[0].Mention()+", your move")
		w.Cells(t, m, players[0], players[1], strings.Fields(moves)...)
	}
	s := bottest.WantText(t, m, "🏅 **"+w.Ada.Mention()+" wins the series!**")
	if labels := fmt.Sprint(s.Labels()); !strings.HasSuffix(labels, "Best of 5 again Review More]") {
		t.Errorf("below it are %s", labels)
	}
	bottest.WantText(t, m, "3½ – 1½")
	w.NoMatch(t)
	p, err := w.Store.Profile(t.Context(), store.UserID(w.Ada.ID()), store.UserID(w.Bob.ID()), store.GuildID(w.Discord.Guild().ID()))
	if want := (store.Encounter{Other: store.UserID(w.Bob.ID()), Won: 3, Drawn: 1, Lost: 1}); err != nil || p.Versus != want {
		t.Errorf("Ada has %+v, want %+v, %v", p.Versus, want, err)
	}
	bottest.NeverBackwards(t, m)
}

// TestNextGameTwiceInTheSameInstant: both press it, and one game begins, which either is shown.
func TestNextGameTwiceInTheSameInstant(t *testing.T) {
	t.Parallel()
	t.Run("one process", func(t *testing.T) { t.Parallel(); nextGameTwice(t, bottest.New(t), 10) })
	t.Run("two processes", func(t *testing.T) {
		t.Parallel()
		w, _ := toBothProcesses(t)
		nextGameTwice(t, w, 4)
	})
}

func nextGameTwice(t *testing.T, w *bottest.World, rounds int) {
	for i := range rounds {
		w.Elsewhere(fmt.Sprint("series-", i))
		m := series(t, w, "3")
		a, b := w.Ada.PrepareClick(t, m, "Game 2"), w.Bob.PrepareClick(t, m, "Game 2")
		w.Discord.DispatchTogether(a, b)
		for _, r := range []*sandbox.Reply{a.Wait(t), b.Wait(t)} {
			if !r.Answered() || r.Ephemeral {
				t.Fatalf("answered with type %d: %s %v", r.Type, r.Text(), r.Problems)
			}
		}
		bottest.WantText(t, m, "0 – 1")
		w.Shows(t, m, ".../.../...")
		if now := w.Match(t); now.X.User != store.UserID(w.Bob.ID()) || len(now.Moves) != 0 || now.Place != 1 {
			t.Fatalf("the channel has %+v", now)
		}
		w.Cells(t, m, w.Bob, w.Ada, "b2", "a1")
	}
}

// TestBetweenTwoGames: the result is posted again like a board that runs, and what would take
// the people's place in the channel is no way around the series.
func TestBetweenTwoGames(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := series(t, w, "3")
	old := w.Stale(t, w.Bob, m, "Game 2")
	id := bottest.CustomID(t, m, "Game 2")
	again := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	bottest.WantText(t, m, "This board has moved")
	if r := old(); r.Type == sandbox.CallbackUpdate {
		bottest.WantText(t, m, "This board has moved")
	}
	// No message but its own becomes the board.
	other := w.Play(t, w.Cleo)
	w.Refused(t, w.Ada.ClickID(t, other, id, sandbox.Forced), "This button is out of date")
	bottest.WantText(t, other, w.Cleo.Mention())
	w.Refused(t, w.Bob.ClickID(t, again, strings.Replace(id, "1:mn:", "1:m:", 1), sandbox.Forced), "isn't over yet")
	if before := w.Match(t); before.State != store.Ended || !before.GoesOn {
		t.Fatalf("the channel has %+v", before)
	}
	w.Bob.Click(t, again, "Game 2")
	bottest.WantText(t, again, "❌ "+w.Bob.Mention()+", your move")
	w.Cells(t, again, w.Bob, w.Ada, "b2", "a1")
	// What somebody presses late on a picture of before draws nothing over the game.
	w.Restart(t)
	w.Refused(t, w.Ada.ClickID(t, again, strings.Replace(id, "1:mn:", "1:k:", 1)+":8", sandbox.Forced), "The next game has started")
	w.Shows(t, again, "O../.X./...")
}

// TestOldQuestionEndsTheSeries: the question whether to end a series that a version before has
// put to a moderator had the button that stops a game. It asks once more, with the button of today.
func TestOldQuestionEndsTheSeries(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := series(t, w, "3")
	mod := w.Discord.User("Mod", sandbox.Moderator)
	question := w.Answer(t, mod.Command(t, w.Channel, "tictactoe resign"))
	old := strings.Replace(bottest.CustomID(t, question, "End the series"), "1:me:", "1:sy:", 1)
	w.Refused(t, w.Cleo.ClickID(t, m, old, sandbox.Forced), "Manage Messages")
	w.Answer(t, mod.ClickID(t, question, old, sandbox.Forced))
	bottest.WantText(t, question, "This game is over.\nEnd the series as it stands?")
	mod.Click(t, question, "End the series")
	bottest.WantText(t, m, "wins the series!")
	w.NoMatch(t)
}

// TestSeriesEndsWithItsPeople: what ends games ends a series between two of them, and leaves
// nobody in the channel.
func TestSeriesEndsWithItsPeople(t *testing.T) {
	t.Parallel()
	t.Run("erased", func(t *testing.T) {
		t.Parallel()
		w := bottest.New(t)
		m := series(t, w, "3")
		eraseMe(t, w, w.Bob)
		bottest.WantText(t, m, "wins the series!")
		w.NoMatch(t)
		w.Challenge(t, w.Cleo, w.Ada)
	})
	t.Run("channel deleted", func(t *testing.T) {
		t.Parallel()
		clock := bottest.NewClock()
		w := bottest.New(t, bottest.ByClock(clock))
		series(t, w, "3")
		w.Stop(t)
		w.Channel.Delete()
		w.Start(t)
		clock.Advance(time.Minute) // the buttons of the board go
		w.NoMatch(t)
		left, err := w.Store.OpenMatches(t.Context(), store.UserID(w.Ada.ID()), 9)
		if err != nil || len(left) != 0 {
			t.Errorf("open are %+v, %v", left, err)
		}
	})
	t.Run("left", func(t *testing.T) {
		t.Parallel()
		w := bottest.New(t)
		m := series(t, w, "3")
		question := w.Answer(t, w.Bob.Click(t, m, "More"))
		late := w.Answer(t, w.Ada.Click(t, m, "More"))
		w.Bob.Click(t, question, "End the series")
		bottest.WantText(t, question, "This series is over.")
		bottest.WantText(t, m, "🏅 **"+w.Ada.Mention()+" wins the series!**")
		w.NoMatch(t)
		w.Refused(t, w.Ada.Click(t, late, "End the series"), "This series is over.")
		w.Challenge(t, w.Cleo, w.Ada)
	})
	t.Run("left by who wants another game", func(t *testing.T) {
		t.Parallel()
		w := bottest.New(t)
		series(t, w, "3")
		refusal := w.Refused(t, w.Bob.Command(t, w.Channel, "tictactoe play"), "You already have a game here")
		w.Bob.Click(t, refusal, "End the series")
		bottest.WantText(t, refusal, "This series is over.")
		w.NoMatch(t)
		w.Play(t, w.Bob)
	})
	t.Run("left by the command that resigns", func(t *testing.T) {
		t.Parallel()
		w := bottest.New(t)
		series(t, w, "3")
		w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe play", sandbox.Opt("private", true)))
		question := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe resign"))
		bottest.WantText(t, question, "End the series as it stands?")
		w.Bob.Click(t, question, "End the series")
		w.NoMatch(t)
	})
	t.Run("left too late", func(t *testing.T) {
		t.Parallel()
		w := bottest.New(t)
		m := series(t, w, "3")
		question := w.Answer(t, w.Bob.Click(t, m, "More"))
		w.Ada.Click(t, m, "Game 2")
		w.Refused(t, w.Bob.Click(t, question, "End the series"), "The next game has started")
		w.Cells(t, m, w.Bob, w.Ada, "b2")
	})
	for _, command := range []string{"one", "all of a person"} {
		t.Run("stopped between two games, "+command, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			moderator := w.Discord.User("Mona", sandbox.Moderator)
			m := series(t, w, "3")
			options, button := []sandbox.Arg(nil), "End the series"
			if command != "one" {
				options, button = append(options, sandbox.OptUser("user", w.Bob)), "Stop everything"
			}
			moderator.Click(t, w.Answer(t, moderator.Command(t, w.Channel, "tictactoe resign", options...)), button)
			bottest.WantText(t, m, "🏅 **"+w.Ada.Mention()+" wins the series!**")
			w.NoMatch(t)
		})
	}
	t.Run("stopped", func(t *testing.T) {
		t.Parallel()
		w := bottest.New(t)
		moderator := w.Discord.User("Mona", sandbox.Moderator)
		m := series(t, w, "3")
		w.Ada.Click(t, m, "Game 2")
		question := w.Answer(t, moderator.Click(t, m, "⋯ More"))
		moderator.Click(t, question, "Stop the game")
		bottest.WantText(t, m, "Stopped by")
		bottest.WantText(t, m, "🏅 **"+w.Ada.Mention()+" wins the series!**")
		w.NoMatch(t)
	})
}

// TestSeriesKeepsItsPlace: a series goes on where it is, also where its server has fewer places
// meanwhile, and others play in all of those.
func TestSeriesKeepsItsPlace(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Challenge(t, w.Cleo, w.Discord.User("Eve"))
	m := series(t, w, "3")
	mona := manager(w, "Mona")
	choose(t, mona, panel(t, w, mona), "places", "1")
	w.Bob.Click(t, m, "Game 2")
	bottest.WantText(t, m, w.Bob.Mention()+", your move")
}
