package discordtest

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Interactions as Discord sends them: every member of the envelope that its
// documentation names, also those that nobody here reads.
const (
	SlashPayload = `{
		"id": "1100000000000000001", "application_id": "900", "type": 2, "token": "token-of-slash", "version": 1,
		"guild_id": "201", "guild": {"id": "201", "locale": "de", "features": []},
		"channel_id": "301", "channel": {"id": "301", "type": 0, "name": "general", "permissions": "8", "last_message_id": null},
		"member": {
			"user": {"id": "101", "username": "ada", "discriminator": "0", "global_name": "Ada", "avatar": null, "public_flags": 0},
			"nick": null, "avatar": null, "roles": ["205"], "joined_at": "2024-05-01T10:00:00.000000+00:00", "premium_since": null,
			"deaf": false, "mute": false, "flags": 0, "pending": false, "permissions": "8192", "communication_disabled_until": null
		},
		"app_permissions": "443392", "locale": "fr", "guild_locale": "de", "entitlements": [],
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

	MenuPayload = `{
		"id": "1100000000000000002", "application_id": "900", "type": 2, "token": "token-of-menu", "version": 1,
		"guild_id": "201", "channel_id": "301", "member": {"user": {"id": "101"}, "permissions": "0"},
		"locale": "en-GB", "guild_locale": "en-US", "context": 0,
		"data": {
			"id": "911", "name": "Challenge to tic-tac-toe", "type": 2, "target_id": "104",
			"resolved": {"users": {"104": {"id": "104", "username": "robot", "bot": true}}, "members": {"104": {"permissions": "1024"}}}
		}
	}`

	ButtonPayload = `{
		"id": "1100000000000000003", "application_id": "900", "type": 3, "token": "token-of-button", "version": 1,
		"guild_id": "201", "channel_id": "301", "member": {"user": {"id": "101"}, "permissions": "1024"},
		"locale": "ja", "guild_locale": "en-US", "context": 0,
		"data": {"component_type": 2, "custom_id": "1:c:7:0:4", "id": 9},
		"message": {
			"id": "401", "channel_id": "301", "flags": 64, "type": 0, "content": "", "embeds": [], "components": [],
			"author": {"id": "900", "bot": true}, "interaction_metadata": {"id": "1100000000000000001", "type": 2}
		}
	}`

	SelectPayload = `{
		"id": "1100000000000000005", "application_id": "900", "type": 3, "token": "token-of-select", "version": 1,
		"guild_id": "201", "channel_id": "301", "member": {"user": {"id": "101"}, "permissions": "1024"},
		"locale": "ja", "guild_locale": "en-US", "context": 0,
		"data": {"component_type": 3, "custom_id": "1:kl:7", "id": 4, "values": ["4"]},
		"message": {
			"id": "401", "channel_id": "301", "flags": 32768, "type": 0, "content": "", "embeds": [],
			"components": [{"type": 17, "id": 1048577, "components": [{"type": 1, "id": 3, "components": [
				{"type": 3, "id": 4, "custom_id": "1:kl:7", "options": [{"label": "b2", "value": "4"}]}
			]}]}],
			"author": {"id": "900", "bot": true}
		}
	}`

	DirectPayload = `{
		"id": "1100000000000000004", "application_id": "900", "type": 2, "token": "token-of-direct", "version": 1,
		"channel_id": "302", "user": {"id": "102", "username": "bob"}, "locale": "en-US", "context": 1,
		"authorizing_integration_owners": {"0": "0"},
		"data": {"id": "910", "name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 1, "options": [
			{"name": "difficulty", "type": 3, "value": "hard"}, {"name": "private", "type": 5, "value": true}
		]}]}
	}`
)

// Payloads are all of them by name.
var Payloads = map[string]string{"slash": SlashPayload, "menu": MenuPayload, "button": ButtonPayload, "select": SelectPayload, "direct": DirectPayload}

// EachDamage calls use with the payload in which every member and element in turn,
// at any depth, is missing or replaced by something else.
func EachDamage(t *testing.T, payload string, use func(what string, damaged []byte)) {
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

// epoch is when the time in Discord's ids begins, by its documentation (Reference, Snowflakes).
var epoch = time.UnixMilli(1420070400000)

// MadeAt returns an interaction's id of that moment, as Discord makes them.
func MadeAt(t time.Time) string {
	return strconv.FormatInt(t.Sub(epoch).Milliseconds()<<22|0x2a, 10)
}
