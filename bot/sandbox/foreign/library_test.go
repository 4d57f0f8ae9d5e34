package foreign_test

import (
	"slices"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
)

// library is a bot of ours in a library that is not ours.
type library struct {
	name    string
	command func(*testing.T) []string
	lacks   []string // steps for which the library has nothing
}

var libraries = []library{
	{name: "discord.js", command: nodeCommand("discordjs/bot.cjs", "discord.js")},
	{name: "discord.py", command: pythonCommand, lacks: []string{"card", "labels", "emojis", "poll", "forward"}},
	{name: "disgo", command: disgoCommand},
}

// TestLibraries lets people use the same bot in each library.
func TestLibraries(t *testing.T) {
	for _, lib := range libraries {
		t.Run(lib.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, lib.command(t))
			for _, s := range slices.Concat(steps, checks) {
				if slices.Contains(lib.lacks, s.name) {
					continue
				}
				t.Run(s.name, func(t *testing.T) { s.do(t, w) })
			}
			if !t.Failed() {
				w.compareProved(t, lib.name)
			}
		})
	}
}

// scene is a local Discord with a bot in it.
type scene struct {
	srv      *sandbox.Server
	guild    *sandbox.Guild
	general  *sandbox.Channel
	red      *sandbox.Role
	ada, bob *sandbox.User
	bot      *process
}

const (
	privileged = 1<<1 | 1<<15 // members and message content
	// mayMuch is what a bot that does everything here has to be invited with.
	mayMuch = permission.ManageChannels | permission.ManageRoles | permission.ManageMessages | permission.ManageThreads |
		permission.ManageWebhooks | permission.ManageNicknames | permission.BanMembers | permission.PinMessages
)

func newWorld(t *testing.T, command []string) *scene {
	t.Helper()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.World.BotName, o.World.PrivilegedIntents, o.World.BotPermissions = "Trial", privileged, mayMuch
		o.World.Quiet, o.World.Deadline = 100*time.Millisecond, waittest.Limit(3*time.Second)
		o.REST.GlobalLimit = -1 // the checks make hundreds of requests a second
	})
	w := &scene{srv: srv, guild: srv.Guild(), ada: srv.User("Ada"), bob: srv.User("Bob", sandbox.Nick("Bobby"))}
	w.general, w.red = w.guild.Channel("general"), w.guild.Role("Red")
	w.guild.Channel("read-only", sandbox.NoBotPosts)
	w.guild.Channel("hidden", sandbox.Visible(w.ada), sandbox.DenyBot(permission.ViewChannel|permission.SendMessages))
	srv.User("Mallory")
	w.bot = startBot(t, srv, command)
	w.await(t, "the bot to connect and to register its commands", func() bool {
		return srv.Gateway().Sessions() > 0 && len(srv.App().Commands("")) > 0
	})
	return w
}

// await waits for what the bot does, and not longer than the bot lives.
func (w *scene) await(t *testing.T, what string, cond func() bool) {
	t.Helper()
	ended := false
	w.srv.WaitFor(t, what, func() bool {
		select {
		case <-w.bot.done:
			ended = true
		default:
		}
		return ended || cond()
	})
	if ended {
		t.Fatalf("the bot ended before %s", what)
	}
}

// shows waits until the message has that text.
func shows(t *testing.T, m *sandbox.Message, want string) sandbox.Snapshot {
	t.Helper()
	if m == nil {
		t.Fatalf("no message; want %q", want)
	}
	return m.Wait(t, want, func(s sandbox.Snapshot) bool { return s.Text() == want && !s.Loading() })
}

// try does something and, where the bot says nothing to it, does it again, as people
// do: some libraries listen for a click only after the answer before it came back.
func try(t *testing.T, u *sandbox.User, a sandbox.Action) *sandbox.Reply {
	t.Helper()
	var r *sandbox.Reply
	for range 3 {
		call, err := u.Do(a)
		if err != nil {
			t.Fatalf("%s: %v: %v", u.Name(), a, err)
		}
		if r = call.Wait(t); r.Answered() {
			break
		}
		call.AllowUnanswered()
	}
	return r
}

// answered fails the test unless a call was answered by a message of that text.
func answered(t *testing.T, r *sandbox.Reply, want string) *sandbox.Message {
	t.Helper()
	if !r.Answered() || r.Text() != want || len(r.Problems) > 0 {
		t.Fatalf("got %q (%s %s), want %q; refused: %q", r.Text(), r.State, r.Failed, want, r.Problems)
	}
	// Some libraries know a message's buttons only after its answer came back.
	r.Call.Server().Settle(t)
	return r.Message
}

// follows waits until the channel's newest message, as u sees it, has that text.
func (w *scene) follows(t *testing.T, ch *sandbox.Channel, u *sandbox.User, want string) *sandbox.Message {
	t.Helper()
	var m *sandbox.Message
	w.srv.WaitFor(t, "a message "+want, func() bool {
		m = ch.LastMessage(u)
		return m != nil && m.Text() == want
	})
	return m
}
