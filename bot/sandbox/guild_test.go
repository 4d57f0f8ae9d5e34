package sandbox_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/permission"
)

// TestWhatTheBotMayNot asks what takes a permission as a bot that has none, and then
// as one that has exactly that.
func TestWhatTheBotMayNot(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	guild, ada := srv.Guild(), srv.User("Ada")
	general, red := guild.Channel("general"), guild.Role("Red")
	talk := guild.Channel("talk", sandbox.Thread(general))
	m, err := ada.Say(general, "x")
	if err != nil {
		t.Fatal(err)
	}
	g, c := "/guilds/"+guild.ID(), "/channels/"+general.ID()
	msg, member := c+"/messages/"+m.ID(), g+"/members/"+ada.ID()
	if err := ada.React(m, "👍"); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		method, path string
		body         any
		need         int64
	}{
		{"PUT", c + "/messages/pins/" + m.ID(), nil, permission.PinMessages},
		{"DELETE", msg + "/reactions/👍/" + ada.ID(), nil, permission.ManageMessages},
		{"DELETE", msg + "/reactions", nil, permission.ManageMessages},
		{"POST", c + "/messages/bulk-delete", obj{"messages": arr{"1573862653833510913", "1573862653833510914"}}, permission.ManageMessages},
		{"PATCH", "/channels/" + talk.ID(), obj{"locked": true}, permission.ManageThreads},
		{"PATCH", c, obj{"topic": "t"}, permission.ManageChannels},
		{"PUT", c + "/permissions/" + red.ID(), obj{"type": 0, "allow": "1024"}, permission.ManageRoles},
		{"DELETE", c + "/permissions/" + red.ID(), nil, permission.ManageRoles},
		{"POST", c + "/webhooks", obj{"name": "n"}, permission.ManageWebhooks},
		{"GET", c + "/webhooks", nil, permission.ManageWebhooks},
		{"POST", g + "/channels", obj{"name": "n"}, permission.ManageChannels},
		{"POST", g + "/roles", obj{"name": "n"}, permission.ManageRoles},
		{"PATCH", g + "/roles/" + red.ID(), obj{"name": "n"}, permission.ManageRoles},
		{"PUT", member + "/roles/" + red.ID(), nil, permission.ManageRoles},
		{"PATCH", member, obj{"nick": "n"}, permission.ManageNicknames},
		{"PATCH", member, obj{"communication_disabled_until": time.Now().Add(time.Minute).Format(time.RFC3339)}, permission.ModerateMembers},
		{"GET", g + "/bans", nil, permission.BanMembers},
		{"DELETE", member, nil, permission.KickMembers},
	} {
		guild.BotRole().Set(sandbox.RolePermissions(0))
		want(t, request(t, srv, r.method, r.path, r.body), 403, 50013)
		guild.BotRole().Set(sandbox.RolePermissions(r.need))
		if got := request(t, srv, r.method, r.path, r.body); got.Status >= 300 && got.Code() != 50034 {
			t.Errorf("%s %s with its permission: %d %s", r.method, r.path, got.Status, got.Body)
		}
	}
}

// TestRolesStandAboveOneAnother: nobody gives what they do not have, nor changes
// who stands as high as they.
func TestRolesStandAboveOneAnother(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) { o.World.BotPermissions = permission.ManageRoles | permission.ManageNicknames })
	guild, ada := srv.Guild(), srv.User("Ada")
	red, bot := guild.Role("Red"), guild.BotRole()
	g := "/guilds/" + guild.ID()
	give := g + "/members/" + ada.ID() + "/roles/"
	want(t, request(t, srv, "PUT", give+red.ID(), nil), 204, 0)
	if got := ada.Roles(guild); !slices.Contains(got, red) {
		t.Errorf("Ada has %v", got)
	}
	want(t, request(t, srv, "PUT", give+bot.ID(), nil), 403, 50013)
	want(t, request(t, srv, "PUT", give+guild.ID(), nil), 403, 50013)
	want(t, request(t, srv, "PUT", give+"1", nil), 404, 10011)
	want(t, request(t, srv, "PATCH", g+"/roles/"+bot.ID(), obj{"name": "x"}), 403, 50013)
	want(t, request(t, srv, "DELETE", g+"/roles/"+bot.ID(), nil), 400, 50028)
	want(t, request(t, srv, "POST", g+"/roles", obj{"permissions": "8"}), 403, 50013)
	want(t, request(t, srv, "PATCH", g+"/members/"+srv.World().Owner().ID(), obj{"nick": "x"}), 403, 50013)
	before := len(guild.Roles())
	want(t, request(t, srv, "POST", g+"/roles", obj{"permissions": "many"}), 400, 50035)
	if got := len(guild.Roles()); got != before {
		t.Errorf("a refused request made a role: %d, want %d", got, before)
	}
}

// TestRolesMoveTogether: a request that is refused moves none of its roles.
func TestRolesMoveTogether(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) { o.World.BotPermissions = permission.ManageRoles })
	guild := srv.Guild()
	red, blue := guild.Role("Red"), guild.Role("Blue")
	names := func() (list []string) {
		for _, r := range guild.Roles() {
			list = append(list, r.Name())
		}
		return list
	}
	at, before := "/guilds/"+guild.ID()+"/roles", names()
	to := func(r *sandbox.Role, position any) obj { return obj{"id": r.ID(), "position": position} }
	high := max(slices.Index(before, "Red"), slices.Index(before, "Blue"))
	for _, c := range []struct {
		body         any
		status, code int
	}{
		{to(blue, 1), 400, 50035},
		{arr{to(blue, 1), to(red, "high")}, 400, 50035},
		{arr{to(blue, 1), obj{"id": "1", "position": 1}}, 404, 10011},
		{arr{to(blue, 1), to(guild.BotRole(), 1)}, 403, 50013},
		{arr{to(red, high), to(red, 1), to(blue, 99)}, 400, 50035},
	} {
		want(t, request(t, srv, "PATCH", at, c.body), c.status, c.code)
		if got := names(); !slices.Equal(got, before) {
			t.Errorf("%v: the roles are %v, want %v", c.body, got, before)
		}
	}
	want(t, request(t, srv, "PATCH", at, arr{to(blue, 1), to(red, 1)}), 200, 0)
	if got := names(); slices.Index(got, "Red") != 1 || slices.Index(got, "Blue") != 2 {
		t.Errorf("the roles are %v", got)
	}
}

// TestOverwritesSayNoType: without a type an overwrite is for the role of that id, or a member.
func TestOverwritesSayNoType(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	srv.Guild().BotRole().Set(sandbox.RolePermissions(permission.Administrator))
	guild, ada := srv.Guild(), srv.User("Ada")
	red := guild.Role("Red")
	var made struct {
		Overwrites []struct {
			ID   string
			Type int
		} `json:"permission_overwrites"`
	}
	got := request(t, srv, "POST", "/guilds/"+guild.ID()+"/channels", obj{"name": "club", "permission_overwrites": arr{
		obj{"id": red.ID(), "deny": "1024"}, obj{"id": ada.ID(), "allow": "1024"}, obj{"id": guild.ID(), "type": nil},
	}})
	want(t, got, 201, 0)
	got.Decode(t, &made)
	types := map[string]int{red.ID(): 0, ada.ID(): 1, guild.ID(): 0}
	for _, o := range made.Overwrites {
		if want, given := types[o.ID]; !given || o.Type != want {
			t.Errorf("%s has type %d, want %d", o.ID, o.Type, want)
		}
	}
	if len(made.Overwrites) != len(types) {
		t.Errorf("overwrites %v", made.Overwrites)
	}
}

// TestPermissionsFollowRolesAndOverwrites asks REST for what a client would compute.
func TestPermissionsFollowRolesAndOverwrites(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	guild, ada := srv.Guild(), srv.User("Ada")
	quiet := guild.Channel("quiet")
	at := "/channels/" + quiet.ID() + "/messages"
	post := func(status, code int) {
		t.Helper()
		want(t, request(t, srv, "POST", at, obj{"content": "x"}), status, code)
	}
	everyone := guild.Role("@everyone")
	quiet.Set(sandbox.Deny(everyone, permission.SendMessages))
	post(403, 50013)
	if _, err := ada.Say(quiet, "x"); !errors.Is(err, sandbox.ErrForbidden) {
		t.Errorf("Ada may still write: %v", err)
	}
	quiet.Set(sandbox.Allow(guild.BotRole(), permission.SendMessages))
	post(200, 0)
	quiet.Set(sandbox.NoBotPosts)
	post(403, 50013)
	guild.BotRole().Set(sandbox.RolePermissions(permission.Administrator))
	post(200, 0)
	if _, err := srv.World().Owner().Say(quiet, "x"); err != nil {
		t.Errorf("the owner may not write: %v", err)
	}
	ada.Timeout(guild, srv.Clock().Now().Add(time.Hour))
	if _, err := ada.Say(guild.Channel("general"), "x"); !errors.Is(err, sandbox.ErrForbidden) {
		t.Errorf("somebody timed out may write: %v", err)
	}
}

// TestThreadsSleep: after a time without messages clients list a thread no more, and nothing
// else (Discord's documentation, Threads). Later it is archived, and a message opens it again
// unless it is locked.
func TestThreadsSleep(t *testing.T) {
	c := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) { o.World.Clock = c })
	guild, ada := srv.Guild(), srv.User("Ada")
	talk := guild.Channel("talk", sandbox.Thread(guild.Channel("general")))
	say := func() {
		t.Helper()
		if _, err := ada.Say(talk, "x"); err != nil {
			t.Fatal(err)
		}
	}
	state := func() (hidden, archived bool) {
		v, _ := srv.World().View(ada.ID())
		i := slices.IndexFunc(v.Channels, func(c sandbox.ChannelInfo) bool { return c.ID == talk.ID() })
		return v.Channels[i].Hidden, v.Channels[i].Archived
	}
	say()
	c.Advance(23 * time.Hour)
	say()
	c.Advance(23 * time.Hour)
	if hidden, archived := state(); hidden || archived {
		t.Error("gone an hour early: the second message did not count")
	}
	c.Advance(time.Hour)
	if hidden, archived := state(); !hidden || archived {
		t.Errorf("after a day: hidden %v, archived %v", hidden, archived)
	}
	say()
	if hidden, _ := state(); hidden {
		t.Error("a message did not bring it back")
	}
	c.Advance(25*time.Hour - time.Second)
	if talk.Archived() {
		t.Error("archived too early")
	}
	c.Advance(time.Second)
	if !talk.Archived() {
		t.Fatal("not archived an hour after its day")
	}
	at := "/channels/" + talk.ID() + "/messages"
	want(t, request(t, srv, "PUT", at+"/"+talk.LastMessage(ada).ID()+"/reactions/👍/@me", nil), 400, 50083)
	want(t, request(t, srv, "POST", at, obj{"content": "x"}), 200, 0)
	if talk.Archived() {
		t.Error("a message did not open the thread")
	}
	talk.Set(sandbox.Archived(true), sandbox.Locked(true))
	want(t, request(t, srv, "POST", at, obj{"content": "x"}), 400, 160005)
	if _, err := ada.Say(talk, "x"); !errors.Is(err, sandbox.ErrForbidden) {
		t.Errorf("Ada wrote in a locked thread: %v", err)
	}
}

// TestThreadStaysAThread: what is a thread is not begun anew.
func TestThreadStaysAThread(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	thread, err := ada.StartThread(sandbox.NewThread{Channel: general, Name: "games"})
	if err != nil {
		t.Fatal(err)
	}
	if again := srv.Guild().Channel("games", sandbox.Thread(general), sandbox.Topic("moves")); again != thread {
		t.Fatal("another channel was made")
	}
	if got := thread.ThreadMembers(); !slices.Contains(got, ada) {
		t.Errorf("the thread has members %v", got)
	}
}

// TestHistoryPages reads before, after and around a message.
func TestHistoryPages(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) { o.World.PrivilegedIntents = 1 << 15 })
	general, ada := srv.Guild().Channel("general"), srv.User("Ada")
	ids := map[string]string{}
	for _, text := range strings.Fields("a b c d e f g") {
		m, err := ada.Say(general, text)
		if err != nil {
			t.Fatal(err)
		}
		ids[text] = m.ID()
	}
	for query, texts := range map[string]string{
		"limit=3": "g f e", "limit=2&before=" + ids["d"]: "c b", "before=" + ids["a"]: "", "limit=2&after=" + ids["d"]: "f e",
		"after=" + ids["g"]: "", "limit=3&after=0": "c b a", "limit=3&around=" + ids["d"]: "e d c", "limit=2&around=" + ids["a"]: "a",
		"limit=50": "g f e d c b a",
	} {
		got := request(t, srv, "GET", "/channels/"+general.ID()+"/messages?"+query, nil)
		want(t, got, 200, 0)
		var list []struct{ Content string }
		got.Decode(t, &list)
		var have []string
		for _, m := range list {
			have = append(have, m.Content)
		}
		if strings.Join(have, " ") != texts {
			t.Errorf("%s: got %v, want %s", query, have, texts)
		}
	}
	for _, query := range []string{"limit=0", "limit=101", "before=x", "before=1&after=2"} {
		want(t, request(t, srv, "GET", "/channels/"+general.ID()+"/messages?"+query, nil), 400, 50035)
	}
}

// TestRefusedLoudly: what a message could have at Discord and not here is no message.
func TestRefusedLoudly(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	general := srv.Guild().Channel("general")
	at := "/channels/" + general.ID() + "/messages"
	m := apitest.Request(t, srv, "POST", at, obj{"content": "x"})
	var sent struct{ ID string }
	m.Decode(t, &sent)
	for _, body := range []obj{
		{"poll": obj{"question": obj{"text": "?"}, "answers": arr{}}},
		{"message_reference": obj{"type": 1, "message_id": sent.ID, "channel_id": general.ID()}},
		{"content": "x", "sticker_ids": arr{sent.ID}},
	} {
		want(t, request(t, srv, "POST", at, body), 400, 0)
	}
	if got := len(general.Messages(nil)); got != 1 {
		t.Errorf("there are %d messages, want the first alone", got)
	}
}

// TestEveryoneIsInTheSavedWorld saves what guilds, roles, threads and messages have
// and loads it again.
func TestEveryoneIsInTheSavedWorld(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) {
		o.World.PrivilegedIntents, o.World.BotPermissions = 1<<1, permission.Administrator
	})
	askGuildRoutes(t, srv, srv.Guild().Channel("general", sandbox.Visible(srv.User("Ada"))))
	askWebhookRoutes(t, srv, srv.Guild().Channel("hooks"))
	var first, second strings.Builder
	if err := srv.World().SaveState(&first); err != nil {
		t.Fatal(err)
	}
	other := sandbox.NewServer(t)
	if err := other.World().LoadState(strings.NewReader(first.String())); err != nil {
		t.Fatal(err)
	}
	if err := other.World().SaveState(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("saved\n%s\nloaded and saved again\n%s", first.String(), second.String())
	}
	var state struct{ Guilds []map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(first.String()), &state); err != nil || !strings.Contains(string(state.Guilds[0]["roles"]), "Red") {
		t.Errorf("the roles are not saved: %v", err)
	}
}

// TestMyGuilds pages through the guilds of the bot in both directions, leaves one and comes
// back.
func TestMyGuilds(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	all := []*sandbox.Guild{srv.Guild(), srv.World().AddGuild("b"), srv.World().AddGuild("c"), srv.World().AddGuild("d"), srv.World().AddGuild("e")}
	srv.World().AddGuild("gone").Delete()
	all[2].RemoveBot()
	list := func(query string) (names string) {
		t.Helper()
		resp := request(t, srv, "GET", "/users/@me/guilds"+query, nil)
		want(t, resp, 200, 0)
		var page []struct{ ID string }
		resp.Decode(t, &page)
		for _, g := range page {
			names += string("abcde"[slices.IndexFunc(all, func(x *sandbox.Guild) bool { return x.ID() == g.ID })])
		}
		return names
	}
	for query, names := range map[string]string{
		"": "abde", "?limit=2": "ab", "?limit=2&after=" + all[1].ID(): "de", "?after=" + all[4].ID(): "", "?after=0": "abde",
		"?after=" + all[2].ID(): "de", "?before=" + all[4].ID(): "abd", "?limit=2&before=" + all[4].ID(): "bd",
		"?before=" + all[4].ID() + "&after=" + all[0].ID(): "bd", "?with_counts=true&limit=1": "a",
	} {
		if got := list(query); got != names {
			t.Errorf("%q lists %q, want %q", query, got, names)
		}
	}
	for _, query := range []string{"?limit=0", "?limit=201", "?after=x", "?before=x"} {
		want(t, request(t, srv, "GET", "/users/@me/guilds"+query, nil), 400, 50035)
	}
	all[2].InviteBot()
	if got := list(""); got != "abcde" {
		t.Errorf("behind the invitation: %q", got)
	}
}
