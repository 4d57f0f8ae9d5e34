package sandbox_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// TestRefusedRequests asks for what a bot cannot have, and for the nearest that it can.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited)
	guild, ada, bob := srv.Guild(), srv.User("Ada"), srv.User("Bob")
	general, red := guild.Channel("general"), guild.Role("Red")
	talk := guild.Channel("talk", sandbox.Thread(general))
	m := mustSay(t, ada, general)
	g, c := "/guilds/"+guild.ID(), "/channels/"+general.ID()
	member, emojis := g+"/members/"+ada.ID(), "/applications/"+srv.AppID()+"/emojis"
	may := func(bits int64) func() { return func() { guild.BotRole().Set(sandbox.RolePermissions(bits)) } }
	denied := func(bits int64) func() { return func() { general.Set(sandbox.BotAllowed, sandbox.DenyBot(bits)) } }
	replying := func(id string, fails bool) obj {
		return obj{"content": "x", "message_reference": obj{"message_id": id, "fail_if_not_exists": fails}}
	}
	picture := base64.StdEncoding.EncodeToString([]byte(apitest.PNG(t)))
	emoji := func(name, kind string) obj { return obj{"name": name, "image": "data:" + kind + ";base64," + picture} }
	var hook, dot struct{ ID, Token string }
	for _, r := range []struct {
		name         string
		before       func()
		method, path string
		body         any
		status, code int
		says         string // the whole answer, if it matters
	}{
		{"members without the intent", nil, "GET", g + "/members", nil, 403, 50001, ""},
		{"a voice channel", may(permission.ManageChannels), "POST", g + "/channels", obj{"name": "n", "type": 2}, 400, 0, ""},
		{"nothing to change", nil, "PATCH", c, nil, 200, 0, ""},
		{"a text channel", nil, "POST", g + "/channels", obj{"name": "n", "type": 0}, 201, 0, ""},
		{"archive what is archived", func() {
			may(permission.ManageThreads)()
			talk.Set(sandbox.Archived(true))
		}, "PATCH", "/channels/" + talk.ID(), obj{"archived": true}, 400, 50083, ""},
		{"open it", nil, "PATCH", "/channels/" + talk.ID(), obj{"archived": false}, 200, 0, ""},
		{"what nobody may here", may(permission.ManageRoles), "PUT", c + "/permissions/1", obj{"type": 0}, 404, 10011, ""},
		{"more than the bot may", nil, "PUT", c + "/permissions/" + red.ID(), obj{"type": 0, "allow": "8"}, 403, 50013, ""},
		{"what is not said of a role", nil, "DELETE", c + "/permissions/" + red.ID(), nil, 404, 10009, ""},
		{"roles that are none", nil, "PATCH", member, obj{"roles": arr{"Red"}}, 400, 50035, ""},
		{"roles that there are not", nil, "PATCH", member, obj{"roles": arr{"1"}}, 404, 10011, ""},
		{"a role above", nil, "PATCH", member, obj{"roles": arr{guild.BotRole().ID()}}, 403, 50013, ""},
		{"a role below", nil, "PATCH", member, obj{"roles": arr{red.ID(), red.ID()}}, 200, 0, ""},
		{"a time-out without end", may(permission.ModerateMembers), "PATCH", member, obj{"communication_disabled_until": "9999-01-01T00:00:00Z"}, 400, 50035, ""},
		{"no time-out", nil, "PATCH", member, obj{"communication_disabled_until": nil}, 200, 0, ""},
		{"ban", may(permission.BanMembers), "PUT", g + "/bans/" + bob.ID(), nil, 204, 0, ""},
		{"ban again", nil, "PUT", g + "/bans/" + bob.ID(), nil, 204, 0, ""},

		{"delete what is two weeks old", may(permission.ManageMessages), "POST", c + "/messages/bulk-delete", obj{"messages": arr{m.ID(), "1"}}, 400, 50034, ""},
		{"delete what is no message", nil, "POST", c + "/messages/bulk-delete", obj{"messages": arr{m.ID(), "x"}}, 400, 50035, ""},
		{"reply to nothing", nil, "POST", c + "/messages", replying("1", true), 400, 50035, ""},
		{"reply to nothing, or not", nil, "POST", c + "/messages", replying("1", false), 200, 0, ""},
		{"reply elsewhere", nil, "POST", "/channels/" + talk.ID() + "/messages", replying(m.ID(), true), 400, 50035, ""},
		{"reply without history", denied(permission.ReadHistory), "POST", c + "/messages", replying(m.ID(), true), 403, 160002, ""},
		{"messages without history", nil, "GET", c + "/messages", nil, 200, 0, "[]"},
		{"pins without history", func() {
			ada.Set(sandbox.Permissions(permission.PinMessages))
			if err := ada.Pin(m); err != nil {
				t.Fatal(err)
			}
		}, "GET", c + "/pins", nil, 200, 0, "[]"},
		{"embeds", denied(permission.EmbedLinks), "POST", c + "/messages", obj{"embeds": arr{obj{"title": "x"}}}, 403, 50013, ""},
		{"no embeds", nil, "POST", c + "/messages", obj{"content": "x"}, 200, 0, ""},
		{"write where nobody may", denied(permission.SendMessages), "POST", c + "/typing", nil, 403, 50013, ""},
		{"direct messages with nobody", nil, "POST", "/users/@me/channels", obj{}, 400, 50035, ""},

		{"a picture that says that it is text", nil, "POST", emojis, emoji("dot", "text/plain"), 400, 50035, ""},
		{"a picture", nil, "POST", emojis, emoji("dot", "image/png"), 201, 0, ""},
		{"a name that is taken", nil, "POST", emojis, emoji("dot", "image/png"), 400, 50035, ""},
	} {
		if r.before != nil {
			r.before()
		}
		got := request(t, srv, r.method, r.path, r.body)
		if got.Status != r.status || got.Code() != r.code || r.says != "" && r.says != strings.TrimSpace(string(got.Body)) {
			t.Errorf("%s: got %d code %d, want %d code %d %s: %s", r.name, got.Status, got.Code(), r.status, r.code, r.says, got.Body)
		}
		if got.Status == 201 {
			got.Decode(t, &dot)
		}
	}
	want(t, request(t, srv, "PATCH", emojis+"/"+dot.ID, obj{"name": "dot"}), 200, 0) // its own name is free for it

	may(permission.BanMembers)()
	var banned []any
	if request(t, srv, "GET", g+"/bans", nil).Decode(t, &banned); len(banned) != 1 {
		t.Errorf("%d people are banned, want Bob alone", len(banned))
	}
	denied(permission.AttachFiles)()
	var refused *discordgo.RESTError
	if _, err := srv.Session().ChannelFileSend(general.ID(), "a.txt", strings.NewReader("x")); !errors.As(err, &refused) || refused.Message.Code != 50013 {
		t.Errorf("a file: %v", err)
	}
	may(permission.ManageWebhooks)()
	request(t, srv, "POST", c+"/webhooks", obj{"name": "n"}).Decode(t, &hook)
	at := "/webhooks/" + hook.ID + "/" + hook.Token + "?wait=true&thread_id="
	want(t, request(t, srv, "POST", at+"1", obj{"content": "x"}), 404, 10003)
	want(t, request(t, srv, "POST", at+guild.Channel("elsewhere").ID(), obj{"content": "x"}), 404, 10003)
	want(t, request(t, srv, "POST", at+talk.ID(), obj{"content": "x"}), 200, 0)
}

// TestRefusedAnswers: an answer can be none, or come too late, or stand where the bot may not
// write.
func TestRefusedAnswers(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited)
	srv.AllowUnanswered()
	call := pinged(t, srv)
	want(t, callback(t, srv, call, obj{"type": 4, "data": arr{}}), 400, 50035)
	want(t, callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x", "flags": 64}}), 204, 0)
	call.Channel().Set(sandbox.NoBotPosts)
	want(t, request(t, srv, "POST", webhook(srv, call), obj{"content": "x"}), 403, 50013)
	want(t, request(t, srv, "POST", webhook(srv, call), obj{"content": "x", "flags": 64}), 200, 0)

	// What somebody has put away can be edited in vain, and deleted once.
	private, ada := call.Wait(t).Message, call.User()
	told, cancel := srv.World().Subscribe(ada.ID())
	defer cancel()
	register(t, srv, &discordgo.ApplicationCommand{Type: discordgo.MessageApplicationCommand, Name: "what"})
	if _, err := srv.User("Bob").Prepare(sandbox.MessageCommand{Name: "what", Target: private}); !errors.Is(err, sandbox.ErrNotVisible) {
		t.Errorf("somebody else's message: %v", err)
	}
	if err := srv.User("Bob").Dismiss(private); !errors.Is(err, sandbox.ErrNotVisible) {
		t.Errorf("somebody else puts it away: %v", err)
	}
	if err := ada.Dismiss(private); err != nil {
		t.Fatal(err)
	}
	original := webhook(srv, call) + "/messages/@original"
	want(t, request(t, srv, "PATCH", original, obj{"content": "y"}), 200, 0)
	want(t, request(t, srv, "DELETE", original, nil), 204, 0)
	want(t, request(t, srv, "DELETE", original, nil), 404, 10008)
	if got := kinds(told, sandbox.EventMessageEdited, sandbox.EventMessageDeleted); !slices.Equal(got, []sandbox.EventKind{sandbox.EventMessageDeleted}) {
		t.Errorf("Ada's client learns %v", got)
	}

	// A file that nobody has given is an empty one.
	asked := obj{"type": 18, "label": "l", "component": obj{"type": 19, "custom_id": "f"}}
	register(t, srv, ping)
	opened := ada.StartCommand(t, call.Channel(), "ping")
	want(t, callback(t, srv, opened, obj{"type": 9, "data": obj{"custom_id": "m", "title": "t", "components": arr{asked}}}), 204, 0)
	filled := sandbox.ModalSubmission{Call: opened, Lists: map[string][]string{"f": {"a.txt"}}}
	if _, err := srv.User("Bob").Prepare(filled); !errors.Is(err, sandbox.ErrNoModal) {
		t.Errorf("somebody else's modal: %v", err)
	}
	if _, err := ada.Prepare(filled); err != nil {
		t.Errorf("the modal: %v", err)
	}

	late := pinged(t, srv)
	late.Channel().Delete()
	want(t, callback(t, srv, late, obj{"type": 4, "data": obj{"content": "x"}}), 404, 10003)
}

// TestRefusedActs lets people try what their client does not.
func TestRefusedActs(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited)
	guild, ada, bob, gone := srv.Guild(), srv.User("Ada"), srv.User("Bob"), srv.User("Gone")
	general, secret, old := guild.Channel("general"), guild.Channel("secret", sandbox.Visible(ada)), guild.Channel("old")
	other := srv.World().AddGuild("Other")
	foreign, late := other.Role("Foreign"), guild.Role("Late")
	m, deleted := mustSay(t, ada, general), mustSay(t, ada, general)
	short, long := 2, 3
	options := []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionString, Name: "text", MinLength: &short, MaxLength: long},
		{Type: discordgo.ApplicationCommandOptionInteger, Name: "whole"},
		{Type: discordgo.ApplicationCommandOptionRole, Name: "role"},
		{Type: discordgo.ApplicationCommandOptionAttachment, Name: "file"},
		{Type: discordgo.ApplicationCommandOptionChannel, Name: "voice", ChannelTypes: []discordgo.ChannelType{discordgo.ChannelTypeGuildVoice}},
		{Type: discordgo.ApplicationCommandOptionString, Name: "any"},
	}
	for _, o := range options {
		o.Description = "d"
	}
	register(t, srv, &discordgo.ApplicationCommand{Name: "c", Description: "d", Options: options},
		&discordgo.ApplicationCommand{Type: discordgo.UserApplicationCommand, Name: "who"}, &discordgo.ApplicationCommand{Type: discordgo.MessageApplicationCommand, Name: "what"})
	selects := func(id string, more obj) any {
		s := obj{"type": 3, "custom_id": id, "options": arr{obj{"label": "l", "value": "a"}}}
		for k, v := range more {
			s[k] = v
		}
		return row(s)
	}
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", obj{"components": arr{selects("on", nil), selects("off", obj{"disabled": true})}}), 200, 0)
	menus := general.LastMessage(ada)
	old.Delete()
	old.Delete()
	deleted.Delete()
	gone.Delete()
	late.Delete()
	late.Delete()
	with := func(name string, value any) sandbox.Action {
		return sandbox.SlashCommand{Channel: general, Path: "c", Args: []sandbox.Arg{sandbox.Opt(name, value)}}
	}
	chosen := func(id string, values ...string) sandbox.Selection {
		return sandbox.Selection{Message: menus, CustomID: id, Values: values}
	}
	for _, a := range []struct {
		name string
		by   *sandbox.User
		act  sandbox.Action
		want error // nil for what they may
	}{
		{"no name", ada, sandbox.SlashCommand{Channel: general, Path: " "}, sandbox.ErrUnknownCommand},
		{"no account", gone, with("any", "x"), sandbox.ErrGone},
		{"no text", ada, with("text", 12), sandbox.ErrBadOption},
		{"a short text", ada, with("text", "é"), sandbox.ErrBadOption},
		{"a long text", ada, with("text", "éééé"), sandbox.ErrBadOption},
		{"a text", ada, with("text", "ééé"), nil},
		{"an empty text", ada, with("any", ""), sandbox.ErrBadOption},
		{"the longest text", ada, with("any", strings.Repeat("é", rules.MaxOptionLength)), nil},
		{"a longer text", ada, with("any", strings.Repeat("é", rules.MaxOptionLength+1)), sandbox.ErrBadOption},
		{"half a number", ada, with("whole", 1.5), sandbox.ErrBadOption},
		{"the largest number", ada, with("whole", int64(rules.MaxOptionInteger)), nil},
		{"a larger number", ada, with("whole", int64(rules.MaxOptionInteger+2)), sandbox.ErrBadOption},
		{"a smaller number", ada, with("whole", int64(-rules.MaxOptionInteger-2)), sandbox.ErrBadOption},
		{"another guild's role", ada, with("role", foreign), sandbox.ErrBadOption},
		{"a deleted role", ada, with("role", late), sandbox.ErrBadOption},
		{"a role", ada, with("role", guild.Role("Red")), nil},
		{"a file without a name", ada, with("file", sandbox.File{Content: []byte("x")}), sandbox.ErrBadOption},
		{"a large file", ada, with("file", sandbox.File{Name: "a", Content: make([]byte, rules.MaxFileBytes+1)}), sandbox.ErrBadOption},
		{"a file", ada, with("file", sandbox.File{Name: "a", Content: make([]byte, rules.MaxFileBytes)}), nil},
		{"a channel of another kind", ada, with("voice", general), sandbox.ErrBadOption},
		{"a channel of that kind", ada, with("voice", guild.Channel("voice", sandbox.Voice)), nil},
		{"nobody", ada, sandbox.UserCommand{Channel: general, Name: "who"}, sandbox.ErrBadOption},
		{"no message", ada, sandbox.MessageCommand{Name: "what"}, sandbox.ErrGone},
		{"a deleted message", ada, sandbox.MessageCommand{Name: "what", Target: deleted}, sandbox.ErrGone},
		{"a message", bob, sandbox.MessageCommand{Name: "what", Target: m}, nil},
		{"a select that is off", ada, chosen("off", "a"), sandbox.ErrDisabled},
		{"none of it", ada, chosen("on"), sandbox.ErrBadOption},
		{"too much of it", ada, chosen("on", "a", "a"), sandbox.ErrBadOption},
		{"what it does not offer", ada, chosen("on", "b"), sandbox.ErrBadOption},
		{"what it offers", ada, chosen("on", "a"), nil},
		{"no modal", ada, sandbox.ModalSubmission{}, sandbox.ErrNoModal},
	} {
		if _, err := a.by.Prepare(a.act); !isOrNil(err, a.want) {
			t.Errorf("%s: got %v, want %v", a.name, err, a.want)
		}
	}
	say := func(u *sandbox.User, c *sandbox.Channel, files ...sandbox.File) error {
		_, err := u.Say(c, "x", files...)
		return err
	}
	file := sandbox.File{Name: "a"}
	for _, a := range []struct {
		name string
		err  error
		want error
	}{
		{"eleven files", say(ada, general, slices.Repeat([]sandbox.File{file}, rules.MaxFiles+1)...), sandbox.ErrBadOption},
		{"ten files", say(ada, general, slices.Repeat([]sandbox.File{file}, rules.MaxFiles)...), nil},
		{"a file without a name", say(ada, general, sandbox.File{}), sandbox.ErrBadOption},
		{"write in a deleted channel", say(ada, old), sandbox.ErrNotVisible},
		{"typing unseen", bob.Type(secret), sandbox.ErrNotVisible},
		{"typing", ada.Type(secret), nil},
		{"leave what is no thread", ada.LeaveThread(general), sandbox.ErrForbidden},
		{"unpin without the permission", ada.Unpin(m), sandbox.ErrForbidden},
		{"take back no reaction", ada.Unreact(m, "👍"), sandbox.ErrGone},
		{"react", errors.Join(ada.React(m, "👍"), ada.React(m, "👍")), nil},
		{"take back another's reaction", bob.Unreact(m, "👍"), sandbox.ErrGone},
	} {
		if !isOrNil(a.err, a.want) {
			t.Errorf("%s: got %v, want %v", a.name, a.err, a.want)
		}
	}
	if got := m.Snapshot().Reactions; len(got) != 1 || len(got[0].Users) != 1 {
		t.Errorf("who reacts twice reacts once: %+v", got)
	}

	guild.Role("@everyone").Delete()
	guild.BotRole().Delete()
	guild.InviteBot()
	ada.Join(guild)
	gone.Join(guild)
	guild.Delete() // where everything begins
	other.Delete()
	ada.Join(other)
	other.InviteBot()
	if got := len(guild.Roles()); got != 3 {
		t.Errorf("there are %d roles, want those of everyone and of the bot, and Red", got)
	}
	if got := guild.Members(); !slices.Equal(got, []*sandbox.User{ada, bob}) || len(srv.World().Guilds()) != 1 || len(other.Members()) != 0 {
		t.Errorf("there are %d members, and of another guild %d", len(got), len(other.Members()))
	}
	if got := guild.Channel("empty").LastMessage(nil); got != nil {
		t.Errorf("the last message where there is none is %v", got)
	}
}

// TestPinsAreCounted: a channel has 250 at most.
func TestPinsAreCounted(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited)
	ada, general := srv.User("Ada", sandbox.Permissions(permission.PinMessages)), srv.Guild().Channel("general")
	for n := range rules.MaxPins + 1 {
		if err := ada.Pin(mustSay(t, ada, general)); !isOrNil(err, map[bool]error{true: sandbox.ErrForbidden}[n == rules.MaxPins]) {
			t.Fatalf("pin %d: %v", n+1, err)
		}
	}
}

// TestEmojisAreCounted: an application has 2,000 at most.
func TestEmojisAreCounted(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	state := saved(t, srv)
	var list arr
	for n := range 2000 {
		list = append(list, obj{"id": fmt.Sprint(n + 1), "name": fmt.Sprint("dot", n)})
	}
	state["emojis"] = list
	loaded := loading(t, state)
	picture := base64.StdEncoding.EncodeToString([]byte(apitest.PNG(t)))
	want(t, request(t, loaded, "POST", "/applications/"+loaded.AppID()+"/emojis", obj{"name": "dot", "image": "data:image/png;base64," + picture}), 400, 30008)
}

// saved is a server's world as JSON.
func saved(t *testing.T, srv *sandbox.Server) (state obj) {
	t.Helper()
	var b strings.Builder
	if err := errors.Join(srv.World().SaveState(&b), json.Unmarshal([]byte(b.String()), &state)); err != nil {
		t.Fatal(err)
	}
	return state
}

// loading is a new server with such a world.
func loading(t *testing.T, state obj) *sandbox.Server {
	t.Helper()
	srv := sandbox.NewServer(t)
	if err := srv.World().LoadState(strings.NewReader(string(rules.Encode(state)))); err != nil {
		t.Fatal(err)
	}
	return srv
}

// TestChannelsNeverSleep: only threads do, although both can be archived and opened again.
func TestChannelsNeverSleep(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock, o.World.Quiet = c, time.Millisecond })
	general := srv.Guild().Channel("general")
	general.Set(sandbox.Archived(true), sandbox.Archived(false))
	want(t, request(t, srv, "GET", "/channels/"+general.ID(), nil), 200, 0)
	srv.Settle(t) // what begins at once has begun
	c.Advance(1000 * time.Hour)
	if general.Archived() {
		t.Error("a channel is archived")
	}
}
