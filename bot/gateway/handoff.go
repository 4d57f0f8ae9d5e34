package gateway

import (
	"encoding/json"
	"time"

	"github.com/bwmarrin/discordgo"
)

// maxHandoffs bounds the interactions that the session was given and whose handler has
// not begun. The session starts a goroutine for each, so that there are seldom any.
const maxHandoffs = 1024

// handoff is an interaction on its way through the session, which sees only a part.
type handoff struct {
	raw      json.RawMessage
	received time.Time
}

// handOver takes note of an interaction that is about to be given to the session. It waits
// at most for so long while there are too many, and then hands over nothing. The interaction
// counts as a task from now on, not from when a goroutine of the session gets to it.
func (r *relay) handOver(in handoff, wait time.Duration) (ok bool) {
	r.s.opts.Handling.Begin()
	select {
	case r.handoffs <- &in:
		return true
	case <-time.After(wait):
		r.s.opts.Handling.End()
		return false
	}
}

// settle gives the session so much time to begin the interactions it was given. One that
// is stuck will not: those are written off then.
func (r *relay) settle(within time.Duration) {
	if len(r.handoffs) == 0 {
		return // a timer would keep all of the connection
	}
	time.AfterFunc(within, func() {
		for {
			select {
			case <-r.handoffs:
				r.s.opts.Handling.End()
			default:
				return
			}
		}
	})
}

// onEvent is the session's handler; each call runs in a goroutine of its own. The session
// calls it once for each interaction that it was given, and it takes the one that waits longest.
func (r *relay) onEvent(_ *discordgo.Session, e *discordgo.Event) {
	if e.Type != eventInteraction {
		return
	}
	select {
	case in := <-r.handoffs:
		r.s.handle(*in)
	default:
		r.s.log.Error("interaction lost in a stuck session")
	}
}
