package sandbox_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
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
	"tictactoe/bot/sandbox/waittest"
)

// wire is a bare Gateway connection.
type wire struct {
	t      *testing.T
	ws     *websocket.Conn
	binary bool // the last payload came as a binary frame
}

// payload is one Gateway payload.
type payload struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
	S  *int64          `json:"s"`
	T  *string         `json:"t"`
}

func (p payload) event() string {
	if p.T == nil {
		return ""
	}
	return *p.T
}

func dial(t *testing.T, srv *sandbox.Server, query ...string) *wire {
	t.Helper()
	q := "?v=10&encoding=json"
	if len(query) > 0 {
		q = query[0]
	}
	ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), srv.Gateway().URL()+"/"+q, nil)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	_ = resp.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	return &wire{t: t, ws: ws}
}

func (w *wire) send(op int, d any) {
	w.t.Helper()
	if err := w.ws.WriteJSON(obj{"op": op, "d": d}); err != nil {
		w.t.Fatalf("send op %d: %v", op, err)
	}
}

func (w *wire) receive() (payload, error) {
	_ = w.ws.SetReadDeadline(time.Now().Add(waittest.Patience()))
	kind, b, err := w.ws.ReadMessage()
	if err != nil {
		return payload{}, err
	}
	if w.binary = kind == websocket.BinaryMessage; w.binary {
		z, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return payload{}, err
		}
		if b, err = io.ReadAll(z); err != nil {
			return payload{}, err
		}
	}
	var p payload
	return p, json.Unmarshal(b, &p)
}

// expect receives one payload of that op and, for a dispatch, that event.
func (w *wire) expect(op int, event string) payload {
	w.t.Helper()
	p, err := w.receive()
	if err != nil {
		w.t.Fatalf("waiting for op %d %s: %v", op, event, err)
	}
	if p.Op != op || p.event() != event {
		w.t.Fatalf("got op %d %s %s, want op %d %s", p.Op, p.event(), p.D, op, event)
	}
	return p
}

// closed waits for the end and returns its close code, 1006 for none.
func (w *wire) closed() int {
	w.t.Helper()
	for {
		_, err := w.receive()
		var c *websocket.CloseError
		switch {
		case errors.As(err, &c):
			return c.Code
		case err != nil:
			return websocket.CloseAbnormalClosure
		}
	}
}

// silent reports that nothing arrives although the server had the time to say it:
// it still answers another connection's heartbeat, sent later.
func (w *wire) silent(srv *sandbox.Server) {
	w.t.Helper()
	other := dial(w.t, srv)
	other.expect(10, "")
	other.send(1, nil)
	other.expect(11, "")
	_ = w.ws.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if _, b, err := w.ws.ReadMessage(); err == nil {
		w.t.Errorf("got %s, want silence", b)
	}
}

func identity(srv *sandbox.Server, changes ...obj) obj {
	d := obj{"token": srv.Token(), "properties": obj{"os": "linux"}, "intents": 0}
	for _, m := range changes {
		for k, v := range m {
			if v == nil {
				delete(d, k)
			} else {
				d[k] = v
			}
		}
	}
	return d
}

// ready identifies and returns the new session's id.
func (w *wire) ready(srv *sandbox.Server, changes ...obj) string {
	w.t.Helper()
	w.expect(10, "")
	w.send(2, identity(srv, changes...))
	p := w.expect(0, "READY")
	var d struct {
		SessionID string `json:"session_id"`
	}
	if err := json.Unmarshal(p.D, &d); err != nil || d.SessionID == "" || *p.S != 1 {
		w.t.Fatalf("READY %s: %v", p.D, err)
	}
	return d.SessionID
}

func resumption(srv *sandbox.Server, session string, seq int64) obj {
	return obj{"token": "Bot " + srv.Token(), "session_id": session, "seq": seq}
}

// lose closes the client's side with that code, or without one for 0.
func (w *wire) lose(srv *sandbox.Server, code int) {
	w.t.Helper()
	before := srv.Gateway().Connections()
	if code != 0 {
		_ = w.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))
	}
	_ = w.ws.Close()
	srv.WaitFor(w.t, "the server to notice", func() bool { return srv.Gateway().Connections() < before })
}

func TestHelloReadyHeartbeat(t *testing.T) {
	srv := sandbox.NewServer(t)
	w := dial(t, srv)
	hello := w.expect(10, "")
	if string(hello.D) != `{"heartbeat_interval":41250}` {
		t.Errorf("Hello %s", hello.D)
	}
	w.send(1, nil) // allowed before identify
	w.expect(11, "")
	w.send(2, identity(srv, obj{"token": "Bot " + srv.Token(), "properties": obj{"$os": "linux"}, "presence": obj{"status": "", "game": obj{}}}))
	p := w.expect(0, "READY")
	var d struct {
		V           int
		User        discordgo.User
		Guilds      []discordgo.Guild
		Resume      string `json:"resume_gateway_url"`
		Application struct{ ID string }
		Shard       []int
	}
	if err := json.Unmarshal(p.D, &d); err != nil {
		t.Fatal(err)
	}
	if d.V != 10 || d.User.ID != srv.AppID() || !d.User.Bot || len(d.Guilds) != 1 || !d.Guilds[0].Unavailable || d.Resume == "" || d.Application.ID != srv.AppID() || d.Shard != nil {
		t.Errorf("READY %s", p.D)
	}
	w.send(1, 1)
	w.expect(11, "")
	for range 3 { // what a client may say beside
		w.send(3, obj{"since": nil, "activities": arr{}, "status": "online", "afk": false})
	}
	w.send(1, 1)
	w.expect(11, "")
}

func TestCloseCodes(t *testing.T) {
	big := strings.Repeat("x", 4096)
	for _, c := range []struct {
		name string
		do   func(*sandbox.Server, *wire)
		want int
	}{
		{"unknown opcode", func(srv *sandbox.Server, w *wire) { w.ready(srv); w.send(5, obj{}) }, 4001},
		{"bad payload for an opcode", func(srv *sandbox.Server, w *wire) { w.ready(srv); w.send(3, 7) }, 4001},
		{"no JSON", func(_ *sandbox.Server, w *wire) { _ = w.ws.WriteMessage(websocket.TextMessage, []byte("{")) }, 4002},
		{"too long", func(srv *sandbox.Server, w *wire) { w.ready(srv); w.send(3, obj{"x": big}) }, 4002},
		{"no properties", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"properties": nil})) }, 4002},
		{"heartbeat of no number", func(_ *sandbox.Server, w *wire) { w.send(1, "x") }, 4002},
		{"resume from nowhere", func(srv *sandbox.Server, w *wire) { w.send(6, obj{"token": srv.Token(), "session_id": "s"}) }, 4002},
		{"members of no guild", func(srv *sandbox.Server, w *wire) { w.ready(srv); w.send(8, obj{"query": "", "limit": 1}) }, 4002},
		{"members of two guilds", func(srv *sandbox.Server, w *wire) {
			w.ready(srv)
			w.send(8, obj{"guild_id": arr{srv.Guild().ID(), "1"}, "query": "", "limit": 1})
		}, 4002},
		{"members by nothing", func(srv *sandbox.Server, w *wire) { w.ready(srv); w.send(8, obj{"guild_id": srv.Guild().ID()}) }, 4002},
		{"101 members", func(srv *sandbox.Server, w *wire) {
			w.ready(srv)
			w.send(8, obj{"guild_id": srv.Guild().ID(), "user_ids": slices.Repeat(arr{"1"}, 101)})
		}, 4002},
		{"all members without the intent", func(srv *sandbox.Server, w *wire) {
			w.ready(srv)
			w.send(8, obj{"guild_id": srv.Guild().ID(), "query": "", "limit": 0})
		}, 4014},
		{"presences without the intent", func(srv *sandbox.Server, w *wire) {
			w.ready(srv)
			w.send(8, obj{"guild_id": srv.Guild().ID(), "query": "a", "limit": 1, "presences": true})
		}, 4014},
		{"presence before identify", func(_ *sandbox.Server, w *wire) { w.send(3, obj{}) }, 4003},
		{"wrong token", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"token": "x"})) }, 4004},
		{"wrong token at resume", func(_ *sandbox.Server, w *wire) { w.send(6, obj{"token": "x", "session_id": "s", "seq": 1}) }, 4004},
		{"identified twice", func(srv *sandbox.Server, w *wire) { w.ready(srv); w.send(2, identity(srv)) }, 4005},
		{"sequence of the future", func(srv *sandbox.Server, w *wire) {
			w.expect(10, "") // it counts as connected
			first := dial(w.t, srv)
			id := first.ready(srv)
			first.lose(srv, 4000)
			w.send(6, resumption(srv, id, 2))
		}, 4007},
		{"too fast", func(_ *sandbox.Server, w *wire) {
			for range 121 {
				w.send(1, nil)
			}
		}, 4008},
		{"shard out of range", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"shard": arr{2, 2}})) }, 4010},
		{"shard of one number", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"shard": arr{0}})) }, 4010},
		{"old version", func(*sandbox.Server, *wire) {}, 4012},
		{"no intents", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"intents": nil})) }, 4013},
		{"intents that do not exist", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"intents": 1 << 30})) }, 4013},
		{"privileged intents", func(srv *sandbox.Server, w *wire) { w.send(2, identity(srv, obj{"intents": 1 << 15})) }, 4014},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := sandbox.NewServer(t)
			query := "?v=9&encoding=json"
			if c.want == 4012 {
				query = "?v=7&encoding=json"
			}
			w := dial(t, srv, query)
			c.do(srv, w)
			if got := w.closed(); got != c.want {
				t.Errorf("got close code %d, want %d", got, c.want)
			}
		})
	}
}

// TestMembersByID: who is no member is told to be none, and of other guilds nothing is told.
func TestMembersByID(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, out, elsewhere := srv.User("Ada"), srv.User("Out", sandbox.NotMember), srv.World().AddGuild("Elsewhere")
	elsewhere.RemoveBot()
	w := dial(t, srv)
	w.ready(srv)
	for _, guild := range []*sandbox.Guild{elsewhere, srv.Guild()} {
		w.send(8, obj{"guild_id": guild.ID(), "user_ids": arr{ada.ID(), out.ID(), "1"}, "nonce": "n"})
	}
	var got struct {
		Guild   string `json:"guild_id"`
		Members []struct{ User struct{ ID string } }
		Missing []string `json:"not_found"`
	}
	if err := json.Unmarshal(w.expect(0, "GUILD_MEMBERS_CHUNK").D, &got); err != nil {
		t.Fatal(err)
	}
	if got.Guild != srv.Guild().ID() || len(got.Members) != 1 || got.Members[0].User.ID != ada.ID() || !slices.Equal(got.Missing, []string{out.ID(), "1"}) {
		t.Errorf("got %+v", got)
	}
}

func TestGatewayLimitsAreMetExactly(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.PrivilegedIntents = 1 << 15 })
	w := dial(t, srv)
	w.ready(srv, obj{"intents": 1<<15 | 1<<9, "shard": arr{0, 1}})
	b, _ := json.Marshal(obj{"op": 3, "d": obj{"x": ""}})
	b, _ = json.Marshal(obj{"op": 3, "d": obj{"x": strings.Repeat("x", 4096-len(b))}})
	if len(b) != 4096 {
		t.Fatalf("the payload has %d bytes", len(b))
	}
	_ = w.ws.WriteMessage(websocket.TextMessage, b)
	for range 118 { // with the identify and the presence 120 payloads
		w.send(1, nil)
		w.expect(11, "")
	}
	if got := srv.Gateway().Sessions(); got != 1 {
		t.Errorf("%d sessions after exactly 120 payloads", got)
	}
}

func TestResume(t *testing.T) {
	clock := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	start := func(t *testing.T) (*sandbox.Server, *wire, string) {
		srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock, o.Gateway.ReplayBuffer = clock, 4 })
		srv.AllowUnanswered()
		w := dial(t, srv)
		return srv, w, w.ready(srv)
	}
	resume := func(t *testing.T, srv *sandbox.Server, id string, seq int64) *wire {
		w := dial(t, srv)
		w.expect(10, "")
		w.send(6, resumption(srv, id, seq))
		return w
	}
	t.Run("replays in order, then says RESUMED", func(t *testing.T) {
		srv, w, id := start(t)
		seen := pinged(t, srv)
		if p := w.expect(0, "INTERACTION_CREATE"); *p.S != 2 || !strings.Contains(string(p.D), seen.ID()) {
			t.Errorf("got %s", p.D)
		}
		w.lose(srv, 4000)
		missed := []*sandbox.Call{pinged(t, srv), pinged(t, srv)}
		w = resume(t, srv, id, 2)
		for i, c := range missed {
			if p := w.expect(0, "INTERACTION_CREATE"); *p.S != int64(3+i) || !strings.Contains(string(p.D), c.ID()) {
				t.Errorf("replayed %d: %s, want interaction %s", *p.S, p.D, c.ID())
			}
		}
		if p := w.expect(0, "RESUMED"); *p.S != 5 {
			t.Errorf("RESUMED has number %d", *p.S)
		}
		pinged(t, srv)
		w.expect(0, "INTERACTION_CREATE")
	})
	for _, c := range []struct {
		name string
		code int
		ok   bool
	}{{"connection cut", 0, true}, {"code 4000", 4000, true}, {"code 1012", 1012, true}, {"code 1000", 1000, false}, {"code 1001", 1001, false}} {
		t.Run("after "+c.name, func(t *testing.T) {
			srv, w, id := start(t)
			w.lose(srv, c.code)
			w = resume(t, srv, id, 1)
			if c.ok {
				w.expect(0, "RESUMED")
				return
			}
			if p := w.expect(9, ""); string(p.D) != "false" {
				t.Errorf("op 9 %s", p.D)
			}
			w.send(2, identity(srv)) // on the same connection
			w.expect(0, "READY")
		})
	}
	t.Run("unknown session", func(t *testing.T) {
		srv, _, _ := start(t)
		resume(t, srv, "nonsense", 1).expect(9, "")
	})
	t.Run("too late", func(t *testing.T) {
		srv, w, id := start(t)
		w.lose(srv, 4000)
		clock.Advance(3*time.Minute - time.Millisecond)
		w = resume(t, srv, id, 1)
		w.expect(0, "RESUMED")
		w.lose(srv, 4000)
		clock.Advance(3 * time.Minute)
		resume(t, srv, id, 1).expect(9, "")
	})
	t.Run("more missed than is kept", func(t *testing.T) {
		srv, w, id := start(t)
		w.lose(srv, 4000)
		for range 9 {
			pinged(t, srv)
		}
		resume(t, srv, id, 1).expect(9, "")
	})
	t.Run("takes over from a connection that is still open", func(t *testing.T) {
		srv, w, id := start(t)
		resume(t, srv, id, 1).expect(0, "RESUMED")
		if got := w.closed(); got != 4000 {
			t.Errorf("the old connection was closed with %d", got)
		}
	})
}

func TestIdentifyLimits(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Gateway.MaxConcurrency, o.Gateway.IdentifyWindow, o.Gateway.SessionStarts = 1, time.Hour, 3
	})
	dial(t, srv).ready(srv)
	w := dial(t, srv)
	w.expect(10, "")
	w.send(2, identity(srv))
	if p := w.expect(9, ""); string(p.D) != "false" {
		t.Errorf("op 9 %s", p.D)
	}
	var limit struct {
		Shards int
		Limit  struct {
			Total, Remaining int
			ResetAfter       int `json:"reset_after"`
			MaxConcurrency   int `json:"max_concurrency"`
		} `json:"session_start_limit"`
	}
	request(t, srv, "GET", "/gateway/bot", nil).Decode(t, &limit)
	if l := limit.Limit; limit.Shards != 1 || l.Total != 3 || l.Remaining != 1 || l.MaxConcurrency != 1 || l.ResetAfter < 86_000_000 {
		t.Errorf("got %+v", limit)
	}
	w.send(2, identity(srv))
	w.expect(9, "")
	w.send(2, identity(srv))
	if got := w.closed(); got != 4004 {
		t.Errorf("the identify over the day's limit: close code %d, want 4004", got)
	}
	want(t, request(t, srv, "GET", "/users/@me", nil), 401, 0) // Discord has reset the token
}

func TestShards(t *testing.T) {
	clock := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = clock })
	srv.AllowUnanswered()
	ada := srv.User("Ada")
	register(t, srv, ping)
	var wires [2]*wire
	for i := range wires {
		wires[i] = dial(t, srv)
		wires[i].ready(srv, obj{"shard": arr{i, 2}})
	}
	twin := dial(t, srv) // two deployments may hold the same shard
	twin.ready(srv, obj{"shard": arr{0, 2}})

	where := map[int]*sandbox.Channel{}
	for i := 0; len(where) < 2 && i < 64; i++ {
		g := srv.World().AddGuild(fmt.Sprint("guild", i))
		ada.Join(g)
		var id uint64
		_, _ = fmt.Sscan(g.ID(), &id)
		where[int(id>>22%2)] = g.Channel("general")
		clock.Advance(time.Millisecond) // from which a shard is reckoned
	}
	for shard, ch := range where {
		call := ada.StartCommand(t, ch, "ping")
		if p := wires[shard].expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), call.ID()) {
			t.Errorf("shard %d got %s", shard, p.D)
		}
	}
	call := ada.StartCommand(t, ada.DM(), "ping") // belongs to the first shard
	if p := wires[0].expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), call.ID()) {
		t.Errorf("direct message: %s", p.D)
	}
	twin.expect(0, "INTERACTION_CREATE")
	if p := twin.expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), call.ID()) {
		t.Errorf("the twin got %s", p.D)
	}
	wires[1].silent(srv)
}

// TestGuildsPerShard identifies with as many guilds as one session may have.
func TestGuildsPerShard(t *testing.T) {
	srv := sandbox.NewServer(t)
	more := func(n int) {
		for range n {
			srv.World().AddGuild("one of many")
		}
	}
	more(2498) // beside the default one
	dial(t, srv).ready(srv)
	more(1)
	for _, c := range []struct {
		name  string
		shard obj
		want  int // the close code, 0 for a session
	}{
		{"2,500 guilds without shards", nil, 4011},
		{"2,500 guilds in one shard", obj{"shard": arr{0, 1}}, 0},
		{"2,501 guilds in one shard", obj{"shard": arr{0, 1}}, 4011},
	} {
		if strings.HasPrefix(c.name, "2,501") {
			more(1)
		}
		w := dial(t, srv)
		if c.want == 0 {
			w.ready(srv, c.shard)
			continue
		}
		w.send(2, identity(srv, c.shard))
		if got := w.closed(); got != c.want {
			t.Errorf("%s: close code %d, want %d", c.name, got, c.want)
		}
	}
}

func TestIntents(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	deaf, all := dial(t, srv), dial(t, srv)
	deaf.ready(srv)
	all.ready(srv, obj{"intents": 1 | 1<<9 | 1<<12})
	all.expect(0, "GUILD_CREATE")
	msg, err := ada.Say(general, "psst")
	if err != nil {
		t.Fatal(err)
	}
	if p := all.expect(0, "MESSAGE_CREATE"); strings.Contains(string(p.D), "psst") || !strings.Contains(string(p.D), msg.ID()) {
		t.Errorf("without the content intent: %s", p.D)
	}
	if _, err := ada.Say(ada.DM(), "psst"); err != nil {
		t.Fatal(err)
	}
	if p := all.expect(0, "MESSAGE_CREATE"); !strings.Contains(string(p.D), "psst") {
		t.Errorf("direct messages are readable: %s", p.D)
	}
	msg.Delete()
	all.expect(0, "MESSAGE_DELETE")
	general.Delete()
	general.Delete()
	all.expect(0, "CHANNEL_DELETE")
	srv.Guild().RemoveBot()
	srv.Guild().RemoveBot()
	all.expect(0, "GUILD_DELETE")
	deaf.silent(srv)
}

func TestClientThatStopsBeatingIsDropped(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.Gateway.Heartbeat = 10 * time.Millisecond })
	w := dial(t, srv)
	w.expect(10, "")
	w.send(2, identity(srv)) // READY comes, or is late already
	if got := w.closed(); got != 4009 {
		t.Errorf("got close code %d, want 4009", got)
	}
}

// TestWhoIsNotLetIn: browsers have no business at the Gateway, nor has what cannot be spoken.
func TestWhoIsNotLetIn(t *testing.T) {
	srv := sandbox.NewServer(t)
	for _, c := range []struct {
		query  string
		header http.Header
		want   int
	}{
		{"", http.Header{"Origin": {"http://example.org"}}, 403},
		{"?v=10&encoding=json&compress=brotli", nil, 400},
	} {
		_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), srv.Gateway().URL()+"/"+c.query, c.header)
		if err == nil || resp == nil || resp.StatusCode != c.want {
			t.Errorf("%s %v: got %v %v", c.query, c.header, resp, err)
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
	}
}
