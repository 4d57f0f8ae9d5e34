package page_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/pagetest"
)

// Short names for what the tables are full of.
type (
	obj    = apitest.Obj
	arr    = apitest.Arr
	answer = apitest.Answer
)

var (
	connect                 = apitest.Connect
	request, newRequest, do = apitest.Request, apitest.NewRequest, apitest.Do
	want                    = apitest.Want
	btn, row, v2            = apitest.Button, apitest.Row, apitest.V2
	pngFile, picture        = apitest.PNG, apitest.Picture
	post, named             = apitest.Post, apitest.Named
)

// tell posts a message of the application to #general and returns its id.
func tell(t *testing.T, srv *sandbox.Server, body obj) string {
	t.Helper()
	got := request(t, srv, "POST", "/channels/"+srv.Guild().Channel("general").ID()+"/messages", body)
	want(t, got, 200, 0)
	var m struct{ ID string }
	got.Decode(t, &m)
	return m.ID
}

// withStore runs a statement in the page with its store.
func withStore(tab *pagetest.Tab, statement string) {
	pagetest.Eval[bool](tab, `import("/assets/js/store.js").then(({store}) => { `+statement+`; return true; })`)
}

// become makes the tab somebody else, whatever lies over the menus.
func become(tab *pagetest.Tab, u *sandbox.User) {
	withStore(tab, fmt.Sprintf("store.become(%q)", u.ID()))
	tab.WaitText(".me-text", u.Name())
	tab.Wait("the channel's messages", `document.querySelector("#app").dataset.ready === "true"`)
}

// inWorld is where the page asks the test API for something in the first world.
func inWorld(srv *sandbox.Server, what string) string {
	return "/page/v1/worlds/" + srv.Guild().ID() + "/" + what
}

// hold keeps what the page asks of the test API, such as "say", until release is called.
func hold(tab *pagetest.Tab, what string) (release func()) {
	pagetest.Eval[bool](tab, fmt.Sprintf(`(window.held = [], window.realFetch ??= fetch, window.fetch = (u, o) => u.split(/[/?]/).includes(%q)
		? new Promise((resolve) => held.push(() => realFetch(u, o).then((r) => { resolve(r); return r; }))) : realFetch(u, o), true)`, what))
	return func() {
		// Two frames later the page has taken in the answers.
		pagetest.Eval[bool](tab, `(window.fetch = realFetch, Promise.all(held.map((go) => go()))
			.then(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))).then(() => true))`)
	}
}

// payloadOf is what an interaction sent, as JSON.
func payloadOf(t *testing.T, srv *sandbox.Server, c *sandbox.Call) string {
	t.Helper()
	if srv.World().CallByID(c.ID()) != c {
		t.Fatal("the interaction is not kept")
	}
	b, err := json.Marshal(c.Info().Payload)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func typed(tab *pagetest.Tab) string {
	return pagetest.Eval[string](tab, `document.querySelector("#composer-input").value`)
}

func focus(tab *pagetest.Tab, selector string) {
	pagetest.Eval[bool](tab, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, selector))
}

// ownAddress is one on which a server can be started again: on a machine that has more
// than one address of loopback nobody else takes its port meanwhile.
func ownAddress(t *testing.T) string {
	t.Helper()
	addr := fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(250), rand.IntN(250), 1+rand.IntN(250)) //nolint:gosec // told apart from others, not kept from them
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
	if err != nil {
		return ""
	}
	_ = l.Close()
	return addr
}

// startDemo starts a server that a test may close and start again at its address.
func startDemo(t *testing.T, addr string) *sandbox.Server {
	t.Helper()
	o := sandbox.Options{Addr: addr}
	withPage(&o)
	srv, err := sandbox.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	registerDemo(t, srv)
	connectDemo(t, srv)
	return srv
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
