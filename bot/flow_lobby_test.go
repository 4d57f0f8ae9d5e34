package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine/puzzle"
	"tictactoe/store"
)

// lobbied is a world in the middle of a month, with a lobby in the channel.
func lobbied(t *testing.T, options ...bottest.Option) (w *bottest.World, clock *bottest.Clock, lobby *sandbox.Message) {
	t.Helper()
	w, clock = atMidMonth(t, options...)
	return w, clock, postsLobby(t, w, w.Channel)
}

// postsLobby has a manager post a lobby.
func postsLobby(t *testing.T, w *bottest.World, ch *sandbox.Channel) (lobby *sandbox.Message) {
	t.Helper()
	bottest.WantText(t, w.Answer(t, manager(w, "Mona").Command(t, ch, "tictactoe-admin lobby")), "The lobby is up")
	for _, m := range ch.Messages(nil) {
		if _, ok := m.Snapshot().Button("Find an opponent"); ok {
			lobby = m
		}
	}
	return lobby
}

// lobbiesOf returns what is stored of lobbies.
func lobbiesOf(t *testing.T, w *bottest.World) []store.Lobby {
	t.Helper()
	all, err := w.Store.Lobbies(t.Context(), "", 99)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// redrawn waits until the lobby says that, with nobody notified.
func redrawn(t *testing.T, lobby *sandbox.Message, says string) {
	t.Helper()
	s := lobby.Wait(t, "the lobby to say "+says, func(s sandbox.Snapshot) bool { return strings.Contains(bare(s.Text()), says) })
	if len(s.Pinged) > 0 {
		t.Errorf("the lobby notifies %v", s.Pinged)
	}
}

// noted waits until it is stored what each lobby shows: until then it is due once more.
func noted(t *testing.T, w *bottest.World) {
	t.Helper()
	waittest.Until(t, "the store to know what lobbies show", func() bool {
		return !slices.ContainsFunc(lobbiesOf(t, w), func(l store.Lobby) bool { return l.Shows == "" })
	})
}

// bare is a text without what stands around names.
func bare(text string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text) }

// edits is how often a message was edited.
func edits(m *sandbox.Message) int { return len(m.Snapshot().Writes) - 1 }

// TestLobbyLives: a lobby tells who leads the month and how many have solved today's puzzle, in
// the words of the server, and follows what changes.
func TestLobbyLives(t *testing.T) {
	t.Parallel()
	w, clock, lobby := lobbied(t)
	number := puzzle.Number(store.DayOf(clock.Now()))
	bottest.WantText(t, lobby, fmt.Sprintf("### Tic-tac-toe\nPlay the bot, or find an opponent.\n🧩 **Puzzle %d**", number))
	finish(t, w, w.Ada, w.Bob)
	solves(t, w, w.Bob, opens(t, w, w.Bob), puzzleAt(t, clock))
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, clock.Now().UTC().Month().String()+" · 3 points")
	bottest.WantText(t, lobby, fmt.Sprintf("🧩 **Puzzle %d** · solved here by 1 person", number))
	if text := bare(lobby.Text()); !strings.Contains(text, "🏆 **Ada** leads") {
		t.Errorf("the lobby says %q", text)
	}
	if again := bare(postsLobby(t, w, w.Side("second")).Text()); !strings.Contains(again, "🏆 **Ada** leads") {
		t.Errorf("a new lobby says %q", again)
	}
	finish(t, w, w.Bob, w.Ada) // nobody leads alone
	clock.Advance(24 * time.Hour)
	redrawn(t, lobby, fmt.Sprintf("find an opponent.\n🧩 **Puzzle %d**", number+1))
	finish(t, w, w.Bob, w.Ada)
	g := stored(t, w)
	g.Locale, g.Guild = "de", store.GuildID(w.Discord.Guild().ID())
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, "🏆 **Bob** führt im")
	g = stored(t, w)
	g.Leaderboard = store.Off
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, "Spiel gegen den Bot")
}

// TestANewLobbyTakesTheOldOneAway: a channel has one lobby, whose buttons are pressed: where
// another is posted the one before goes, and nothing is said of one that is gone already. Those of
// other channels stay.
func TestANewLobbyTakesTheOldOneAway(t *testing.T) {
	t.Parallel()
	w, clock, first := lobbied(t)
	before, behind := w.Side("before"), w.Side("behind")
	others := []*sandbox.Message{postsLobby(t, w, behind), postsLobby(t, w, before)}
	clock.Advance(time.Second)
	second := postsLobby(t, w, w.Channel)
	waittest.Until(t, "the old lobby to go", first.Deleted)
	second.Delete()
	third := postsLobby(t, w, w.Channel)
	w.Handled(t)
	if others[0].Deleted() || others[1].Deleted() || third.Deleted() || len(lobbiesOf(t, w)) != 3 {
		t.Errorf("lobbies are %+v", lobbiesOf(t, w))
	}
	if n := w.Log.Lines(slog.LevelWarn); n > 0 {
		t.Errorf("%d warnings of a message that was gone", n)
	}
}

// TestLobbyIsNotDrawnForNothing: as long as it shows what is so nobody edits it, and what
// changes within ten minutes is drawn together.
func TestLobbyIsNotDrawnForNothing(t *testing.T) {
	t.Parallel()
	w, clock, lobby := lobbied(t)
	passes := func(d time.Duration, want int) {
		t.Helper()
		clock.Advance(d)
		clock.Looked(t)
		clock.Advance(time.Second)
		clock.Looked(t)
		w.Handled(t)
		if n := edits(lobby); n != want {
			t.Errorf("%d edits, want %d", n, want)
		}
	}
	passes(time.Hour, 0)
	finish(t, w, w.Ada, w.Bob)
	clock.Advance(time.Minute)
	redrawn(t, lobby, "3 points")
	noted(t, w)
	finish(t, w, w.Ada, w.Bob)
	passes(8*time.Minute, 1)
	finish(t, w, w.Ada, w.Cleo)
	clock.Advance(2 * time.Minute)
	redrawn(t, lobby, "9 points")
	noted(t, w)
	passes(time.Hour, 2)
}

// TestLobbiesAreDrawnTwoASecond: however many servers and channels have one.
func TestLobbiesAreDrawnTwoASecond(t *testing.T) {
	t.Parallel()
	w, clock, lobby := lobbied(t)
	all := []*sandbox.Message{lobby}
	for i := range 4 {
		all = append(all, postsLobby(t, w, w.Side(fmt.Sprintf("side%d", i))))
	}
	drawn := func() (n int) {
		for _, m := range all {
			n += edits(m)
		}
		return n
	}
	finish(t, w, w.Ada, w.Bob)
	clock.Advance(10 * time.Minute)
	for _, want := range []int{2, 4, 5} {
		waittest.Until(t, fmt.Sprintf("%d lobbies", want), func() bool { return drawn() >= want })
		clock.Looked(t)
		if n := drawn(); n != want {
			t.Fatalf("%d lobbies are drawn in a second, want %d", n, want)
		}
		clock.Advance(time.Second)
	}
}

// TestLobbyIsForgotten: one that was deleted, or in a channel that forbids it, is drawn no
// more; one that fails otherwise is tried again.
func TestLobbyIsForgotten(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*bottest.World, *sandbox.Message){
		"deleted":    func(_ *bottest.World, m *sandbox.Message) { m.Delete() },
		"no channel": func(w *bottest.World, _ *sandbox.Message) { w.Side("lobby").Delete() },
		"not allowed": func(w *bottest.World, _ *sandbox.Message) {
			w.Side("lobby").Set(sandbox.DenyBot(permission.ViewChannel))
		},
		"removed": func(w *bottest.World, _ *sandbox.Message) { w.Discord.Guild().RemoveBot() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock := atMidMonth(t)
			lobby := postsLobby(t, w, w.Side("lobby"))
			finish(t, w, w.Ada, w.Bob)
			w.Handled(t)
			lose(w, lobby)
			clock.Advance(10 * time.Minute)
			waittest.Until(t, "the lobby to be forgotten", func() bool { return len(lobbiesOf(t, w)) == 0 })
		})
	}
	t.Run("failed", func(t *testing.T) {
		t.Parallel()
		w, clock, lobby := lobbied(t)
		finish(t, w, w.Ada, w.Bob)
		w.Handled(t)
		w.Discord.Faults().FailNext(sandbox.RouteEditMessage, 500, 100)
		clock.Advance(10 * time.Minute)
		waittest.Until(t, "the claim", func() bool { return lobbiesOf(t, w)[0].Shows == "" })
		w.Handled(t)
		w.Discord.Faults().Clear()
		clock.Advance(10 * time.Minute)
		redrawn(t, lobby, "3 points")
	})
}

// unread is the real store, where the puzzles of a guild cannot be read.
type unread struct {
	store.Store
	of store.GuildID
}

func (s unread) PuzzleDay(ctx context.Context, guild store.GuildID, day int64) (store.PuzzleDay, error) {
	if guild == s.of {
		return store.PuzzleDay{}, store.ErrBusy
	}
	return s.Store.PuzzleDay(ctx, guild, day)
}

// TestLobbyBesideThoseThatFail: lobbies of which nobody can read what they have to show hold up
// none, whether they come before it or last.
func TestLobbyBesideThoseThatFail(t *testing.T) {
	t.Parallel()
	w, clock, lobby := lobbied(t, bottest.Behind(func(s store.Store) store.Store { return unread{s, "1"} }))
	for _, channel := range []store.ChannelID{"1", "9"} {
		l := store.Lobby{Channel: channel, Guild: "1", Message: "1", Drawn: clock.Now()}
		if err := w.Store.SetLobby(t.Context(), store.Lobby{}, l); err != nil {
			t.Fatal(err)
		}
	}
	for _, says := range []string{"3 points", "6 points"} {
		finish(t, w, w.Ada, w.Bob)
		clock.Advance(10 * time.Minute)
		soon(t, clock, "the lobby to be drawn", func() bool { return strings.Contains(lobby.Text(), says) })
	}
}

// TestLobbyOverARestart: what has changed meanwhile is drawn, and what is drawn is not drawn
// again.
func TestLobbyOverARestart(t *testing.T) {
	t.Parallel()
	w, clock, lobby := lobbied(t)
	finish(t, w, w.Ada, w.Bob)
	w.Stop(t)
	clock.Advance(10 * time.Minute)
	w.Start(t)
	soon(t, clock, "the lobby to be drawn", func() bool { return strings.Contains(lobby.Text(), "3 points") })
	waittest.Until(t, "that to be stored", func() bool { return lobbiesOf(t, w)[0].Shows != "" })
	w.Restart(t)
	clock.Advance(time.Hour)
	clock.Looked(t)
	w.Stop(t)
	if n := edits(lobby); n != 1 {
		t.Errorf("%d edits, want 1", n)
	}
}

// TestLobbyPostedAnew: the one that was posted last in a channel lives. *Play the bot* starts at
// once, privately, also on those that were posted before it and stay.
func TestLobbyPostedAnew(t *testing.T) {
	t.Parallel()
	w, clock, old := lobbied(t)
	w.Discord.Faults().FailNext("DELETE /channels/{channel_id}/messages/{message_id}", http.StatusForbidden)
	lobby := postsLobby(t, w, w.Channel)
	if lobby.ID() == old.ID() {
		t.Fatal("nothing was posted anew")
	}
	finish(t, w, w.Ada, w.Bob)
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, "3 points")
	if n := edits(old); n != 0 {
		t.Errorf("the older one is edited %d times", n)
	}
	for _, m := range []*sandbox.Message{old, lobby} {
		board := w.Answer(t, w.Cleo.Click(t, m, "Play the bot"))
		s := board.Snapshot()
		if _, ok := s.Button("Change"); !ok || !s.Ephemeral() || len(bottest.Empties(s)) != 9 {
			t.Errorf("a game that starts privately %v, with %d empty cells and [Change] %v", s.Ephemeral(), len(bottest.Empties(s)), ok)
		}
	}
}

// TestLobbyWhereItsChannelIsGone: where the channel of all games was deleted the lobby is posted
// where it was asked for, and games may be everywhere.
func TestLobbyWhereItsChannelIsGone(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	elsewhere := w.Side("elsewhere")
	put(t, w, store.Change{Guilds: []store.GuildSettings{{Guild: store.GuildID(w.Discord.Guild().ID()), Games: store.ChannelID(elsewhere.ID()), Leaderboard: store.Off}}})
	elsewhere.Delete()
	lobby := postsLobby(t, w, w.Channel)
	if _, ok := lobby.Snapshot().Button("Leaderboard"); ok {
		t.Error("a button leads to a leaderboard that nobody is shown")
	}
	w.Challenge(t, w.Ada, w.Bob)
}

// TestGamesWhereTheirChannelIsGone: nobody is led for long to a channel of all games that was
// deleted.
func TestGamesWhereTheirChannelIsGone(t *testing.T) {
	t.Parallel()
	for name, led := range map[string]func(*bottest.World){
		"by a refusal": func(w *bottest.World) {
			w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob)), "games are played in")
		},
		"beside a private game": func(w *bottest.World) {
			w.FollowUp(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "games are played in")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := bottest.New(t)
			guild, gone := store.GuildID(w.Discord.Guild().ID()), w.Side("elsewhere")
			put(t, w, store.Change{Guilds: []store.GuildSettings{{Guild: guild, Games: store.ChannelID(gone.ID())}}})
			gone.Delete()
			led(w)
			waittest.Until(t, "a challenge that is not led there", func() bool {
				r := w.Cleo.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob))
				return !w.Answer(t, r).Snapshot().Ephemeral()
			})
			if now, err := w.Store.GuildSettings(t.Context(), guild); err != nil || now.Games != "" {
				t.Errorf("games are in %q still, %v", now.Games, err)
			}
		})
	}
}

// TestLobbyWithoutItsLeader: who has erased their data, or has left, leads no more.
func TestLobbyWithoutItsLeader(t *testing.T) {
	t.Parallel()
	w, clock, lobby := lobbied(t)
	finish(t, w, w.Ada, w.Bob)
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, "Ada")
	eraseMe(t, w, w.Ada)
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, "Play the bot, or find an opponent.\n")

	finish(t, w, w.Cleo, w.Bob)
	w.Cleo.Leave(w.Discord.Guild())
	w.Restart(t) // and forgets names
	clock.Advance(10 * time.Minute)
	waittest.Until(t, "what Discord says of her", func() bool {
		_, err := w.Store.Standing(t.Context(), store.GuildID(w.Discord.Guild().ID()), store.MonthOf(clock.Now()), store.UserID(w.Cleo.ID()))
		return err != nil && lobbiesOf(t, w)[0].Shows != ""
	})
	bottest.WantText(t, lobby, "Play the bot, or find an opponent.\n")
}

// TestLobbyOfTwoProcesses: one of them draws it.
func TestLobbyOfTwoProcesses(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock))
	share(t, w, other)
	lobby := postsLobby(t, w, w.Channel)
	finish(t, w, w.Ada, w.Bob)
	clock.Advance(10 * time.Minute)
	redrawn(t, lobby, "3 points")
	clock.Advance(9 * time.Minute)
	clock.Looked(t)
	if n := edits(lobby); n != 1 {
		t.Errorf("%d edits, want 1", n)
	}
}
