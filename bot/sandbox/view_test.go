package sandbox_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

func viewOf(t *testing.T, srv *sandbox.Server, u *sandbox.User) sandbox.View {
	t.Helper()
	v, ok := srv.World().View(u.ID())
	if !ok {
		t.Fatal("there is nobody")
	}
	return v
}

func channelOf(t *testing.T, v sandbox.View, id string) sandbox.ChannelInfo {
	t.Helper()
	i := slices.IndexFunc(v.Channels, func(c sandbox.ChannelInfo) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("channel %s is not seen", id)
	}
	return v.Channels[i]
}

func TestViewOfRolesAndOverwrites(t *testing.T) {
	srv := sandbox.NewServer(t)
	guild, ada := srv.Guild(), srv.User("Ada")
	general := guild.Channel("general")
	red := guild.Role("Red", sandbox.RolePermissions(permission.ManageMessages), sandbox.Mentionable(true))
	v := viewOf(t, srv, ada)
	if c := channelOf(t, v, general.ID()); c.May&permission.ManageMessages != 0 || c.May != general.Permissions(ada) || len(c.Overwrites) != 0 {
		t.Errorf("at first: %+v", c)
	}
	ada.Give(red)
	general.Set(
		sandbox.SetOverwrite(permission.Overwrite{ID: red.ID(), Deny: permission.SendMessages, Allow: permission.ManageThreads}),
		sandbox.SetOverwrite(permission.Overwrite{ID: ada.ID(), Member: true, Deny: permission.AddReactions}))
	v = viewOf(t, srv, ada)
	c := channelOf(t, v, general.ID())
	if has := c.May & (permission.SendMessages | permission.AddReactions | permission.ManageMessages | permission.ManageThreads); has != permission.ManageMessages|permission.ManageThreads {
		t.Errorf("Ada may %b", has)
	}
	if len(c.Overwrites) != 2 || c.Overwrites[0].ID != red.ID() || !c.Overwrites[1].Member {
		t.Errorf("overwrites: %+v", c.Overwrites)
	}
	if p := v.People[0]; !slices.Equal(p.Roles, []string{red.ID()}) || !p.Moderator {
		t.Errorf("Ada: %+v", p)
	}
	var names []string
	for _, r := range v.Guilds[0].Roles {
		names = append(names, r.Name)
	}
	if !slices.Equal(names, []string{"@everyone", "Red", srv.BotUser().Name()}) || !v.Guilds[0].Roles[1].Mentionable || !v.Guilds[0].Roles[2].Managed {
		t.Errorf("roles: %+v", v.Guilds[0].Roles)
	}
	general.Set(sandbox.SetOverwrite(permission.Overwrite{ID: red.ID()}))
	if c := channelOf(t, viewOf(t, srv, ada), general.ID()); len(c.Overwrites) != 1 || c.May&permission.SendMessages == 0 {
		t.Errorf("after the overwrite is gone: %+v", c)
	}
}

func TestPeopleWriteToEachOther(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob, eve := srv.User("Ada"), srv.User("Bob"), srv.User("Eve")
	pair, group := srv.World().PrivateChannel(ada, bob), srv.World().PrivateChannel(ada, bob, eve)
	if srv.World().PrivateChannel(bob, ada) != pair || srv.World().PrivateChannel(ada, bob, eve) == group {
		t.Error("two people have one channel, groups any number")
	}
	m, err := ada.Say(group, "hello")
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Snapshot().Pinged; !slices.Equal(got, []string{bob.ID(), eve.ID()}) {
		t.Errorf("notified: %v", got)
	}
	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	later := sandbox.NewServer(t)
	if err := later.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*sandbox.Server{srv, later} {
		v := viewOf(t, s, s.User("Ada"))
		if got := channelOf(t, v, group.ID()).Name; got != "Bob, Eve" {
			t.Errorf("the group is called %q", got)
		}
		if got := channelOf(t, v, pair.ID()); got.Name != "Bob" || got.Kind != 1 || len(got.People) != 2 {
			t.Errorf("the two of them: %+v", got)
		}
		if slices.ContainsFunc(viewOf(t, s, s.User("Eve")).Channels, func(c sandbox.ChannelInfo) bool { return c.ID == pair.ID() }) {
			t.Error("Eve sees what is not hers")
		}
		if got := s.World().ChannelByID(group.ID()).LastMessage(s.User("Eve")); got == nil || got.Text() != "hello" {
			t.Errorf("Eve reads %v", got)
		}
	}
}

// TestTheBotHearsNothingOfOthersMessages: it is not in the direct messages of people.
func TestTheBotHearsNothingOfOthersMessages(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada"), srv.User("Bob")
	pair, dm := srv.World().PrivateChannel(ada, bob), ada.DM()
	bot := dial(t, srv)
	bot.ready(srv, obj{"intents": 1 << 12})
	if _, err := ada.Say(pair, "between us"); err != nil {
		t.Fatal(err)
	}
	if _, err := ada.Say(dm, "to you"); err != nil {
		t.Fatal(err)
	}
	if p := bot.expect(0, "MESSAGE_CREATE"); !strings.Contains(string(p.D), "to you") {
		t.Errorf("the bot hears %s", p.D)
	}
}

// TestViewByUsername: who is named by it, of several; the oldest where nobody is.
func TestViewByUsername(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada"), srv.User("Bob")
	srv.User("Helper", sandbox.AsBot)
	for as, want := range map[string]*sandbox.User{"bob": bob, bob.ID(): bob, "": ada, "cleo": ada, "helper": ada} {
		if v, ok := srv.World().View(as); !ok || v.Me != want.ID() {
			t.Errorf("%q sees as %s, want %s", as, v.Me, want.ID())
		}
	}
}
