package page

import (
	"net/http"
	"sync/atomic"
	"time"

	"tictactoe/bot/sandbox"

	"github.com/gorilla/websocket"
)

// The stream is a WebSocket rather than server-sent events: browsers allow six
// HTTP connections to a host, over all tabs, and every person has a tab.

const (
	streamWrite = 10 * time.Second // for one event to leave
	streamPing  = 20 * time.Second // how often a silent reader is tried
	streamDead  = 3 * streamPing   // after which it is given up
)

var streamUpgrader = websocket.Upgrader{
	HandshakeTimeout: streamWrite,
	CheckOrigin:      sameOrigin,
}

// streamFrame is what the server sends: first the state, then events.
type streamFrame struct {
	State *pageState     `json:"state,omitempty"`
	Event *sandbox.Event `json:"event,omitempty"`
	// Watched marks an event that is shown to the developer, not to the person.
	Watched bool `json:"watched,omitempty"`
}

// streamRequest is what the page sends: whether the interactions of everybody are
// wanted too.
type streamRequest struct {
	Watch bool `json:"watch"`
}

// stream tells the page of a person what happens, as long as both are there. The
// subscription is taken before the state is read, so that nothing falls between
// them; what is in both has a Seq that the state covers.
func (p *page) stream(w http.ResponseWriter, r *http.Request) {
	st, err := p.state(r.URL.Query().Get("as"))
	if err != nil {
		format.Fail(w, err)
		return
	}
	conn, err := streamUpgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer conn.Close()
	events, cancel := p.srv.World().Subscribe(st.Me)
	defer cancel()
	everybody, cancelAll := p.srv.World().Subscribe("")
	defer cancelAll()
	if st, err = p.state(st.Me); err != nil {
		return
	}

	var watches atomic.Bool // whether the developer looks at what everybody does
	gone := make(chan struct{})
	go readStream(conn, &watches, gone)

	send := func(f streamFrame) bool {
		_ = conn.SetWriteDeadline(time.Now().Add(streamWrite))
		return conn.WriteJSON(f) == nil
	}
	if !send(streamFrame{State: &st}) {
		return
	}
	ping := time.NewTicker(streamPing)
	defer ping.Stop()
	for {
		select {
		case e, ok := <-events:
			if !ok || !send(streamFrame{Event: slim(e)}) {
				return // the page connects again and reads the state afresh
			}
		case e, ok := <-everybody:
			if !ok || watches.Load() && e.Kind == sandbox.EventCall && !send(streamFrame{Event: slim(e), Watched: true}) {
				return
			}
		case <-ping.C:
			if conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(streamWrite)) != nil {
				return
			}
		case <-gone:
			return
		case <-p.srv.Closed():
			_ = conn.WriteControl(websocket.CloseMessage,
				websocket.FormatCloseMessage(websocket.CloseGoingAway, ""), time.Now().Add(streamWrite))
			return
		}
	}
}

// readStream notes what the page asks for and notices when it is gone.
func readStream(conn *websocket.Conn, watches *atomic.Bool, gone chan struct{}) {
	defer close(gone)
	conn.SetReadLimit(1 << 10)
	alive := func(string) error { return conn.SetReadDeadline(time.Now().Add(streamDead)) }
	conn.SetPongHandler(alive)
	for {
		_ = alive("")
		var in streamRequest
		if conn.ReadJSON(&in) != nil {
			return
		}
		watches.Store(in.Watch)
	}
}

// slim leaves out of an event what the page asks for when it is wanted.
func slim(e sandbox.Event) *sandbox.Event {
	if e.Call != nil {
		info := brief(*e.Call)
		e.Call = &info
	}
	return &e
}
