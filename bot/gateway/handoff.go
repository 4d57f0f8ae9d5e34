package gateway

import (
	"encoding/json"
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

// handoffs are the interactions on their way through one session. The session calls its
// handler once for each that it is given, and each call takes the one that waits longest.
// Each counts as a task from the moment it is added, not from when a goroutine of the session
// gets to it.
type handoffs struct {
	tasks   *tasks.Group
	waiting chan *handoff
}

func newHandoffs(t *tasks.Group) handoffs { return handoffs{t, make(chan *handoff, maxHandoffs)} }

// add takes note of an interaction that is about to be given to the session. It waits
// at most for so long while there are too many, and then adds nothing.
func (h handoffs) add(in handoff, wait time.Duration) (ok bool) {
	h.tasks.Begin()
	select {
	case h.waiting <- &in:
		return true
	case <-time.After(wait):
		h.tasks.End()
		return false
	}
}

// settle gives the session so much time to begin the interactions it was given. One that
// is stuck will not: those are written off then.
func (h handoffs) settle(within time.Duration) {
	time.AfterFunc(within, func() {
		for {
			select {
			case <-h.waiting:
				h.tasks.End()
			default:
				return
			}
		}
	})
}

// onEvent is the session's handler; each call runs in a goroutine of its own.
func (r *relay) onEvent(_ *discordgo.Session, e *discordgo.Event) {
	if e.Type != eventInteraction {
		return
	}
	select {
	case in := <-r.handoffs.waiting:
		r.s.handle(*in)
	default:
		r.s.log.Error("interaction lost in a stuck session")
	}
}
