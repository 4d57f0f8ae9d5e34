package gateway

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/internal/tasks"
)

// maxHandoffs bounds the interactions that the session was given and whose handler has
// not begun. The session starts a goroutine for each, so that there are seldom any.
const maxHandoffs = 1024

// handoff is an interaction on its way through the session, which sees only a part.
type handoff struct {
	raw      json.RawMessage
	received time.Time
}

// handoffs are the interactions on their way through one session, by the sequence
// number that the session was given with each. Each counts as a task from the moment
// it is added, not from when a goroutine of the session gets to it.
type handoffs struct {
	tasks *tasks.Group

	mu    sync.Mutex
	last  int // sequence number
	all   map[int]handoff
	taken chan struct{} // closed when one is taken; nil if nobody waits
}

// add takes note of an interaction that is about to be given to the session. It waits
// at most for so long while there are too many, and then adds nothing.
func (h *handoffs) add(in handoff, wait time.Duration) (sequence int, ok bool) {
	if !h.fewer(maxHandoffs, wait) {
		return 0, false
	}
	h.tasks.Begin()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[int]handoff{}
	}
	h.last++
	h.all[h.last] = in
	return h.last, true
}

// take returns the interaction that was added under the number. Whoever gets one owes
// tasks a call of End.
func (h *handoffs) take(sequence int) (in handoff, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	in, ok = h.all[sequence]
	delete(h.all, sequence)
	if h.taken != nil {
		close(h.taken)
		h.taken = nil
	}
	return in, ok
}

// settle waits for the session to begin the interactions it was given, for a bounded
// time. One that is stuck will not: those are written off.
func (h *handoffs) settle(wait time.Duration) {
	h.fewer(1, wait)
	h.mu.Lock()
	lost := len(h.all)
	h.all = nil
	h.mu.Unlock()
	for range lost {
		h.tasks.End()
	}
}

// fewer waits until there are fewer than n, and reports whether that came in time.
func (h *handoffs) fewer(n int, wait time.Duration) bool {
	deadline := time.Now().Add(wait)
	for {
		h.mu.Lock()
		if len(h.all) < n {
			h.mu.Unlock()
			return true
		}
		if h.taken == nil {
			h.taken = make(chan struct{})
		}
		taken := h.taken
		h.mu.Unlock()
		if !tasks.Within(taken, time.Until(deadline)) {
			return false
		}
	}
}

// onEvent is the session's handler; each call runs in a goroutine of its own.
func (r *relay) onEvent(_ *discordgo.Session, e *discordgo.Event) {
	if e.Type != eventInteraction {
		return
	}
	in, ok := r.handoffs.take(int(e.Sequence))
	if !ok {
		r.s.log.Error("interaction lost in a stuck session")
		return
	}
	r.s.handle(in)
}
