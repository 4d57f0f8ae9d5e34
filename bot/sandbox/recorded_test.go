package sandbox_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
)

// keysOf lists the keys of an object.
func keysOf(o any) []string {
	var keys []string
	for k := range o.(obj) {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestKeysOfInteractions: an interaction in a guild has the keys of the slash command that
// Discord has signed for a test of nucypher/nucypher (2025-06), and beside them those that a
// message and a click recorded by vercel/chat have of people (2026-02).
func TestKeysOfInteractions(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	register(t, srv, ping)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	payload := func(c *sandbox.Channel) obj {
		var p obj
		if err := json.Unmarshal(ada.StartCommand(t, c, "ping").Payload(), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := payload(general)
	person := "avatar avatar_decoration_data clan collectibles discriminator display_name_styles global_name id primary_guild public_flags username"
	member := p["member"].(obj)
	for _, c := range []struct {
		what string
		got  any
		want string
	}{
		{"interaction", p, "app_permissions application_id attachment_size_limit authorizing_integration_owners channel channel_id context data entitlement_sku_ids entitlements guild guild_id guild_locale id locale member token type version"},
		{"guild", p["guild"], "features id locale"},
		{"channel", p["channel"], "flags guild_id icon_emoji id last_message_id name nsfw parent_id permissions position rate_limit_per_user theme_color topic type"},
		{"member", member, "avatar banner collectibles communication_disabled_until deaf display_name_styles flags joined_at mute nick pending permissions premium_since roles unusual_dm_activity_until user"},
		{"user", member["user"], person},
		{"data", p["data"], "id name type"},
	} {
		if got := strings.Join(keysOf(c.got), " "); got != c.want {
			t.Errorf("%s has\n%s, want\n%s", c.what, got, c.want)
		}
	}

	thread := general
	thread = srv.Guild().Channel("talk", sandbox.Thread(thread))
	if _, err := ada.Say(thread, "x"); err != nil {
		t.Fatal(err)
	}
	c := payload(thread)["channel"].(obj)
	if m, _ := c["member"].(obj); m["user_id"] != ada.ID() || !slices.Equal(c["member_ids_preview"].(arr), arr{ada.ID()}) {
		t.Errorf("a thread's member is not who acts: %v", c)
	}
	if got := payload(ada.DM()); got["channel"].(obj)["recipient_flags"] == nil || strings.Join(keysOf(got["user"]), " ") != person {
		t.Errorf("in direct messages: %v", got)
	}
}

// TestRecipients: who acts is left out of the recipients of direct messages since 2025
// (discord-jda/JDA#2818), and a group has none (disgoorg/disgo#360).
func TestRecipients(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	register(t, srv, ping)
	ada, bob, eve := srv.User("Ada", sandbox.Installed(true)), srv.User("Bob"), srv.User("Eve")
	for _, c := range []struct {
		channel *sandbox.Channel
		want    []string
		has     string
	}{
		{ada.DM(), []string{srv.AppID()}, "recipient_flags"},
		{srv.World().PrivateChannel(ada, bob), []string{bob.ID()}, "recipient_flags"},
		{srv.World().PrivateChannel(ada, bob, eve), nil, "owner_id name icon last_pin_timestamp"},
	} {
		var p obj
		if err := json.Unmarshal(ada.StartCommand(t, c.channel, "ping").Payload(), &p); err != nil {
			t.Fatal(err)
		}
		// Recorded of direct messages between friends, in which the application was brought along.
		if may := p["app_permissions"]; len(c.want) > 0 && c.want[0] == bob.ID() && may != "562949953601536" {
			t.Errorf("between friends the application may %v", may)
		}
		o := p["channel"].(obj)
		var got []string
		list, _ := o["recipients"].(arr)
		for _, r := range list {
			got = append(got, r.(obj)["id"].(string))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("recipients %q, want %q", got, c.want)
		}
		for key := range strings.FieldsSeq(c.has) {
			if _, ok := o[key]; !ok {
				t.Errorf("no %s in %v", key, o)
			}
		}
	}
}

// TestRecordedRegistration: a command that says little comes back as Discord's own answer of
// 2026-01 has it (the README of a giveaway bot): where it can be used by direct messages, how
// it can be installed, and null for all that nobody gave.
func TestRecordedRegistration(t *testing.T) {
	srv := sandbox.NewServer(t)
	got := request(t, srv, "POST", "/applications/"+srv.AppID()+"/commands", obj{
		"name": "connect", "description": "Connect this server", "type": 1,
		"options": arr{obj{"name": "key", "description": "Your key", "type": 3, "required": true}},
	})
	want(t, got, 201, 0)
	var made obj
	got.Decode(t, &made)
	if strings.Join(keysOf(made), " ") != "application_id contexts default_member_permissions description description_localizations dm_permission id integration_types name name_localizations nsfw options type version" {
		t.Errorf("it has %q", keysOf(made))
	}
	option := made["options"].(arr)[0]
	if strings.Join(keysOf(option), " ") != "description description_localizations name name_localizations required type" {
		t.Errorf("its option has %q", keysOf(option))
	}
	if made["contexts"] != nil || made["dm_permission"] != true || len(made["integration_types"].(arr)) != 2 {
		t.Errorf("got %v", made)
	}
}

// TestReferencesAndPositions: the answer to a button names the guild of what it answers, and
// a message in a thread says roughly where it stands (recorded @original of 2024; the
// documentation's page Message).
func TestReferencesAndPositions(t *testing.T) {
	t.Parallel()
	w, thread := threadWithButton(t, func(o *sandbox.Options) { o.World.Clicks = sandbox.ClicksDelivered })
	w.srv.AllowUnanswered()
	path := "/channels/" + thread.ID() + "/messages"
	got := request(t, w.srv, "POST", path, obj{"content": "x", "message_reference": obj{"message_id": w.m.ID()}})
	want(t, got, 200, 0)
	var m obj
	got.Decode(t, &m)
	if m["message_reference"].(obj)["guild_id"] != w.srv.Guild().ID() || m["position"] != float64(1) {
		t.Errorf("got %s", got.Body)
	}
}

// TestNullEmbedsIntoV2: a plain message does not turn to components v2 with null embeds, by
// the channel's route either (discord/discord-api-docs#7787).
func TestNullEmbedsIntoV2(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	path := "/channels/" + general.ID() + "/messages"
	want(t, request(t, srv, "POST", path, obj{"content": "x"}), 200, 0)
	path += "/" + general.LastMessage(nil).ID()
	body := obj{"flags": 32768, "content": nil, "embeds": nil, "components": arr{obj{"type": 10, "content": "x"}}}
	got := request(t, srv, "PATCH", path, body)
	want(t, got, 400, 50035)
	if f := failures(got); !slices.Equal(f, []string{"embeds MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"}) {
		t.Errorf("got %q", f)
	}
	body["embeds"] = arr{}
	want(t, request(t, srv, "PATCH", path, body), 200, 0)
}
