package apicheck_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// A board as the bot sends it: a container that holds text and rows of
// buttons, and nobody mentioned.
const (
	button = `{"type":2,"style":2,"custom_id":"1.m.0.a1","label":"a1","disabled":false,"emoji":{"name":"❌"}}`
	row    = `{"type":1,"components":[` + button + `,{"type":2,"style":1,"custom_id":"1.m.0.b1","label":"\u200b"}]}`
	text   = `{"type":10,"content":"**Ada** to move"}`
	board  = `{"flags":32768,"allowed_mentions":{"parse":[],"users":["42"]},"components":[` +
		`{"type":17,"accent_color":5793266,"components":[` + text + `,{"type":14,"divider":true,"spacing":1},` + row + `]}]}`
	// buttonAt and textAt are where these are in board.
	rowAt    = "/components/0/components/2"
	buttonAt = rowAt + "/components/0"
	textAt   = "/components/0/components/0"
)

// commands is what the bot registers: a slash command with subcommands and a
// command in the menu of a user.
const commands = `[
	{"type":1,"name":"tictactoe","description":"Play tic-tac-toe","name_localizations":{"de":"tictactoe"},
	 "description_localizations":{"de":"Tic-Tac-Toe spielen"},"contexts":[0,1],"integration_types":[0],
	 "default_member_permissions":null,"nsfw":false,"options":[
		{"type":1,"name":"play","description":"Play the bot","options":[
			{"type":3,"name":"level","description":"How strong","required":false,
			 "choices":[{"name":"easy","name_localizations":{"de":"leicht"},"value":"easy"},{"name":"hard","value":"hard"}]},
			{"type":4,"name":"size","description":"Side of the board","min_value":3,"max_value":5}]},
		{"type":1,"name":"challenge","description":"Challenge somebody","options":[
			{"type":6,"name":"user","description":"Whom","required":true}]}]},
	{"type":2,"name":"Challenge to tic-tac-toe","contexts":[0],"integration_types":[0],"default_member_permissions":"2048"}
]`

// spoil is one change that makes a good body bad.
type spoil struct {
	name string
	at   string   // JSON pointer of the change
	to   string   // the JSON put there; "" takes the value out
	want []string // pointers refused; at alone if empty
}

// request is a kind of request that the bot makes.
type request struct {
	name         string
	method, path string
	query        url.Values
	good         string
	spoils       []spoil
}

// requests are all kinds of requests with a body.
func requests() []request {
	const callback = "/interactions/111/tok_EN-1/callback"
	withResponse := url.Values{"with_response": {"true"}}
	flat := `{"content":"hi","allowed_mentions":{"parse":["users"]},"components":[` + row + `],"flags":64}`
	modal := `{"type":9,"data":{"custom_id":"m","title":"Resign?","components":[
		{"type":18,"label":"Why","component":{"type":4,"custom_id":"why","style":1,"required":false,"max_length":100}}]}}`
	autocomplete := `{"type":8,"data":{"choices":[{"name":"5 x 5","name_localizations":{"fr":"5 x 5"},"value":"5x5"}]}}`
	return []request{
		{"register global", "PUT", "/applications/10/commands", nil, commands, commandSpoils("")},
		{"register guild", "PUT", "/applications/10/guilds/20/commands", nil, commands, commandSpoils("")},
		{"callback 4", "POST", callback, withResponse, `{"type":4,"data":` + board + `}`, append(boardSpoils("/data"),
			spoil{"unknown callback type", "/type", `10`, nil},
			spoil{"type as text", "/type", `"4"`, nil},
			spoil{"no type", "/type", ``, []string{""}},
			spoil{"data is a list", "/data", `[]`, nil},
			spoil{"long content", "/data/content", letters(2001), nil},
			spoil{"eleven embeds", "/data/embeds", repeated(`{"title":"x"}`, 11), nil},
			spoil{"long embed title", "/data/embeds", `[{"title":` + letters(257) + `}]`, []string{"/data/embeds/0/title"}},
			spoil{"tts as text", "/data/tts", `"no"`, nil})},
		{"callback 4 plain", "POST", callback, nil, `{"type":4,"data":` + flat + `}`, []spoil{
			{"label too long", "/data/components/0/components/0/label", letters(81), nil},
			{"text display in a row", "/data/components/0/components/0", text, []string{"/data/components/0/components/0/type"}},
		}},
		{"callback 5", "POST", callback, nil, `{"type":5,"data":{"flags":64}}`, []spoil{
			{"flags as text", "/data/flags", `"64"`, nil},
			{"flags as a fraction", "/data/flags", `64.5`, nil},
			{"misspelt field", "/data/flag", `64`, []string{"/data"}},
		}},
		{"callback 6", "POST", callback, nil, `{"type":6}`, []spoil{
			{"data as text", "/data", `"x"`, nil},
			{"stray field", "/flags", `64`, []string{""}},
		}},
		{"callback 7", "POST", callback, nil, `{"type":7,"data":` + board + `}`, append(boardSpoils("/data"),
			spoil{"tts, which only new messages have", "/data/tts", `false`, []string{"/data"}})},
		{"callback 8", "POST", callback, nil, autocomplete, []spoil{
			{"26 choices", "/data/choices", repeated(`{"name":"a","value":"a"}`, 26), nil},
			{"no name", "/data/choices/0/name", ``, []string{"/data/choices/0"}},
			{"no value", "/data/choices/0/value", ``, []string{"/data/choices/0"}},
			{"long name", "/data/choices/0/name", letters(101), nil},
			{"empty translation", "/data/choices/0/name_localizations/fr", `""`, nil},
			{"value is a boolean", "/data/choices/0/value", `true`, nil},
			{"no data", "/data", ``, []string{""}},
		}},
		{"callback 9", "POST", callback, nil, modal, []spoil{
			{"long title", "/data/title", letters(46), nil},
			{"no title", "/data/title", ``, []string{"/data"}},
			{"no components", "/data/components", `[]`, nil},
			{"empty custom ID", "/data/custom_id", `""`, nil},
			{"long custom ID", "/data/custom_id", letters(101), nil},
			{"button in a label", "/data/components/0/component", button, []string{"/data/components/0/component/type"}},
			{"long label", "/data/components/0/label", letters(46), nil},
			{"unknown text style", "/data/components/0/component/style", `3`, nil},
		}},
		{"edit original", "PATCH", "/webhooks/10/tok_EN-1/messages/@original", nil, board, boardSpoils("")},
		{"follow-up", "POST", "/webhooks/10/tok_EN-1", url.Values{"wait": {"true"}}, board, append(boardSpoils(""),
			spoil{"tts as text", "/tts", `"no"`, nil},
			spoil{"long content", "/content", letters(2001), nil})},
		{"edit follow-up", "PATCH", "/webhooks/10/tok_EN-1/messages/30", nil, board, boardSpoils("")},
		{"create message", "POST", "/channels/40/messages", nil, withMembers(board, `"nonce":"1","enforce_nonce":true`), append(boardSpoils(""),
			spoil{"long nonce", "/nonce", letters(26), nil},
			spoil{"nonce is a boolean", "/nonce", `true`, nil},
			spoil{"enforce_nonce as text", "/enforce_nonce", `"true"`, nil},
			spoil{"reply to nothing", "/message_reference", `{}`, nil})},
		{"edit message", "PATCH", "/channels/40/messages/30", nil, board, append(boardSpoils(""),
			spoil{"nonce, which only new messages have", "/nonce", `"1"`, []string{""}})},
		{"open a DM", "POST", "/users/@me/channels", nil, `{"recipient_id":"42"}`, []spoil{
			{"ID as a number", "/recipient_id", `42`, nil},
			{"ID with a letter", "/recipient_id", `"4x"`, nil},
		}},
	}
}

// withMembers adds members to a JSON object literal.
func withMembers(object, members string) string {
	return strings.TrimSuffix(object, "}") + "," + members + "}"
}

// boardSpoils spoils a board that is found below a pointer.
func boardSpoils(at string) []spoil {
	pos := func(p string) string { return at + p }
	return []spoil{
		{"flags as text", pos("/flags"), `"32768"`, nil},
		{"41 components", pos("/components"), repeated(text, 41), nil},
		{"components as an object", pos("/components"), `{}`, nil},
		{"41 in a container", pos("/components/0/components"), repeated(text, 41), nil},
		{"empty container", pos("/components/0/components"), `[]`, nil},
		{"container without components", pos("/components/0/components"), ``, []string{pos("/components/0")}},
		{
			"container in a container", pos("/components/0/components/1"), `{"type":17,"components":[` + text + `]}`,
			[]string{pos("/components/0/components/1/type")},
		},
		{"colour beyond 24 bits", pos("/components/0/accent_color"), `16777216`, nil},
		{"unknown component type", pos(rowAt + "/type"), `99`, nil},
		{"component without a type", pos(rowAt + "/type"), ``, []string{pos(rowAt)}},
		{"component that is null", pos(rowAt), `null`, nil},
		{"six buttons in a row", pos(rowAt + "/components"), repeated(button, 6), nil},
		{"empty row", pos(rowAt + "/components"), `[]`, nil},
		{"row in a row", pos(buttonAt), row, []string{pos(buttonAt + "/type")}},
		{"text input in a row", pos(buttonAt), `{"type":4,"custom_id":"x","style":1}`, []string{pos(buttonAt + "/type")}},
		{"button type as text", pos(buttonAt + "/type"), `"2"`, nil},
		{"label of 81", pos(buttonAt + "/label"), letters(81), nil},
		{"label is a number", pos(buttonAt + "/label"), `1`, nil},
		{"custom ID of 101", pos(buttonAt + "/custom_id"), letters(101), nil},
		{"empty custom ID", pos(buttonAt + "/custom_id"), `""`, nil},
		{"unknown button style", pos(buttonAt + "/style"), `7`, nil},
		{"button without a style", pos(buttonAt + "/style"), ``, []string{pos(buttonAt)}},
		{"disabled as text", pos(buttonAt + "/disabled"), `"true"`, nil},
		{"emoji without a name", pos(buttonAt + "/emoji"), `{}`, nil},
		{"emoji as text", pos(buttonAt + "/emoji"), `"❌"`, nil},
		{"misspelt label", pos(buttonAt + "/lable"), `"x"`, []string{pos(buttonAt)}},
		{"field of discordgo's Go names", pos(buttonAt + "/CustomID"), `"x"`, []string{pos(buttonAt)}},
		{"empty text", pos(textAt + "/content"), `""`, nil},
		{"text of 4001", pos(textAt + "/content"), letters(4001), nil},
		{"text without content", pos(textAt + "/content"), ``, []string{pos(textAt)}},
		{"separator of unknown size", pos("/components/0/components/1/spacing"), `3`, nil},
		{"unknown kind of mention", pos("/allowed_mentions/parse"), `["user"]`, []string{pos("/allowed_mentions/parse/0")}},
		{"mention twice", pos("/allowed_mentions/parse"), `["users","users"]`, nil},
		{"user ID as a number", pos("/allowed_mentions/users/0"), `42`, nil},
		{"user ID beyond 64 bits", pos("/allowed_mentions/users/0"), `"18446744073709551616"`, nil},
		{"user ID that is a mention", pos("/allowed_mentions/users/0"), `"<@42>"`, nil},
		{"field of another library", pos("/ephemeral"), `true`, []string{at}},
	}
}

// commandSpoils spoils a list of commands.
func commandSpoils(at string) []spoil {
	pos := func(p string) string { return at + p }
	const level = "/0/options/0/options/0"
	return []spoil{
		{"an object for a list", pos(""), `{"name":"x"}`, nil},
		{"command without a name", pos("/0/name"), ``, []string{pos("/0")}},
		{"empty name", pos("/0/name"), `""`, nil},
		{"name of 33", pos("/0/name"), letters(33), nil},
		{"description of 101", pos("/0/description"), letters(101), nil},
		{"unknown command type", pos("/0/type"), `5`, nil},
		{"26 options", pos("/0/options"), repeated(`{"type":1,"name":"a","description":"a"}`, 26), nil},
		{"unknown option type", pos("/0/options/0/type"), `12`, nil},
		{"option without a description", pos("/0/options/0/description"), ``, []string{pos("/0/options/0")}},
		{"empty option description", pos("/0/options/0/description"), `""`, nil},
		{"subcommand in a subcommand", pos(level), `{"type":1,"name":"x","description":"x"}`, []string{pos(level + "/type")}},
		{"26 choices", pos(level + "/choices"), repeated(`{"name":"a","value":"a"}`, 26), nil},
		{"choice without a value", pos(level + "/choices/0/value"), ``, []string{pos(level + "/choices/0")}},
		{"choice of another type", pos(level + "/choices/0/value"), `1`, nil},
		{"choice name of 101", pos(level + "/choices/0/name"), letters(101), nil},
		{"required as text", pos(level + "/required"), `"yes"`, nil},
		{"bound beyond 53 bits", pos("/0/options/0/options/1/max_value"), `9007199254740992`, nil},
		{"bound as a fraction", pos("/0/options/0/options/1/min_value"), `3.5`, nil},
		{"no contexts", pos("/0/contexts"), `[]`, nil},
		{"context twice", pos("/0/contexts"), `[0,0]`, nil},
		{"unknown context", pos("/0/contexts/1"), `3`, nil},
		{"no integration types", pos("/0/integration_types"), `[]`, nil},
		{"unknown integration type", pos("/0/integration_types/0"), `2`, nil},
		{"empty translation", pos("/0/name_localizations/de"), `""`, nil},
		{"translated description of 101", pos("/0/description_localizations/de"), letters(101), nil},
		{"permissions in hexadecimal", pos("/1/default_member_permissions"), `"0x800"`, nil},
		{"nsfw as text", pos("/0/nsfw"), `"false"`, nil},
		{"choices of a user option", pos("/0/options/1/options/0/choices"), `[]`, nil},
		{"misspelt field", pos("/0/desciption"), `"x"`, []string{pos("/0")}},
		{"too many commands", pos(""), repeated(`{"name":"a"}`, 131), nil},
	}
}

func TestRequestsOfEveryKind(t *testing.T) {
	d := description(t)
	for _, r := range requests() {
		t.Run(r.name, func(t *testing.T) {
			check := func(body string) error {
				return d.CheckRequest(r.method, r.path, "application/json", r.query, []byte(body))
			}
			if err := check(r.good); err != nil {
				t.Fatalf("good body refused: %v", err)
			}
			for _, s := range r.spoils {
				t.Run(s.name, func(t *testing.T) {
					want := s.want
					if want == nil {
						want = []string{s.at}
					}
					for i, w := range want {
						want[i] = strings.TrimSpace("body " + strings.TrimPrefix(w, "body "))
					}
					refusedAt(t, check(edit(t, r.good, s.at, s.to)), want...)
				})
			}
		})
	}
}

// TestNoPlaceGoesUnchecked walks every good body and spoils each place in turn
// in two ways that no description allows, so that a union with a branch lax
// enough to take anything would be found wherever it is.
func TestNoPlaceGoesUnchecked(t *testing.T) {
	d := description(t)
	places := 0
	for _, r := range requests() {
		check := func(t *testing.T, how, at, body string) {
			t.Helper()
			places++
			if d.CheckRequest(r.method, r.path, "application/json", r.query, []byte(body)) == nil {
				t.Errorf("%s: %s at %q accepted", r.name, how, at)
			}
		}
		var walk func(v any, at string, isMap bool)
		walk = func(v any, at string, isMap bool) {
			check(t, "a list of lists", at, edit(t, r.good, at, `[[[]]]`))
			switch v := v.(type) {
			case map[string]any:
				to := `"x"`
				if isMap {
					to = `7` // the keys are free, the values are strings
				}
				if at == "" {
					check(t, "an unknown field", at, edit(t, r.good, "/unheard_of", to))
				} else {
					check(t, "an unknown field", at, edit(t, r.good, at+"/unheard_of", to))
				}
				for key, child := range v {
					walk(child, at+"/"+key, strings.HasSuffix(key, "_localizations"))
				}
			case []any:
				for i, child := range v {
					walk(child, at+"/"+strconv.Itoa(i), false)
				}
			}
		}
		walk(parseJSON(t, r.good), "", false)
	}
	t.Logf("%d places spoiled", places)
}
