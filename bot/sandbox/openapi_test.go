package sandbox_test

import (
	"os"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/apicheck"
)

// TestAnswersFitThePublishedDescription checks what the server answers, route by
// route, against the API description that Discord publishes.
func TestAnswersFitThePublishedDescription(t *testing.T) {
	path := os.Getenv("DISCORD_OPENAPI")
	if path == "" {
		t.Skip("DISCORD_OPENAPI does not name Discord's API description")
	}
	api, err := apicheck.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	srv := sandbox.NewServer(t, unlimited)
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
		got.decode(t, &made)
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
	got.decode(t, &m)
	at := "/channels/" + general.ID() + "/messages/" + m.ID
	want(t, request(t, srv, "PATCH", at, everything), 200, 0)
	want(t, request(t, srv, "GET", at, nil), 200, 0)
	want(t, request(t, srv, "GET", "/channels/"+general.ID()+"/messages", nil), 200, 0)
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages",
		obj{"content": "x", "message_reference": obj{"message_id": m.ID}, "embeds": arr{obj{"title": "t", "color": 1}}}), 200, 0)
	want(t, request(t, srv, "DELETE", at, nil), 204, 0)

	post(t, srv, &discordgo.MessageSend{}, named("a picture.png", pngFile(t)), named("b.txt", "words"))

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
	got.decode(t, &m)
	want(t, request(t, srv, "PATCH", hook+"/messages/"+m.ID, obj{"content": "less"}), 200, 0)
	want(t, request(t, srv, "DELETE", hook+"/messages/"+m.ID, nil), 204, 0)
	click := ada.StartClick(t, call.Wait(t).Message, "A")
	respond(click, obj{"type": 7, "data": obj{"content": "clicked"}})
	for _, body := range []obj{{"type": 5}, {"type": 9, "data": obj{
		"custom_id": "m", "title": "t",
		"components": arr{row(obj{"type": 4, "custom_id": "i", "style": 1, "label": "l"})},
	}}} {
		respond(pinged(t, srv), body)
	}

	checked := map[string]bool{}
	for _, r := range srv.Requests() {
		checked[r.Method+" "+r.Route] = true
		if err := api.CheckResponse(r.Method, r.Path, r.Status, r.Response); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.Route, err)
		}
	}
	if len(checked) < 36 {
		t.Errorf("only %d routes were asked", len(checked))
	}
}
