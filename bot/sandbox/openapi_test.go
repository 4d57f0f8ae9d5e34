package sandbox_test

import (
	"encoding/base64"
	"os"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/apicheck"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/permission"
)

// TestAnswersFitThePublishedDescription checks what the server answers, route by
// route, against the API description that Discord publishes.
func TestAnswersFitThePublishedDescription(t *testing.T) {
	t.Parallel()
	path := os.Getenv("DISCORD_OPENAPI")
	if path == "" {
		t.Skip("DISCORD_OPENAPI does not name Discord's API description")
	}
	api, err := apicheck.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range askEverything(t).REST().Requests() {
		if err := api.CheckResponse(r.Method, r.Path, r.Status, r.Response); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.Route, err)
		}
	}
}

// TestEveryServedRouteIsAsked keeps the test above from overlooking a route.
func TestEveryServedRouteIsAsked(t *testing.T) {
	asked := map[string]bool{}
	for _, r := range askEverything(t).REST().Requests() {
		asked[r.Method+" "+r.Route] = true
	}
	for _, op := range sandbox.Served() {
		if !asked[op.String()] {
			t.Errorf("%s was not asked", op)
		}
	}
}

// askEverything asks every route, with success.
func askEverything(t *testing.T) *sandbox.Server {
	t.Helper()
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) {
		o.World.PrivilegedIntents, o.World.BotPermissions = 1<<1|1<<15, permission.Administrator
	})
	ada, bob, guild := srv.User("Ada"), srv.User("Bob", sandbox.Nick("B")), srv.Guild()
	general := guild.Channel("general")
	thread := guild.Channel("thread", sandbox.Thread(general))

	app := "/applications/" + srv.AppID()
	for _, path := range []string{
		"/gateway", "/gateway/bot", "/users/@me", "/users/@me/guilds", "/users/" + bob.ID(), "/oauth2/applications/@me", "/applications/@me",
		"/guilds/" + guild.ID(), "/guilds/" + guild.ID() + "/channels", "/guilds/" + guild.ID() + "/members/" + bob.ID(),
		"/channels/" + general.ID(), "/channels/" + thread.ID(), "/channels/" + ada.DM().ID(), app + "/guilds/" + guild.ID() + "/commands/permissions",
	} {
		want(t, request(t, srv, "GET", path, nil), 200, 0)
	}
	want(t, request(t, srv, "PATCH", "/applications/@me", obj{"interactions_endpoint_url": nil}), 200, 0)
	want(t, request(t, srv, "POST", "/users/@me/channels", obj{"recipient_id": ada.ID()}), 200, 0)
	names := obj{"name_localizations": obj{"de": "spiel"}}
	for _, scope := range []string{app, app + "/guilds/" + guild.ID()} {
		list := arr{
			command("ping", names, obj{"contexts": arr{0, 1}, "integration_types": arr{0}, "options": arr{
				option(3, "s", names, obj{"choices": arr{obj{"name": "n", "value": "v"}}}), option(4, "i", obj{"min_value": 1, "max_value": 4}), option(6, "u"),
			}}),
			obj{"type": 2, "name": "Challenge"},
		}
		var made []discordgo.ApplicationCommand
		got := request(t, srv, "PUT", scope+"/commands", list)
		want(t, got, 200, 0)
		got.Decode(t, &made)
		want(t, request(t, srv, "GET", scope+"/commands?with_localizations=true", nil), 200, 0)
		want(t, request(t, srv, "GET", scope+"/commands", nil), 200, 0)
		want(t, request(t, srv, "GET", scope+"/commands/"+made[0].ID, nil), 200, 0)
		want(t, request(t, srv, "POST", scope+"/commands", command("more")), 201, 0)
		want(t, request(t, srv, "PATCH", scope+"/commands/"+made[0].ID, obj{"name": "ping", "description": "new"}), 200, 0)
		want(t, request(t, srv, "DELETE", scope+"/commands/"+made[1].ID, nil), 204, 0)
	}

	everything := v2(obj{"type": 17, "accent_color": 255, "components": arr{
		obj{"type": 10, "content": ada.Mention()},
		obj{"type": 14, "divider": true, "spacing": 1},
		row(btn("a", obj{"emoji": obj{"name": "❌"}})),
		obj{"type": 9, "components": texts(1, 1), "accessory": btn("b", obj{"style": 5, "custom_id": nil, "url": "https://example.org"})},
		obj{"type": 12, "items": arr{obj{"media": obj{"url": "https://example.org/a.png"}}}},
	}}, row(obj{"type": 3, "custom_id": "s", "options": options(2), "placeholder": "p"}), row(obj{"type": 5, "custom_id": "us"}))
	got := request(t, srv, "POST", "/channels/"+general.ID()+"/messages", everything)
	want(t, got, 200, 0)
	var m discordgo.Message
	got.Decode(t, &m)
	at := "/channels/" + general.ID() + "/messages/" + m.ID
	want(t, request(t, srv, "PATCH", at, everything), 200, 0)
	want(t, request(t, srv, "GET", at, nil), 200, 0)
	want(t, request(t, srv, "GET", "/channels/"+general.ID()+"/messages", nil), 200, 0)
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages",
		obj{"content": "x", "message_reference": obj{"message_id": m.ID}, "embeds": arr{obj{"title": "t", "color": 1}}}), 200, 0)
	want(t, request(t, srv, "DELETE", at, nil), 204, 0)

	apitest.Post(t, srv, &discordgo.MessageSend{}, apitest.Named("a picture.png", apitest.PNG(t)), apitest.Named("b.txt", "words"))

	respond := func(c *sandbox.Call, body obj) {
		t.Helper()
		want(t, request(t, srv, "POST", "/interactions/"+c.ID()+"/"+c.InteractionToken()+"/callback?with_response=true", body), 200, 0)
	}
	call := pinged(t, srv)
	respond(call, obj{"type": 4, "data": obj{"content": "x", "components": arr{row(btn("a", obj{"label": "A"}))}}})
	hook := webhook(srv, call)
	want(t, request(t, srv, "GET", hook+"/messages/@original", nil), 200, 0)
	want(t, request(t, srv, "PATCH", hook+"/messages/@original", obj{"content": "y"}), 200, 0)
	got = request(t, srv, "POST", hook, obj{"content": "more", "flags": 64})
	want(t, got, 200, 0)
	got.Decode(t, &m)
	want(t, request(t, srv, "PATCH", hook+"/messages/"+m.ID, obj{"content": "less"}), 200, 0)
	want(t, request(t, srv, "DELETE", hook+"/messages/"+m.ID, nil), 204, 0)
	click := ada.StartClick(t, call.Wait(t).Message, "A")
	respond(click, obj{"type": 7, "data": obj{"content": "clicked"}})
	for _, body := range []obj{{"type": 5}, {"type": 9, "data": obj{
		"custom_id": "m", "title": "t",
		"components": arr{row(obj{"type": 4, "custom_id": "i", "style": 1, "label": "l"})},
	}}} {
		opened := pinged(t, srv)
		respond(opened, body)
		if body["type"] == 9 { // its answer says what opened it
			opened.Wait(t)
			sent, err := srv.User("Ada").Do(sandbox.ModalSubmission{Call: opened, Values: map[string]string{"i": "v"}})
			if err != nil {
				t.Fatal(err)
			}
			respond(sent, obj{"type": 4, "data": obj{"content": "x"}})
		}
	}
	brief := pinged(t, srv)
	respond(brief, obj{"type": 4, "data": obj{"content": "soon gone"}})
	want(t, request(t, srv, "DELETE", webhook(srv, brief)+"/messages/@original", nil), 204, 0)
	askGuildRoutes(t, srv, general)
	askWebhookRoutes(t, srv, general)
	return srv
}

// askGuildRoutes asks those of channels, threads, members, roles and the rest of a guild.
func askGuildRoutes(t *testing.T, srv *sandbox.Server, general *sandbox.Channel) {
	t.Helper()
	guild, ada := srv.Guild(), srv.User("Ada")
	mallory := srv.User("Mallory")
	victim := srv.User("Victim")
	red := guild.Role("Red")
	m, err := ada.Say(general, "something")
	if err != nil {
		t.Fatal(err)
	}
	g, c := "/guilds/"+guild.ID(), "/channels/"+general.ID()
	msg, app := c+"/messages/"+m.ID(), "/applications/"+srv.AppID()
	ask := func(method, path string, body any, status int) apitest.Answer {
		t.Helper()
		got := request(t, srv, method, path, body)
		want(t, got, status, 0)
		return got
	}
	made := func(a apitest.Answer) string {
		t.Helper()
		var o struct {
			ID string `json:"id"`
		}
		a.Decode(t, &o)
		return o.ID
	}
	for _, thumb := range []string{"👍", "🎲"} {
		ask("PUT", msg+"/reactions/"+thumb+"/@me", nil, 204)
	}
	if err := ada.React(m, "👍"); err != nil {
		t.Fatal(err)
	}
	ask("GET", msg+"/reactions/👍", nil, 200)
	ask("GET", msg, nil, 200)
	ask("DELETE", msg+"/reactions/🎲/@me", nil, 204)
	ask("DELETE", msg+"/reactions/👍/"+ada.ID(), nil, 204)
	ask("DELETE", msg+"/reactions/👍", nil, 204)
	ask("DELETE", msg+"/reactions", nil, 204)

	for _, pins := range []string{c + "/messages/pins", c + "/pins"} {
		ask("PUT", pins+"/"+m.ID(), nil, 204)
		ask("GET", pins, nil, 200)
		ask("DELETE", pins+"/"+m.ID(), nil, 204)
	}
	var gone arr
	for range 2 {
		gone = append(gone, made(ask("POST", c+"/messages", obj{"content": "x"}, 200)))
	}
	ask("POST", c+"/messages/bulk-delete", obj{"messages": gone}, 204)
	ask("POST", c+"/typing", nil, 204)

	thread := "/channels/" + made(ask("POST", msg+"/threads", obj{"name": "from a message"}, 201))
	ask("GET", msg, nil, 200)
	ask("PUT", thread+"/thread-members/"+ada.ID(), nil, 204)
	ask("GET", thread+"/thread-members/"+ada.ID()+"?with_member=true", nil, 200)
	ask("GET", thread+"/thread-members?with_member=true", nil, 200)
	ask("DELETE", thread+"/thread-members/"+ada.ID(), nil, 204)
	ask("DELETE", thread+"/thread-members/@me", nil, 204)
	ask("PUT", thread+"/thread-members/@me", nil, 204)
	ask("GET", g+"/threads/active", nil, 200)
	ask("PATCH", thread, obj{"archived": true, "name": "renamed"}, 200)
	private := "/channels/" + made(ask("POST", c+"/threads", obj{"name": "private", "type": 12, "auto_archive_duration": 60}, 201))
	ask("PATCH", private, obj{"archived": true}, 200)
	for _, list := range []string{"/threads/archived/public", "/threads/archived/private", "/users/@me/threads/archived/private"} {
		ask("GET", c+list, nil, 200)
	}

	channel := "/channels/" + made(ask("POST", g+"/channels", obj{"name": "made", "topic": "t"}, 201))
	ask("PATCH", channel, obj{"topic": "u"}, 200)
	ask("PUT", channel+"/permissions/"+red.ID(), obj{"type": 0, "allow": "1024", "deny": "2048"}, 204)
	ask("GET", channel, nil, 200)
	ask("GET", channel+"/invites", nil, 200)
	ask("DELETE", channel+"/permissions/"+red.ID(), nil, 204)
	ask("DELETE", channel, nil, 200)

	ask("GET", g+"/members?limit=10", nil, 200)
	ask("GET", g+"/members/search?query=a&limit=5", nil, 200)
	ask("PATCH", g+"/members/@me", obj{"nick": "Me"}, 200)
	ask("PATCH", g+"/members/"+ada.ID(), obj{
		"nick": "A", "roles": arr{red.ID()}, "communication_disabled_until": time.Now().Add(time.Hour).Format(time.RFC3339),
	}, 200)
	ask("DELETE", g+"/members/"+ada.ID()+"/roles/"+red.ID(), nil, 204)
	ask("PUT", g+"/members/"+ada.ID()+"/roles/"+red.ID(), nil, 204)
	ask("DELETE", g+"/members/"+victim.ID(), nil, 204)
	ask("PUT", g+"/bans/"+mallory.ID(), nil, 204)
	ask("GET", g+"/bans", nil, 200)
	ask("GET", g+"/bans/"+mallory.ID(), nil, 200)
	ask("DELETE", g+"/bans/"+mallory.ID(), nil, 204)

	role := g + "/roles/" + made(ask("POST", g+"/roles", obj{"name": "Blue", "permissions": "1024", "color": 255}, 200))
	ask("PATCH", role, obj{"name": "Navy", "hoist": true}, 200)
	ask("GET", role, nil, 200)
	ask("PATCH", g+"/roles", arr{obj{"id": red.ID(), "position": 1}}, 200)
	ask("GET", g+"/roles", nil, 200)
	ask("DELETE", role, nil, 204)

	emoji := app + "/emojis/" + made(ask("POST", app+"/emojis", obj{"name": "dot", "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(apitest.PNG(t)))}, 201))
	ask("GET", emoji, nil, 200)
	ask("PATCH", emoji, obj{"name": "point"}, 200)
	ask("GET", app+"/emojis", nil, 200)
	ask("DELETE", emoji, nil, 204)
	ask("PATCH", "/users/@me", obj{"username": "renamed"}, 200)
	ask("GET", app+"/entitlements", nil, 200)
	for _, list := range []string{"/emojis", "/stickers", "/invites", "/integrations", "/scheduled-events", "/auto-moderation/rules"} {
		ask("GET", g+list, nil, 200)
	}
}

func askWebhookRoutes(t *testing.T, srv *sandbox.Server, general *sandbox.Channel) {
	t.Helper()
	c := "/channels/" + general.ID()
	got := request(t, srv, "POST", c+"/webhooks", obj{"name": "Echo"})
	want(t, got, 200, 0)
	var hook struct{ ID, Token string }
	got.Decode(t, &hook)
	byID, byToken := "/webhooks/"+hook.ID, "/webhooks/"+hook.ID+"/"+hook.Token
	got = request(t, srv, "POST", byToken+"?wait=true", obj{"content": "x", "username": "Somebody"})
	want(t, got, 200, 0)
	var m struct{ ID string }
	got.Decode(t, &m)
	for _, r := range []struct {
		method, path string
		body         any
		status       int
	}{
		{"GET", c + "/webhooks", nil, 200},
		{"GET", "/guilds/" + srv.Guild().ID() + "/webhooks", nil, 200},
		{"POST", byToken, obj{"content": "unread"}, 204},
		{"GET", byToken + "/messages/" + m.ID, nil, 200},
		{"PATCH", byToken + "/messages/" + m.ID, obj{"content": "y"}, 200},
		{"DELETE", byToken + "/messages/" + m.ID, nil, 204},
		{"GET", byID, nil, 200},
		{"PATCH", byID, obj{"name": "Echo 2"}, 200},
		{"GET", byToken, nil, 200},
		{"PATCH", byToken, obj{"name": "Echo 3"}, 200},
		{"DELETE", byToken, nil, 204},
	} {
		want(t, request(t, srv, r.method, r.path, r.body), r.status, 0)
	}
	got = request(t, srv, "POST", c+"/webhooks", obj{"name": "Other"})
	got.Decode(t, &hook)
	want(t, request(t, srv, "DELETE", "/webhooks/"+hook.ID, nil), 204, 0)
}
