package gateway_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
)

const (
	botToken = "MTA.token-of-the-bot.xyz"
	// shortBeat is the heartbeat interval in tests that wait for heartbeats. In all
	// others it is long, so that a busy machine does not look like a dead link.
	shortBeat = 600 * time.Millisecond
	longBeat  = 20 * time.Second
	// patience bounds waits for what must happen; a passing test does not use it up.
	patience = 15 * time.Second
)

// discord is a Gateway on loopback whose every move is in the test's hands: it
// does exactly what the script says, also what Discord would only do on a bad day.
type discord struct {
	t      testing.TB
	http   *httptest.Server
	rest   *rest.Client
	script func(n int, p *peer) // of the n-th connection, from 0

	onClose func(p *peer, code int) // when the client says goodbye; set before run
	beat    time.Duration           // heartbeat interval; set before run

	mu         sync.Mutex
	bot        func(w http.ResponseWriter) // answers /gateway/bot, nil for the usual
	refuse     int                         // upgrades to refuse
	remaining  int
	conns      []*peer
	identifies []time.Time
	resumes    []string // session ids
	resumeSeqs []int64
	paths      []string // of the connections
	botCalls   int

	wg sync.WaitGroup
}

func newDiscord(t testing.TB, script func(n int, p *peer)) *discord {
	t.Helper()
	d := &discord{t: t, script: script, remaining: 1000, beat: longBeat}
	d.http = httptest.NewServer(http.HandlerFunc(d.serve))
	d.rest = rest.New(rest.Options{BaseURL: d.http.URL + "/api", Token: botToken})
	t.Cleanup(func() {
		d.mu.Lock()
		conns := d.conns
		d.mu.Unlock()
		for _, p := range conns {
			p.cut()
		}
		d.wg.Wait()
		d.rest.Close()
		d.http.Close()
	})
	return d
}

func (d *discord) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/gateway/bot" {
		d.mu.Lock()
		d.botCalls++
		bot, remaining := d.bot, d.remaining
		d.mu.Unlock()
		if bot != nil {
			bot(w)
			return
		}
		fmt.Fprintf(w, `{"url":%q,"shards":1,"session_start_limit":{"total":1000,"remaining":%d,"reset_after":100,"max_concurrency":1}}`,
			"ws"+strings.TrimPrefix(d.http.URL, "http"), remaining)
		return
	}
	d.mu.Lock()
	refused := d.refuse > 0
	if refused {
		d.refuse--
	}
	d.mu.Unlock()
	if refused {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	up := websocket.Upgrader{}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	d.mu.Lock()
	p := &peer{d: d, conn: conn, in: make(chan message, 100), gone: make(chan struct{})}
	if d.onClose != nil {
		conn.SetCloseHandler(func(code int, _ string) error {
			d.onClose(p, code)
			return nil
		})
	}
	n := len(d.conns)
	d.conns = append(d.conns, p)
	d.paths = append(d.paths, r.URL.RequestURI())
	d.mu.Unlock()
	d.wg.Go(p.read)
	d.wg.Go(func() {
		d.script(n, p)
		<-p.gone
	})
}

func (d *discord) count() (conns, identifies, resumes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.conns), len(d.identifies), len(d.resumes)
}

// peer is the server's side of one connection.
type peer struct {
	d    *discord
	conn *websocket.Conn
	in   chan message  // what the client sent, but heartbeats that are acknowledged
	gone chan struct{} // closed when the client is gone

	write     sync.Mutex
	deaf      atomic.Bool // heartbeats are not acknowledged
	closeCode atomic.Int64
	seq       atomic.Int64
	beats     atomic.Int64 // heartbeats received
}

type message struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
}

func (p *peer) read() {
	defer close(p.gone)
	defer func() { _ = p.conn.Close() }()
	for {
		_, raw, err := p.conn.ReadMessage()
		if err != nil {
			var c *websocket.CloseError
			if errors.As(err, &c) {
				p.closeCode.Store(int64(c.Code))
			}
			return
		}
		var m message
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		var d struct {
			SessionID string `json:"session_id"`
			Seq       int64  `json:"seq"`
			Token     string `json:"token"`
		}
		_ = json.Unmarshal(m.Data, &d)
		switch m.Op {
		case 1:
			p.beats.Add(1)
			if !p.deaf.Load() {
				p.send(`{"op":11}`)
			}
		case 2, 6:
			if d.Token != "Bot "+botToken {
				p.d.t.Errorf("token sent to the gateway: got %q", d.Token)
			}
			p.d.mu.Lock()
			if m.Op == 2 {
				p.d.identifies = append(p.d.identifies, time.Now())
			} else {
				p.d.resumes = append(p.d.resumes, d.SessionID)
				p.d.resumeSeqs = append(p.d.resumeSeqs, d.Seq)
			}
			p.d.mu.Unlock()
		}
		select {
		case p.in <- m:
		default: // nobody looks
		}
	}
}

func (p *peer) send(raw string) {
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.conn.WriteMessage(websocket.TextMessage, []byte(raw)) // a client that is gone is no fault
}

// sendCompressed sends as Discord does with payload compression.
func (p *peer) sendCompressed(raw string) {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(raw)) // a bytes.Buffer takes everything
	_ = z.Close()
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.conn.WriteMessage(websocket.BinaryMessage, b.Bytes())
}

func (p *peer) hello() {
	p.send(fmt.Sprintf(`{"op":10,"d":{"heartbeat_interval":%d},"s":null,"t":null}`, p.d.beat.Milliseconds()))
}

// greeting waits for identify or resume and reports whether it was a resume.
func (p *peer) greeting() (resume, ok bool) {
	for {
		select {
		case m := <-p.in:
			if m.Op == 2 || m.Op == 6 {
				return m.Op == 6, true
			}
		case <-p.gone:
			return false, false
		}
	}
}

func (p *peer) ready() {
	url := "ws" + strings.TrimPrefix(p.d.http.URL, "http") + "/resume"
	p.send(fmt.Sprintf(`{"op":0,"t":"READY","s":%d,"d":{"v":9,"user":{"id":"77","username":"oxo"},"session_id":"session-1","resume_gateway_url":%q,"guilds":[{"id":"1","unavailable":true}]}}`, p.seq.Add(1), url))
}

func (p *peer) resumed() {
	p.send(fmt.Sprintf(`{"op":0,"t":"RESUMED","s":%d,"d":{}}`, p.seq.Add(1)))
}

func (p *peer) interaction(id int) {
	p.send(interactionJSON(p.seq.Add(1), id))
}

func interactionJSON(seq int64, id int) string {
	return fmt.Sprintf(`{"op":0,"t":"INTERACTION_CREATE","s":%d,"d":{"id":"%d","type":2,"token":"interaction-token-%d","data":{"name":"x"}}}`, seq, id, id)
}

// connect does what Discord does when all is well, up to READY or RESUMED.
func (p *peer) connect() {
	p.hello()
	resume, ok := p.greeting()
	switch {
	case !ok:
	case resume:
		p.resumed()
	default:
		p.ready()
	}
}

func (p *peer) close(code int) {
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
}

// cut breaks the TCP connection without a word.
func (p *peer) cut() {
	if tcp, ok := p.conn.NetConn().(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = p.conn.Close()
}

// running is a supervisor under test.
type running struct {
	*gateway.Supervisor
	t     testing.TB
	err   chan error
	stop  context.CancelFunc
	log   *bytes.Buffer
	logMu *sync.Mutex

	mu   sync.Mutex
	got  []string // interaction ids, in the order of arrival
	more chan struct{}
}

// quick are waits for tests: long enough for a slow machine where the test does
// not wait for them to pass.
var quick = gateway.Timing{
	BackoffMin: 5 * time.Millisecond, BackoffMax: 20 * time.Millisecond, Invalid: 5 * time.Millisecond,
}

func run(t testing.TB, d *discord, change ...func(*gateway.Options)) *running {
	t.Helper()
	r := &running{t: t, err: make(chan error, 1), log: new(bytes.Buffer), logMu: new(sync.Mutex), more: make(chan struct{}, 1)}
	o := gateway.Options{
		Token: botToken, GatewayBot: d.rest.GatewayBot, Timing: quick,
		Identifies:    gateway.NewIdentifiesEvery(time.Millisecond),
		OnInteraction: func(_ int, raw json.RawMessage, _ time.Time) { r.record(raw) },
		Logger:        slog.New(slog.NewTextHandler(lockedWriter{r.logMu, r.log}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&o)
	}
	r.Supervisor = gateway.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.err <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		_ = r.wait() // fails the test if there is nothing to return
		if t.Failed() {
			t.Log(r.logged())
		}
	})
	return r
}

type lockedWriter struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (r *running) logged() string {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	return r.log.String()
}

func (r *running) record(raw json.RawMessage) {
	var in struct{ ID string }
	_ = json.Unmarshal(raw, &in) // an interaction without id is recorded as ""
	r.mu.Lock()
	r.got = append(r.got, in.ID)
	r.mu.Unlock()
}

func (r *running) interactions() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.got...)
}

// wait returns what Run returned.
func (r *running) wait() error {
	r.t.Helper()
	select {
	case err := <-r.err:
		r.err <- err
		return err
	case <-time.After(patience):
		r.t.Error("Run did not return")
		return nil
	}
}

// eventually waits until ok holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(time.Millisecond) // polls; nothing depends on its length
	}
}

func (r *running) becomesReady() {
	r.t.Helper()
	eventually(r.t, "readiness", r.Ready)
}
