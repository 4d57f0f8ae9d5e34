package sandbox_test

import (
	"bytes"
	"errors"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
)

func TestWhoMayAskAndWhere(t *testing.T) {
	srv := sandbox.NewServer(t)
	channel := "/channels/" + srv.Guild().Channel("general").ID() + "/messages"
	for _, c := range []struct {
		name         string
		method, path string
		change       func(*http.Request)
		status, code int
	}{
		{"fine", "POST", channel, func(*http.Request) {}, 200, 0},
		{"no token", "POST", channel, func(r *http.Request) { r.Header.Del("Authorization") }, 401, 0},
		{"wrong token", "POST", channel, func(r *http.Request) { r.Header.Set("Authorization", "Bot x") }, 401, 0},
		{"token without its kind", "POST", channel, func(r *http.Request) { r.Header.Set("Authorization", srv.Token()) }, 401, 0},
		{"no user agent", "POST", channel, func(r *http.Request) { r.Header.Set("User-Agent", "") }, 403, 40333},
		{"Go's user agent", "POST", channel, func(r *http.Request) { r.Header.Del("User-Agent") }, 200, 0},
		{"a browser", "POST", channel, calls("Mozilla/5.0 (X11; Linux x86_64)"), 403, 40333},
		{"Java's own client", "POST", channel, calls("Java/1.8.0"), 403, 40333},
		{"Python's own client", "POST", channel, calls("Python-urllib/3.11"), 403, 40333},
		{"discord.py, without the comma", "POST", channel, calls("DiscordBot (https://example.org/x 2.2.2) Python/3.11 aiohttp/3.8.4"), 200, 0},
		{"a name only", "POST", channel, calls("node"), 200, 0},
		{"form body", "POST", channel, func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, 400, 50035},
		{"no content type", "POST", channel, func(r *http.Request) { r.Header.Del("Content-Type") }, 400, 50035},
		{"older version", "POST", channel, func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, "v10", "v9", 1) }, 200, 0},
		{"no version", "POST", channel, func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, "/v10", "", 1) }, 200, 0},
		{"no such version", "POST", channel, func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, "v10", "v11", 1) }, 400, 50041},
		{"unknown route", "POST", "/sounds", func(*http.Request) {}, 404, 0},
		{"a route of Discord's that is not served", "GET", "/sticker-packs", func(*http.Request) {}, 400, 0},
		{"wrong method", "PUT", channel, func(*http.Request) {}, 405, 0},
		{"foreign host", "POST", channel, func(r *http.Request) { r.Host = "discord.com" }, 403, 0},
		{"foreign host that leads here", "POST", channel, func(r *http.Request) { r.Host = strings.Replace(r.URL.Host, "127.0.0.1", "example.org", 1) }, 403, 0},
		{"another port", "POST", channel, func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403, 0},
		{"host without port", "POST", channel, func(r *http.Request) { r.Host = "127.0.0.1" }, 403, 0},
		{"localhost", "POST", channel, func(r *http.Request) { r.Host = strings.Replace(r.URL.Host, "127.0.0.1", "localhost", 1) }, 200, 0},
	} {
		req := newRequest(t, srv, c.method, c.path, `{"content":"x"}`)
		c.change(req)
		got := do(t, req)
		if got.Status != c.status || got.Code() != c.code {
			t.Errorf("%s: got %d code %d, want %d code %d: %s", c.name, got.Status, got.Code(), c.status, c.code, got.Body)
		}
	}
	want(t, request(t, srv, "POST", channel, `{"content":`), 400, 50109)
	want(t, request(t, srv, "POST", channel, `{"content":"x"}{}`), 400, 50109)
	want(t, request(t, srv, "POST", channel, `[]`), 400, 50035)

	unserved := 0
	for _, r := range srv.REST().Requests() {
		if r.Unserved {
			unserved++
		}
		if strings.Contains(strings.Join(r.Header["Authorization"], ""), srv.Token()) {
			t.Error("the record holds the bot token")
		}
	}
	if unserved != 4 {
		t.Errorf("%d requests are recorded as not served, want 4", unserved)
	}
}

func calls(name string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("User-Agent", name) }
}

// TestCallbacksTellNoLimits: the library hikari takes bucket headers of a callback for an error.
func TestCallbacksTellNoLimits(t *testing.T) {
	srv := sandbox.NewServer(t)
	call := pinged(t, srv)
	for name, got := range map[string]answer{
		"callback": callback(t, srv, call, obj{"type": 4, "data": obj{"content": "x"}}),
		"edit":     request(t, srv, "PATCH", webhook(srv, call)+"/messages/@original", obj{"content": "y"}),
	} {
		if has := got.Header.Get("X-RateLimit-Bucket") != ""; has != (name == "edit") {
			t.Errorf("%s: bucket headers: %v", name, has)
		}
	}
}

// TestUnserved names what Discord has and the sandbox has not, and logs it once.
func TestUnserved(t *testing.T) {
	var log bytes.Buffer
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	path := "/guilds/" + srv.Guild().ID() + "/audit-logs"
	for range 2 {
		got := request(t, srv, "GET", path, nil)
		want(t, got, 400, 0)
		if !strings.Contains(string(got.Body), "GET /guilds/{guild_id}/audit-logs is part of Discord's API but not offered here") {
			t.Errorf("the answer does not say what is missing: %s", got.Body)
		}
	}
	// Documented, and not in the published description.
	want(t, request(t, srv, "GET", "/applications/"+srv.AppID()+"/skus", nil), 400, 0)
	if n := strings.Count(log.String(), "GET /guilds/{guild_id}/audit-logs"); n != 1 {
		t.Errorf("it is logged %d times, want once: %s", n, log.String())
	}
	if r := srv.REST().Requests()[0]; !r.Unserved || r.Route != "/guilds/{guild_id}/audit-logs" {
		t.Errorf("recorded as %+v", r)
	}
}

func TestChannelRoutes(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	s := srv.Session()
	guild, ada := srv.Guild(), srv.User("Ada")
	general := guild.Channel("general")
	own, err := s.ChannelMessageSendComplex(general.ID(), &discordgo.MessageSend{Content: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMessageEdit(general.ID(), own.ID, "y"); err != nil {
		t.Errorf("edit: %v", err)
	}
	if m, err := s.ChannelMessage(general.ID(), own.ID); err != nil || m.Content != "y" || m.EditedTimestamp == nil {
		t.Errorf("get: %+v, %v", m, err)
	}
	hers, err := ada.Say(general, "secret words")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.ChannelMessage(general.ID(), hers.ID()); err != nil || m.Content != "" {
		t.Errorf("content of somebody else's message: %q, %v; want none without the intent", m.Content, err)
	}
	private := board(t, srv, obj{"flags": 64})
	thread := guild.Channel("thread", sandbox.Thread(general))
	threadMsg, _ := s.ChannelMessageSend(thread.ID(), "x")
	ada.DM()
	closed := srv.User("Eve", sandbox.ClosedDMs(true)).DM()
	gone := guild.Channel("gone")
	gone.Delete()

	at := func(c *sandbox.Channel, rest ...string) string {
		return "/channels/" + c.ID() + "/messages" + strings.Join(rest, "")
	}
	body := obj{"content": "x"}
	type step struct {
		name         string
		before       func()
		method, path string
		status, code int
	}
	for _, c := range []step{
		{"unknown channel", nil, "POST", "/channels/1/messages", 404, 10003},
		{"deleted channel", nil, "POST", at(gone), 404, 10003},
		{"unknown message", nil, "PATCH", at(general, "/1"), 404, 10008},
		{"message of another channel", nil, "PATCH", at(thread, "/", own.ID), 404, 10008},
		{"private message", nil, "GET", at(general, "/", private.ID()), 404, 10008},
		{"somebody else's", nil, "PATCH", at(general, "/", hers.ID()), 403, 50005},
		{"delete somebody else's", nil, "DELETE", at(general, "/", hers.ID()), 403, 50013},
		{"closed direct messages", nil, "POST", at(closed), 403, 50007},
		{"direct messages", nil, "POST", at(ada.DM()), 200, 0},
		{"may not post", func() { general.Set(sandbox.NoBotPosts) }, "POST", at(general), 403, 50013},
		{"may still edit", nil, "PATCH", at(general, "/", own.ID), 200, 0},
		{"thread of a channel without posts", nil, "POST", at(thread), 200, 0},
		{"may not post in threads", func() { thread.Set(sandbox.DenyBot(permission.SendInThreads)) }, "POST", at(thread), 403, 50013},
		{"locked", func() { thread.Set(sandbox.BotAllowed, sandbox.Locked(true)) }, "POST", at(thread), 400, 160005},
		{"edit in a locked thread", nil, "PATCH", at(thread, "/", threadMsg.ID), 400, 160005},
		{"archived", func() { thread.Set(sandbox.Archived(true)) }, "POST", at(thread), 400, 160005},
		{"edit in an archived thread", nil, "PATCH", at(thread, "/", threadMsg.ID), 400, 50083},
		{"no history", func() { general.Set(sandbox.DenyBot(permission.ReadHistory)) }, "GET", at(general, "/", own.ID), 403, 50001},
		{"may not see", func() { general.Set(sandbox.NoBotView) }, "PATCH", at(general, "/", own.ID), 403, 50001},
		{"thread below", func() { thread.Set(sandbox.Archived(false), sandbox.Locked(false)) }, "POST", at(thread), 403, 50001},
		{"allowed again", func() { general.Set(sandbox.BotAllowed) }, "DELETE", at(general, "/", own.ID), 204, 0},
		{"deleted", nil, "PATCH", at(general, "/", own.ID), 404, 10008},
		{"kicked", guild.RemoveBot, "POST", at(general), 403, 50001},
		{"guild without the bot", nil, "GET", "/guilds/" + guild.ID(), 403, 50001},
		{"unknown guild", nil, "GET", "/guilds/1", 404, 10004},
	} {
		if c.before != nil {
			c.before()
		}
		var b any
		if c.method != "GET" && c.method != "DELETE" {
			b = body
		}
		got := request(t, srv, c.method, c.path, b)
		if got.Status != c.status || got.Code() != c.code {
			t.Errorf("%s: got %d code %d, want %d code %d: %s", c.name, got.Status, got.Code(), c.status, c.code, got.Body)
		}
	}
}

// TestRequestsAreRecordedWithTheirEffect looks into the record whenever a message has
// just come.
func TestRequestsAreRecordedWithTheirEffect(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	general := srv.Guild().Channel("general")
	const posts = 300
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		for seen := 0; seen < posts; {
			if srv.Until(t.Context(), func() bool { return len(general.Messages(nil)) > seen }) != nil {
				return
			}
			seen = len(general.Messages(nil))
			if recorded := len(srv.REST().Requests()); recorded < seen {
				t.Errorf("%d messages are there and %d requests recorded", seen, recorded)
				return
			}
		}
	}()
	for range posts {
		want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", obj{"content": "x"}), 200, 0)
	}
	<-looked
}

func TestNonceKeepsDuplicatesAway(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	path := "/channels/" + general.ID() + "/messages"
	for i, c := range []struct {
		body obj
		want int // messages afterwards
	}{
		{obj{"content": "x", "nonce": "n", "enforce_nonce": true}, 1},
		{obj{"content": "x", "nonce": "n", "enforce_nonce": true}, 1},
		{obj{"content": "x", "nonce": "n"}, 2},
		{obj{"content": "x", "nonce": "m", "enforce_nonce": true}, 3},
	} {
		want(t, request(t, srv, "POST", path, c.body), 200, 0)
		if got := len(general.Messages(nil)); got != c.want {
			t.Errorf("request %d: %d messages, want %d", i, got, c.want)
		}
	}
	// Of a message that was deleted since, the nonce is not free (discord/discord-api-docs#6647).
	general.LastMessage(nil).Delete()
	want(t, request(t, srv, "POST", path, obj{"content": "x", "nonce": "m", "enforce_nonce": true}), 404, 10008)
}

func TestFiles(t *testing.T) {
	srv := sandbox.NewServer(t)
	s := srv.Session()
	general := srv.Guild().Channel("general")
	m, err := s.ChannelMessageSendComplex(general.ID(), &discordgo.MessageSend{
		Content: "x", Files: []*discordgo.File{{Name: "a.png", ContentType: "image/png", Reader: strings.NewReader("\x89PNG\r\n\x1a\n")}},
	})
	if err != nil || len(m.Attachments) != 1 || m.Attachments[0].Filename != "a.png" || m.Attachments[0].Size != 8 {
		t.Fatalf("got %+v, %v", m, err)
	}
	if got := srv.REST().Requests(); len(got) != 1 || !bytes.Contains(got[0].Body, []byte("payload_json")) {
		t.Errorf("the multipart body was not recorded as it came")
	}
	// Attachments that an edit does not list are dropped, those of other messages unknown.
	edit := "/channels/" + general.ID() + "/messages/" + m.ID
	want(t, request(t, srv, "PATCH", edit, obj{"attachments": arr{obj{"id": m.Attachments[0].ID}}}), 200, 0)
	want(t, request(t, srv, "PATCH", edit, obj{"attachments": arr{obj{"id": "77"}}}), 400, 50035)
	want(t, request(t, srv, "PATCH", edit, obj{"attachments": arr{}}), 200, 0)
	if got := general.LastMessage(nil).Snapshot().Attachments; len(got) != 0 {
		t.Errorf("%d attachments are left", len(got))
	}

	form := func(size int, files int, more ...string) answer {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		part, _ := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="payload_json"`}, "Content-Type": {"application/json"}})
		_, _ = part.Write([]byte(`{"content":"x"}`))
		for i := range files {
			more = append(more, "files["+strconv.Itoa(i)+"]")
		}
		for _, name := range more {
			f, _ := w.CreateFormFile(name, "f.bin")
			_, _ = f.Write(make([]byte, size))
		}
		_ = w.Close()
		req := newRequest(t, srv, "POST", "/channels/"+general.ID()+"/messages", b.String())
		req.Header.Set("Content-Type", w.FormDataContentType())
		return do(t, req)
	}
	want(t, form(10<<20, 1), 200, 0)
	want(t, form(10<<20+1, 1), 413, 40005)
	want(t, form(1, 10), 200, 0)
	want(t, form(1, 11), 400, 50035)
	want(t, form(9<<20, 3), 413, 40005)
	want(t, form(1, 1, "files[0]"), 400, 50035)
	want(t, form(1, 1, "about"), 200, 0) // a part that nobody knows
	if got := len(general.LastMessage(nil).Snapshot().Attachments); got != 1 {
		t.Errorf("%d files are attached", got)
	}
}

func TestRateLimitBuckets(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.REST.BucketLimit, o.REST.BucketWindow, o.REST.GlobalLimit, o.REST.GlobalWindow = 2, time.Hour, 7, time.Hour
	})
	a, b := srv.Guild().Channel("a"), srv.Guild().Channel("b")
	post := func(c *sandbox.Channel) answer {
		return request(t, srv, "POST", "/channels/"+c.ID()+"/messages", `{"content":"x"}`)
	}
	first := post(a)
	want(t, first, 200, 0)
	for header, want := range map[string]string{"X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "1"} {
		if got := first.Header.Get(header); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
	want(t, post(a), 200, 0)
	third := post(a)
	if third.Status != 429 || third.Header.Get("X-RateLimit-Scope") != "user" || third.Header.Get("X-RateLimit-Remaining") != "0" ||
		third.Header.Get("Retry-After") != "3600" || third.Header.Get("X-RateLimit-Bucket") != first.Header.Get("X-RateLimit-Bucket") {
		t.Errorf("got %d %v", third.Status, third.Header)
	}
	var body struct {
		RetryAfter float64 `json:"retry_after"`
		Global     bool
		Message    string
	}
	third.Decode(t, &body)
	if body.RetryAfter < 3590 || body.Global || body.Message == "" {
		t.Errorf("got %s", third.Body)
	}
	want(t, post(b), 200, 0) // another channel is another bucket
	srv.AllowUnanswered()
	register(t, srv, ping)
	call := pinged(t, srv)
	for range 2 {
		want(t, request(t, srv, "GET", "/users/@me", nil), 200, 0)
	}
	global := request(t, srv, "GET", "/gateway/bot", nil)
	if global.Status != 429 || global.Header.Get("X-RateLimit-Global") != "true" || global.Header.Get("X-RateLimit-Scope") != "global" ||
		global.Header.Get("X-RateLimit-Reset-After") != "" || global.Header.Get("Retry-After") == "" {
		t.Errorf("got %d %v", global.Status, global.Header)
	}
	// Interactions are outside of the global limit, but not of their own.
	want(t, callback(t, srv, call, `{"type":5}`), 204, 0)
	for i := range 3 {
		got := request(t, srv, "PATCH", webhook(srv, call)+"/messages/@original", `{"content":"x"}`)
		if i < 2 {
			want(t, got, 200, 0)
		} else if got.Status != 429 {
			t.Errorf("got %d, want 429 for the token's third edit", got.Status)
		}
	}
	if got := srv.REST().InvalidRequests(); got != 3 {
		t.Errorf("%d invalid requests, want the three 429", got)
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "example.org:0", "192.0.2.1:0"} {
		if err := sandbox.CheckAddr(addr); !errors.Is(err, sandbox.ErrNotLoopback) {
			t.Errorf("%s: the check says %v", addr, err)
		}
		if srv, err := sandbox.Start(sandbox.Options{Addr: addr}); !errors.Is(err, sandbox.ErrNotLoopback) {
			t.Errorf("%s: got %v", addr, err)
			_ = srv.Close()
		}
	}
	srv, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.Start(sandbox.Options{Addr: strings.TrimPrefix(srv.URL(), "http://")}); err == nil {
		t.Error("a port that is taken was taken again")
	}
	if err := errors.Join(srv.Close(), srv.Close()); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := srv.User("Ada").Do(sandbox.SlashCommand{}); !errors.Is(err, sandbox.ErrClosed) {
		t.Errorf("got %v after the end", err)
	}
}

func TestPageIsForItselfOnly(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(*sandbox.Server) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		}
	})
	for _, c := range []struct {
		name, method, header, value string
		want                        int
	}{
		{"address bar", "GET", "", "", 418},
		{"itself", "POST", "Origin", srv.URL(), 418},
		{"another site", "POST", "Origin", "http://example.org", 403},
		{"another port here", "GET", "Origin", "http://127.0.0.1:1", 403},
		{"no origin", "POST", "Sec-Fetch-Site", "cross-site", 403},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, srv.URL()+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.header != "" {
			req.Header.Set(c.header, c.value)
		}
		if got := do(t, req).Status; got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	srv, err := sandbox.Start(sandbox.Options{World: sandbox.WorldOptions{KeepMessages: 5, KeepCalls: 5, KeepTokens: 8, KeepWrites: 3, Deadline: time.Hour}, REST: sandbox.RESTOptions{KeepRequests: 5, GlobalLimit: -1, BucketLimit: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	var calls []*sandbox.Call
	waiting := pinged(t, srv) // for its answer, which keeps none of the others
	for range 40 {
		c := pinged(t, srv)
		calls = append(calls, c)
		want(t, callback(t, srv, c, `{"type":4,"data":{"content":"x"}}`), 204, 0)
	}
	last := calls[len(calls)-1]
	for range 10 {
		want(t, request(t, srv, "PATCH", webhook(srv, last)+"/messages/@original", `{"content":"y"}`), 200, 0)
	}
	if n := len(srv.Guild().Channel("general").Messages(nil)); n > 5 {
		t.Errorf("%d messages are kept", n)
	}
	if n := len(srv.REST().Requests()); n > 10 {
		t.Errorf("%d requests are kept", n)
	}
	if n := len(srv.World().Calls()); n > 10 {
		t.Errorf("%d calls are kept", n)
	}
	if n := len(last.Wait(t).Message.Snapshot().Writes); n > 3 {
		t.Errorf("%d writes are kept", n)
	}
	want(t, request(t, srv, "PATCH", webhook(srv, calls[0])+"/messages/@original", `{"content":"y"}`), 401, 50027)
	want(t, callback(t, srv, waiting, `{"type":4,"data":{"content":"x"}}`), 204, 0)
}

// TestMessagesThatAnswerEachOtherAreForgotten has every message answer a click on the
// one before it, as boards of one rematch after the other do.
func TestMessagesThatAnswerEachOtherAreForgotten(t *testing.T) {
	srv, err := sandbox.Start(sandbox.Options{World: sandbox.WorldOptions{KeepMessages: 2, KeepCalls: 2, KeepTokens: 2}, REST: sandbox.RESTOptions{KeepRequests: 2, GlobalLimit: -1, BucketLimit: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	const answer = `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[{"type":2,"style":1,"label":"next","custom_id":"next"}]}]}}`
	c := pinged(t, srv)
	want(t, callback(t, srv, c, answer), 204, 0)
	m := c.Wait(t).Message
	first := weak.Make(m)
	for range 20 {
		c = c.User().Start(t, sandbox.ButtonClick{Message: m, CustomID: "next"})
		want(t, callback(t, srv, c, answer), 204, 0)
		m = c.Wait(t).Message
	}
	// Goroutines that have served it may not have ended yet.
	waittest.Until(t, "the first message to leave memory", func() bool {
		runtime.GC()
		return first.Value() == nil
	})
}

// TestBanAfterTooManyInvalidRequests sends as many requests with a wrong token as
// Discord puts up with in ten minutes.
func TestBanAfterTooManyInvalidRequests(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited)
	wrong := newRequest(t, srv, "GET", "/users/@me", nil)
	wrong.Header.Set("Authorization", "Bot nobody's")
	for range 9_999 {
		if got := do(t, wrong); got.Status != 401 {
			t.Fatalf("got %d", got.Status)
		}
	}
	want(t, request(t, srv, "GET", "/users/@me", nil), 200, 0)
	want(t, do(t, wrong), 401, 0)
	for _, req := range []*http.Request{wrong, newRequest(t, srv, "GET", "/users/@me", nil)} {
		got := do(t, req)
		if got.Status != 429 || !strings.Contains(string(got.Body), "1015") || got.Header.Get("Via") != "" || got.Header.Get("Retry-After") != "600" {
			t.Errorf("got %d %v %s, want the page of Discord's front door", got.Status, got.Header, got.Body)
		}
	}
}
