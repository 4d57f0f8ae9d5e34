package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

const botToken = "MTA.token-of-the-bot.xyz"

// Heartbeat intervals: short in tests that wait for heartbeats, long in all others, so
// that a busy machine does not look like a dead link.
var (
	shortBeat = waittest.Limit(600 * time.Millisecond)
	longBeat  = waittest.Limit(20 * time.Second)
)

// discord is a Gateway on loopback whose every move is in the test's hands: it
// does exactly what the script says, also what Discord would only do on a bad day.
type discord struct {
	t      testing.TB
	http   *httptest.Server
	rest   *rest.Client
	pipes  *pipes               // instead of sockets; nil if it is reached by those
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
	d.closeWithTest()
	return d
}

// newPipedDiscord is newDiscord for the inside of a bubble of package synctest: it is
// reached by pipes instead of sockets, so that time passes only when all wait.
func newPipedDiscord(t testing.TB, script func(n int, p *peer)) *discord {
	t.Helper()
	d := &discord{t: t, script: script, remaining: 1000, beat: 20 * time.Second, pipes: newPipes()}
	d.http = httptest.NewUnstartedServer(http.HandlerFunc(d.serve))
	_ = d.http.Listener.Close() // nobody has connected
	d.http.Listener = d.pipes
	d.http.Start()
	d.rest = rest.New(rest.Options{
		BaseURL: d.http.URL + "/api", Token: botToken, Transport: &http.Transport{DialContext: d.pipes.dial, DisableKeepAlives: true},
	})
	d.closeWithTest()
	return d
}

func (d *discord) closeWithTest() {
	d.t.Cleanup(func() {
		d.mu.Lock()
		conns := d.conns
		d.mu.Unlock()
		for _, p := range conns {
			p.cut()
		}
		d.wg.Wait()
		d.rest.Close()
		d.http.Close()
		if d.pipes != nil {
			time.Sleep(2 * time.Second) // until the library has let go of its last connection
		}
	})
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

// sendBinary sends a frame of the kind that compressed packets come in.
func (p *peer) sendBinary(raw []byte) {
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.conn.WriteMessage(websocket.BinaryMessage, raw)
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
	_ = p.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(waittest.Patience()))
}

// cut breaks the TCP connection without a word.
func (p *peer) cut() {
	if tcp, ok := p.conn.NetConn().(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = p.conn.Close()
}
