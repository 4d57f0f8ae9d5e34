package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/engine"
	"tictactoe/store"
)

// Interactions as Discord sends them: every member of the envelope that its
// documentation names, also those that nobody here reads.
const (
	slashPayload = `{
		"id": "1100000000000000001", "application_id": "900", "type": 2, "token": "token-of-slash", "version": 1,
		"guild_id": "201", "guild": {"id": "201", "locale": "de", "features": []},
		"channel_id": "301", "channel": {"id": "301", "type": 0, "name": "general", "permissions": "8", "last_message_id": null},
		"member": {
			"user": {"id": "101", "username": "ada", "discriminator": "0", "global_name": "Ada", "avatar": null, "public_flags": 0},
			"nick": null, "avatar": null, "roles": ["205"], "joined_at": "2024-05-01T10:00:00.000000+00:00", "premium_since": null,
			"deaf": false, "mute": false, "flags": 0, "pending": false, "permissions": "8192", "communication_disabled_until": null
		},
		"app_permissions": "442368", "locale": "fr", "guild_locale": "de", "entitlements": [],
		"authorizing_integration_owners": {"0": "201"}, "context": 0, "attachment_size_limit": 10485760,
		"data": {
			"id": "910", "name": "tictactoe", "type": 1,
			"options": [{"name": "challenge", "type": 1, "options": [
				{"name": "user", "type": 6, "value": "102"}, {"name": "board", "type": 3, "value": "4x5-4"}
			]}],
			"resolved": {
				"users": {"102": {"id": "102", "username": "bob", "discriminator": "0", "global_name": null, "avatar": null, "bot": false}},
				"members": {"102": {"nick": "Bobby", "roles": [], "joined_at": "2024-05-02T10:00:00.000000+00:00", "flags": 0, "permissions": "1024"}}
			}
		}
	}`

	menuPayload = `{
		"id": "1100000000000000002", "application_id": "900", "type": 2, "token": "token-of-menu", "version": 1,
		"guild_id": "201", "channel_id": "301", "member": {"user": {"id": "101"}, "permissions": "0"},
		"locale": "en-GB", "guild_locale": "en-US", "context": 0,
		"data": {
			"id": "911", "name": "Challenge to tic-tac-toe", "type": 2, "target_id": "104",
			"resolved": {"users": {"104": {"id": "104", "username": "robot", "bot": true}}, "members": {"104": {"permissions": "1024"}}}
		}
	}`

	buttonPayload = `{
		"id": "1100000000000000003", "application_id": "900", "type": 3, "token": "token-of-button", "version": 1,
		"guild_id": "201", "channel_id": "301", "member": {"user": {"id": "101"}, "permissions": "1024"},
		"locale": "ja", "guild_locale": "en-US", "context": 0,
		"data": {"component_type": 2, "custom_id": "1:c:7:0:4", "id": 9},
		"message": {
			"id": "401", "channel_id": "301", "flags": 64, "type": 0, "content": "", "embeds": [], "components": [],
			"author": {"id": "900", "bot": true}, "interaction_metadata": {"id": "1100000000000000001", "type": 2}
		}
	}`

	directPayload = `{
		"id": "1100000000000000004", "application_id": "900", "type": 2, "token": "token-of-direct", "version": 1,
		"channel_id": "302", "user": {"id": "102", "username": "bob"}, "locale": "en-US", "context": 1,
		"authorizing_integration_owners": {"0": "0"},
		"data": {"id": "910", "name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 1, "options": [
			{"name": "difficulty", "type": 3, "value": "hard"}, {"name": "private", "type": 5, "value": true}
		]}]}
	}`
)

var payloads = map[string]string{"slash": slashPayload, "menu": menuPayload, "button": buttonPayload, "direct": directPayload}

func decoded(t testing.TB, raw string) *interaction {
	t.Helper()
	in, err := decodeInteraction(json.RawMessage(raw), testEpoch)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// sameInteraction compares all fields; raw values by their text.
func sameInteraction(t *testing.T, got, want *interaction) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.AllowUnexported(interaction{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDecodeSlashCommand(t *testing.T) {
	in := decoded(t, slashPayload)
	sameInteraction(t, in, &interaction{
		id: "1100000000000000001", token: "token-of-slash", kind: kindCommand,
		guild: "201", channel: "301", user: ada, permissions: permissionManageMessages, locale: "fr", guildLocale: "de",
		command: "challenge",
		options: map[string]json.RawMessage{"user": json.RawMessage(`"102"`), "board": json.RawMessage(`"4x5-4"`)},
		users:   map[string]resolvedUser{"102": {}}, members: map[string]resolvedMember{"102": {Permissions: "1024"}},
		received: testEpoch,
	})
	if user, ok := in.text("user"); user != string(bob) || !ok {
		t.Errorf("option user: got %q, %v, want %s", user, ok, bob)
	}
	if r, err := readBoard(in); err != nil || r != (engine.Rules{M: 4, N: 5, K: 4}) {
		t.Errorf("option board: got %v, %v, want 4x5-4", r, err)
	}
	if !in.may(permissionManageMessages) || in.may(permissionViewChannel) {
		t.Errorf("permissions %d: want manage messages alone", in.permissions)
	}
}

func TestDecodeMenuCommand(t *testing.T) {
	sameInteraction(t, decoded(t, menuPayload), &interaction{
		id: "1100000000000000002", token: "token-of-menu", kind: kindCommand,
		guild: "201", channel: "301", user: ada, locale: "en-GB", guildLocale: "en-US",
		command: userCommandName, target: "104", options: map[string]json.RawMessage{},
		users: map[string]resolvedUser{"104": {Bot: true}}, members: map[string]resolvedMember{"104": {Permissions: "1024"}},
		received: testEpoch,
	})
}

func TestDecodeButton(t *testing.T) {
	in := decoded(t, buttonPayload)
	sameInteraction(t, in, &interaction{
		id: "1100000000000000003", token: "token-of-button", kind: kindComponent,
		guild: "201", channel: "301", user: ada, permissions: permissionViewChannel, locale: "ja", guildLocale: "en-US",
		options: map[string]json.RawMessage{}, customID: "1:c:7:0:4",
		message: clickedMessage{ID: "401", Flags: flagEphemeral}, received: testEpoch,
	})
	if !in.message.ephemeral() {
		t.Error("the message is not seen to be ephemeral")
	}
}

func TestDecodeDirectMessage(t *testing.T) {
	in := decoded(t, directPayload)
	sameInteraction(t, in, &interaction{
		id: "1100000000000000004", token: "token-of-direct", kind: kindCommand,
		channel: "302", user: bob, locale: "en-US", command: "play",
		options:  map[string]json.RawMessage{"difficulty": json.RawMessage(`"hard"`), "private": json.RawMessage(`true`)},
		received: testEpoch,
	})
	c, err := readChoice(in)
	if want := (choice{opponent: "hard", rules: engine.Standard, first: firstMe}); err != nil || c != want {
		t.Errorf("got the choice %+v, %v, want %+v", c, err, want)
	}
	if v, err := in.flag("private"); err != nil || !v {
		t.Error("option private is not read")
	}
}

func TestDecodeCommandNames(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"no options member":    {`{"name": "tictactoe", "type": 1}`, ""},
		"no options":           {`{"name": "tictactoe", "type": 1, "options": []}`, ""},
		"subcommand":           {`{"name": "tictactoe", "type": 1, "options": [{"name": "help", "type": 1}]}`, "help"},
		"two subcommands":      {`{"name": "tictactoe", "type": 1, "options": [{"name": "help", "type": 1}, {"name": "play", "type": 1}]}`, ""},
		"group":                {`{"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 2, "options": [{"name": "help", "type": 1}]}]}`, ""},
		"option at the top":    {`{"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 3, "value": "x"}]}`, ""},
		"menu entry":           {`{"name": "Challenge to tic-tac-toe", "type": 2}`, userCommandName},
		"message menu entry":   {`{"name": "Report", "type": 3}`, "Report"},
		"no name":              {`{"type": 1}`, ""},
		"subcommand of no one": {`{"type": 1, "options": [{"type": 1}]}`, ""},
	} {
		raw := fmt.Sprintf(`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": %s}`, test.data)
		if got := decoded(t, raw).command; got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// What could be read at all can be answered; the rest cannot.
func TestDecodeRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		raw        string
		answerable bool
	}{
		"nothing":            {``, false},
		"null":               {`null`, false},
		"no object":          {`[1]`, false},
		"cut off":            {`{"id": "1", "token": "t"`, false},
		"no id":              {`{"token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": {}}`, false},
		"empty token":        {`{"id": "1", "token": "", "type": 2}`, false},
		"numeric id":         {`{"id": 1, "token": "t", "type": 2}`, false},
		"type of text":       {`{"id": "1", "token": "t", "type": "x"}`, true},
		"no user":            {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "data": {}}`, true},
		"no channel":         {`{"id": "1", "token": "t", "type": 2, "user": {"id": "4"}, "data": {}}`, true},
		"no data":            {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}}`, true},
		"data of text":       {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": "x"}`, true},
		"options of text":    {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": {"options": "x"}}`, true},
		"member of text":     {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "member": "x", "data": {}}`, true},
		"message is a list":  {`{"id": "1", "token": "t", "type": 3, "channel_id": "3", "user": {"id": "4"}, "message": [], "data": {}}`, true},
		"permissions number": {`{"id": "1", "token": "t", "type": 3, "channel_id": "3", "member": {"user": {"id": "4"}, "permissions": 8}, "data": {}}`, true},
	} {
		in, err := decodeInteraction(json.RawMessage(test.raw), testEpoch)
		if !errors.Is(err, errInteraction) {
			t.Errorf("%s: got error %v, want errInteraction", name, err)
		}
		if answerable := in != nil && in.id == "1" && in.token == "t"; answerable != test.answerable {
			t.Errorf("%s: can be answered: %v, want %v", name, answerable, test.answerable)
		}
		if in != nil && in.locale == "" {
			t.Errorf("%s: no language to answer in", name)
		}
	}
}

// Errors go to the log, and what came from outside does not go with them.
func TestDecodeErrorsQuoteNothing(t *testing.T) {
	// Go's own errors repeat numbers that do not fit.
	secret := regexp.MustCompile(`hush|31415926`)
	for _, raw := range []string{
		`{"id": "1", "token": "hush-hush", "type": 2, "channel_id": {"hush-hush": 1}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "channel_id": "3", "user": {"id": "4"}, "data": {"custom_id": ["hush-hush"]}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "channel_id": "3", "user": {"id": "4"}, "data": {"resolved": {"users": {"hush-hush": 5}}}}`,
		`{"id": "1", "token": "hush-hush", "type": 2, "user": {"id": "hush-hush"}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "message": {"flags": 31415926.5}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "channel_id": "3", "user": {"id": "4"}, "data": {"type": 31415926.5}}`,
		`{"id": 31415926, "token": "hush-hush"}`,
		`{"id": "hush-hush"}`,
		`{"token": hush-hush}`,
	} {
		if _, err := decodeInteraction(json.RawMessage(raw), testEpoch); err == nil || secret.MatchString(err.Error()) {
			t.Errorf("%s: got %v, want an error without the secret", raw, err)
		}
	}
}

// eachDamage calls use with the payload in which every member and element in turn,
// at any depth, is missing or replaced by something else.
func eachDamage(t *testing.T, payload string, use func(what string, damaged []byte)) {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(payload), &tree); err != nil {
		t.Fatal(err)
	}
	replacements := map[string]any{
		"null": nil, "true": true, "zero": 0, "negative": -1, "fraction": 0.5, "huge number": json.Number("1e400"),
		"empty text": "", "odd text": "\x00\u202e{{.X}}@everyone", "long text": strings.Repeat("9", 1<<12),
		"empty list": []any{}, "list": []any{nil, 1, "x", []any{}}, "empty object": map[string]any{},
		"object": map[string]any{"": nil, "id": 1, "0": map[string]any{}}, "deep list": deepList(),
	}
	var walk func(path string, node any)
	emit := func(what string) {
		raw, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		use(what, raw)
	}
	walk = func(path string, node any) {
		switch n := node.(type) {
		case map[string]any:
			for key, old := range n {
				delete(n, key)
				emit(path + "/" + key + " missing")
				for what, v := range replacements {
					n[key] = v
					emit(path + "/" + key + " is " + what)
				}
				n[key] = old
				walk(path+"/"+key, old)
			}
		case []any:
			for i, old := range n {
				for what, v := range replacements {
					n[i] = v
					emit(path + "/" + strconv.Itoa(i) + " is " + what)
				}
				n[i] = old
				walk(path+"/"+strconv.Itoa(i), old)
			}
		}
	}
	walk("", tree)
}

func deepList() any {
	return json.RawMessage(strings.Repeat("[", 500) + strings.Repeat("]", 500))
}

// useInteraction reads everything that handlers read of an interaction.
func useInteraction(in *interaction) {
	for _, option := range []string{"user", "board", "difficulty", "first", "private"} {
		in.text(option)
		_, _ = in.flag(option)
	}
	_, _ = readChoice(in)
	_, _ = readBoard(in)
	_ = checkOpponent(in, store.Challenge{Opponent: in.target})
	_ = checkOpponent(in, store.Challenge{Opponent: bob})
	in.may(permissionManageMessages)
	for _, m := range in.members {
		memberMay(m, permissionViewChannel)
	}
	_, _ = parseCustomID(in.customID)
}

func checkDecoded(t *testing.T, what string, in *interaction, err error) {
	t.Helper()
	switch {
	case err != nil && !errors.Is(err, errInteraction):
		t.Errorf("%s: got error %v, want errInteraction", what, err)
	case err == nil && (in == nil || in.user == "" || in.channel == "" || in.id == "" || in.token == "" || in.locale == ""):
		t.Errorf("%s: accepted, and yet something is missing: %+v", what, in)
	case in != nil && (in.id == "" || in.token == ""):
		t.Errorf("%s: cannot be answered: %+v", what, in)
	}
	if in != nil {
		useInteraction(in)
	}
}

func TestDecodeDamagedPayloads(t *testing.T) {
	for name, payload := range payloads {
		t.Run(name, func(t *testing.T) {
			n := 0
			eachDamage(t, payload, func(what string, damaged []byte) {
				n++
				in, err := decodeInteraction(damaged, testEpoch)
				checkDecoded(t, what, in, err)
			})
			if n < 200 {
				t.Errorf("only %d payloads were tried", n)
			}
		})
	}
}

// A damaged member that nobody needs costs nothing.
func TestDecodeIgnoresWhatItDoesNotRead(t *testing.T) {
	for _, damage := range []struct{ from, to string }{
		{`"app_permissions": "442368"`, `"app_permissions": 442368`},
		{`"entitlements": []`, `"entitlements": "x"`},
		{`"context": 0`, `"context": null`},
		{`"global_name": "Ada"`, `"global_name": {"x": 1}`},
		{`"attachment_size_limit": 10485760`, `"attachment_size_limit": "many"`},
		{`"roles": ["205"]`, `"roles": 5`},
		{`"version": 1`, `"version": "next", "novelty": {"type": 99}`},
	} {
		raw := strings.Replace(slashPayload, damage.from, damage.to, 1)
		if raw == slashPayload {
			t.Fatalf("%s is not in the payload", damage.from)
		}
		sameInteraction(t, decoded(t, raw), decoded(t, slashPayload))
	}
}

func TestPermissions(t *testing.T) {
	for _, test := range []struct {
		permissions string
		manage, see bool
	}{
		{"0", false, false},
		{"8192", true, false},
		{"1024", false, true},
		{"9216", true, true},
		{"8", true, true}, // administrators may everything
		{"2251799813685248", false, false},
		{"18446744073709551615", true, true},
	} {
		raw := strings.Replace(buttonPayload, `"permissions": "1024"`, `"permissions": "`+test.permissions+`"`, 1)
		in := decoded(t, raw)
		if got := in.may(permissionManageMessages); got != test.manage {
			t.Errorf("%s: may manage messages: %v, want %v", test.permissions, got, test.manage)
		}
		if got := memberMay(resolvedMember{Permissions: test.permissions}, permissionViewChannel); got != test.see {
			t.Errorf("%s: may see the channel: %v, want %v", test.permissions, got, test.see)
		}
	}
	for _, unreadable := range []string{"", "x", "-1", "1e3", "0x8", " 8", "99999999999999999999999"} {
		if !memberMay(resolvedMember{Permissions: unreadable}, permissionViewChannel) {
			t.Errorf("%q speaks against a member", unreadable)
		}
		raw := strings.Replace(buttonPayload, `"permissions": "1024"`, `"permissions": "`+unreadable+`"`, 1)
		if decoded(t, raw).may(permissionManageMessages) {
			t.Errorf("%q lets a member manage messages", unreadable)
		}
	}
}

func TestOptionsOfWrongTypes(t *testing.T) {
	in := &interaction{options: map[string]json.RawMessage{
		"number": json.RawMessage(`5`), "text": json.RawMessage(`"true"`), "true": json.RawMessage(`true`),
		"null": json.RawMessage(`null`), "none": nil, "list": json.RawMessage(`["x"]`),
	}}
	for name, want := range map[string]struct {
		text    string
		isText  bool
		flagged bool
		err     error
	}{
		"number": {err: errBadOption}, "none": {}, "list": {err: errBadOption}, "absent": {},
		"text": {"true", true, false, errBadOption}, "true": {"", false, true, nil},
	} {
		text, isText := in.text(name)
		flagged, err := in.flag(name)
		if text != want.text || isText != want.isText || flagged != want.flagged || !errors.Is(err, want.err) {
			t.Errorf("%s: text %q %v, flag %v %v, want %q %v, %v %v", name, text, isText, flagged, err, want.text, want.isText, want.flagged, want.err)
		}
	}
}

// Discord checks the values of options only in its clients.
func TestOptionsThatWereNotOffered(t *testing.T) {
	for name, value := range map[string]string{
		"board of another size": `{"name": "board", "type": 3, "value": "3x4-3"}`,
		"board spelt otherwise": `{"name": "board", "type": 3, "value": "3X3"}`,
		"board spelt long":      `{"name": "board", "type": 3, "value": "3x3-3"}`,
		"board as a number":     `{"name": "board", "type": 4, "value": 3}`,
		"board empty":           `{"name": "board", "type": 3, "value": ""}`,
		"board without a value": `{"name": "board", "type": 3}`,
		"difficulty as a list":  `{"name": "difficulty", "type": 3, "value": ["easy"]}`,
		"first as a truth":      `{"name": "first", "type": 5, "value": true}`,
	} {
		raw := strings.Replace(directPayload, `{"name": "difficulty", "type": 3, "value": "hard"}`, value, 1)
		if c, err := readChoice(decoded(t, raw)); !errors.Is(err, errBadOption) {
			t.Errorf("%s: got %+v, %v, want errBadOption", name, c, err)
		}
	}
	for name, want := range map[string]error{"easy": nil, "": errBadOption, "Easy": errBadOption, "god": errBadOption} {
		if _, err := opponentFor(name, engine.Standard); !errors.Is(err, want) {
			t.Errorf("opponent %q: got %v, want %v", name, err, want)
		}
	}
}

func TestOpponentsWhoCannotBeChallenged(t *testing.T) {
	in := decoded(t, slashPayload)
	in.users["104"], in.members["104"] = resolvedUser{Bot: true}, resolvedMember{Permissions: "1024"}
	in.users["105"] = resolvedUser{} // not a member
	in.users["106"], in.members["106"] = resolvedUser{}, resolvedMember{Permissions: "2048"}
	in.users["107"], in.members["107"] = resolvedUser{}, resolvedMember{Permissions: "8"}
	in.users[string(ada)] = resolvedUser{}
	for user, want := range map[store.UserID]error{
		bob: nil, "107": nil, ada: errChallengeSelf, "104": errChallengeBot, "105": errCannotSee, "106": errCannotSee,
		"": errBadOption, "999": errBadOption, "<@&1>": errBadOption,
	} {
		if err := checkOpponent(in, store.Challenge{Opponent: user}); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", user, err, want)
		}
	}
}

func FuzzDecodeInteraction(f *testing.F) {
	for _, payload := range payloads {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(payload)); err != nil {
			f.Fatal(err)
		}
		f.Add(compact.Bytes())
	}
	f.Add([]byte(`{"id":"1","token":"t","type":3,"channel_id":"3","user":{"id":"4"},"data":{"custom_id":"1:o"}}`))
	f.Add([]byte(`{"id":"1","token":"t"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, err := decodeInteraction(raw, time.Time{})
		checkDecoded(t, "fuzzed", in, err)
	})
}
