package sandbox_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// told is what the bot sees of a message.
type told struct {
	ID        string
	Type      int
	Content   string
	Author    struct{ ID string }
	Reference struct {
		Message string `json:"message_id"`
		Channel string `json:"channel_id"`
		Guild   string `json:"guild_id"`
	} `json:"message_reference"`
	Referenced *struct {
		ID      string
		Content string
	} `json:"referenced_message"`
}

func history(t *testing.T, srv *sandbox.Server, c *sandbox.Channel) []told {
	t.Helper()
	got := request(t, srv, "GET", "/channels/"+c.ID()+"/messages", nil)
	want(t, got, 200, 0)
	var list []told
	got.Decode(t, &list)
	slices.Reverse(list)
	return list
}

func TestSystemMessages(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) {
		o.World.BotPermissions, o.World.PrivilegedIntents = permission.Administrator, 1<<15
	})
	guild, ada := srv.Guild(), srv.User("Ada", sandbox.Permissions(permission.PinMessages))
	general := guild.Channel("general")
	m, err := ada.Say(general, "first")
	if err != nil {
		t.Fatal(err)
	}
	c := "/channels/" + general.ID()
	want(t, request(t, srv, "PUT", c+"/messages/pins/"+m.ID(), nil), 204, 0)
	want(t, request(t, srv, "PUT", c+"/messages/pins/"+m.ID(), nil), 204, 0) // pinned already: nothing happens
	if err := ada.Unpin(m); err != nil || m.Snapshot().Pinned {
		t.Errorf("unpin: %v", err)
	}
	if err := ada.Pin(m); err != nil || len(general.Pins()) != 1 {
		t.Errorf("pin: %v, %d pinned", err, len(general.Pins()))
	}
	fromMessage, err := ada.StartThread(sandbox.NewThread{Start: m, Name: "from it"})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := ada.StartThread(sandbox.NewThread{Channel: general, Name: "alone"})
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := ada.StartThread(sandbox.NewThread{Channel: general, Name: "hidden", Private: true})
	if err != nil {
		t.Fatal(err)
	}

	type line struct {
		kind                                     int
		content, author, message, channel, guild string
	}
	check := func(what string, got []told, want ...line) {
		t.Helper()
		var lines []line
		for _, m := range got {
			lines = append(lines, line{m.Type, m.Content, m.Author.ID, m.Reference.Message, m.Reference.Channel, m.Reference.Guild})
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s:\n got %v\nwant %v", what, lines, want)
		}
	}
	list := history(t, srv, general)
	check("the channel", list,
		line{0, "first", ada.ID(), "", "", ""},
		line{6, "", srv.AppID(), m.ID(), general.ID(), guild.ID()},
		line{6, "", ada.ID(), m.ID(), general.ID(), guild.ID()},
		line{18, "alone", ada.ID(), "", alone.ID(), guild.ID()})
	beginning := history(t, srv, fromMessage)
	check("the thread from a message", beginning, line{21, "", ada.ID(), m.ID(), general.ID(), guild.ID()})
	if r := beginning[0].Referenced; r == nil || r.ID != m.ID() || r.Content != "first" {
		t.Errorf("the thread begins with %+v", r)
	}
	check("the thread without one", history(t, srv, alone))
	check("the private thread", history(t, srv, hidden))

	for _, c := range []struct {
		method, path string
		body         any
	}{
		{"PUT", c + "/messages/pins/" + list[1].ID, nil},
		{"PATCH", c + "/messages/" + list[1].ID, obj{"content": "x"}},
		{"DELETE", "/channels/" + fromMessage.ID() + "/messages/" + beginning[0].ID, nil},
	} {
		want(t, request(t, srv, c.method, c.path, c.body), 403, 50021)
	}
	want(t, request(t, srv, "DELETE", c+"/messages/"+list[1].ID, nil), 204, 0)

	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	later := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) { o.World.PrivilegedIntents = 1 << 15 })
	if err := later.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	check("the channel of the saved world", history(t, later, later.World().ChannelByID(general.ID()))[1:],
		line{6, "", ada.ID(), m.ID(), general.ID(), guild.ID()},
		line{18, "alone", ada.ID(), "", alone.ID(), guild.ID()})
}

func TestThreadsOfPeople(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	guild, ada, bob := srv.Guild(), srv.User("Ada"), srv.User("Bob")
	mod := srv.User("Mod", sandbox.Permissions(permission.ManageThreads))
	general := guild.Channel("general")
	talk, err := ada.StartThread(sandbox.NewThread{Channel: general, Name: "talk", Private: true})
	if err != nil {
		t.Fatal(err)
	}
	if talk.VisibleTo(bob) || !talk.VisibleTo(mod) {
		t.Error("a private thread is for who has joined, and for who manages threads")
	}
	refused := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", what, err, want)
		}
	}
	refused("join unseen", bob.JoinThread(talk), sandbox.ErrNotVisible)
	refused("pin without the permission", ada.Pin(mustSay(t, ada, general)), sandbox.ErrForbidden)
	refused("lock one's own", ada.SetThread(talk, false, true), sandbox.ErrForbidden)
	refused("archive one's own", ada.SetThread(talk, true, false), nil)
	refused("open it again", ada.SetThread(talk, false, false), nil)
	refused("lock as who manages", mod.SetThread(talk, true, true), nil)
	refused("open a locked one", ada.SetThread(talk, false, false), sandbox.ErrForbidden)
	_, err = ada.Say(talk, "x")
	refused("write in a locked one", err, sandbox.ErrForbidden)
	refused("unlock", mod.SetThread(talk, false, false), nil)
	_, err = ada.StartThread(sandbox.NewThread{Channel: talk, Name: "x"})
	refused("a thread in a thread", err, sandbox.ErrForbidden)
	_, err = ada.StartThread(sandbox.NewThread{Channel: general})
	refused("a thread without a name", err, sandbox.ErrBadOption)

	public, err := ada.StartThread(sandbox.NewThread{Channel: general, Name: "public"})
	if err != nil {
		t.Fatal(err)
	}
	mustSay(t, bob, public)
	if got := idsOf(public.ThreadMembers()); !slices.Equal(got, []string{ada.ID(), bob.ID()}) {
		t.Errorf("who writes joins: got %v", got)
	}
	refused("leave", bob.LeaveThread(public), nil)
	if got := idsOf(public.ThreadMembers()); !slices.Equal(got, []string{ada.ID()}) {
		t.Errorf("after leaving: got %v", got)
	}
	want(t, request(t, srv, "POST", "/channels/"+public.ID()+"/messages", obj{"content": "x"}), 200, 0)
	m := public.LastMessage(nil)
	want(t, request(t, srv, "PATCH", "/channels/"+public.ID()+"/messages/"+m.ID(), obj{"content": bob.Mention()}), 200, 0)
	if got := idsOf(public.ThreadMembers()); !slices.Equal(got, []string{ada.ID(), bob.ID()}) || len(m.Snapshot().Badged) > 0 {
		t.Errorf("whom an edit mentions joins unnoticed: got %v, badged %v", got, m.Snapshot().Badged)
	}
}

func mustSay(t *testing.T, u *sandbox.User, c *sandbox.Channel) *sandbox.Message {
	t.Helper()
	m, err := u.Say(c, "x")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
