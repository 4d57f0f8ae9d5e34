package apicheck_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tictactoe/bot/sandbox/apicheck"
)

// Answers of the shapes that the bot meets.
const (
	bot     = `{"id":"10","username":"ttt","avatar":null,"discriminator":"0001","public_flags":0,"flags":0,"bot":true,"global_name":null,"primary_guild":null}`
	message = `{"type":0,"content":"","mentions":[],"mention_roles":[],"attachments":[],"embeds":[],"pinned":false,
		"timestamp":"2026-01-02T03:04:05.678000+00:00","edited_timestamp":null,"flags":32768,"mention_everyone":false,"tts":false,
		"id":"30","channel_id":"40","author":` + bot + `,"application_id":"10","webhook_id":"10","components":[
		{"type":17,"id":1,"accent_color":null,"spoiler":false,"components":[
			{"type":10,"id":2,"content":"x"},
			{"type":1,"id":3,"components":[{"type":2,"id":4,"style":2,"custom_id":"a","label":"a","emoji":{"name":"❌"}}]}]}]}`
	callbackAnswer = `{"interaction":{"id":"111","type":3,"response_message_id":"30","response_message_loading":false,
		"response_message_ephemeral":false},"resource":{"type":7,"message":` + message + `}}`
	commandAnswer = `[{"id":"50","application_id":"10","version":"51","default_member_permissions":null,"type":1,"name":"tictactoe",
		"description":"Play","options":[{"type":1,"name":"play","description":"Play the bot"}],"nsfw":false}]`
	refusalAnswer = `{"message":"Invalid Form Body","code":50035,"errors":{"data":{"components":{"0":{"label":{"_errors":[
		{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 80 or fewer in length."}]}}}}}}`
	limitedAnswer = `{"message":"You are being rate limited.","retry_after":0.5,"global":false}`
	gatewayAnswer = `{"url":"wss://gateway.example","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":0,"max_concurrency":1}}`
)

func TestResponses(t *testing.T) {
	d := description(t)
	const original = "/webhooks/10/tok/messages/@original"
	for _, tt := range []struct {
		name, method, path string
		status             int
		good               string
		spoils             []spoil
	}{
		{"callback", "POST", callbackPath, 200, callbackAnswer, []spoil{
			{"no interaction", "/interaction", ``, []string{"body"}},
			{"message without an author", "/resource/message/author", ``, []string{"body /resource/message"}},
			{"unknown resource type", "/resource/type", `99`, []string{"body /resource/type"}},
			{
				"button without an id", "/resource/message/components/0/components/1/components/0/id", ``,
				[]string{"body /resource/message/components/0/components/1/components/0"},
			},
		}},
		{"message", "PATCH", original, 200, message, []spoil{
			{"number for an ID", "/id", `30`, []string{"body /id"}},
			{"timestamp in seconds", "/timestamp", `1700000000`, []string{"body /timestamp"}},
			{"timestamp without a zone", "/timestamp", `"2026-01-02T03:04:05"`, []string{"body /timestamp"}},
			{"flags beyond 32 bits", "/flags", `2147483648`, []string{"body /flags"}},
		}},
		{"commands", "PUT", "/applications/10/commands", 200, commandAnswer, []spoil{
			{"no version", "/0/version", ``, []string{"body /0"}},
			{"option without a name", "/0/options/0/name", ``, []string{"body /0/options/0"}},
		}},
		{"gateway", "GET", "/gateway/bot", 200, gatewayAnswer, []spoil{
			{"no limit", "/session_start_limit", ``, []string{"body"}},
			{"shards as text", "/shards", `"1"`, []string{"body /shards"}},
		}},
		{"refusal", "POST", callbackPath, 400, refusalAnswer, []spoil{
			{"no code", "/code", ``, []string{"body"}},
			{"code as text", "/code", `"50035"`, []string{"body /code"}},
			{
				"list without messages", "/errors/data/components/0/label/_errors/0/message", ``,
				[]string{"body /errors/data/components/0/label/_errors/0"},
			},
		}},
		{"refused token", "PATCH", original, 401, `{"message":"Invalid Webhook Token","code":50027}`, nil},
		{"too many requests", "PATCH", original, 429, limitedAnswer, []spoil{
			{"no time to wait", "/retry_after", ``, []string{"body"}},
			{"time as text", "/retry_after", `"1"`, []string{"body /retry_after"}},
		}},
		{"nothing to say", "POST", callbackPath, 204, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := d.CheckResponse(tt.method, tt.path, tt.status, []byte(tt.good)); err != nil {
				t.Fatalf("good answer refused: %v", err)
			}
			for _, s := range tt.spoils {
				t.Run(s.name, func(t *testing.T) {
					err := d.CheckResponse(tt.method, tt.path, tt.status, []byte(edit(t, tt.good, s.at, s.to)))
					refusedAt(t, err, s.want...)
				})
			}
		})
	}
	t.Run("body with 204", func(t *testing.T) {
		refusedAt(t, d.CheckResponse("POST", callbackPath, 204, []byte(`{}`)), "body")
	})
	t.Run("page instead of JSON", func(t *testing.T) {
		refusedAt(t, d.CheckResponse("POST", callbackPath, 429, []byte("<html>")), "body: is malformed")
	})
	t.Run("no body with 200", func(t *testing.T) {
		refusedAt(t, d.CheckResponse("PATCH", original, 200, nil), "body: missing")
	})
	t.Run("status that is not described", func(t *testing.T) {
		refusedAt(t, d.CheckResponse("POST", callbackPath, 502, nil), "status 502")
		refusedAt(t, d.CheckResponse("DELETE", original, 200, []byte(message)), "status 200")
	})
	t.Run("path that is not described", func(t *testing.T) {
		refusedAt(t, d.CheckResponse("POST", "/nowhere", 200, nil), "path: is not described")
	})
}

// TestSharedByManyGoroutines is for the race detector.
func TestSharedByManyGoroutines(t *testing.T) {
	d := description(t)
	bad := []byte(edit(t, board, buttonAt+"/label", letters(81)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if err := d.CheckRequest("PATCH", "/channels/40/messages/30", "application/json", nil, []byte(board)); err != nil {
					t.Error(err)
				}
				if d.CheckRequest("PATCH", "/channels/40/messages/30", "application/json", nil, bad) == nil {
					t.Error("spoiled board accepted")
				}
				if err := d.CheckResponse("POST", callbackPath, 400, []byte(refusalAnswer)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := apicheck.Load(filepath.Join(dir, "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v for a file that is not there, want os.ErrNotExist", err)
	}
	const paths = `"paths":{"/x":{"get":{"responses":{}}}}`
	for name, content := range map[string]string{
		"empty file":           ``,
		"no JSON":              `openapi: 3.1.0`,
		"other JSON":           `[]`,
		"older OpenAPI":        `{"openapi":"3.0.3",` + paths + `,"components":{"schemas":{"A":{}}}}`,
		"no paths":             `{"openapi":"3.1.0","components":{"schemas":{"A":{}}}}`,
		"no schemas":           `{"openapi":"3.1.0",` + paths + `}`,
		"another API's schema": `{"openapi":"3.1.0",` + paths + `,"components":{"schemas":{"A":{"type":"object"}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, "api.json")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := apicheck.Load(path); !errors.Is(err, apicheck.ErrDescription) {
				t.Errorf("got %v, want ErrDescription", err)
			}
		})
	}
}

// TestLoadFollowsNoReferenceOut: a description is one file, whatever it refers to.
func TestLoadFollowsNoReferenceOut(t *testing.T) {
	path := os.Getenv("DISCORD_OPENAPI")
	if path == "" {
		t.Skip("DISCORD_OPENAPI does not name Discord's API description")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(beside, []byte(`{"type": "string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"https://example.com/schema.json", "file://" + beside} {
		amended := filepath.Join(t.TempDir(), "api.json")
		within := []byte(`"#/components/schemas/SnowflakeType"`)
		if !bytes.Contains(raw, within) {
			t.Fatal("the description has no such reference")
		}
		if err := os.WriteFile(amended, bytes.Replace(raw, within, strconv.AppendQuote(nil, out), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := apicheck.Load(amended); !errors.Is(err, apicheck.ErrDescription) || !strings.Contains(err.Error(), out) {
			t.Errorf("%s: got %v, want ErrDescription", out, err)
		}
	}
}
