package apicheck

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tictactoe/bot/sandbox/operations"
)

func TestFind(t *testing.T) {
	templates := []string{
		"/gateway",
		"/users/{user_id}",
		"/users/@me",
		"/webhooks/{webhook_id}/{webhook_token}",
		"/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
		"/webhooks/{webhook_id}/{webhook_token}/messages/@original",
	}
	var routes []operations.Operation
	for _, template := range templates {
		routes = append(routes, operations.Operation{Method: "GET", Path: template})
	}
	for _, tt := range []struct {
		path, want string
		params     object
	}{
		{"/gateway", "/gateway", object{}},
		{"/users/7", "/users/{user_id}", object{"user_id": "7"}},
		{"/users/@me", "/users/@me", object{}},
		{"/users/%40me", "/users/@me", object{}},
		{"/webhooks/1/a%2Fb", "/webhooks/{webhook_id}/{webhook_token}", object{"webhook_id": "1", "webhook_token": "a/b"}},
		{"/webhooks/1/t/messages/@original", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", object{"webhook_id": "1", "webhook_token": "t"}},
		{"/webhooks/1/t/messages/2", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", object{"webhook_id": "1", "webhook_token": "t", "message_id": "2"}},
		{"", "", nil},
		{"/", "", nil},
		{"gateway", "", nil},
		{"x/gateway", "", nil},
		{"//gateway", "", nil},
		{"/gateway/", "", nil},
		{"/users/", "", nil},
		{"/users/%", "", nil},
	} {
		t.Run(tt.path, func(t *testing.T) {
			d := Description{routes: operations.NewRoutes(routes)}
			got, params, err := d.find("GET", tt.path)
			switch {
			case err != nil && tt.want != "":
				t.Errorf("got %v, want %s", err, tt.want)
			case err == nil && got != "GET "+tt.want:
				t.Errorf("got %s, want %q", got, tt.want)
			}
			if diff := cmp.Diff(tt.params, params); diff != "" {
				t.Errorf("parameters (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Uint64().Draw(t, "id")
		if err := checkSnowflake(strconv.FormatUint(id, 10)); err != nil {
			t.Errorf("snowflake %d: %v", id, err)
		}
		n := rapid.Int64().Draw(t, "n")
		number := json.Number(strconv.FormatInt(n, 10))
		if err := signed(64)(number); err != nil {
			t.Errorf("int64 %d: %v", n, err)
		}
		got := signed(32)(number) == nil
		if want := n >= math.MinInt32 && n <= math.MaxInt32; got != want {
			t.Errorf("int32 takes %d: got %t, want %t", n, got, want)
		}
	})
	for _, text := range []string{"", "-1", "1.0", "0x1", "18446744073709551616"} {
		if checkSnowflake(text) == nil {
			t.Errorf("snowflake %q accepted", text)
		}
	}
	for _, text := range []string{"9223372036854775808", "-9223372036854775809"} {
		if signed(64)(json.Number(text)) == nil {
			t.Errorf("int64 %s accepted", text)
		}
	}
}
