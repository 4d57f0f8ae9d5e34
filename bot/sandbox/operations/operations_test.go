package operations_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/operations"
)

var update = flag.Bool("update", false, "write operations.txt from the description that DISCORD_OPENAPI names")

func TestFind(t *testing.T) {
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/gateway", "GET /gateway"},
		{"GET", "/channels/1/messages/2", "GET /channels/{channel_id}/messages/{message_id}"},
		{"GET", "/guilds/1/members/search", "GET /guilds/{guild_id}/members/search"},
		{"GET", "/guilds/1/members/2", "GET /guilds/{guild_id}/members/{user_id}"},
		{"GET", "/channels/1/messages/pins", "GET /channels/{channel_id}/messages/pins"},
		{"DELETE", "/webhooks/1/t/messages/@original", "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original"},
		{"PUT", "/channels/1/messages/2/reactions/👍/@me", "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me"},
		{"PATCH", "/gateway", ""},
		{"GET", "/channels//messages", ""},
		{"GET", "/sounds", ""},
		{"GET", "gateway", ""},
		{"GET", "", ""},
	} {
		got, ok := operations.Find(c.method, strings.Split(c.path, "/"))
		if ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%s %s: got %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

func TestEvents(t *testing.T) {
	events := operations.Events()
	if !slices.IsSorted(events) || !slices.Contains(events, "INTERACTION_CREATE") {
		t.Errorf("got %q", events)
	}
}

// TestPublishedOperations compares the list with the description that Discord
// publishes.
func TestPublishedOperations(t *testing.T) {
	path := os.Getenv("DISCORD_OPENAPI")
	if path == "" {
		t.Skip("DISCORD_OPENAPI does not name Discord's API description")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(b, &api); err != nil {
		t.Fatal(err)
	}
	var want []operations.Operation
	for path, methods := range api.Paths {
		for method := range methods {
			if slices.Contains([]string{"get", "put", "post", "patch", "delete"}, method) {
				want = append(want, operations.Operation{Method: strings.ToUpper(method), Path: path})
			}
		}
	}
	slices.SortFunc(want, func(a, b operations.Operation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	if *update {
		var lines strings.Builder
		for _, o := range want {
			lines.WriteString(o.String() + "\n")
		}
		if err := os.WriteFile("operations.txt", []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := operations.All(); !slices.Equal(got, want) {
		t.Errorf("the list has %d operations, the description %d; run go generate", len(got), len(want))
	}
}
