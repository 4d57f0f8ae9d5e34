package foreign_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
)

// TestTicTacToe plays with a bot of other people, discord-tictactoe: its board is a
// message of buttons that it edits, its opponents are its AI or another member.
func TestTicTacToe(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.World.PrivilegedIntents, o.World.Quiet, o.World.Deadline = privileged, 200*time.Millisecond, waittest.Limit(3*time.Second)
	})
	w := &scene{srv: srv, guild: srv.Guild(), ada: srv.User("Ada"), bob: srv.User("Bob")}
	w.general = w.guild.Channel("games")
	eve := srv.User("Eve", sandbox.Permissions(permission.Administrator))
	w.bot = startBot(t, srv, nodeCommand("tictactoe/start.cjs", "discord-tictactoe")(t))
	w.await(t, "the bot to connect", func() bool { return srv.Gateway().Sessions() > 0 })

	// Its README: an administrator mentions it with this word. It listens a moment
	// after it is connected, so that they may have to say it again.
	tell := func(u *sandbox.User, word string) {
		t.Helper()
		if _, err := u.Say(w.general, srv.BotUser().Mention()+" "+word); err != nil {
			t.Fatal(err)
		}
		w.srv.Settle(t)
	}
	waittest.Until(t, "its command", func() bool {
		tell(eve, "tttdeploy")
		return len(srv.App().Commands(w.guild.ID())) > 0
	})
	if tell(w.ada, "tttdelete"); len(srv.App().Commands(w.guild.ID())) == 0 {
		t.Fatal("it took Ada for an administrator")
	}

	t.Run("its AI", func(t *testing.T) {
		m := w.ada.Command(t, w.general, "tictactoe").Message
		w.playOut(t, m, w.ada)
	})
	t.Run("a duel", func(t *testing.T) {
		// It forgets a game only after its last edit was answered. Until then it says that
		// Ada still plays.
		var m *sandbox.Message
		waittest.Until(t, "its challenge", func() bool {
			m = w.ada.Command(t, w.general, "tictactoe", sandbox.OptUser("opponent", w.bob)).Message
			w.srv.Settle(t)
			return m != nil && slices.Contains(m.Snapshot().Labels(), "Accept")
		})
		before := m.Text()
		w.ada.Click(t, m, "Accept").Call.AllowUnanswered() // it is not her challenge
		if m.Text() != before {
			t.Fatalf("the challenger accepted: %q", m.Text())
		}
		if r := try(t, w.bob, sandbox.ButtonClick{Message: m, Label: "Accept"}); !r.Answered() {
			t.Fatalf("Bob could not accept: %s", r.Failed)
		}
		var board *sandbox.Message
		w.await(t, "the board", func() bool {
			board = w.general.LastMessage(w.ada)
			return slices.Contains(board.Snapshot().Labels(), "-")
		})
		w.playOut(t, board, w.ada, w.bob)
	})
}

// playOut plays the first free cell for whom the board asks to move, until it says how
// the game ended.
func (w *scene) playOut(t *testing.T, m *sandbox.Message, players ...*sandbox.User) {
	t.Helper()
	for range 9 {
		var turn *sandbox.User
		s := m.Wait(t, "a turn or the end of the game", func(s sandbox.Snapshot) bool {
			turn = nil
			for _, u := range players {
				if strings.Contains(s.Content, u.Mention()+", select your move") {
					turn = u
				}
			}
			return turn != nil || ended(s)
		})
		if ended(s) {
			break
		}
		w.srv.Settle(t) // it listens for clicks once its edit was answered
		cell := slices.Index(s.Labels(), "-")
		if r := try(t, turn, sandbox.ButtonClick{Message: m, Row: cell / 3, Column: cell % 3}); !r.Answered() {
			t.Fatalf("%s: no answer: %s", turn.Name(), r.Failed)
		}
		m.Wait(t, "the move on the board", func(s sandbox.Snapshot) bool { return ended(s) || s.Labels()[cell] != "-" })
	}
	if s := m.Snapshot(); !ended(s) {
		t.Errorf("the game did not end: %q %q", s.Content, s.Labels())
	}
}

func ended(s sandbox.Snapshot) bool {
	return strings.Contains(s.Content, "has won") || strings.Contains(s.Content, "No one won")
}
