package sandbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// askAs asks as if the server had been reached by another name.
func askAs(t *testing.T, srv *sandbox.Server, host, path string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	req.Header.Set("Authorization", "Bot "+srv.Token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// TestAllowedHosts: a bot in a container asks by the name that its machine has there,
// and is led on by the same.
func TestAllowedHosts(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.AllowHosts = []string{"host.docker.internal"} })
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.URL(), "http://"), ":")
	if got, want := srv.PublicURL(), "http://host.docker.internal:"+port; got != want {
		t.Errorf("the public address is %s, want %s", got, want)
	}
	for host, want := range map[string]string{
		"host.docker.internal:" + port: "ws://host.docker.internal:" + port + "/gateway",
		"host.docker.internal:9999":    "ws://host.docker.internal:9999/gateway",
		"localhost:" + port:            "ws://localhost:" + port + "/gateway",
		"127.0.0.1:" + port:            srv.Gateway().URL(),
	} {
		for _, path := range []string{"/gateway", "/gateway/bot"} {
			if _, body := askAs(t, srv, host, "/api/v10"+path); !strings.Contains(body, `"`+want+`"`) {
				t.Errorf("%s by %s: %s, want %s", path, host, body, want)
			}
		}
	}
	if status, body := askAs(t, srv, "example.org:"+port, "/api/v10/gateway"); status != http.StatusForbidden || !strings.Contains(body, "allowed hosts") {
		t.Errorf("by another name: %d %s", status, body)
	}

	// The address of a webhook has the name, too.
	srv.Guild().BotRole().Set(sandbox.RolePermissions(permission.ManageWebhooks))
	var hook struct{ URL string }
	request(t, srv, "POST", "/channels/"+srv.Guild().Channel("general").ID()+"/webhooks", obj{"name": "Echo"}).Decode(t, &hook)
	if !strings.HasPrefix(hook.URL, srv.PublicURL()+"/api/webhooks/") {
		t.Errorf("a webhook is at %s", hook.URL)
	}

	// And so has that for a resume.
	ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), srv.Gateway().URL()+"/?v=10&encoding=json", http.Header{"Host": {"host.docker.internal:7"}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	_ = resp.Body.Close()
	if err := ws.WriteJSON(map[string]any{"op": 2, "d": map[string]any{"token": srv.Token(), "intents": 0, "properties": map[string]any{}}}); err != nil {
		t.Fatal(err)
	}
	for {
		var p struct {
			T string
			D json.RawMessage
		}
		if err := ws.ReadJSON(&p); err != nil {
			t.Fatal(err)
		}
		if p.T == "READY" {
			if !strings.Contains(string(p.D), `"resume_gateway_url":"ws://host.docker.internal:7/gateway"`) {
				t.Errorf("READY is %s", p.D)
			}
			return
		}
	}
}

// TestKeyGuardsThePage, and nothing that bots use.
func TestKeyGuardsThePage(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Key = "a-key"
		o.Handler = func(*sandbox.Server) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("inside")) })
		}
	})
	host := strings.TrimPrefix(srv.URL(), "http://")
	for path, want := range map[string]int{"/": 401, "/page/state": 401, "/api/v10/users/@me": 200, "/api/v10/gateway": 200, "/attachments/1/2/a.txt": 404} {
		if got, body := askAs(t, srv, host, path); got != want {
			t.Errorf("%s: %d %s, want %d", path, got, body, want)
		}
	}
	if got, body := askAs(t, srv, host, "/?key=a-key"); got != http.StatusUnauthorized {
		t.Errorf("a client that keeps no cookies ends with %d %s", got, body)
	}
}

// TestOpenNeedsHostsAndKey: other machines come in where both are set, and not before.
func TestOpenNeedsHostsAndKey(t *testing.T) {
	for _, o := range []sandbox.Options{{}, {AllowHosts: []string{"box"}}, {Key: "k"}} {
		o.Addr = "192.0.2.1:0" // documented not to exist: nothing here can listen there
		if srv, err := sandbox.Start(o); err == nil || !strings.Contains(err.Error(), "not on loopback") {
			if srv != nil {
				_ = srv.Close()
			}
			t.Errorf("%+v: %v", o, err)
		}
	}
	_, err := sandbox.Start(sandbox.Options{Addr: "192.0.2.1:0", AllowHosts: []string{"box"}, Key: "k"})
	if err == nil || strings.Contains(err.Error(), "not on loopback") {
		t.Errorf("with both: %v, want that the address is nobody's here", err)
	}
}
