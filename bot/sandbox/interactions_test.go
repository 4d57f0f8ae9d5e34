package sandbox_test

import (
	"bytes"
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
	"tictactoe/bot/sandbox/permission"
)

// board posts a message with buttons as the answer to a command of Ada's.
func board(t *testing.T, srv *sandbox.Server, more ...obj) *sandbox.Message {
	t.Helper()
	call := pinged(t, srv)
	data := obj{"content": "board", "components": arr{row(btn("a", obj{"label": "A"}), btn("off", obj{"label": "Off", "disabled": true}))}}
	for _, m := range more {
		for k, v := range m {
			data[k] = v
		}
	}
	want(t, callback(t, srv, call, obj{"type": 4, "data": data}), 204, 0)
	return call.Wait(t).Message
}

func TestCallbackTypesByKind(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	register(t, srv, ping, &discordgo.ApplicationCommand{Name: "pick", Description: "d", Options: []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionString, Name: "what", Description: "d", Autocomplete: true},
	}})
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	msg := board(t, srv)
	modal := obj{"custom_id": "m", "title": "t", "components": arr{row(obj{"type": 4, "custom_id": "i", "style": 1, "label": "l"})}}
	open := func(from *sandbox.Call) *sandbox.Call {
		want(t, callback(t, srv, from, obj{"type": 9, "data": modal}), 204, 0)
		c, err := ada.Do(sandbox.ModalSubmission{Call: from, Values: map[string]string{"i": "x"}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	data := map[int]obj{
		1: nil, 4: {"content": "x"}, 5: nil, 6: nil, 7: {"content": "y"}, 8: {"choices": arr{}}, 9: modal, 10: nil, 12: nil,
	}
	for _, c := range []struct {
		name  string
		start func() *sandbox.Call
		valid []int
	}{
		{"command", func() *sandbox.Call { return ada.StartCommand(t, general, "ping") }, []int{4, 5, 9}},
		{"button", func() *sandbox.Call {
			return ada.Start(t, sandbox.ButtonClick{Message: msg, CustomID: "a", Forced: true})
		}, []int{4, 5, 6, 7, 9}},
		{"autocomplete", func() *sandbox.Call {
			c, err := ada.Do(sandbox.AutocompleteQuery{SlashCommand: sandbox.SlashCommand{Channel: general, Path: "pick"}, Focused: "what"})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}, []int{8}},
		{"modal of a command", func() *sandbox.Call { return open(ada.StartCommand(t, general, "ping")) }, []int{4, 5}},
		{"modal of a button", func() *sandbox.Call {
			return open(ada.Start(t, sandbox.ButtonClick{Message: msg, CustomID: "a", Forced: true}))
		}, []int{4, 5, 6, 7}},
	} {
		for kind, d := range data {
			call := c.start()
			call.AllowUnanswered()
			got := callback(t, srv, call, obj{"type": kind, "data": d})
			if slices.Contains(c.valid, kind) {
				want(t, got, 204, 0)
				continue
			}
			want(t, got, 400, 50035)
			if f := failures(got); !slices.Equal(f, []string{"type BASE_TYPE_CHOICES"}) {
				t.Errorf("%s, callback type %d: got failures %q", c.name, kind, f)
			}
		}
	}
}

func TestWithResponse(t *testing.T) {
	srv := sandbox.NewServer(t)
	call := pinged(t, srv)
	got := request(t, srv, "POST", "/interactions/"+call.ID()+"/"+call.InteractionToken()+"/callback?with_response=true",
		obj{"type": 4, "data": obj{"content": "x", "flags": 64}})
	want(t, got, 200, 0)
	var r struct {
		Interaction struct {
			ID        string
			Ephemeral bool   `json:"response_message_ephemeral"`
			MessageID string `json:"response_message_id"`
		}
		Resource struct {
			Type    int
			Message *discordgo.Message
		}
	}
	got.Decode(t, &r)
	if r.Interaction.ID != call.ID() || !r.Interaction.Ephemeral || r.Resource.Type != 4 ||
		r.Resource.Message == nil || r.Resource.Message.ID != r.Interaction.MessageID || r.Resource.Message.Content != "x" {
		t.Errorf("got %s", got.Body)
	}
}

func TestWebhookLife(t *testing.T) {
	clock := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) { o.World.Clock = clock })
	call := pinged(t, srv)
	hook := webhook(srv, call)
	want(t, request(t, srv, "PATCH", hook+"/messages/@original", obj{"content": "x"}), 404, 10015)
	want(t, request(t, srv, "POST", hook, obj{"content": "x"}), 404, 10015)
	want(t, callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x", "flags": 64}}), 204, 0)
	msg := call.Wait(t).Message

	want(t, request(t, srv, "GET", hook+"/messages/@original", nil), 200, 0)
	want(t, request(t, srv, "PATCH", hook+"/messages/"+msg.ID(), obj{"content": "y", "flags": 0}), 200, 0)
	if s := msg.Snapshot(); s.Content != "y" || !s.Ephemeral() {
		t.Errorf("got %+v, want it edited and still private", s)
	}
	// Private messages are out of the channel routes' reach.
	want(t, request(t, srv, "PATCH", "/channels/"+msg.Channel().ID()+"/messages/"+msg.ID(), obj{"content": "z"}), 404, 10008)
	got := request(t, srv, "POST", hook, obj{"content": "more"})
	want(t, got, 200, 0)
	var more discordgo.Message
	got.Decode(t, &more)
	want(t, request(t, srv, "PATCH", hook+"/messages/"+more.ID, obj{"content": "less"}), 200, 0)
	want(t, request(t, srv, "DELETE", hook+"/messages/"+more.ID, nil), 204, 0)
	want(t, request(t, srv, "PATCH", hook+"/messages/"+more.ID, obj{"content": "less"}), 404, 10008)
	want(t, request(t, srv, "PATCH", hook+"/messages/123", obj{"content": "x"}), 404, 10008)
	want(t, request(t, srv, "PATCH", "/webhooks/1/"+call.InteractionToken()+"/messages/@original", obj{"content": "x"}), 404, 10015)
	want(t, request(t, srv, "PATCH", "/webhooks/"+srv.AppID()+"/none/messages/@original", obj{"content": "x"}), 404, 10015)

	clock.Advance(15*time.Minute - time.Millisecond)
	want(t, request(t, srv, "PATCH", hook+"/messages/@original", obj{"content": "last"}), 200, 0)
	clock.Advance(time.Millisecond)
	want(t, request(t, srv, "PATCH", hook+"/messages/@original", obj{"content": "late"}), 401, 50027)
	want(t, request(t, srv, "POST", hook, obj{"content": "late"}), 401, 50027)
}

func TestInteractionRoutesNeedNoBotToken(t *testing.T) {
	srv := sandbox.NewServer(t)
	call := pinged(t, srv)
	send := func(auth string) answer {
		req := newRequest(t, srv, "POST", "/interactions/"+call.ID()+"/"+call.InteractionToken()+"/callback", `{"type":5}`)
		req.Header.Del("Authorization")
		if auth != "" {
			req.Header.Set("Authorization", auth)
		}
		return do(t, req)
	}
	want(t, send("Bot wrong"), 401, 0)
	want(t, send(""), 204, 0)
}

func TestDeferredAnswers(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	general := srv.Guild().Channel("general")

	call := pinged(t, srv)
	want(t, callback(t, srv, call, obj{"type": 5, "data": obj{"flags": 64 | 32768}}), 204, 0)
	msg := call.Wait(t).Message
	if s := msg.Snapshot(); !s.Loading() || !s.Ephemeral() || s.V2() {
		t.Errorf("flags %d: want loading and private; components v2 is ignored here", s.Flags)
	}
	// The first follow-up fills it in and cannot make it public.
	got := request(t, srv, "POST", webhook(srv, call), v2(obj{"type": 10, "content": "here"}))
	want(t, got, 200, 0)
	if s := msg.Snapshot(); s.Loading() || !s.Ephemeral() || !s.V2() || s.Text() != "here" {
		t.Errorf("got %+v", s)
	}
	if n := len(general.Messages(nil)); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	want(t, request(t, srv, "POST", webhook(srv, call), obj{"content": "second"}), 200, 0)
	if n := len(general.Messages(nil)); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}

	call = pinged(t, srv)
	want(t, callback(t, srv, call, obj{"type": 5}), 204, 0)
	want(t, request(t, srv, "PATCH", webhook(srv, call)+"/messages/@original", obj{"content": "done"}), 200, 0)
	if s := call.Reply().Message.Snapshot(); s.Loading() || s.Content != "done" || s.Ephemeral() {
		t.Errorf("got %+v", s)
	}

	msg = board(t, srv)
	click := srv.User("Ada").StartClick(t, msg, "A")
	want(t, callback(t, srv, click, obj{"type": 6}), 204, 0)
	if r := click.Wait(t); r.Message != nil {
		t.Errorf("got message %v for a silent acknowledgement", r.Message.ID())
	}
	want(t, request(t, srv, "PATCH", webhook(srv, click)+"/messages/@original", obj{"content": "moved"}), 200, 0)
	if got := msg.Text(); got != "moved" {
		t.Errorf("the message says %q: @original is the one with the button", got)
	}
}

func TestTurningToComponentsV2(t *testing.T) {
	text := arr{obj{"type": 10, "content": "x"}}
	for _, c := range []struct {
		name string
		data obj
		want string
	}{
		{"cleared", obj{"flags": 32768, "content": nil, "embeds": arr{}, "components": text}, ""},
		{"null embeds", obj{"flags": 32768, "content": nil, "embeds": nil, "components": text}, "data.embeds MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
		{"content left", obj{"flags": 32768, "components": text}, "data.content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
	} {
		srv := sandbox.NewServer(t)
		msg := board(t, srv)
		click := srv.User("Ada").StartClick(t, msg, "A")
		click.AllowUnanswered()
		got := callback(t, srv, click, obj{"type": 7, "data": c.data})
		if c.want != "" {
			want(t, got, 400, 50035)
			if f := failures(got); !slices.Equal(f, []string{c.want}) {
				t.Errorf("%s: got failures %q, want %q", c.name, f, c.want)
			}
			continue
		}
		want(t, got, 204, 0)
		// Once v2, always v2, also by an edit that does not say so.
		edit := func(data obj) answer {
			return request(t, srv, "PATCH", "/channels/"+msg.Channel().ID()+"/messages/"+msg.ID(), data)
		}
		want(t, edit(obj{"flags": 0, "components": text}), 200, 0)
		want(t, edit(obj{"content": "back"}), 400, 50035)
		want(t, edit(obj{"content": "", "embeds": nil, "components": text, "ID": "1", "Channel": "2"}), 200, 0)
		if !msg.Snapshot().V2() {
			t.Error("the message is no longer in components v2")
		}
	}
}

// TestMentionsAsDiscordReadsThem: whom a message mentions and notifies. With
// SUPPRESS_NOTIFICATIONS it still counts on badges (the documentation's page Message, and
// discord/discord-api-docs#5910); an edit never notifies (#1419), and reads mentions anew
// (#2474).
func TestMentionsAsDiscordReadsThem(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	ada, bob, eve := srv.User("Ada"), srv.User("Bob"), srv.User("Eve")
	both := ada.Mention() + " and " + bob.Mention()
	only := func(people ...*sandbox.User) obj {
		ids := arr{}
		for _, u := range people {
			ids = append(ids, u.ID())
		}
		return obj{"users": ids}
	}
	for _, c := range []struct {
		name                       string
		data                       obj
		mentions, unknown, badging []*sandbox.User
	}{
		{"default", obj{"content": both}, []*sandbox.User{ada, bob}, nil, []*sandbox.User{ada, bob}},
		{"nobody", obj{"content": both, "allowed_mentions": obj{"parse": arr{}}}, nil, []*sandbox.User{ada, bob}, nil},
		{"one", obj{"content": both, "allowed_mentions": only(bob, eve)}, []*sandbox.User{bob}, []*sandbox.User{ada}, []*sandbox.User{bob}},
		{"silent", obj{"content": both, "flags": 4096, "allowed_mentions": only(ada, bob)}, []*sandbox.User{ada, bob}, nil, []*sandbox.User{ada, bob}},
		{"text display", obj{"flags": 32768, "components": arr{obj{"type": 10, "content": bob.Mention()}}}, []*sandbox.User{bob}, nil, []*sandbox.User{bob}},
		{"label", obj{"content": "x", "components": arr{row(btn("a", obj{"label": bob.Mention()}))}}, nil, nil, nil},
		{"code", obj{"content": "`" + bob.Mention() + "`"}, nil, nil, nil},
		{"old form", obj{"content": "<@!" + bob.ID() + ">"}, []*sandbox.User{bob}, nil, []*sandbox.User{bob}},
		{"everyone", obj{"content": "@everyone"}, nil, nil, nil},
	} {
		ch := srv.Guild().Channel(c.name) // one of its own: nobody is known by a message above
		got := request(t, srv, "POST", "/channels/"+ch.ID()+"/messages", c.data)
		want(t, got, 200, 0)
		s := ch.LastMessage(nil).Snapshot()
		pinging := c.badging
		if c.name == "silent" {
			pinging = nil
		}
		for what, pair := range map[string][2][]string{
			"mentions": {s.Mentions, idsOf(c.mentions)}, "unknown": {s.Unknown, idsOf(c.unknown)},
			"badged": {s.Badged, idsOf(c.badging)}, "pinged": {s.Pinged, idsOf(pinging)},
		} {
			if !slices.Equal(pair[0], pair[1]) {
				t.Errorf("%s: %s: got %v, want %v", c.name, what, pair[0], pair[1])
			}
		}
		if s.MentionEveryone {
			t.Errorf("%s: everyone was mentioned without the permission", c.name)
		}
	}
	// Who is not listed is known where one of the 50 messages above lists them that everybody
	// sees, and not by one below.
	general, nobody := srv.Guild().Channel("general"), obj{"content": both, "allowed_mentions": obj{"parse": arr{}}}
	board(t, srv, obj{"content": both}).Delete()
	board(t, srv, obj{"content": both, "flags": 64})
	for i := range 53 {
		data, unknown := nobody, []string{ada.ID(), bob.ID()}
		if i == 1 {
			data = obj{"content": both, "allowed_mentions": only(bob)}
		}
		if 1 <= i && i <= 51 {
			unknown = unknown[:1]
		}
		want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", data), 200, 0)
		if s := general.LastMessage(nil).Snapshot(); !slices.Equal(s.Unknown, unknown) {
			t.Errorf("message %d: %v are unknown, want %v", i, s.Unknown, unknown)
		}
	}
	// Who cannot see the channel is mentioned there and not notified.
	hidden := srv.Guild().Channel("hidden", sandbox.Visible(ada))
	want(t, request(t, srv, "POST", "/channels/"+hidden.ID()+"/messages", obj{"content": both}), 200, 0)
	if s := hidden.LastMessage(nil).Snapshot(); len(s.Mentions) != 2 || !slices.Equal(s.Pinged, []string{ada.ID()}) {
		t.Errorf("in a hidden channel: mentions %v, pinged %v", s.Mentions, s.Pinged)
	}
	// An edit without allowed_mentions falls back to the default, and pings nobody.
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", obj{"content": both, "allowed_mentions": only(ada)}), 200, 0)
	msg := general.LastMessage(nil)
	want(t, request(t, srv, "PATCH", "/channels/"+general.ID()+"/messages/"+msg.ID(), obj{"components": arr{row(btn("a"))}}), 200, 0)
	if s := msg.Snapshot(); len(s.Mentions) != 2 || len(s.Pinged) != 1 || len(s.Badged) != 1 {
		t.Errorf("after an edit: mentions %v, pinged %v, badged %v", s.Mentions, s.Pinged, s.Badged)
	}
}

func idsOf(us []*sandbox.User) []string {
	var out []string
	for _, u := range us {
		out = append(out, u.ID())
	}
	return out
}

func TestWhoSeesWhat(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada"), srv.User("Bob")
	private := board(t, srv, obj{"flags": 64})
	general := private.Channel()
	if got := general.Messages(ada); len(got) != 1 || len(general.Messages(bob)) != 0 {
		t.Errorf("Ada sees %d, Bob %d", len(got), len(general.Messages(bob)))
	}
	for _, c := range []struct {
		name  string
		who   *sandbox.User
		click sandbox.ButtonClick
		want  error
	}{
		{"somebody else's private message", bob, sandbox.ButtonClick{Message: private, Label: "A"}, sandbox.ErrNotVisible},
		{"disabled", ada, sandbox.ButtonClick{Message: private, Label: "Off"}, sandbox.ErrDisabled},
		{"no such button", ada, sandbox.ButtonClick{Message: private, Label: "B"}, sandbox.ErrNoComponent},
		{"no such cell", ada, sandbox.ButtonClick{Message: private, Row: 1}, sandbox.ErrNoComponent},
		{"forged", bob, sandbox.ButtonClick{Message: private, CustomID: "forged", Forced: true}, nil},
	} {
		if _, err := c.who.Prepare(c.click); !isOrNil(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	secret := srv.Guild().Channel("secret", sandbox.Visible(ada))
	if _, err := bob.Prepare(sandbox.SlashCommand{Channel: secret, Path: "ping"}); !isOrNil(err, sandbox.ErrNotVisible) {
		t.Errorf("got %v", err)
	}
	if err := ada.Dismiss(private); err != nil || len(general.Messages(ada)) != 0 {
		t.Errorf("dismiss: %v", err)
	}
}

func TestCommandChecksOfTheClient(t *testing.T) {
	srv := sandbox.NewServer(t)
	low := 2.0
	register(t, srv, &discordgo.ApplicationCommand{Name: "c", Description: "d", Options: []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionString, Name: "s", Description: "d", Required: true, Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "A", Value: "a"}}},
		{Type: discordgo.ApplicationCommandOptionInteger, Name: "i", Description: "d", MinValue: &low, MaxValue: 5},
		{Type: discordgo.ApplicationCommandOptionUser, Name: "u", Description: "d"},
		{Type: discordgo.ApplicationCommandOptionBoolean, Name: "b", Description: "d"},
	}})
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	s := sandbox.Opt("s", "a")
	for _, c := range []struct {
		path string
		args []sandbox.Arg
		want error
	}{
		{"c", []sandbox.Arg{s, sandbox.Opt("i", 5), sandbox.OptUser("u", ada), sandbox.Opt("b", true)}, nil},
		{"d", nil, sandbox.ErrUnknownCommand},
		{"c sub", nil, sandbox.ErrUnknownCommand},
		{"c", nil, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{sandbox.Opt("s", "b")}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, sandbox.Opt("i", 6)}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, sandbox.Opt("i", 1)}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, sandbox.Opt("i", "3")}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, sandbox.Opt("u", "Ada")}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, sandbox.Opt("b", 1)}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, s}, sandbox.ErrBadOption},
		{"c", []sandbox.Arg{s, sandbox.Opt("x", 1)}, sandbox.ErrBadOption},
	} {
		_, err := ada.Prepare(sandbox.SlashCommand{Channel: general, Path: c.path, Args: c.args})
		if !isOrNil(err, c.want) {
			t.Errorf("/%s %v: got %v, want %v", c.path, c.args, err, c.want)
		}
	}
	for _, focused := range []string{"", "x", "b"} { // none, one that there is not, and one without suggestions
		if _, err := ada.Prepare(sandbox.AutocompleteQuery{SlashCommand: sandbox.SlashCommand{Channel: general, Path: "c", Args: []sandbox.Arg{s}}, Focused: focused}); !errors.Is(err, sandbox.ErrBadOption) {
			t.Errorf("suggestions for %q: %v", focused, err)
		}
	}
}

// TestCommandsForWhoMay: a command that asks for a permission is sent by whoever has it,
// and, forced, by anybody.
func TestCommandsForWhoMay(t *testing.T) {
	srv := sandbox.NewServer(t)
	need := int64(discordgo.PermissionManageGuild)
	register(t, srv, &discordgo.ApplicationCommand{Name: "mods", Description: "d", DefaultMemberPermissions: &need})
	general := srv.Guild().Channel("general")
	ada, mona := srv.User("Ada"), srv.User("Mona", sandbox.Permissions(need))
	for _, c := range []struct {
		who    *sandbox.User
		path   string
		forced bool
		want   error
	}{
		{mona, "mods", false, nil},
		{ada, "mods", false, sandbox.ErrForbidden},
		{ada, "mods", true, nil},
		{ada, "admins", true, sandbox.ErrUnknownCommand},
	} {
		_, err := c.who.Prepare(sandbox.SlashCommand{Channel: general, Path: c.path, Forced: c.forced})
		if !isOrNil(err, c.want) {
			t.Errorf("/%s by %s, forced %v: got %v, want %v", c.path, c.who.Name(), c.forced, err, c.want)
		}
		if errors.Is(c.want, sandbox.ErrForbidden) && !strings.Contains(fmt.Sprint(err), `Ada may not use "mods", which asks for Manage Server`) {
			t.Errorf("the refusal says %v", err)
		}
	}
}

func TestInteractionEnvelope(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	none := int64(discordgo.PermissionManageMessages)
	register(t, srv, ping, &discordgo.ApplicationCommand{Name: "Challenge", Type: discordgo.UserApplicationCommand},
		&discordgo.ApplicationCommand{
			Name: "mods", Description: "d", DefaultMemberPermissions: &none,
			Contexts: &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild},
		})
	ada, bob := srv.User("Ada", sandbox.Locale("de"), sandbox.Nick("The Countess")), srv.User("Bob")
	quiet := srv.Guild().Channel("quiet", sandbox.NoBotPosts, sandbox.Visible(ada))
	srv.Guild().SetLocale("fr")

	var in discordgo.Interaction
	decode := func(c *sandbox.Call) map[string]any {
		in = discordgo.Interaction{}
		if err := json.Unmarshal(c.Payload(), &in); err != nil {
			t.Fatal(err)
		}
		var raw map[string]any
		_ = json.Unmarshal(c.Payload(), &raw)
		return raw
	}
	raw := decode(ada.Start(t, sandbox.UserCommand{Channel: quiet, Name: "Challenge", Target: bob}))
	if in.Member == nil || in.User != nil || in.Member.Nick != "The Countess" || in.Locale != "de" || *in.GuildLocale != "fr" || in.GuildID == "" {
		t.Errorf("guild interaction: %s", raw)
	}
	if in.AppPermissions&discordgo.PermissionSendMessages != 0 || in.AppPermissions&discordgo.PermissionViewChannel == 0 {
		t.Errorf("app_permissions %d: want to see and not to send", in.AppPermissions)
	}
	data := in.ApplicationCommandData()
	if got := data.Resolved.Members[bob.ID()]; got == nil || got.Permissions&discordgo.PermissionViewChannel != 0 {
		t.Errorf("resolved member %+v: want one who cannot see the channel", got)
	}
	if owners, _ := raw["authorizing_integration_owners"].(map[string]any); owners["0"] != srv.Guild().ID() {
		t.Errorf("owners %v", owners)
	}
	bob.Leave(srv.Guild())
	decode(ada.Start(t, sandbox.UserCommand{Channel: quiet, Name: "Challenge", Target: bob}))
	if data := in.ApplicationCommandData(); data.Resolved.Users[bob.ID()] == nil || data.Resolved.Members[bob.ID()] != nil {
		t.Errorf("resolved %+v: want the user and no member", data.Resolved)
	}
	raw = decode(ada.StartCommand(t, ada.DM(), "ping"))
	if in.User == nil || in.Member != nil || in.GuildID != "" || in.Context != discordgo.InteractionContextBotDM || raw["guild_locale"] != nil {
		t.Errorf("DM interaction: %s", raw)
	}
	if _, err := ada.Prepare(sandbox.SlashCommand{Channel: quiet, Path: "mods"}); !isOrNil(err, sandbox.ErrForbidden) {
		t.Errorf("a command for moderators: %v", err)
	}
	ada.Set(sandbox.Moderator)
	if _, err := ada.Prepare(sandbox.SlashCommand{Channel: quiet, Path: "mods"}); err != nil {
		t.Errorf("a moderator: %v", err)
	}
	if _, err := ada.Prepare(sandbox.SlashCommand{Channel: ada.DM(), Path: "mods"}); !isOrNil(err, sandbox.ErrUnknownCommand) {
		t.Errorf("a guild's command in direct messages: %v", err)
	}
}

func TestUserInstalledApplication(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.User("Ada", sandbox.Installed(true))
	srv.Guild().RemoveBot()
	install := []discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationUserInstall}
	register(t, srv, &discordgo.ApplicationCommand{Name: "ping", Description: "d", IntegrationTypes: &install})
	srv.Guild().Channel("general", sandbox.Deny(srv.Guild().Role("@everyone"), permission.UseExternalApps))
	call := pinged(t, srv)
	want(t, callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x"}}), 204, 0)
	if !call.Wait(t).Ephemeral {
		t.Error("the answer is public although the guild does not allow it")
	}
	want(t, request(t, srv, "POST", "/channels/"+call.Channel().ID()+"/messages", obj{"content": "x"}), 403, 50001)
	for range 5 {
		want(t, request(t, srv, "POST", webhook(srv, call), obj{"content": "x"}), 200, 0)
	}
	want(t, request(t, srv, "POST", webhook(srv, call), obj{"content": "x"}), 400, 40094)
}

func TestPrivateChannel(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob, eve := srv.User("Ada"), srv.User("Bob"), srv.User("Eve")
	register(t, srv, ping, &discordgo.ApplicationCommand{
		Name: "mine", Description: "d",
		IntegrationTypes: &[]discordgo.ApplicationIntegrationType{0, 1}, Contexts: &[]discordgo.InteractionContextType{0, 1, 2},
	})
	pair, group := srv.World().PrivateChannel(ada, bob), srv.World().PrivateChannel(ada, bob, eve)
	if _, err := ada.Prepare(sandbox.SlashCommand{Channel: pair, Path: "ping"}); !isOrNil(err, sandbox.ErrUnknownCommand) {
		t.Errorf("a command that users cannot install: %v", err)
	}
	if _, err := ada.Prepare(sandbox.SlashCommand{Channel: pair, Path: "mine"}); !isOrNil(err, sandbox.ErrUnknownCommand) {
		t.Errorf("who has not installed the application: %v", err)
	}
	ada.Set(sandbox.Installed(true))
	if _, err := eve.Prepare(sandbox.SlashCommand{Channel: pair, Path: "mine"}); !isOrNil(err, sandbox.ErrNotVisible) {
		t.Errorf("somebody outside: %v", err)
	}
	for _, ch := range []*sandbox.Channel{pair, group} {
		call := ada.StartCommand(t, ch, "mine")
		var in discordgo.Interaction
		if err := json.Unmarshal(call.Payload(), &in); err != nil {
			t.Fatal(err)
		}
		owner := in.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationUserInstall]
		if in.Context != discordgo.InteractionContextPrivateChannel || in.User == nil || in.Member != nil || owner != ada.ID() {
			t.Errorf("got %s", call.Payload())
		}
		want(t, callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x"}}), 204, 0)
		msg := call.Wait(t).Message
		if len(ch.Messages(bob)) != 1 {
			t.Error("Bob does not see the answer")
		}
		want(t, request(t, srv, "PATCH", "/channels/"+ch.ID()+"/messages/"+msg.ID(), obj{"content": "y"}), 403, 50001)
		want(t, request(t, srv, "PATCH", webhook(srv, call)+"/messages/@original", obj{"content": "y"}), 200, 0)
	}
}

// TestOwnersOfAClick: a click has the owners of the message that it is on. Who clicks need
// not have installed anything.
func TestOwnersOfAClick(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada", sandbox.Installed(true)), srv.User("Bob")
	register(t, srv, &discordgo.ApplicationCommand{
		Name: "mine", Description: "d",
		IntegrationTypes: &[]discordgo.ApplicationIntegrationType{0, 1}, Contexts: &[]discordgo.InteractionContextType{0, 1, 2},
	})
	foreign := srv.World().AddGuild("Elsewhere")
	foreign.RemoveBot()
	ada.Join(foreign)
	bob.Join(foreign)
	button := []any{obj{"type": 1, "components": []any{obj{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}}}}
	for _, place := range []struct {
		channel *sandbox.Channel
		want    string
	}{
		{srv.World().PrivateChannel(ada, bob), `{"1":"` + ada.ID() + `"}`},
		{foreign.Channel("general"), `{"1":"` + ada.ID() + `"}`},
		{srv.Guild().Channel("general"), `{"0":"` + srv.Guild().ID() + `","1":"` + ada.ID() + `"}`},
	} {
		call := ada.StartCommand(t, place.channel, "mine")
		want(t, callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x", "components": button}}), 204, 0)
		click := bob.StartClick(t, call.Wait(t).Message, "Go")
		var in struct {
			Owners json.RawMessage `json:"authorizing_integration_owners"`
		}
		if err := json.Unmarshal(click.Payload(), &in); err != nil || string(in.Owners) != place.want {
			t.Errorf("owners of a click: %s, want %s", in.Owners, place.want)
		}
		want(t, callback(t, srv, click, obj{"type": 6}), 204, 0)
	}
}

// TestCommandsWithoutTheBot: a guild can install the commands alone. An interaction says so by
// what the application may do there, which holds what was recorded of the real Discord (a
// delivery of 2025-06 in a test of a bot for legion-td).
func TestCommandsWithoutTheBot(t *testing.T) {
	srv := sandbox.NewServer(t)
	bob := srv.User("Bob")
	register(t, srv, ping)
	guild := srv.World().AddGuild("Elsewhere")
	bob.Join(guild)
	general := guild.Channel("general")
	guild.RemoveBot()
	if _, err := bob.Prepare(sandbox.SlashCommand{Channel: general, Path: "ping"}); !isOrNil(err, sandbox.ErrUnknownCommand) {
		t.Errorf("a command of a bot that was removed: %v", err)
	}
	guild.InstallCommands()
	call := bob.StartCommand(t, general, "ping")
	var in struct {
		Owners json.RawMessage `json:"authorizing_integration_owners"`
		App    string          `json:"app_permissions"`
	}
	if err := json.Unmarshal(call.Payload(), &in); err != nil || string(in.Owners) != `{"0":"`+guild.ID()+`"}` || in.App != "562949953863680" {
		t.Errorf("owners %s, app permissions %s, %v", in.Owners, in.App, err)
	}
	want(t, callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x"}}), 204, 0)
	msg := call.Wait(t).Message
	want(t, request(t, srv, "PATCH", "/channels/"+general.ID()+"/messages/"+msg.ID(), obj{"content": "y"}), 403, 50001)
	want(t, request(t, srv, "PATCH", webhook(srv, call)+"/messages/@original", obj{"content": "y"}), 200, 0)
	if answer := request(t, srv, "GET", "/guilds/"+guild.ID()+"/members/"+srv.AppID(), nil); answer.Status < 400 {
		t.Errorf("its bot is a member: %d", answer.Status)
	}
	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	later := sandbox.NewServer(t)
	if err := later.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	register(t, later, ping)
	if _, err := later.World().UserByID(bob.ID()).Prepare(sandbox.SlashCommand{Channel: later.World().ChannelByID(general.ID()), Path: "ping"}); err != nil {
		t.Errorf("after loading: %v", err)
	}
	guild.InviteBot()
	guild.RemoveBot()
	if _, err := bob.Prepare(sandbox.SlashCommand{Channel: general, Path: "ping"}); !isOrNil(err, sandbox.ErrUnknownCommand) {
		t.Errorf("the commands stay behind: %v", err)
	}
}

func TestModalAndAutocompleteRoundTrip(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	register(t, srv, &discordgo.ApplicationCommand{Name: "name", Description: "d", Options: []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionString, Name: "what", Description: "d", Autocomplete: true},
	}})
	connect(t, srv, func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		r := &discordgo.InteractionResponse{Data: &discordgo.InteractionResponseData{}}
		switch in.Type {
		case discordgo.InteractionApplicationCommandAutocomplete:
			r.Type = discordgo.InteractionApplicationCommandAutocompleteResult
			typed := in.ApplicationCommandData().Options[0].StringValue()
			r.Data.Choices = []*discordgo.ApplicationCommandOptionChoice{{Name: typed + "a", Value: typed + "a"}}
		case discordgo.InteractionApplicationCommand:
			r.Type = discordgo.InteractionResponseModal
			r.Data = &discordgo.InteractionResponseData{CustomID: "m", Title: "Name", Components: []discordgo.MessageComponent{
				discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.TextInput{CustomID: "who", Label: "Who", Style: discordgo.TextInputShort, Required: true}}},
			}}
		case discordgo.InteractionModalSubmit:
			r.Type = discordgo.InteractionResponseChannelMessageWithSource
			input := in.ModalSubmitData().Components[0].(*discordgo.ActionsRow).Components[0].(*discordgo.TextInput)
			r.Data.Content = "hello " + input.Value
		}
		if err := s.InteractionRespond(in.Interaction, r); err != nil {
			t.Errorf("respond: %v", err)
		}
	})
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	if got := ada.Autocomplete(t, general, "name", "what", sandbox.Opt("what", "b")).Choices; len(got) != 1 || got[0].Value != "ba" {
		t.Errorf("choices %+v", got)
	}
	call := ada.StartCommand(t, general, "name")
	if got := call.Wait(t).Modal; got == nil || got.Title != "Name" {
		t.Fatalf("modal %+v", got)
	}
	if _, err := ada.Do(sandbox.ModalSubmission{Call: call}); !isOrNil(err, sandbox.ErrBadOption) {
		t.Errorf("an empty required input: %v", err)
	}
	if got := ada.Start(t, sandbox.ModalSubmission{Call: call, Values: map[string]string{"who": "world"}}).Wait(t).Text(); got != "hello world" {
		t.Errorf("got %q", got)
	}
	srv.Settle(t) // the bot may still be reading that its answer was taken
}

func TestTogetherAndTwice(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited)
	register(t, srv, ping)
	gate, seen := make(chan struct{}), make(chan string, 16)
	connect(t, srv, func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		seen <- in.ID
		<-gate
		kind := discordgo.InteractionResponseDeferredMessageUpdate
		if in.Type == discordgo.InteractionApplicationCommand {
			kind = discordgo.InteractionResponseDeferredChannelMessageWithSource
		}
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{Type: kind})
	})
	ada, bob := srv.User("Ada"), srv.User("Bob")
	want(t, request(t, srv, "POST", "/channels/"+srv.Guild().Channel("general").ID()+"/messages",
		obj{"content": "x", "components": arr{row(btn("a", obj{"label": "A"}))}}), 200, 0)
	msg := srv.Guild().Channel("general").LastMessage(ada)
	one, two := ada.PrepareClick(t, msg, "A"), bob.PrepareClickCell(t, msg, 0, 0)
	srv.DispatchTogether(one, two)
	got := []string{<-seen, <-seen} // both arrive while neither is answered
	slices.Sort(got)
	if want := []string{one.ID(), two.ID()}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	srv.Faults().Redeliver(one)
	if got := <-seen; got != one.ID() {
		t.Errorf("redelivered %s, want %s", got, one.ID())
	}
	srv.Faults().RedeliverNext()
	cmd := ada.StartCommand(t, srv.Guild().Channel("general"), "ping")
	if a, b := <-seen, <-seen; a != cmd.ID() || b != cmd.ID() {
		t.Errorf("got %s and %s, want %s twice", a, b, cmd.ID())
	}
	close(gate)
	for _, c := range []*sandbox.Call{one, two, cmd} {
		if r := c.Wait(t); !r.Answered() {
			t.Errorf("%s: %+v", c, r)
		}
	}
	srv.WaitFor(t, "both answers of the one delivered twice", func() bool { return one.Reply().Acks == 2 && cmd.Reply().Acks == 2 })
	if p := one.Reply().Problems; len(p) != 1 || !strings.Contains(p[0], "40060") || strings.Contains(p[0], one.InteractionToken()) {
		t.Errorf("problems %q", p)
	}
}

// isOrNil reports whether got is want, which may be nil.
func isOrNil(got, want error) bool { return errors.Is(got, want) }
