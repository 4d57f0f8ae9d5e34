package api

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/waittest"
)

const key = "secret"

// description is openapi.json, ready to check against.
type description struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
}

func describe(t *testing.T) *description {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(Description))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", v); err != nil {
		t.Fatal(err)
	}
	return &description{v.(map[string]any), c}
}

// operations lists what is described, as the table of routes writes it.
func (d *description) operations() []string {
	var out []string
	for path, methods := range d.doc["paths"].(map[string]any) {
		for method := range methods.(map[string]any) {
			out = append(out, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(out)
	return out
}

// check holds a body against the schema that the description has there.
func (d *description) check(t *testing.T, pointer string, body []byte) {
	t.Helper()
	s, err := d.compiler.Compile("openapi.json#" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s\n%s: %v", body, pointer, err)
	}
}

// TestEveryRouteIsDescribed compares the table of routes with the description.
func TestEveryRouteIsDescribed(t *testing.T) {
	var routes []string
	for pattern := range (&handler{}).routes() {
		routes = append(routes, strings.TrimSuffix(pattern, "{$}"))
	}
	slices.Sort(routes)
	if got := describe(t).operations(); !slices.Equal(got, routes) {
		t.Errorf("described %q\nserved %q", got, routes)
	}
}

// client uses the API as a program in another language does, and holds what it sends
// and gets against the description.
type client struct {
	t    *testing.T
	url  string
	desc *description
	used map[string]bool
}

// do asks and decodes the answer, which must have that status.
func (c *client) do(method, path, route string, body any, status int, into any) {
	c.t.Helper()
	var send []byte
	if body != nil {
		send, _ = json.Marshal(body)
		if status == http.StatusOK {
			c.desc.check(c.t, c.pointer(method, route)+"/requestBody/content/application~1json/schema", send)
		}
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+Base+path, bytes.NewReader(send))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		c.t.Fatalf("%s %s: %d %s %v, want %d", method, path, resp.StatusCode, got, err, status)
	}
	answer := "200"
	if status != http.StatusOK {
		answer = "default"
	} else {
		c.used[method+" "+route] = true
	}
	c.desc.check(c.t, c.pointer(method, route)+"/responses/"+answer+"/content/application~1json/schema", got)
	if into != nil {
		if err := json.Unmarshal(got, into); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (*client) pointer(method, route string) string {
	return "/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(route) + "/" + strings.ToLower(method)
}

type object = map[string]any

// serve starts a local Discord with the API and a bot that answers.
func serve(t *testing.T) (*client, *sandbox.Server) {
	t.Helper()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.World.Clock, o.World.PrivilegedIntents, o.World.Quiet = clock.NewMovable(), 1<<15, waittest.Limit(250*time.Millisecond)
		o.Handler = func(s *sandbox.Server) http.Handler { return New(s, key) }
	})
	s := srv.Session()
	s.Identify.Intents = 1<<9 | 1<<10 | 1<<12 | 1<<15
	s.AddHandler(answer)
	s.AddHandler(func(s *discordgo.Session, m *discordgo.MessageCreate) {
		if m.Content == "!ping" {
			_, _ = s.ChannelMessageSend(m.ChannelID, "pong")
		}
	})
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	person := &discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionUser, Name: "who", Description: "d"}
	text := &discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionString, Name: "text", Description: "d", Autocomplete: true}
	for _, cmd := range []*discordgo.ApplicationCommand{
		{Name: "greet", Description: "d", Options: []*discordgo.ApplicationCommandOption{person, text}},
		{Name: "later", Description: "d"},
		{Name: "form", Description: "d"},
		{Name: "silent", Description: "d"},
		{Name: "Wave", Type: discordgo.UserApplicationCommand},
	} {
		if _, err := s.ApplicationCommandCreate(srv.AppID(), "", cmd); err != nil {
			t.Fatal(err)
		}
	}
	return &client{t: t, url: srv.URL(), desc: describe(t), used: map[string]bool{}}, srv
}

// answer is the bot.
func answer(s *discordgo.Session, in *discordgo.InteractionCreate) {
	reply := func(text string, more ...discordgo.MessageComponent) {
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: text, Components: more},
		})
	}
	switch in.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionApplicationCommandAutocompleteResult,
			Data: &discordgo.InteractionResponseData{Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "hello", Value: "hello"}}},
		})
	case discordgo.InteractionMessageComponent:
		reply("pressed " + strings.Join(append(in.MessageComponentData().Values, in.MessageComponentData().CustomID), " "))
	case discordgo.InteractionModalSubmit:
		row := in.ModalSubmitData().Components[0].(*discordgo.ActionsRow)
		reply("written " + row.Components[0].(*discordgo.TextInput).Value)
	case discordgo.InteractionApplicationCommand:
		switch in.ApplicationCommandData().Name {
		case "greet":
			people := discordgo.SelectMenu{MenuType: discordgo.UserSelectMenu, CustomID: "people"}
			reply("hello", discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.Button{Label: "Press", CustomID: "press"}}},
				discordgo.ActionsRow{Components: []discordgo.MessageComponent{people}})
		case "later":
			_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource})
			done := "at last"
			_, _ = s.InteractionResponseEdit(in.Interaction, &discordgo.WebhookEdit{Content: &done})
			_, _ = s.FollowupMessageCreate(in.Interaction, true, &discordgo.WebhookParams{Content: "and more"})
		case "form":
			_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseModal,
				Data: &discordgo.InteractionResponseData{CustomID: "form", Title: "Form", Components: []discordgo.MessageComponent{
					discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.TextInput{CustomID: "word", Label: "Word", Style: discordgo.TextInputShort}}},
				}},
			})
		case "Wave":
			_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseChannelMessageWithSource,
				Data: &discordgo.InteractionResponseData{Content: "waves", Flags: discordgo.MessageFlagsEphemeral},
			})
		}
	}
}

// TestEveryRoute uses each of them.
func TestEveryRoute(t *testing.T) {
	c, srv := serve(t)
	var w worldState
	c.do("POST", "/worlds", "/worlds", object{
		"name": "test one", "locale": "de", "roles": []object{{"name": "Judge", "permissions": "8192"}},
		"people":   []object{{"name": "Ada", "nick": "A", "roles": []string{"Judge"}}, {"name": "Ben", "permissions": "8"}},
		"channels": []object{{"name": "general"}, {"name": "talk", "parent": "general"}, {"name": "secret", "visible_to": []string{"Ada"}, "deny_bot": "2048"}},
	}, 200, &w)
	at := "/worlds/" + w.ID
	if len(w.People) != 2 || w.People[0].Roles[0] != "Judge" || len(w.Channels) != 3 || len(w.Commands) != 5 {
		t.Fatalf("made %+v", w)
	}
	c.do("POST", at+"/people", "/worlds/{world}/people", object{"name": "Cleo"}, 200, nil)
	var p person
	c.do("PATCH", at+"/people", "/worlds/{world}/people", object{"name": "Cleo", "nick": "C", "roles": []string{"Judge"}}, 200, &p)
	if p.Nick != "C" || len(p.Roles) != 1 {
		t.Errorf("changed to %+v", p)
	}
	c.do("POST", at+"/channels", "/worlds/{world}/channels", object{"name": "more", "topic": "t"}, 200, nil)
	c.do("POST", at+"/roles", "/worlds/{world}/roles", object{"name": "Guest"}, 200, nil)
	c.do("GET", at, "/worlds/{world}", nil, 200, &w)
	var worlds []worldState
	c.do("GET", "/worlds", "/worlds", nil, 200, &worlds)
	if len(worlds) != 2 || worlds[0].ID != srv.Guild().ID() || worlds[1].ID != w.ID {
		t.Errorf("listed %+v", worlds)
	}

	var o outcome
	act := func(what string, body object, query, want string) {
		t.Helper()
		o = outcome{}
		c.do("POST", at+"/"+what+query, "/worlds/{world}/"+what, body, 200, &o)
		if want != "" && o.Text != want {
			t.Errorf("%s: got %q, want %q", what, o.Text, want)
		}
	}
	act("command", object{"as": "Ada", "channel": "general", "path": "greet", "options": object{"who": "Ben", "text": "x"}}, "", "hello")
	greeting := o.Message.ID
	act("click", object{"as": "Ben", "message": greeting, "label": "Press"}, "", "pressed press")
	act("select", object{"as": "Ben", "message": greeting, "custom_id": "people", "values": []string{"Ada"}}, "", "")
	if !strings.HasPrefix(o.Text, "pressed 1") {
		t.Errorf("chose %q, want an id", o.Text)
	}
	act("say", object{"as": w.Owner, "channel": "general", "text": "I own it"}, "", "I own it")
	act("autocomplete", object{"as": "Ada", "channel": "general", "path": "greet", "focused": "text"}, "", "")
	if o.Call == nil || len(o.Call.Choices) != 1 {
		t.Errorf("suggested %+v", o.Call)
	}
	act("context", object{"as": "Ada", "channel": "@dm", "name": "Wave", "user": "Ben"}, "", "waves")
	act("dismiss", object{"as": "Ada", "message": o.Message.ID}, "", "waves")
	if !o.Message.Deleted {
		t.Error("a message that Ada has put away is still there")
	}
	act("command", object{"as": "Ada", "channel": "general", "path": "later"}, "?wait=settled", "at last")
	if len(o.FollowUps) != 1 {
		t.Errorf("%d follow-ups, want one: settled means done", len(o.FollowUps))
	}
	act("command", object{"as": "Ada", "channel": "general", "path": "form"}, "", "")
	act("modal", object{"as": "Ada", "call": o.Call.ID, "values": object{"word": []string{"yes"}}}, "", "written yes")
	act("say", object{"as": "Ben", "channel": "general", "text": "!ping", "files": []object{{"name": "a.txt", "content": "aGk="}}}, "?wait=settled", "!ping")
	act("react", object{"as": "Ada", "message": o.Message.ID, "emoji": "👍"}, "", "")
	if len(o.Message.Reactions) != 1 {
		t.Errorf("reacted %+v", o.Message.Reactions)
	}
	slip, err := srv.World().UserByID(w.People[1].ID).Say(srv.World().ChannelByID(w.Channels[0].ID), "oops")
	if err != nil {
		t.Fatal(err)
	}
	act("delete", object{"as": "Ben", "message": slip.ID()}, "", "")
	if !slip.Deleted() {
		t.Error("Ben's own message is still there")
	}
	var list struct{ Messages []sandbox.Snapshot }
	c.do("GET", at+"/messages?channel=general&as=Ben", "/worlds/{world}/messages", nil, 200, &list)
	if last := list.Messages[len(list.Messages)-1]; last.Content != "pong" {
		t.Errorf("the last message says %q", last.Content)
	}
	c.do("GET", "/messages/"+greeting, "/messages/{message}", nil, 200, nil)
	c.useRoles(at)
	c.useChannels(at, srv)

	c.do("POST", "/faults", "/faults", object{"name": "FailNext", "route": "POST /interactions/{interaction_id}/{interaction_token}/callback", "status": 503}, 200, nil)
	act("command", object{"as": "Ada", "channel": "general", "path": "greet"}, "?wait=none", "")
	call := o.Call.ID
	c.do("POST", "/clock", "/clock", object{"advance": "4s"}, 200, nil)
	c.do("GET", "/calls/"+call+"?wait=answered", "/calls/{call}", nil, 200, &o)
	if o.Call.State != sandbox.CallFailed && o.Call.State != sandbox.CallAnswered {
		t.Errorf("the call is %s", o.Call.State)
	}
	c.do("GET", "/faults", "/faults", nil, 200, nil)
	c.do("DELETE", "/faults", "/faults", nil, 200, nil)
	var asked struct {
		Requests []request
		Next     int
	}
	c.do("GET", "/requests?from=1", "/requests", nil, 200, &asked)
	if len(asked.Requests) != asked.Next-1 {
		t.Errorf("%d requests, next %d", len(asked.Requests), asked.Next)
	}
	c.do("DELETE", "/requests", "/requests", nil, 200, nil)
	c.do("POST", "/wait", "/wait", object{"for": "connected"}, 200, nil)
	c.do("POST", "/wait", "/wait", object{"for": "ready"}, 200, nil)
	c.do("POST", "/wait", "/wait", object{"for": "settled", "timeout": "5s"}, 200, nil)
	c.do("GET", "/", "/", nil, 200, nil)
	var second app
	c.do("POST", "/apps", "/apps", object{"name": "Second", "permissions": "8", "intents": []string{"members"}}, 200, &second)
	other := srv.SessionOf(srv.World().Apps()[1])
	other.AddHandler(answer)
	if err := other.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	if _, err := other.ApplicationCommandCreate(second.ID, "", &discordgo.ApplicationCommand{Name: "greet", Description: "d"}); err != nil {
		t.Fatal(err)
	}
	act("command", object{"as": "Ada", "channel": "general", "path": "greet", "app": "Second"}, "", "hello")
	if o.Message.AuthorID != second.ID {
		t.Errorf("the answer is by %+v", o.Message.AuthorID)
	}
	var apps struct{ Apps []app }
	c.do("GET", "/apps", "/apps", nil, 200, &apps)
	if len(apps.Apps) != 2 || apps.Apps[1].Sessions != 1 || len(apps.Apps[1].Commands) != 1 {
		t.Errorf("the applications are %+v", apps)
	}
	c.do("DELETE", at, "/worlds/{world}", nil, 200, nil)
	c.do("POST", "/reset", "/reset", nil, 200, nil)
	srv.AllowUnanswered()
	for _, route := range c.desc.operations() {
		if !c.used[route] {
			t.Errorf("%s was not used", route)
		}
	}
}

// TestRefusals: what makes no sense is refused, says why, and changes nothing.
func TestRefusals(t *testing.T) {
	c, srv := serve(t)
	var w worldState
	c.do("POST", "/worlds", "/worlds", object{"name": "w", "people": []object{{"name": "Ada"}}, "roles": []object{{"name": "Red"}}, "channels": []object{{"name": "general"}}}, 200, &w)
	at := "/worlds/" + w.ID
	for _, r := range []struct {
		method, path, route string
		body                any
		status              int
		code                string
	}{
		{"POST", "/worlds", "/worlds", object{"name": ""}, 422, "bad_field"},
		{"POST", "/worlds", "/worlds", object{"name": "x", "locale": "tlh"}, 422, "bad_field"},
		{"POST", at + "/people", "/worlds/{world}/people", object{"name": ""}, 422, "bad_field"},
		{"POST", at + "/roles", "/worlds/{world}/roles", object{"name": ""}, 422, "bad_field"},
		{"POST", at + "/channels", "/worlds/{world}/channels", object{"name": ""}, 422, "bad_field"},
		{"PATCH", at + "/roles/Red", "/worlds/{world}/roles/{role}", object{"name": "@everyone"}, 422, "bad_field"},
		{"POST", "/worlds", "/worlds", object{"name": "x", "people": []object{{"name": "A"}, {"name": "A"}}}, 422, "bad_field"},
		{"POST", "/worlds", "/worlds", object{"name": "x", "colour": "red"}, 400, "bad_json"},
		{"POST", "/worlds", "/worlds", []int{1}, 400, "bad_json"},
		{"GET", "/worlds/1", "/worlds/{world}", nil, 404, "unknown_world"},
		{"DELETE", "/worlds/" + srv.Guild().ID(), "/worlds/{world}", nil, 409, "first_world"},
		{"POST", at + "/say", "/worlds/{world}/say", object{"as": "Nobody", "channel": "general", "text": "x"}, 404, "unknown_person"},
		{"POST", at + "/say", "/worlds/{world}/say", object{"as": "Ada", "channel": "nowhere", "text": "x"}, 404, "unknown_channel"},
		{"POST", at + "/say", "/worlds/{world}/say", object{"as": "Ada", "channel": "general", "text": ""}, 422, "bad_option"},
		{"POST", at + "/say", "/worlds/{world}/say", object{"as": "Ada", "channel": "general", "text": strings.Repeat("é", 2001)}, 422, "bad_option"},
		{"POST", at + "/say", "/worlds/{world}/say", object{"as": srv.AppID(), "channel": "general", "text": "x"}, 404, "unknown_person"},
		{"PATCH", at + "/people", "/worlds/{world}/people", object{"name": "Ada", "locale": "tlh"}, 422, "bad_field"},
		{"PATCH", at + "/people", "/worlds/{world}/people", object{"name": "Nobody", "locale": "de"}, 404, "unknown_person"},
		{"POST", at + "/roles", "/worlds/{world}/roles", object{"name": "x", "permissions": "-1"}, 422, "bad_field"},
		{"POST", at + "/roles", "/worlds/{world}/roles", object{"name": "x", "permissions": "9223372036854775807"}, 422, "bad_field"},
		{"PATCH", at + "/roles/x", "/worlds/{world}/roles/{role}", object{}, 404, "unknown_role"},
		{"PATCH", at + "/roles/" + w.ID, "/worlds/{world}/roles/{role}", object{"name": "all"}, 422, "bad_field"},
		{"DELETE", at + "/roles/" + w.ID, "/worlds/{world}/roles/{role}", nil, 409, "fixed_role"},
		{"PUT", at + "/people/Ada/roles/" + w.ID, "/worlds/{world}/people/{person}/roles/{role}", nil, 409, "fixed_role"},
		{"PUT", at + "/people/Nobody/roles/" + w.Roles[1].ID, "/worlds/{world}/people/{person}/roles/{role}", nil, 404, "unknown_person"},
		{"PUT", at + "/channels/general/overwrites/nobody", "/worlds/{world}/channels/{channel}/overwrites/{target}", object{"allow": "0", "deny": "0"}, 404, "unknown_target"},
		{"PUT", at + "/channels/general/overwrites/Ada", "/worlds/{world}/channels/{channel}/overwrites/{target}", object{"allow": "2048", "deny": "2048"}, 422, "bad_field"},
		{"PUT", at + "/channels/nowhere/overwrites/Ada", "/worlds/{world}/channels/{channel}/overwrites/{target}", object{"allow": "0", "deny": "0"}, 404, "unknown_channel"},
		{"POST", at + "/channels", "/worlds/{world}/channels", object{"name": "general", "locked": true}, 422, "bad_field"},
		{"POST", at + "/channels", "/worlds/{world}/channels", object{"name": "general", "archived": true}, 422, "bad_field"},
		{"POST", at + "/private", "/worlds/{world}/private", object{"people": []string{"Ada"}}, 422, "bad_field"},
		{"POST", at + "/private", "/worlds/{world}/private", object{"people": []string{"Ada", "Ada"}}, 422, "bad_field"},
		{"POST", at + "/threads", "/worlds/{world}/threads", object{"as": "Ada", "channel": "general", "name": ""}, 422, "bad_option"},
		{"PATCH", at + "/threads", "/worlds/{world}/threads", object{"as": "Ada", "thread": "general"}, 404, "unknown_channel"},
		{"POST", at + "/pin", "/worlds/{world}/pin", object{"as": "Ada", "message": "1"}, 404, "unknown_message"},
		{"GET", at + "/pins?channel=nowhere", "/worlds/{world}/pins", nil, 404, "unknown_channel"},
		{"POST", at + "/command", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "nothing"}, 409, "unknown_command"},
		{"POST", at + "/command", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "greet all"}, 409, "unknown_command"},
		{"POST", at + "/command", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "greet", "options": object{"x": 1}}, 422, "bad_field"},
		{"POST", at + "/command", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "greet", "options": object{"who": "Zoe"}}, 422, "bad_field"},
		{"POST", at + "/command?wait=soon", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "greet"}, 422, "bad_field"},
		{"POST", at + "/command?timeout=2h", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "greet"}, 422, "bad_field"},
		{"POST", at + "/command?timeout=30ms", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "silent"}, 504, "timeout"},
		{"POST", at + "/click", "/worlds/{world}/click", object{"as": "Ada", "message": "1", "label": "x"}, 404, "unknown_message"},
		{"POST", "/faults", "/faults", object{"name": "Earthquake"}, 422, "unknown_fault"},
		{"POST", "/faults", "/faults", object{"name": "SlowNext", "delay": "soon"}, 422, "bad_field"},
		{"POST", "/apps", "/apps", object{"name": ""}, 422, "bad_field"},
		{"POST", "/apps", "/apps", object{"name": srv.App().Name()}, 422, "bad_field"},
		{"POST", "/apps", "/apps", object{"name": "x", "token": srv.Token()}, 422, "bad_field"},
		{"POST", "/apps", "/apps", object{"name": "x", "intents": []string{"guilds"}}, 422, "bad_field"},
		{"POST", "/apps", "/apps", object{"name": "x", "permissions": "all"}, 422, "bad_field"},
		{"POST", at + "/command", "/worlds/{world}/command", object{"as": "Ada", "channel": "general", "path": "greet", "app": "x"}, 404, "unknown_app"},
		{"POST", "/wait", "/wait", object{"for": "luck"}, 422, "bad_field"},
		{"POST", "/clock", "/clock", object{"advance": "-1s"}, 422, "bad_field"},
		{"GET", "/requests?from=x", "/requests", nil, 422, "bad_field"},
		{"GET", "/calls/1", "/calls/{call}", nil, 404, "unknown_call"},
	} {
		var e struct{ Error struct{ Code string } }
		c.do(r.method, r.path, r.route, r.body, r.status, &e)
		if e.Error.Code != r.code {
			t.Errorf("%s %s %v: %q, want %q", r.method, r.path, r.body, e.Error.Code, r.code)
		}
	}
	srv.AllowUnanswered()
	if got := len(srv.World().Guilds()); got != 2 {
		t.Errorf("%d guilds: a refused request made one", got)
	}
}

// TestValues gives what a program sends the type that an option asks for.
func TestValues(t *testing.T) {
	srv := sandbox.NewServer(t)
	w := &world{handler: &handler{srv, key}, guild: srv.Guild()}
	ada, red, general := srv.User("Ada"), srv.Guild().Role("Red"), srv.Guild().Channel("general")
	for _, c := range []struct {
		kind int
		raw  string
		want any // nil for what is none
	}{
		{rules.OptionUser, `"Ada"`, ada},
		{rules.OptionUser, `"Red"`, nil},
		{rules.OptionMentionable, `"Red"`, red},
		{rules.OptionMentionable, `"Blue"`, nil},
		{rules.OptionRole, `"Red"`, red},
		{rules.OptionRole, `"Ada"`, nil},
		{rules.OptionChannel, `"general"`, general},
		{rules.OptionChannel, `"nowhere"`, nil},
		{rules.OptionAttachment, `{"name":""}`, nil},
		{rules.OptionString, `"x"`, "x"},
		{rules.OptionString, `1`, nil},
		{rules.OptionBoolean, `true`, true},
		{rules.OptionBoolean, `"true"`, nil},
		{rules.OptionInteger, `12`, int64(12)},
		{rules.OptionInteger, `"1"`, "1"}, // which is still being typed
		{rules.OptionInteger, `[1]`, nil},
		{rules.OptionNumber, `1.5`, 1.5},
		{rules.OptionNumber, `1e999`, nil},
	} {
		if got, problem := w.value(c.kind, json.RawMessage(c.raw)); got != c.want || (problem == "") != (c.want != nil) {
			t.Errorf("%d %s: got %v %q, want %v", c.kind, c.raw, got, problem, c.want)
		}
	}
	for _, c := range []struct {
		kind        int
		value, want string
	}{
		{rules.TypeChannelSelect, "general", general.ID()},
		{rules.TypeUserSelect, "Ada", ada.ID()},
		{rules.TypeMentionableSelect, "Red", red.ID()},
		{rules.TypeRoleSelect, "Red", red.ID()},
		{rules.TypeRoleSelect, "Ada", "Ada"},
		{rules.TypeStringSelect, "Ada", "Ada"},
	} {
		if got := w.idFor(c.kind, c.value); got != c.want {
			t.Errorf("%q in a select of type %d: got %q, want %q", c.value, c.kind, got, c.want)
		}
	}
}

// TestSystemsClock cannot be moved.
func TestSystemsClock(t *testing.T) {
	if _, err := (&handler{sandbox.NewServer(t), key}).moveClock(nil, clockRequest{"1s"}); err == nil {
		t.Error("it was moved")
	}
}

// TestKey lets nobody in without it.
func TestKey(t *testing.T) {
	h := New(sandbox.NewServer(t), key)
	for header, want := range map[string]int{"": 401, "Bearer x": 401, "Bearer ": 401, key: 401, "Bearer " + key: 200} {
		r := httptest.NewRequest("GET", Base+"/", nil)
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		got := httptest.NewRecorder()
		h.ServeHTTP(got, r)
		if got.Code != want {
			t.Errorf("%q: %d, want %d", header, got.Code, want)
		}
	}
	got := httptest.NewRecorder()
	h.ServeHTTP(got, httptest.NewRequest("GET", Base+"/openapi.json", nil))
	if got.Code != 200 || !bytes.Equal(got.Body.Bytes(), Description) {
		t.Errorf("the description: %d", got.Code)
	}
}

// TestFaultsWithArguments arms each of them.
func TestFaultsWithArguments(t *testing.T) {
	srv := sandbox.NewServer(t)
	h := &handler{srv, key}
	general := srv.Guild().Channel("general").ID()
	for name := range withArguments {
		in := faultRequest{Name: name, RetryAfter: "1s", Delay: time.Second.String(), Channel: general}
		_, err := h.arm(nil, in)
		if wantsCall := name == "ExpireToken" || name == "UnknownWebhook"; (err != nil) != wantsCall {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.arm(nil, faultRequest{Name: "FirstPacketAfterHello", Packet: "op99"}); err == nil {
		t.Error("there is a packet op99")
	}
}

// TestResetKeepsWhoLivesElsewhere: who lives in the first world or another one goes on.
func TestResetKeepsWhoLivesElsewhere(t *testing.T) {
	srv := sandbox.NewServer(t)
	h := &handler{srv, key}
	made, first, second := srv.World().AddUser("Ada"), srv.World().AddGuild("one"), srv.World().AddGuild("two")
	ben, cleo := srv.User("Ben"), srv.World().AddUser("Cleo")
	for _, u := range []*sandbox.User{made, ben, cleo} {
		u.Join(first)
	}
	cleo.Join(second)
	if _, err := (&world{handler: h, guild: first}).delete(nil); err != nil {
		t.Fatal(err)
	}
	if made.Name() != "" || ben.Name() != "Ben" || cleo.Name() != "Cleo" {
		t.Errorf("there are still %q, %q and %q, want the last two", made.Name(), ben.Name(), cleo.Name())
	}
	if _, err := h.reset(nil); err != nil {
		t.Fatal(err)
	}
	if ben.Name() != "Ben" || cleo.Name() != "" {
		t.Errorf("after the reset there are still %q and %q, want the first", ben.Name(), cleo.Name())
	}
}

// TestFaultsByNameAlone: without arguments a fault is what the page's button causes, once and
// again.
func TestFaultsByNameAlone(t *testing.T) {
	srv := sandbox.NewServer(t)
	h := &handler{srv, key}
	twice := func(name string, cause func(string) error) (armed [2]int) {
		defer srv.Faults().Clear()
		for i := range armed {
			if err := cause(name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, f := range srv.Faults().List() {
				armed[i] += f.Armed
			}
		}
		return armed
	}
	byName := func(name string) error {
		_, err := h.arm(nil, faultRequest{Name: name})
		return err
	}
	for _, f := range srv.Faults().List() {
		if got, want := twice(f.Name, byName), twice(f.Name, srv.Faults().Trigger); got != want {
			t.Errorf("%s: armed %v, want %v", f.Name, got, want)
		}
	}
	twice("FirstPacketInsteadOfHello", byName) // has no button
}

// TestRequestsGoOn: who asks again and again for what came since misses nothing that is still
// kept, though the oldest requests are not.
func TestRequestsGoOn(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.REST.KeepRequests = 2 })
	h, s := &handler{srv, key}, srv.Session()
	next := 0
	poll := func(want int) {
		t.Helper()
		r := httptest.NewRequest("GET", Base+"/requests?from="+strconv.Itoa(next), nil)
		got, err := h.listRequests(r)
		if err != nil {
			t.Fatal(err)
		}
		o := got.(map[string]any)
		if n := len(o["requests"].([]request)); n != want || o["next"] != next+want {
			t.Errorf("from %d: %d requests and then %v, want %d", next, n, o["next"], want)
		}
		next = o["next"].(int)
	}
	for range 11 {
		if _, err := s.User("@me"); err != nil {
			t.Fatal(err)
		}
		poll(1)
	}
	srv.REST().Forget()
	poll(0)
	if _, err := s.User("@me"); err != nil {
		t.Fatal(err)
	}
	poll(1)
}

// TestClosedDMsOpen: what closes direct messages opens them again, and leaves them without it.
func TestClosedDMsOpen(t *testing.T) {
	c, srv := serve(t)
	ada := srv.User("Ada").DM().ID()
	people := "/worlds/" + srv.Guild().ID() + "/people"
	for _, step := range []struct {
		body   object
		closed bool
	}{{object{"closed_dms": true}, true}, {object{"nick": "A"}, true}, {object{"closed_dms": false}, false}} {
		step.body["name"] = "Ada"
		c.do("PATCH", people, "/worlds/{world}/people", step.body, 200, nil)
		if _, err := srv.Session().ChannelMessageSend(ada, "hello"); (err != nil) != step.closed {
			t.Errorf("after %v: %v", step.body, err)
		}
	}
}
