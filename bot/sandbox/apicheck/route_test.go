package apicheck

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	templates := []string{
		"/gateway",
		"/users/{user_id}",
		"/users/@me",
		"/webhooks/{webhook_id}/{webhook_token}",
		"/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
		"/webhooks/{webhook_id}/{webhook_token}/messages/@original",
	}
	for _, tt := range []struct {
		path, want string
		params     map[string]string
	}{
		{"/gateway", "/gateway", map[string]string{}},
		{"/users/7", "/users/{user_id}", map[string]string{"user_id": "7"}},
		{"/users/@me", "/users/@me", map[string]string{}},
		{"/users/%40me", "/users/@me", map[string]string{}},
		{"/webhooks/1/a%2Fb", "/webhooks/{webhook_id}/{webhook_token}", map[string]string{"webhook_id": "1", "webhook_token": "a/b"}},
		{"/webhooks/1/t/messages/@original", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", map[string]string{"webhook_id": "1", "webhook_token": "t"}},
		{"/webhooks/1/t/messages/2", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", map[string]string{"webhook_id": "1", "webhook_token": "t", "message_id": "2"}},
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
			for range 2 { // whatever the order of the routes
				slices.Reverse(templates)
				routes := make([]*route, 0, len(templates))
				for _, template := range templates {
					routes = append(routes, newRoute(template))
				}
				got, params := match(routes, tt.path)
				switch {
				case got == nil && tt.want != "":
					t.Errorf("got no route, want %s", tt.want)
				case got != nil && got.template != tt.want:
					t.Errorf("got route %s, want %q", got.template, tt.want)
				}
				if diff := cmp.Diff(tt.params, params); diff != "" {
					t.Errorf("parameters (-want +got):\n%s", diff)
				}
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
