package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/apitest"
)

func TestRateLimitNext(t *testing.T) {
	for _, c := range []struct {
		scope                  sandbox.Scope
		global, resetAfter     string
		html, countsAsInvalid  bool
		retryAfter, scopeValue string
	}{
		{sandbox.ScopeUser, "", "1.500", false, true, "2", "user"},
		{sandbox.ScopeShared, "", "1.500", false, false, "2", "shared"},
		{sandbox.ScopeGlobal, "true", "", false, true, "2", "global"},
		{sandbox.ScopeHTML, "", "", true, true, "2", ""},
	} {
		srv := sandbox.NewServer(t)
		srv.Faults().RateLimitNext(sandbox.RouteCreateMessage, 1500*time.Millisecond, c.scope)
		general := srv.Guild().Channel("general")
		want(t, request(t, srv, "GET", "/users/@me", nil), 200, 0) // another route
		got := request(t, srv, "POST", "/channels/"+general.ID()+"/messages", `{"content":"x"}`)
		h := got.Header
		if got.Status != 429 || h.Get("X-RateLimit-Global") != c.global || h.Get("X-RateLimit-Reset-After") != c.resetAfter ||
			h.Get("Retry-After") != c.retryAfter || h.Get("X-RateLimit-Scope") != c.scopeValue {
			t.Errorf("%s: got %d %v", c.scope, got.Status, h)
		}
		if html := strings.HasPrefix(string(got.Body), "<!doctype html>"); html != c.html {
			t.Errorf("%s: body %s", c.scope, got.Body)
		}
		if invalid := srv.REST().InvalidRequests() == 1; invalid != c.countsAsInvalid {
			t.Errorf("%s: counts as invalid: %v", c.scope, invalid)
		}
		if n := len(general.Messages(nil)); n != 0 {
			t.Errorf("%s: the request took effect", c.scope)
		}
		want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", `{"content":"x"}`), 200, 0)
	}
}

// TestLimitsWithCodesOfTheirOwn meets 429s that are no bucket's.
func TestLimitsWithCodesOfTheirOwn(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	messages := "/channels/" + general.ID() + "/messages"
	want(t, request(t, srv, "POST", messages, `{"content":"x"}`), 200, 0)
	message := messages + "/" + general.LastMessage(nil).ID()
	srv.Faults().OldEditsNext(1500 * time.Millisecond)
	srv.Faults().ResourceLimitNext(sandbox.RouteGetMessage, 3*time.Second)
	for _, c := range []struct {
		method            string
		code              int
		scope, retryAfter string
		seconds           float64
		invalid           int // requests that count as invalid by then
	}{
		{"PATCH", 30046, "user", "2", 1.5, 1},
		{"GET", 40062, "shared", "3", 3, 1},
	} {
		var body any
		if c.method == "PATCH" {
			body = `{"content":"y"}`
		}
		got := request(t, srv, c.method, message, body)
		want(t, got, 429, c.code)
		var said struct {
			RetryAfter float64 `json:"retry_after"`
			Global     *bool
		}
		got.Decode(t, &said)
		if h := got.Header; h.Get("X-RateLimit-Scope") != c.scope || h.Get("Retry-After") != c.retryAfter || said.RetryAfter != c.seconds || said.Global == nil || *said.Global {
			t.Errorf("%d: got %v %s", c.code, h, got.Body)
		}
		if n := srv.REST().InvalidRequests(); n != c.invalid {
			t.Errorf("%d: %d invalid requests, want %d", c.code, n, c.invalid)
		}
		want(t, request(t, srv, c.method, message, body), 200, 0)
	}
}

// TestOldEdits edits messages of an hour ago more often than a channel takes it: three times
// in six seconds, as discord-userdoccers found (its page Message, and its issue 551).
func TestOldEdits(t *testing.T) {
	clock := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = clock })
	a, b := srv.Guild().Channel("a"), srv.Guild().Channel("b")
	post := func(c *sandbox.Channel) string {
		path := "/channels/" + c.ID() + "/messages"
		want(t, request(t, srv, "POST", path, `{"content":"x"}`), 200, 0)
		return path + "/" + c.LastMessage(nil).ID()
	}
	edit := func(path string, status, code int) {
		t.Helper()
		want(t, request(t, srv, "PATCH", path, `{"content":"y"}`), status, code)
	}
	old, other := post(a), post(b)
	clock.Advance(time.Hour - time.Second)
	young := post(a)
	for range 3 {
		edit(old, 200, 0) // not an hour old yet
	}
	clock.Advance(time.Second)
	for range 3 {
		edit(old, 200, 0)
	}
	edit(old, 429, 30046)
	edit(young, 200, 0)
	edit(other, 200, 0) // another channel
	got := request(t, srv, "PATCH", old, `{"content":"z"}`)
	if got.Header.Get("Retry-After") != "6" || a.Messages(nil)[0].Text() != "y" || srv.REST().InvalidRequests() != 2 {
		t.Errorf("got %v, text %q, %d invalid requests", got.Header, a.Messages(nil)[0].Text(), srv.REST().InvalidRequests())
	}
}

func TestFailures(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	post := func() answer {
		return request(t, srv, "POST", "/channels/"+general.ID()+"/messages", `{"content":"x"}`)
	}
	count := func() int { return len(general.Messages(nil)) }

	srv.Faults().FailNext("/channels/{channel_id}/messages", 503, 2)
	for range 2 {
		if got := post(); got.Status != 503 || count() != 0 {
			t.Errorf("FailNext: got %d and %d messages", got.Status, count())
		}
	}
	srv.Faults().RefuseNext(sandbox.RouteCreateMessage, 403, 50001)
	if got := post(); got.Status != 403 || got.Code() != 50001 || count() != 0 {
		t.Errorf("RefuseNext: got %d code %d and %d messages", got.Status, got.Code(), count())
	}
	srv.Faults().ApplyThenFailNext(sandbox.RouteCreateMessage)
	if got := post(); got.Status != 502 || count() != 1 {
		t.Errorf("ApplyThenFailNext: got %d and %d messages", got.Status, count())
	}
	if got := srv.REST().Requests(); got[len(got)-1].Fault != "ApplyThenFailNext" {
		t.Errorf("the record names the fault %q", got[len(got)-1].Fault)
	}
	srv.Faults().SlowNext(sandbox.AnyRoute, 30*time.Millisecond)
	began := time.Now()
	if got := post(); got.Status != 200 || time.Since(began) < 30*time.Millisecond {
		t.Errorf("SlowNext: got %d after %v", got.Status, time.Since(began))
	}
	for _, applied := range []bool{false, true} {
		before := count()
		srv.Faults().ResetNext(sandbox.AnyRoute, applied)
		req := newRequest(t, srv, "POST", "/channels/"+general.ID()+"/messages", `{"content":"x"}`)
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("ResetNext: got %d", resp.StatusCode)
		}
		if got := count() - before; (got == 1) != applied {
			t.Errorf("ResetNext, applied %v: %d messages", applied, got)
		}
	}
	before := count()
	srv.Faults().HangNext(sandbox.AnyRoute)
	ctx, giveUp := context.WithCancel(t.Context())
	gaveUp := make(chan error, 1)
	hung := newRequest(t, srv, "POST", "/channels/"+general.ID()+"/messages", `{"content":"x"}`).WithContext(ctx)
	go func() {
		resp, err := http.DefaultClient.Do(hung)
		if err == nil {
			_ = resp.Body.Close()
		}
		gaveUp <- err
	}()
	awaitHang(t, srv)
	giveUp()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) || count() != before {
		t.Errorf("HangNext: %v and %d messages", err, count()-before)
	}
	want(t, post(), 200, 0)

	// A fault may be meant for all routes of interactions and no others.
	srv.Faults().FailNext(sandbox.InteractionRoutes, 500)
	want(t, post(), 200, 0)
	call := pinged(t, srv)
	want(t, callback(t, srv, call, `{"type":5}`), 500, 0)
	want(t, callback(t, srv, call, `{"type":5}`), 204, 0)
}

func TestHangingRequestsEndWithTheServer(t *testing.T) {
	srv, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	srv.Faults().HangNext(sandbox.AnyRoute)
	req := newRequest(t, srv, "GET", "/users/@me", nil)
	ended := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		ended <- err
	}()
	awaitHang(t, srv)
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("the request was answered")
	}
}

// awaitHang waits until a request has met HangNext.
func awaitHang(t *testing.T, srv *sandbox.Server) {
	t.Helper()
	srv.WaitFor(t, "the request to hang", func() bool {
		return srv.Faults().List()[slices.IndexFunc(srv.Faults().List(), isFault("HangNext"))].Armed == 0
	})
}

func isFault(name string) func(sandbox.FaultInfo) bool {
	return func(f sandbox.FaultInfo) bool { return f.Name == name }
}

func TestTokensThatDie(t *testing.T) {
	srv := sandbox.NewServer(t)
	one, two := pinged(t, srv), pinged(t, srv)
	want(t, callback(t, srv, one, `{"type":5}`), 204, 0)
	want(t, callback(t, srv, two, `{"type":5}`), 204, 0)
	srv.Faults().ExpireToken(one)
	srv.Faults().UnknownWebhook(two)
	want(t, request(t, srv, "PATCH", webhook(srv, one)+"/messages/@original", `{"content":"x"}`), 401, 50027)
	want(t, request(t, srv, "PATCH", webhook(srv, two)+"/messages/@original", `{"content":"x"}`), 404, 10015)

	w := dial(t, srv)
	w.ready(srv)
	srv.Faults().RevokeToken()
	if got := w.closed(); got != 4004 {
		t.Errorf("close code %d", got)
	}
	want(t, request(t, srv, "GET", "/users/@me", nil), 401, 0)
	w = dial(t, srv)
	w.expect(10, "")
	w.send(2, identity(srv))
	if got := w.closed(); got != 4004 {
		t.Errorf("close code %d at identify", got)
	}
	var closed *websocket.CloseError
	if err := srv.Session().Open(); !errors.As(err, &closed) || closed.Code != 4004 {
		t.Errorf("discordgo got %v", err)
	}
}

func TestLostMessagesAndPermissions(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	msg := board(t, srv)
	general.Set(sandbox.NoBotPosts)
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", `{"content":"x"}`), 403, 50013)
	click := srv.User("Ada").StartClick(t, msg, "A")
	msg.Delete()
	want(t, request(t, srv, "PATCH", "/channels/"+general.ID()+"/messages/"+msg.ID(), `{"content":"x"}`), 404, 10008)
	click.AllowUnanswered()
	want(t, callback(t, srv, click, `{"type":7,"data":{"content":"x"}}`), 404, 10008)
}

func TestConnectionFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*sandbox.Server)
		want int
	}{
		{"DropGateway", func(s *sandbox.Server) { s.Faults().DropGateway() }, 1006},
		{"CloseGateway", func(s *sandbox.Server) { s.Faults().CloseGateway(4007) }, 4007},
		{"CloseGateway without a code", func(s *sandbox.Server) { s.Faults().CloseGateway(0) }, 1005},
	} {
		srv := sandbox.NewServer(t)
		w := dial(t, srv)
		id := w.ready(srv)
		c.do(srv)
		if got := w.closed(); got != c.want {
			t.Errorf("%s: close code %d, want %d", c.name, got, c.want)
		}
		_ = w.ws.Close()
		srv.WaitFor(t, "the end of the session's connection", func() bool { return srv.Gateway().Connections() == 0 })
		w = dial(t, srv)
		w.expect(10, "")
		w.send(6, resumption(srv, id, 1))
		if p, err := w.receive(); err != nil || (p.Op == 9) != (c.want == 4007) {
			t.Errorf("%s: resume got op %d %s, %v", c.name, p.Op, p.event(), err)
		}
	}
}

func TestReconnectAndInvalidSession(t *testing.T) {
	srv := sandbox.NewServer(t)
	w := dial(t, srv)
	id := w.ready(srv)
	srv.Faults().ReconnectOp7()
	w.expect(7, "")
	srv.Faults().InvalidSession(true)
	if p := w.expect(9, ""); string(p.D) != "true" {
		t.Errorf("op 9 %s", p.D)
	}
	w.send(6, resumption(srv, id, 1))
	w.expect(0, "RESUMED")
	srv.Faults().InvalidSession(false, 2)
	if p := w.expect(9, ""); string(p.D) != "false" {
		t.Errorf("op 9 %s", p.D)
	}
	for range 2 {
		w.send(2, identity(srv))
		w.expect(9, "")
	}
	w.send(2, identity(srv))
	w.expect(0, "READY")
	srv.Faults().RefuseResume()
	w.lose(srv, 4000)
	w = dial(t, srv)
	w.expect(10, "")
	w.send(6, resumption(srv, id, 1))
	w.expect(9, "")
}

func TestSilences(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.Faults().SilentGateway()
	w := dial(t, srv)
	w.send(2, identity(srv))
	w.silent(srv)
	srv.Faults().NoHello()
	w = dial(t, srv)
	w.silent(srv)
	w = dial(t, srv)
	srv.Faults().NoReady()
	w.expect(10, "")
	w.send(2, identity(srv))
	w.silent(srv)
	if got := srv.Gateway().Sessions(); got != 0 {
		t.Errorf("%d sessions are ready", got)
	}

	w = dial(t, srv)
	id := w.ready(srv)
	srv.Faults().NoAcks(true)
	w.send(1, 1)
	call := pinged(t, srv) // excused: nobody can hear it
	srv.Faults().NoAcks(false)
	_ = w.ws.Close()
	w = dial(t, srv)
	w.expect(10, "")
	w.send(6, resumption(srv, id, 1))
	if p := w.expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), call.ID()) {
		t.Errorf("replayed %s", p.D)
	}
	w.expect(0, "RESUMED")

	srv.Faults().RefuseUpgrade()
	_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), srv.Gateway().URL()+"/?v=10&encoding=json", nil)
	if err == nil || resp.StatusCode != 503 {
		t.Errorf("RefuseUpgrade: %v", err)
	}
	_ = resp.Body.Close()
	dial(t, srv).ready(srv)
	srv.Faults().GatewayBotFails(2)
	for i, path := range []string{"/gateway/bot", "/gateway", "/gateway/bot"} {
		if got := request(t, srv, "GET", path, nil).Status; (got == 503) != (i < 2) {
			t.Errorf("GatewayBotFails: request %d got %d", i, got)
		}
	}
}

func TestFirstPackets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		packet sandbox.FirstPacket
		op     int
		ends   bool
	}{
		{sandbox.PacketReconnect, 7, true},
		{sandbox.PacketInvalid, 9, true},
		{sandbox.PacketInvalidResume, 9, true},
		{sandbox.PacketAck, 11, false},
		{sandbox.PacketHeartbeat, 1, false},
		{sandbox.PacketEvent, 0, false},
		{sandbox.PacketClose, -1, true},
		{sandbox.PacketConnectionLoss, -1, true},
	} {
		t.Run(string(c.packet), func(t *testing.T) {
			srv := sandbox.NewServer(t)
			packet := func(w *wire) {
				t.Helper()
				p, err := w.receive()
				if c.op < 0 && err == nil || c.op >= 0 && (err != nil || p.Op != c.op) {
					t.Errorf("got op %d, %v; want %d", p.Op, err, c.op)
				}
			}
			srv.Faults().FirstPacketInsteadOfHello(c.packet)
			packet(dial(t, srv))
			srv.Faults().FirstPacketAfterHello(c.packet)
			w := dial(t, srv)
			if c.packet != sandbox.PacketConnectionLoss { // which may overtake Hello
				w.expect(10, "")
			}
			packet(w)

			w = dial(t, srv)
			id := w.ready(srv)
			w.lose(srv, 4000)
			srv.Faults().FirstPacketAfterResume(c.packet)
			w = dial(t, srv)
			w.expect(10, "")
			w.send(6, resumption(srv, id, 1))
			packet(w)
			if !c.ends {
				w.expect(0, "RESUMED")
			}
			srv.Faults().FirstPacketAfterIdentify(c.packet)
			w = dial(t, srv)
			w.expect(10, "")
			w.send(2, identity(srv))
			packet(w)
			if !c.ends {
				w.expect(0, "READY")
			}
			if c.op == 9 { // nothing followed it, and the connection is as good as before
				w.send(2, identity(srv))
				w.expect(0, "READY")
			}
		})
	}
}

func TestDelayedDelivery(t *testing.T) {
	clock := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = clock })
	w := dial(t, srv)
	w.ready(srv)
	srv.Faults().DelayDelivery(4 * time.Second)
	one, two := pinged(t, srv), pinged(t, srv)
	clock.Advance(3 * time.Second)
	if one.Wait(t).Failed == "" || two.Wait(t).Failed == "" {
		t.Error("the deadline waited for the delivery")
	}
	clock.Advance(time.Second)
	for _, c := range []*sandbox.Call{one, two} {
		if p := w.expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), c.ID()) {
			t.Errorf("got %s, want interaction %s", p.D, c.ID())
		}
	}
	want(t, callback(t, srv, one, `{"type":5}`), 404, 10062)
}

func TestCompressedFrames(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	srv.Faults().CompressedFrames(true)
	w, plain := dial(t, srv), dial(t, srv)
	w.ready(srv, obj{"compress": true})
	if !w.binary {
		t.Error("READY came as text")
	}
	plain.ready(srv)
	if plain.binary {
		t.Error("a session without compress got a binary frame")
	}
	pinged(t, srv)
	if w.expect(0, "INTERACTION_CREATE"); !w.binary {
		t.Error("an event came as text")
	}
}

func TestUnknownEvents(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	srv.Faults().UnknownEvents(true)
	srv.Faults().CompressedFrames(true)
	answered := make(chan string, 1)
	s := connect(t, srv, func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		err := s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource})
		if err != nil {
			t.Errorf("respond: %v", err)
		}
		answered <- in.ID
	})
	if !s.Compress {
		t.Error("discordgo does not ask for compression")
	}
	call := pinged(t, srv)
	if got := <-answered; got != call.ID() || !call.Wait(t).Answered() {
		t.Errorf("got %s, want %s", got, call.ID())
	}
}

func TestReplayOnResume(t *testing.T) {
	srv := sandbox.NewServer(t)
	register(t, srv, ping)
	w := dial(t, srv)
	id := w.ready(srv)
	var calls []*sandbox.Call
	for range 500 {
		calls = append(calls, srv.User("Ada").MustPrepare(t, sandbox.SlashCommand{Channel: srv.Guild().Channel("general"), Path: "ping"}))
	}
	srv.Faults().ReplayOnResume(calls...)
	_ = w.ws.Close()
	w = dial(t, srv)
	w.expect(10, "")
	w.send(6, resumption(srv, id, 1))
	for _, c := range calls {
		if p := w.expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), c.ID()) {
			t.Fatalf("replayed %s, want interaction %s", p.D, c.ID())
		}
	}
	w.expect(0, "RESUMED")
}

func TestDiscordgoReconnectsByItself(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	s := connect(t, srv, nil)
	resumed := make(chan struct{}, 1)
	s.AddHandler(func(*discordgo.Session, *discordgo.Resumed) { resumed <- struct{}{} })
	srv.Faults().ReconnectOp7()
	<-resumed
	apitest.AwaitHeartbeat(t, s)
	srv.Faults().DropGateway()
	<-resumed
	apitest.AwaitHeartbeat(t, s)
	srv.Gateway().WaitConnected(t)
	if got := srv.Gateway().Identifies(); got != 1 {
		t.Errorf("%d identifies, want 1: both times it could resume", got)
	}
}

func TestFaultsByName(t *testing.T) {
	srv, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	for _, f := range srv.Faults().List() {
		if err := srv.Faults().Trigger(f.Name); err != nil || f.About == "" || f.Armed != 0 {
			t.Errorf("%s: %v, armed %d before", f.Name, err, f.Armed)
		}
	}
	lasting := map[string]bool{"DelayDelivery": true, "CompressedFrames": true, "UnknownEvents": true, "RevokeToken": true}
	armed := func() (n int) {
		for _, f := range srv.Faults().List() {
			if f.Armed < 0 != (f.Armed != 0 && lasting[f.Name]) {
				t.Errorf("%s is armed %d times", f.Name, f.Armed)
			}
			if f.Armed != 0 {
				n++
			}
		}
		return n
	}
	if n := armed(); n < 10 {
		t.Errorf("only %d faults are armed", n)
	}
	if n := srv.Faults().List()[slices.IndexFunc(srv.Faults().List(), isFault("RevokeToken"))].Armed; n != -1 {
		t.Errorf("a fault that lasts is armed %d times", n)
	}
	srv.Faults().Clear()
	if armed() != 0 {
		t.Errorf("%d faults are still armed", armed())
	}
	want(t, request(t, srv, "GET", "/users/@me", nil), 200, 0)
	if err := srv.Faults().Trigger("Nonsense"); !errors.Is(err, sandbox.ErrUnknownFault) {
		t.Errorf("got %v", err)
	}
}
