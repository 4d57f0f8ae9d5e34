package sandbox_test

import (
	"bytes"
	"slices"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

func TestRolesAreMentioned(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	guild, ada, bob := srv.Guild(), srv.User("Ada"), srv.User("Bob")
	srv.User("Eve")
	general := guild.Channel("general")
	open, shut := guild.Role("Open", sandbox.Mentionable(true)), guild.Role("Shut")
	ada.Give(open)
	bob.Give(open)
	bob.Give(shut)
	both := open.Mention() + shut.Mention() + "`" + shut.Mention() + "`<@&1><@&" + guild.ID() + ">"
	allow := func(o obj) obj { return obj{"content": both, "allowed_mentions": o} }
	for _, c := range []struct {
		name              string
		bot               int64 // its permissions beside those of everyone
		data              obj
		mentions, pinging []string
	}{
		{"those that everybody may mention", 0, obj{"content": both}, []string{open.ID()}, []string{ada.ID(), bob.ID()}},
		{"all of them", permission.MentionEveryone, obj{"content": both}, []string{open.ID(), shut.ID()}, []string{ada.ID(), bob.ID()}},
		{"none", permission.MentionEveryone, allow(obj{"parse": arr{"users", "everyone"}}), nil, nil},
		{"one by its id", permission.MentionEveryone, allow(obj{"roles": arr{shut.ID()}}), []string{shut.ID()}, []string{bob.ID()}},
		{"by kind", permission.MentionEveryone, allow(obj{"parse": arr{"roles"}}), []string{open.ID(), shut.ID()}, []string{ada.ID(), bob.ID()}},
		{"one that may not be mentioned, by its id", 0, allow(obj{"roles": arr{shut.ID()}}), nil, nil},
		{"silently", permission.MentionEveryone, obj{"content": shut.Mention(), "flags": 4096}, []string{shut.ID()}, nil},
	} {
		guild.BotRole().Set(sandbox.RolePermissions(c.bot))
		got := request(t, srv, "POST", "/channels/"+general.ID()+"/messages", c.data)
		want(t, got, 200, 0)
		var m struct {
			Roles []string `json:"mention_roles"`
		}
		got.Decode(t, &m)
		s := general.LastMessage(nil).Snapshot()
		if !slices.Equal(m.Roles, c.mentions) || !slices.Equal(s.MentionRoles, c.mentions) || !slices.Equal(s.Pinged, c.pinging) {
			t.Errorf("%s: mentions %v, pinged %v, want %v and %v", c.name, m.Roles, s.Pinged, c.mentions, c.pinging)
		}
	}
	// What a person writes follows the same rules, and the saved world remembers it.
	m, err := ada.Say(general, shut.Mention()+open.Mention())
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Snapshot(); !slices.Equal(s.MentionRoles, []string{open.ID()}) || !slices.Equal(s.Pinged, []string{bob.ID()}) {
		t.Errorf("Ada mentions %v and notifies %v", s.MentionRoles, s.Pinged)
	}
	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	later := sandbox.NewServer(t)
	if err := later.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	if s := later.World().MessageByID(m.ID()).Snapshot(); !slices.Equal(s.MentionRoles, []string{open.ID()}) {
		t.Errorf("after loading it mentions %v", s.MentionRoles)
	}
}
