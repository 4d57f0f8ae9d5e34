package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/page"
)

// withPage mounts the page on a test's server.
func withPage(o *sandbox.Options) { pageWith(nil)(o) }

func pageWith(restart func() error) func(*sandbox.Options) {
	return func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler {
			page.Furnish(s)
			return page.New(s, restart)
		}
	}
}

// ask sends what the page's own script would send.
func ask(t *testing.T, srv *sandbox.Server, method, path string, body any) answer {
	t.Helper()
	var r io.Reader
	if text, ok := body.(string); ok {
		r = strings.NewReader(text)
	} else if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		r = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, srv.URL()+path, r)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Origin", srv.URL())
	}
	return do(t, req)
}

// problem is the error that the page is told.
func problem(t *testing.T, a answer) (code, message, field string) {
	t.Helper()
	var e struct {
		Error struct{ Code, Message, Field string }
	}
	a.Decode(t, &e)
	return e.Error.Code, e.Error.Message, e.Error.Field
}

func TestPageLoadsFromItselfOnly(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	got := ask(t, srv, "GET", "/", nil)
	if got.Status != 200 || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("got %d %s", got.Status, got.Header)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy":        "no-referrer",
	} {
		if got := got.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	policy := got.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("policy: got %q", policy)
	}
	page := string(got.Body)
	for _, not := range []string{"style=", "<style", "onclick", "javascript:", "http://", "https://"} {
		if strings.Contains(page, not) {
			t.Errorf("the page contains %q", not)
		}
	}
	for _, part := range strings.Split(page, `"/assets/`)[1:] {
		path := "/assets/" + part[:strings.Index(part, `"`)]
		file := ask(t, srv, "GET", path, nil)
		if file.Status != 200 || file.Header.Get("ETag") == "" {
			t.Errorf("%s: got %d, tag %q", path, file.Status, file.Header.Get("ETag"))
		}
		req, _ := http.NewRequestWithContext(t.Context(), "GET", srv.URL()+path, nil)
		req.Header.Set("If-None-Match", file.Header.Get("ETag"))
		if again := do(t, req); again.Status != http.StatusNotModified || len(again.Body) != 0 {
			t.Errorf("%s again: got %d, want 304", path, again.Status)
		}
	}
	for _, outside := range []string{"../page.go", "..%2fpage.go", "", "js", "js/"} {
		if got := ask(t, srv, "GET", "/assets/"+outside, nil).Status; got == 200 {
			t.Errorf("%q, no file of the page, is served", outside)
		}
	}
	web := os.DirFS("web")
	err := fs.WalkDir(web, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			body, _ := fs.ReadFile(web, name)
			if got := ask(t, srv, "GET", "/assets/"+name, nil); got.Status != 200 || !bytes.Equal(got.Body, body) {
				t.Errorf("%s: got %d with %d bytes", name, got.Status, len(got.Body))
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestPageRefusesStrangers asks the handler itself, as if nothing stood in front of it.
func TestPageRefusesStrangers(t *testing.T) {
	srv := sandbox.NewServer(t)
	page.Furnish(srv)
	page := page.New(srv, nil)
	const own = "127.0.0.1:8484"
	for _, c := range []struct {
		name, method, path, host string
		header                   map[string]string
		want                     int
	}{
		{"address bar", "GET", "/", own, nil, 200},
		{"by name", "GET", "/", "localhost:8484", nil, 200},
		{"IPv6", "GET", "/", "[::1]:8484", nil, 200},
		{"a name that was pointed here", "GET", "/", "rebound.example:8484", nil, 403},
		{"a name that looks like us", "GET", "/", "127.0.0.1.example:8484", nil, 403},
		{"user and host", "GET", "/", "127.0.0.1@example.org", nil, 403},
		{"no host", "GET", "/", "", nil, 403},
		{"data", "GET", "/page/state", own, nil, 200},
		{"data for another site", "GET", "/page/state", own, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403},
		{"link from another site", "GET", "/", own, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"link to data", "GET", "/page/state", own, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"foreign origin", "GET", "/page/state", own, map[string]string{"Origin": "http://example.org"}, 403},
		{"origin null", "GET", "/page/state", own, map[string]string{"Origin": "null"}, 403},
		{"other port", "POST", "/page/crowd", own, map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		{"no origin", "POST", "/page/crowd", own, nil, 403},
		{"own origin", "POST", "/page/crowd", own, map[string]string{"Origin": "http://" + own, "Content-Type": "application/json"}, 200},
		{"form of a site", "POST", "/page/crowd", own, map[string]string{"Origin": "http://" + own, "Content-Type": "text/plain"}, 415},
		{"stream without origin", "GET", "/page/stream", own, map[string]string{"Upgrade": "websocket", "Connection": "Upgrade"}, 403},
		{"wrong method", "GET", "/page/crowd", own, nil, 405},
		{"wrong method", "DELETE", "/", own, map[string]string{"Origin": "http://" + own}, 405},
		{"nothing there", "GET", "/page/nothing", own, nil, 404},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, "http://"+own+c.path, strings.NewReader(`{"on":false}`))
		r.Host = c.host
		for k, v := range c.header {
			r.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: got %d, want %d", c.name, w.Code, c.want)
		}
		if w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s: no content policy", c.name)
		}
	}
}

func TestPageTellsWhatIsWrong(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	registerDemo(t, srv)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	secret := srv.Guild().Channel("back-room")
	chiyo := srv.User("Chiyo")
	world := "v1/worlds/" + srv.Guild().ID() + "/"
	command := func(path string, options obj) obj {
		return obj{"as": ada.ID(), "channel": general.ID(), "path": path, "options": options}
	}
	for _, c := range []struct {
		name, path  string
		body        any
		status      int
		code, field string
	}{
		{"no JSON", "person", `{`, 400, "bad_json", ""},
		{"two values", "person", `{}{}`, 400, "bad_json", ""},
		{"wrong type", world + "command", `{"as":1}`, 400, "bad_json", "as"},
		{"unknown field", world + "command", `{"who":"x"}`, 400, "bad_json", ""},
		{"too large", "person", obj{"name": strings.Repeat("x", 200<<10)}, 413, "too_large", ""},
		{"nobody", world + "command", obj{}, 404, "unknown_person", ""},
		{"as the app", world + "command", obj{"as": srv.AppID(), "channel": general.ID()}, 404, "unknown_person", ""},
		{"no channel", world + "command", obj{"as": ada.ID(), "channel": "1"}, 404, "unknown_channel", ""},
		{"unseen channel", world + "say", obj{"as": chiyo.ID(), "channel": secret.ID(), "text": "x"}, 409, "not_visible", ""},
		{"no command", world + "command", command("nothing", nil), 409, "unknown_command", ""},
		{"bare command", world + "command", command("demo", nil), 409, "unknown_command", ""},
		{"no option", world + "command", command("demo play", obj{"colour": "red"}), 422, "bad_field", "colour"},
		{"no person", world + "command", command("demo greet", obj{"user": "5"}), 422, "bad_field", "user"},
		{"a list", world + "command", command("demo play", obj{"board": []int{1}}), 422, "bad_field", "board"},
		{"no choice", world + "command", command("demo play", obj{"board": "9x9"}), 422, "bad_option", ""},
		{"missing option", world + "command", command("demo greet", nil), 422, "bad_option", ""},
		{"no message", world + "click", obj{"as": ada.ID(), "message": "1", "custom_id": "x"}, 404, "unknown_message", ""},
		{"no modal", world + "modal", obj{"as": ada.ID(), "call": "1"}, 404, "unknown_call", ""},
		{"empty text", world + "say", obj{"as": ada.ID(), "channel": general.ID(), "text": " \n"}, 422, "bad_option", ""},
		{"long text", world + "say", obj{"as": ada.ID(), "channel": general.ID(), "text": strings.Repeat("é", 2001)}, 422, "bad_option", "text"},
		{"no language", "guild", obj{"guild": srv.Guild().ID(), "locale": "tlh"}, 422, "bad_locale", ""},
		{"no name", "person", obj{"name": " "}, 422, "bad_name", "name"},
		{"name of an app", "person", obj{"name": "Quizmaster"}, 422, "bad_name", "name"},
		{"no guild", "guild", obj{"guild": "1", "locale": "de"}, 404, "unknown_guild", ""},
		{"no fault", "v1/faults", obj{"name": "Nothing"}, 422, "unknown_fault", ""},
		{"no restart", "restart", obj{}, 404, "no_restart", ""},
	} {
		got := ask(t, srv, "POST", "/page/"+c.path, c.body)
		code, message, field := problem(t, got)
		if got.Status != c.status || code != c.code || c.field != "" && field != c.field {
			t.Errorf("%s: got %d %s at %q, want %d %s at %q", c.name, got.Status, code, field, c.status, c.code, c.field)
		}
		if message == "" || strings.Contains(message, "sandbox:") {
			t.Errorf("%s: message %q is not for people", c.name, message)
		}
	}
	if calls := srv.World().Calls(); len(calls) != 0 {
		t.Errorf("%d interactions were sent nevertheless", len(calls))
	}
	seen := "?as=" + chiyo.ID() + "&channel=" + secret.ID()
	for path, code := range map[string]string{
		"messages" + seen: "unknown_channel", "commands" + seen: "unknown_channel", "messages": "unknown_person",
		"emojis/1": "not_found", "interactions/1": "unknown_interaction",
	} {
		if got, _, _ := problem(t, ask(t, srv, "GET", "/page/"+path, nil)); got != code {
			t.Errorf("%s: got %s, want %s", path, got, code)
		}
	}
	deserted := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler { return page.New(s, nil) }
	})
	if got, _, _ := problem(t, ask(t, deserted, "GET", "/page/state", nil)); got != "nobody" {
		t.Errorf("where nobody is: got %s", got)
	}
}

// TestRestartsAreOneAtATime asks for one while another is under way.
func TestRestartsAreOneAtATime(t *testing.T) {
	t.Parallel()
	var srv *sandbox.Server
	srv = sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler {
			return page.New(s, func() error {
				want(t, ask(t, srv, "POST", "/page/restart", obj{}), 409, 0)
				return nil
			})
		}
	})
	want(t, ask(t, srv, "POST", "/page/restart", obj{}), 200, 0)
}

// TestFurnishedTwice: what is there already is kept.
func TestFurnishedTwice(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	page.Furnish(srv)
	page.Furnish(srv)
	view, _ := srv.World().View(srv.User("Ada").ID())
	if guilds := len(srv.World().Guilds()); guilds != 3 || len(view.Channels) != 10 {
		t.Errorf("there are %d guilds, and Ada sees %d channels", guilds, len(view.Channels))
	}
}

func TestPageDeletesForModeratorsAndAuthors(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	ben, eva, general := srv.User("Ben"), srv.User("Eva"), srv.Guild().Channel("general")
	says := func() *sandbox.Message {
		m, err := ben.Say(general, "hello")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		who  *sandbox.User
		want int
	}{{srv.User("Ada"), 409}, {ben, 200}, {eva, 200}} {
		m := says()
		got := ask(t, srv, "POST", inWorld(srv, "delete"), obj{"as": c.who.ID(), "message": m.ID()})
		if got.Status != c.want || m.Deleted() != (c.want == 200) {
			t.Errorf("%s: got %d, deleted %v, want %d", c.who.Name(), got.Status, m.Deleted(), c.want)
		}
	}
}

func TestPageStateIsWhatThePersonSees(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	type state struct {
		Me       string
		People   []struct{ ID, Name, Locale string }
		Channels []struct {
			Name    string
			GuildID string `json:"guild_id"`
		}
	}
	see := func(as string) (st state, channels []string) {
		ask(t, srv, "GET", "/page/state?as="+as, nil).Decode(t, &st)
		for _, c := range st.Channels {
			channels = append(channels, c.Name)
		}
		return st, channels
	}
	st, channels := see("")
	if got := strings.Join(channels, " "); st.Me != srv.User("Ada").ID() || got != "general games rainy-day-cup back-room read-only-for-the-app chat commands Ada Ben Ben, Eva" {
		t.Errorf("at first: got %s seeing %s", st.Me, got)
	}
	st, channels = see("chiyo") // by username, which outlives a restart
	if got := strings.Join(channels, " "); st.Me != srv.User("Chiyo").ID() || strings.Contains(got, "back-room") || strings.Contains(got, "Ada") {
		t.Errorf("Chiyo: got %s seeing %s", st.Me, got)
	}
	for _, c := range []struct{ name, username string }{{"Żółw", "zolw"}, {"Q", "q_"}, {"Γιώργος", "user"}, {"李雷", "user2"}} {
		made := srv.User(c.name)
		if st, _ := see(c.username); st.Me != made.ID() {
			t.Errorf("%s is not the username of %s", c.username, c.name)
		}
	}
	if st, _ := see(srv.AppID()); st.Me == srv.AppID() {
		t.Error("the page may be the app itself")
	}
}

func TestPageSpeaksTheLanguageOfWhoTypes(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	registerDemo(t, srv)
	labels := func(locale string) string {
		u := srv.User("Ada", sandbox.Locale(locale))
		var got struct {
			Commands []struct {
				Name, Label string
				Options     []struct{ Name, Label, Description string }
			}
		}
		ask(t, srv, "GET", "/page/commands?as="+u.ID()+"&channel="+srv.Guild().Channel("general").ID(), nil).Decode(t, &got)
		c := got.Commands[0]
		return c.Name + " " + c.Label + " " + c.Options[0].Name + " " + c.Options[0].Label + ": " + c.Options[0].Description
	}
	for locale, want := range map[string]string{
		"de":     "demo vorführung play spielen: Spielen.",
		"es-ES":  "demo demo play jugar: Jugar.",
		"es-419": "demo demo play jugar: Jugar.", // its documented fallback
		"fr":     "demo demo play play: Play.",
	} {
		if got := labels(locale); got != want {
			t.Errorf("%s: got %q, want %q", locale, got, want)
		}
	}
}

func TestPageStreamTellsOnePersonOnly(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	ada, ben, general := srv.User("Ada"), srv.User("Ben"), srv.Guild().Channel("general")
	registerDemo(t, srv)
	connectDemo(t, srv)
	header := http.Header{"Origin": {srv.URL()}}
	conn, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(srv.URL(), "http")+"/page/stream?as=ben", header)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	defer conn.Close()
	type frame struct {
		State *struct{ Me string }
		Event *sandbox.Event
	}
	next := func() (f frame) {
		t.Helper()
		if err := conn.ReadJSON(&f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	if first := next(); first.State == nil || first.State.Me != ben.ID() {
		t.Fatalf("first frame: got %+v, want Ben's state", first)
	}
	ada.Command(t, general, "demo secret")
	ada.Command(t, general, "demo play")
	for {
		e := next().Event
		if e.Call != nil {
			t.Errorf("Ben hears of Ada's interaction %s", e.Call.Name)
		}
		if e.Message != nil && e.Message.Ephemeral() {
			t.Error("Ben sees Ada's private message")
		}
		if e.Message != nil && strings.Contains(e.Message.Text(), "Board") {
			break
		}
	}
	for _, c := range []struct {
		who  *sandbox.User
		want int
	}{{ada, 2}, {ben, 1}} {
		var got struct{ Messages []json.RawMessage }
		ask(t, srv, "GET", "/page/messages?as="+c.who.ID()+"&channel="+general.ID(), nil).Decode(t, &got)
		if len(got.Messages) != c.want {
			t.Errorf("%s reads %d messages, want %d", c.who.Name(), len(got.Messages), c.want)
		}
	}
}

func TestPageReadsHistoryInPieces(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	for i := range 120 {
		if _, err := ada.Say(general, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	before := ""
	for more := true; more; {
		var got struct {
			Messages []struct{ ID, Content string }
			More     bool
		}
		ask(t, srv, "GET", "/page/messages?as="+ada.ID()+"&channel="+general.ID()+"&before="+before, nil).Decode(t, &got)
		piece := []string{}
		for _, m := range got.Messages {
			piece = append(piece, m.Content)
		}
		all, more, before = append(piece, all...), got.More, got.Messages[0].ID
	}
	if len(all) != 120 || all[0] != "0" || all[119] != "119" {
		t.Errorf("got %d messages from %s to %s, want 120 from 0 to 119", len(all), all[0], all[len(all)-1])
	}
	if got := ask(t, srv, "GET", "/page/messages?as="+ada.ID()+"&channel="+general.ID()+"&before=x", nil).Status; got != 400 {
		t.Errorf("before a message without a number: got %d, want 400", got)
	}
}

func TestManyGamesPlayByThemselves(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	registerDemo(t, srv)
	connectDemo(t, srv)
	srv.AllowUnanswered() // the last presses may be on their way when the test ends
	if got := ask(t, srv, "POST", "/page/crowd", obj{"on": true}).Status; got != 200 {
		t.Fatalf("got %d", got)
	}
	table := srv.Guild().Channel("table-1")
	srv.WaitFor(t, "a finished game at table 1", func() bool {
		for _, m := range table.Messages(nil) {
			if strings.Contains(m.Text(), "Over") {
				return true
			}
		}
		return false
	})
	ask(t, srv, "POST", "/page/crowd", obj{"on": false})
	before := len(srv.World().Calls())
	var info struct{ On bool }
	ask(t, srv, "POST", "/page/crowd", obj{"on": false}).Decode(t, &info)
	if info.On || len(srv.World().Calls()) != before {
		t.Error("the crowd plays on")
	}
}

// FuzzPageBodies throws bodies at every route that takes one: nothing may break,
// and every answer is JSON.
func FuzzPageBodies(f *testing.F) {
	srv := sandbox.NewServer(f, withPage, func(o *sandbox.Options) { o.World.KeepMessages, o.World.KeepCalls = 50, 50 })
	srv.AllowUnanswered()
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	routes := strings.Fields("person guild v1/faults restart")
	for what := range strings.FieldsSeq("command autocomplete context click select modal say dismiss delete") {
		routes = append(routes, "v1/worlds/"+srv.Guild().ID()+"/"+what+"?wait=none")
	}
	for i := range routes {
		f.Add(i, `{"as":"`+ada.ID()+`","channel":"`+general.ID()+`","path":"demo play","options":{"a":1e999}}`)
		f.Add(i, `{"as":"`+ada.ID()+`","channel":"`+general.ID()+`","text":"\ud800"}`)
		f.Add(i, `{"user":"`+ada.ID()+`","nick":"\u0000"}`)
		f.Add(i, `[[[[[[[[`)
		f.Add(i, `null`)
	}
	f.Fuzz(func(t *testing.T, route int, body string) {
		if strings.Contains(body, "RevokeToken") {
			return // it would end the fuzzing
		}
		path := routes[uint(route)%uint(len(routes))]
		got := ask(t, srv, "POST", "/page/"+path, body)
		if got.Status >= 500 || !json.Valid(got.Body) {
			t.Errorf("%s %q: got %d %s", path, body, got.Status, got.Body)
		}
	})
}

// TestListensWhereItIsTold uses an address of loopback that is not the usual one.
func TestListensWhereItIsTold(t *testing.T) {
	for _, addr := range []string{"127.0.0.2:0", "[::1]:0"} {
		o := sandbox.Options{Addr: addr}
		withPage(&o)
		srv, err := sandbox.Start(o)
		if err != nil {
			t.Logf("not tried: this machine does not have %s: %v", addr, err)
			continue
		}
		for _, path := range []string{"/", "/page/state", "/api/v10/gateway"} {
			if got := do(t, newRequestTo(t, srv.URL()+path)); got.Status != 200 {
				t.Errorf("%s%s: got %d %s", srv.URL(), path, got.Status, got.Body)
			}
		}
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	}
}

func newRequestTo(t *testing.T, url string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", apitest.Agent)
	return req
}
