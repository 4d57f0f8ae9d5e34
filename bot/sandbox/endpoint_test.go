package sandbox_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/waittest"
)

// endpoint is a bot that takes its interactions by HTTP. discordgo verifies their
// signatures.
type endpoint struct {
	key   ed25519.PublicKey
	trust bool                                              // take any signature
	wrong atomic.Int64                                      // signatures
	reply func(w http.ResponseWriter, in map[string]any)    // to what is no PING
	pong  func(w http.ResponseWriter, body json.RawMessage) // nil for the right one
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !discordgo.VerifyInteraction(r, e.key) {
		e.wrong.Add(1)
		if !e.trust {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
	}
	body, _ := io.ReadAll(r.Body)
	var in map[string]any
	_ = json.Unmarshal(body, &in)
	switch {
	case in["type"] != float64(1):
		e.reply(w, in)
	case e.pong != nil:
		e.pong(w, body)
	default:
		inline(w, `{"type":1}`)
	}
}

func inline(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

// listen starts the bot for the server's application.
func (e *endpoint) listen(t *testing.T, srv *sandbox.Server) (address string) {
	t.Helper()
	var err error
	if e.key, err = hex.DecodeString(srv.PublicKey()); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	return s.URL
}

func posting(t *testing.T, e *endpoint, configure ...func(*sandbox.Options)) (srv *sandbox.Server, general *sandbox.Channel) {
	t.Helper()
	srv = sandbox.NewServer(t, configure...)
	request(t, srv, "PUT", "/applications/"+srv.AppID()+"/commands", arr{obj{"name": "hello", "type": 1, "description": "says hello"}})
	if err := srv.REST().SetEndpoint(t.Context(), srv.App(), e.listen(t, srv)); err != nil {
		t.Fatal(err)
	}
	return srv, srv.Guild().Channel("general")
}

const helloWithButton = `{"type":4,"data":{"content":"hello","components":[{"type":1,"components":[{"type":2,"style":1,"label":"Again","custom_id":"again"}]}]}}`

// TestInteractionsByHTTP: commands and clicks are posted to the endpoint, and its
// answer may be in the response's body or come by the callback route after 202.
func TestInteractionsByHTTP(t *testing.T) {
	later := make(chan map[string]any, 1)
	e := &endpoint{}
	e.reply = func(w http.ResponseWriter, in map[string]any) {
		switch in["type"] {
		case float64(2):
			inline(w, helloWithButton)
		default:
			w.WriteHeader(http.StatusAccepted)
			later <- in
		}
	}
	srv, general := posting(t, e)
	ada := srv.User("Ada")
	r := ada.Command(t, general, "hello")
	if !r.Answered() || r.Text() != "hello" {
		t.Fatalf("answered %v with %q, %v", r.Answered(), r.Text(), r.Problems)
	}
	click := ada.StartClick(t, r.Message, "Again")
	in := <-later
	answer := request(t, srv, "POST", "/interactions/"+in["id"].(string)+"/"+in["token"].(string)+"/callback?with_response=true", obj{"type": 7, "data": obj{"content": "again"}})
	want(t, answer, http.StatusOK, 0)
	if r := click.Wait(t); !r.Answered() || r.Text() != "again" {
		t.Errorf("answered %v with %q, %v", r.Answered(), r.Text(), r.Problems)
	}
	inBody := 0
	for _, q := range srv.REST().Requests() {
		if q.InBody {
			inBody++
			if !bytes.Contains(q.Body, []byte("hello")) || !strings.HasSuffix(q.Route, "/callback") || q.CallID == "" {
				t.Errorf("recorded as %+v", q)
			}
		}
	}
	if inBody != 1 || e.wrong.Load() != 1 {
		t.Errorf("%d answers in a body, want 1; %d wrong signatures, want the one of the check", inBody, e.wrong.Load())
	}
}

// TestEndpointByRequest: scripts of bots by HTTP set it themselves, and an address that does
// not pass the check is refused as Discord does it.
func TestEndpointByRequest(t *testing.T) {
	srv := sandbox.NewServer(t)
	good := &endpoint{reply: func(w http.ResponseWriter, _ map[string]any) { inline(w, helloWithButton) }}
	set := func(address any) answer {
		return request(t, srv, "PATCH", "/applications/@me", obj{"interactions_endpoint_url": address})
	}
	for _, address := range []string{(&endpoint{trust: true}).listen(t, srv), "https://example.org/interactions"} {
		got := set(address)
		want(t, got, 400, 50035)
		if f := failures(got); len(f) != 1 || f[0] != "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID" || srv.App().Endpoint() != "" {
			t.Errorf("%s: got %q, and it is %q", address, f, srv.App().Endpoint())
		}
	}
	address := good.listen(t, srv)
	want(t, set(address), 200, 0)
	register(t, srv, ping)
	if r := srv.User("Ada").Command(t, srv.Guild().Channel("general"), "ping"); r.Text() != "hello" {
		t.Errorf("answered with %q, %v", r.Text(), r.Problems)
	}
	want(t, request(t, srv, "PATCH", "/applications/@me", obj{"description": "x"}), 400, 0)
	want(t, set(nil), 200, 0)
	if srv.App().Endpoint() != "" {
		t.Error("it is still there")
	}
}

// TestEndpointIsChecked: as the Developer Portal does before it takes an address.
func TestEndpointIsChecked(t *testing.T) {
	srv := sandbox.NewServer(t)
	for name, e := range map[string]*endpoint{
		"takes a wrong signature": {trust: true},
		"no PONG":                 {pong: func(w http.ResponseWriter, _ json.RawMessage) { inline(w, `{"type":4}`) }},
		"PONG as plain text":      {pong: func(w http.ResponseWriter, _ json.RawMessage) { _, _ = io.WriteString(w, `{"type":1}`) }},
	} {
		if err := srv.REST().SetEndpoint(t.Context(), srv.App(), e.listen(t, srv)); !errors.Is(err, sandbox.ErrEndpoint) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, address := range []string{"https://example.org/interactions", "ftp://127.0.0.1/", "http://10.0.0.1/", "http://127.0.0.1.example.org/"} {
		if err := srv.REST().SetEndpoint(t.Context(), srv.App(), address); !errors.Is(err, sandbox.ErrEndpointAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if at := srv.App().Endpoint(); at != "" {
		t.Errorf("interactions go to %s", at)
	}
}

// TestEndpointThatFails: what Discord cannot use fails the interaction at once, and is
// told to whoever looks.
func TestEndpointThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		reply func(http.ResponseWriter, map[string]any)
		want  string
	}{
		"an error":          {func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusInternalServerError) }, "status 500"},
		"an invalid answer": {func(w http.ResponseWriter, _ map[string]any) { inline(w, `{"type":4,"data":{}}`) }, "50006"},
		"no JSON":           {func(w http.ResponseWriter, _ map[string]any) { inline(w, `hello`) }, "50109"},
		"a redirect": {func(w http.ResponseWriter, _ map[string]any) {
			w.Header().Set("Location", "/other")
			w.WriteHeader(http.StatusFound)
		}, "status 302"},
	} {
		t.Run(name, func(t *testing.T) {
			srv, general := posting(t, &endpoint{reply: c.reply})
			srv.AllowUnanswered()
			r := srv.User("Ada").Command(t, general, "hello")
			if r.Answered() || r.Failed != sandbox.FailedCommand || !strings.Contains(strings.Join(r.Problems, "\n"), c.want) {
				t.Errorf("answered %v, shown %q, problems %q, want %q", r.Answered(), r.Failed, r.Problems, c.want)
			}
		})
	}
}

// TestEndpointThatAnswersTwice: what the callback route has taken stays.
func TestEndpointThatAnswersTwice(t *testing.T) {
	t.Parallel()
	e := &endpoint{}
	srv, general := posting(t, e)
	e.reply = func(w http.ResponseWriter, in map[string]any) {
		want(t, request(t, srv, "POST", "/interactions/"+in["id"].(string)+"/"+in["token"].(string)+"/callback", obj{"type": 4, "data": obj{"content": "first"}}), 204, 0)
		inline(w, helloWithButton)
	}
	call := srv.User("Ada").StartCommand(t, general, "hello")
	srv.WaitFor(t, "the second answer", func() bool { return len(call.Reply().Problems) == 1 })
	if r := call.Reply(); !r.Answered() || r.Text() != "first" || !strings.Contains(r.Problems[0], "40060") {
		t.Errorf("answered %v with %q, %v", r.Answered(), r.Text(), r.Problems)
	}
}

// TestEndpointThatHearsLate: what is held back is posted when its time has come.
func TestEndpointThatHearsLate(t *testing.T) {
	t.Parallel()
	var posted atomic.Int64
	c := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv, general := posting(t, &endpoint{reply: func(w http.ResponseWriter, _ map[string]any) {
		posted.Add(1)
		inline(w, helloWithButton)
	}}, func(o *sandbox.Options) { o.World.Clock = c })
	ada := srv.User("Ada")
	srv.Faults().DelayDelivery(time.Second)
	late := ada.StartCommand(t, general, "hello")
	srv.Faults().DelayDelivery(0)
	for range 5 {
		ada.Command(t, general, "hello")
	}
	if n := posted.Load(); n != 5 {
		t.Errorf("%d interactions were posted, want those that follow alone", n)
	}
	c.Advance(time.Second)
	if r := late.Wait(t); !r.Answered() {
		t.Errorf("the late one: %v", r.Problems)
	}
}

// TestEndpointIsProbed: Discord goes on to test with wrong signatures, and removes an
// endpoint that takes one.
func TestEndpointIsProbed(t *testing.T) {
	e := &endpoint{reply: func(w http.ResponseWriter, _ map[string]any) { inline(w, `{"type":4,"data":{"content":"hello"}}`) }}
	srv, general := posting(t, e)
	ada := srv.User("Ada")
	for range 50 {
		ada.Command(t, general, "hello")
	}
	waittest.Until(t, "a wrong signature", func() bool { return e.wrong.Load() == 2 })
	if srv.App().Endpoint() == "" {
		t.Error("the endpoint is removed although it refuses wrong signatures")
	}
}
