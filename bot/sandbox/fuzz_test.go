package sandbox_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"tictactoe/bot/sandbox"
)

// FuzzBodies sends anything to every kind of route that takes a body: whatever it
// is, the server answers with a status that Discord could have, and goes on.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		`{}`, `[]`, `null`, `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[{"type":2,"style":1,"label":"a","custom_id":"c"}]}]}}`,
		`{"flags":32768,"components":[{"type":17,"components":[{"type":9,"components":[{"type":10,"content":"x"}],"accessory":{"type":11,"media":{"url":"https://a.b"}}}]}]}`,
		`{"type":9,"data":{"custom_id":"m","title":"t","components":[{"type":18,"label":"l","component":{"type":4,"style":1,"custom_id":"i"}}]}}`,
		`[{"name":"c","description":"d","options":[{"type":1,"name":"s","description":"d","options":[{"type":3,"name":"o","description":"d","choices":[{"name":"n","value":"v"}]}]}]}]`,
		`{"content":"<@1> @everyone","allowed_mentions":{"parse":["users"],"users":[]},"nonce":1,"embeds":[{"fields":[{"name":"n","value":"v"}]}]}`,
		`{"content":"x","message_reference":{"message_id":1},"attachments":[{"id":0}],"flags":1e3}`,
		`{"components":[{"type":1,"components":[{"type":3,"custom_id":"s","options":[{"label":"l","value":"v","default":true}],"min_values":0}]}]}`,
		`{"components":[{"type":1.0,"id":2.0,"components":[{"type":2,"style":2.0,"label":"a","custom_id":"c","value":7,"options":"x"}]}]}`,
		`{"recipient_id":"1"}`,
	} {
		f.Add([]byte(body))
	}
	srv, err := sandbox.Start(sandbox.Options{World: sandbox.WorldOptions{KeepMessages: 8, KeepWrites: 2, KeepCalls: 8, KeepTokens: 8}, REST: sandbox.RESTOptions{GlobalLimit: -1, BucketLimit: 1 << 30, KeepRequests: 8, CommandCreates: 1 << 30}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = srv.Close() })
	f.Fuzz(func(t *testing.T, body []byte) {
		ask := func(method, path string) answer {
			req := newRequest(t, srv, method, path, string(body))
			return do(t, req)
		}
		check := func(got answer, path string) {
			t.Helper()
			switch got.Status {
			case 200, 201, 204, 400, 404, 413:
			case http.StatusInternalServerError: // documented, for too many bytes of text
				if len(body) > 10170 {
					return
				}
				fallthrough
			default:
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
			if len(got.Body) > 0 && !json.Valid(got.Body) {
				t.Errorf("%s: answered %q", path, got.Body)
			}
		}
		general := srv.Guild().Channel("general")
		call := pinged(t, srv)
		for _, r := range []struct{ method, path string }{
			{"POST", "/interactions/" + call.ID() + "/" + call.InteractionToken() + "/callback?with_response=true"},
			{"POST", "/channels/" + general.ID() + "/messages"},
			{"PUT", "/applications/" + srv.AppID() + "/guilds/" + srv.Guild().ID() + "/commands"},
			{"POST", "/applications/" + srv.AppID() + "/guilds/" + srv.Guild().ID() + "/commands"},
			{"POST", "/users/@me/channels"},
		} {
			check(ask(r.method, r.path), r.path)
		}
		if call.Reply().Answered() && call.Reply().Message != nil {
			check(ask("PATCH", webhook(srv, call)+"/messages/@original"), "@original")
		}
		for _, m := range general.Messages(nil) {
			// What the server took it must also be able to show.
			s := m.Snapshot()
			var sent struct {
				Components []json.RawMessage `json:"components"`
			}
			got := request(t, srv, "GET", "/channels/"+general.ID()+"/messages/"+m.ID(), nil)
			if got.Status != 200 {
				continue
			}
			got.Decode(t, &sent)
			if len(sent.Components) != len(s.Components) {
				t.Errorf("%d components were taken, %d are shown: %s", len(sent.Components), len(s.Components), body)
			}
		}
	})
}

// FuzzGateway sends anything over a websocket: the server answers, closes with
// one of its codes, or ignores it, and goes on.
func FuzzGateway(f *testing.F) {
	for _, p := range []string{
		`{"op":1,"d":null}`, `{"op":2,"d":{"token":"x","properties":{},"intents":0,"shard":[0,1]}}`, `{"op":6,"d":{"token":"x","session_id":"","seq":-1}}`,
		`{"op":3,"d":{}}`, `{"op":null}`, `{"op":99}`, `[]`, `{"op":2,"d":{"shard":"x"}}`, strings.Repeat("[", 5000),
	} {
		f.Add([]byte(p))
	}
	srv, err := sandbox.Start(sandbox.Options{World: sandbox.WorldOptions{Token: "x"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = srv.Close() })
	f.Fuzz(func(t *testing.T, p []byte) {
		w := dial(t, srv)
		w.expect(10, "")
		if w.ws.WriteMessage(websocket.TextMessage, p) != nil || w.ws.WriteMessage(websocket.TextMessage, []byte(`{"op":1,"d":1}`)) != nil {
			return
		}
		for {
			got, err := w.receive()
			if websocket.IsUnexpectedCloseError(err, 4001, 4002, 4003, 4004, 4007, 4010, 4013, 4014) {
				t.Errorf("after %q: %v", p, err)
			}
			if err != nil || got.Op == 11 {
				break
			}
		}
		_ = w.ws.Close()
	})
}
