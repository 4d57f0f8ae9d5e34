package postgrestest

import (
	"bytes"
	"context"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy stands between a store and its server and spoils what it relays. Its methods are
// safe for concurrent use.
type Proxy struct {
	server   string // where it connects to
	listener net.Listener
	work     sync.WaitGroup

	mu     sync.Mutex
	delay  time.Duration
	refuse bool
	lose   Loss
	lost   int
	conns  map[net.Conn]bool
}

// Loss says what becomes of the next commit.
type Loss int

// The losses.
const (
	Nothing Loss = iota
	Request      // the connection is cut before the server gets it
	Answer       // the connection is cut when the server has answered
	Silence      // the server never gets it, and neither side hears of that
)

// NewProxy starts a proxy and returns it with the address under which the database is
// reached through it. It ends with the test.
func NewProxy(t testing.TB, address string) (*Proxy, string) {
	t.Helper()
	u := parse(t, address)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{server: u.Host, listener: l, conns: map[net.Conn]bool{}}
	if u.Port() == "" {
		p.server = net.JoinHostPort(u.Hostname(), "5432")
	}
	p.work.Go(p.accept)
	t.Cleanup(func() {
		p.Refuse(true)
		_ = l.Close()
		p.Cut()
		p.work.Wait()
	})
	u.Host = l.Addr().String()
	return p, u.String()
}

// Delay has everything in either direction arrive so much later.
func (p *Proxy) Delay(d time.Duration) { p.set(func() { p.delay = d }) }

// Refuse has new connections closed at once, or lets them through again.
func (p *Proxy) Refuse(refuse bool) { p.set(func() { p.refuse = refuse }) }

// Lose spoils the next commit.
func (p *Proxy) Lose(l Loss) { p.set(func() { p.lose = l }) }

// Lost returns how many commits were spoiled.
func (p *Proxy) Lost() (n int) { p.set(func() { n = p.lost }); return n }

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.set(func() {
		for c := range p.conns {
			_ = c.Close()
		}
		clear(p.conns)
	})
}

func (p *Proxy) set(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		refused := false
		p.set(func() { refused = p.refuse })
		server, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.server)
		if refused || err != nil {
			_ = client.Close()
			if err == nil {
				_ = server.Close()
			}
			continue
		}
		p.set(func() { p.conns[client], p.conns[server] = true, true })
		link := &link{Proxy: p}
		p.work.Go(func() { link.relay(client, server, true) })
		p.work.Go(func() { link.relay(server, client, false) })
	}
}

// link is a connection that is relayed.
type link struct {
	*Proxy
	state Loss // of the commit that is under way
}

// commit is how the store sends it.
var commit = []byte("COMMIT\x00")

// relay moves bytes until one side is closed. A spoiled link is closed by its own rules.
func (l *link) relay(from, to net.Conn, request bool) {
	defer func() {
		silent := false
		l.set(func() { silent = l.state == Silence })
		if !silent || !request {
			_ = to.Close() // the server does not hear of a client that went away in silence
		}
		_ = from.Close()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		var delay time.Duration
		l.set(func() { delay = l.delay })
		time.Sleep(delay)
		var state Loss
		l.set(func() {
			if request && l.lose != Nothing && bytes.Contains(buffer[:n], commit) {
				l.state, l.lose = l.lose, Nothing
				l.lost++
			}
			state = l.state
		})
		switch {
		case state == Request, state == Answer && !request:
			return
		case state == Silence:
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
