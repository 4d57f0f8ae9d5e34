package foreign_test

import (
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// step is something that people do and bots answer.
type step struct {
	name string
	do   func(*testing.T, *scene)
}

var steps = []step{
	{"buttons", func(t *testing.T, w *scene) {
		hello := func() *sandbox.Message {
			return answered(t, w.ada.Command(t, w.general, "hello"), "Hello, "+w.ada.Mention()+"!")
		}
		m := hello()
		answered(t, try(t, w.bob, sandbox.ButtonClick{Message: m, Label: "Update"}), "Updated.")
		if rows := m.Snapshot().Rows(); len(rows) > 0 {
			t.Errorf("the updated message still has %d rows", len(rows))
		}
		m = hello()
		try(t, w.bob, sandbox.ButtonClick{Message: m, Label: "Later"})
		shows(t, m, "Edited.")
		m = hello()
		if r := try(t, w.bob, sandbox.ButtonClick{Message: m, Label: "Whisper"}); !r.Ephemeral || r.Text() != "Only you." {
			t.Errorf("got %q, ephemeral %t", r.Text(), r.Ephemeral)
		}
		if m := w.follows(t, w.general, w.bob, "Still only you."); !m.Snapshot().Ephemeral() {
			t.Error("the follow-up is for everybody")
		}
	}},
	{"modal", func(t *testing.T, w *scene) {
		r := w.ada.Command(t, w.general, "form")
		if r.Modal == nil {
			t.Fatalf("no modal: %+v", r)
		}
		w.srv.Settle(t)
		answered(t, try(t, w.ada, sandbox.ModalSubmission{Call: r.Call, Values: map[string]string{"name": "Ada", "text": "two\nlines"}}), "Ada: two\nlines")
		m := answered(t, w.ada.Command(t, w.general, "hello"), "Hello, "+w.ada.Mention()+"!")
		r = try(t, w.bob, sandbox.ButtonClick{Message: m, Label: "Ask"})
		w.srv.Settle(t)
		answered(t, try(t, w.bob, sandbox.ModalSubmission{Call: r.Call, Values: map[string]string{"name": "Bob"}}), "Asked Bob.")
	}},
	{"labels", func(t *testing.T, w *scene) {
		r := w.ada.Command(t, w.general, "labels")
		answered(t, try(t, w.ada, sandbox.ModalSubmission{
			Call: r.Call, Values: map[string]string{"name": "Ada"}, Lists: map[string][]string{"colour": {"blue"}},
		}), "Ada likes blue.")
	}},
	{"card", func(t *testing.T, w *scene) {
		r := w.ada.Command(t, w.general, "card")
		if m := answered(t, r, "First side"); !m.Snapshot().V2() {
			t.Error("the message is not in components v2")
		}
		answered(t, try(t, w.bob, sandbox.ButtonClick{Message: r.Message, Label: "Turn"}), "Other side")
	}},
	{"subcommand", func(t *testing.T, w *scene) {
		answered(t, w.ada.Command(t, w.general, "settings colour set", sandbox.Opt("name", "red")), "colour set red")
	}},
	{"options", func(t *testing.T, w *scene) {
		answered(t, w.ada.Command(t, w.general, "options", sandbox.Opt("text", "a b"), sandbox.Opt("number", 3), sandbox.Opt("share", 0.5),
			sandbox.Opt("yes", true), sandbox.OptUser("who", w.bob), sandbox.Opt("where", w.general), sandbox.Opt("role", w.red),
			sandbox.OptUser("any", w.bob), sandbox.Opt("file", sandbox.File{Name: "a.txt", Content: []byte("inside")})),
			"text=a b number=3 share=0.5 yes=true who=Bobby where=general role=Red any=Bobby file=a.txt:inside")
		answered(t, w.ada.Command(t, w.general, "options", sandbox.Opt("any", w.red)), "any=Red")
	}},
	{"selects", func(t *testing.T, w *scene) {
		m := answered(t, w.ada.Command(t, w.general, "choose"), "Choose.")
		answered(t, try(t, w.ada, sandbox.Selection{Message: m, CustomID: "string", Values: []string{"2", "1"}}), "Chose 2, 1.")
		answered(t, try(t, w.ada, sandbox.Selection{Message: m, CustomID: "user", Values: []string{w.bob.ID()}}), "Chose Bobby.")
		answered(t, try(t, w.ada, sandbox.Selection{Message: m, CustomID: "channel", Values: []string{w.general.ID()}}), "Chose general.")
		answered(t, try(t, w.ada, sandbox.Selection{Message: m, CustomID: "role", Values: []string{w.red.ID()}}), "Chose Red.")
		answered(t, try(t, w.ada, sandbox.Selection{Message: m, CustomID: "mentionable", Values: []string{w.bob.ID(), w.red.ID()}}), "Chose Bobby, Red.")
	}},
	{"autocomplete", func(t *testing.T, w *scene) {
		r := w.ada.Autocomplete(t, w.general, "find", "query", sandbox.Opt("query", "ap"))
		if len(r.Choices) != 2 || r.Choices[0].Name != "apple" {
			t.Fatalf("got %+v", r.Choices)
		}
		answered(t, w.ada.Command(t, w.general, "find", sandbox.Opt("query", "apple")), "Found apple.")
	}},
	{"deferral", func(t *testing.T, w *scene) {
		r := w.ada.Command(t, w.general, "slow")
		shows(t, r.Message, "There.")
		r = w.ada.Command(t, w.general, "slow", sandbox.Opt("private", true))
		if s := shows(t, r.Message, "There."); !s.Ephemeral() {
			t.Error("the answer is for everybody")
		}
	}},
	{"follow-ups", func(t *testing.T, w *scene) {
		r := w.ada.Command(t, w.general, "follow")
		w.follows(t, w.general, w.ada, "Done.")
		var texts []string
		for _, m := range r.Followups() {
			if !m.Deleted() {
				texts = append(texts, m.Text())
			}
		}
		if got := strings.Join(texts, "|"); got != "Second, edited.|Private.|Done." || !r.Message.Deleted() {
			t.Errorf("got %s; the first answer is deleted: %t", got, r.Message.Deleted())
		}
	}},
	{"context menus", func(t *testing.T, w *scene) {
		answered(t, w.ada.UserCommand(t, w.general, "Greet", w.bob), "Hello, Bobby!")
		said, err := w.bob.Say(w.general, "12345")
		if err != nil {
			t.Fatal(err)
		}
		call, err := w.ada.Do(sandbox.MessageCommand{Name: "Count", Target: said})
		if err != nil {
			t.Fatal(err)
		}
		answered(t, call.Wait(t), "5 letters.")
	}},
	{"messages", func(t *testing.T, w *scene) {
		for _, ch := range []*sandbox.Channel{w.general, w.bob.DM()} {
			if _, err := w.bob.Say(ch, "!ping"); err != nil {
				t.Fatal(err)
			}
			w.follows(t, ch, w.bob, "pong")
		}
	}},
	{"files", func(t *testing.T, w *scene) {
		m := answered(t, w.ada.Command(t, w.general, "file"), "Here.")
		if len(m.Snapshot().Attachments) != 1 {
			t.Errorf("the message has %d files", len(m.Snapshot().Attachments))
		}
		w.follows(t, w.general, w.ada, "It says: some words")
		if _, err := w.bob.Say(w.general, "!read", sandbox.File{Name: "b.txt", Content: []byte("read me")}); err != nil {
			t.Fatal(err)
		}
		w.follows(t, w.general, w.bob, "read me")
	}},
	{"reactions of people", func(t *testing.T, w *scene) {
		m, err := w.bob.Say(w.general, "anybody?")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.bob.React(m, "🏓"); err != nil {
			t.Fatal(err)
		}
		w.follows(t, w.general, w.bob, "pong")
		if err := w.bob.Unreact(m, "🏓"); err != nil {
			t.Fatal(err)
		}
	}},
	{"permissions of people", func(t *testing.T, w *scene) {
		eve := w.srv.User("Eve", sandbox.Permissions(permission.Administrator))
		for _, c := range []struct {
			user *sandbox.User
			want string
		}{{eve, "true"}, {w.bob, "false"}, {w.srv.World().Owner(), "true"}} {
			if _, err := c.user.Say(w.general, "!may"); err != nil {
				t.Fatal(err)
			}
			w.follows(t, w.general, c.user, c.want)
		}
	}},
	{"changes of the world", func(t *testing.T, w *scene) {
		mod := w.guild.Role("Helper")
		mod.Set(sandbox.RolePermissions(permission.ManageMessages))
		carol := w.srv.User("Carol")
		carol.Give(mod)
		carol.Set(sandbox.Nick("Carrie"))
		mod.Delete()
		carol.Delete()
		ch := w.guild.Channel("short-lived")
		ch.Set(sandbox.Topic("soon gone"))
		talk := w.guild.Channel("a talk", sandbox.Thread(ch))
		talk.Set(sandbox.Archived(true))
		talk.Delete()
		m, err := w.bob.Say(w.general, "gone")
		if err != nil {
			t.Fatal(err)
		}
		m.Delete()
		ch.Delete()
		w.guild.SetLocale("de")
		if err := w.bob.Type(w.general); err != nil {
			t.Fatal(err)
		}
	}},
	{"resume", func(t *testing.T, w *scene) {
		identifies := w.srv.Gateway().Identifies()
		w.srv.Faults().DropGateway()
		w.await(t, "the bot to resume", func() bool { return w.srv.Gateway().Sessions() > 0 })
		answered(t, w.ada.Command(t, w.general, "find", sandbox.Opt("query", "me")), "Found me.")
		if got := w.srv.Gateway().Identifies(); got != identifies {
			t.Errorf("%d identifies, want %d: the session was not resumed", got, identifies)
		}
		w.srv.Faults().ReconnectOp7()
		w.await(t, "the bot to resume", func() bool { return w.srv.Gateway().Sessions() > 0 })
		answered(t, w.ada.Command(t, w.general, "find", sandbox.Opt("query", "again")), "Found again.")
	}},
}

// checks ask the bot to do something by itself and to say what it found.
var checks = []step{
	check("me", "send=true manage=false owner=false roles=@everyone,Trial"),
	check("sendable", "general,own-sendable"),
	check("members", "Ada,Bobby,Eve,Mallory,Owner,trial"),
	check("search", "Ada"),
	check("history", "m1,m2,m3,m4,m5,m6,m7 2"),
	check("reactions", "trial 👍1"),
	check("pins", "Pin! 0"),
	check("bulk", "3"),
	check("channels", "second true"),
	check("threads", "talk 2 talk"),
	check("roles", "true 1"),
	check("nick", "Champ"),
	check("bans", "Mallory 0"),
	check("webhook", "Somebody 1"),
	check("emojis", "point"),
	check("guilds", "Playground"),
	check("start", "0 0"),
	check("poll", "refused 400"),
	check("forward", "refused 400"),
	check("unserved", "400*"),
}

// check asks for one in a channel of its own. A star at the end of what is wanted
// stands for anything.
func check(what, want string) step {
	return step{what, func(t *testing.T, w *scene) {
		ch := w.guild.Channel("own-" + what)
		if what == "history" {
			for _, text := range []string{"m1", "m2", "m3", "m4", "m5", "m6", "m7"} {
				if _, err := w.bob.Say(ch, text); err != nil {
					t.Fatal(err)
				}
			}
		}
		// Libraries differ in which of a person's names they show.
		got, want := strings.ToLower(w.ask(t, ch, what)), strings.ToLower(want)
		begin, open := strings.CutSuffix("ok: "+want, "*")
		if open && len(got) > len(begin) {
			got = got[:len(begin)]
		}
		if got != begin {
			t.Errorf("got %q, want %q", got, "ok: "+want)
		}
		if what != "sendable" {
			ch.Delete()
		}
	}}
}

// ask has the bot do a check and returns what it says.
func (w *scene) ask(t *testing.T, ch *sandbox.Channel, what string) string {
	t.Helper()
	r := w.ada.Command(t, ch, "check", sandbox.Opt("what", what))
	if r.Message == nil {
		t.Fatalf("no answer: %+v", r)
	}
	return r.Message.Wait(t, "the check "+what, func(s sandbox.Snapshot) bool { return !s.Loading() }).Text()
}
