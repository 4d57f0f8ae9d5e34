package sandbox

import (
	"strings"
	"time"

	"tictactoe/bot/sandbox/internal/depart"
	"tictactoe/bot/sandbox/internal/rest"
)

// newCall makes an interaction that is not sent yet.
func (w *World) newCall(u *User, ch *Channel, kind int, name string) *Call {
	return &Call{world: w, kind: kind, name: name, user: u, channel: ch, state: CallPrepared}
}

// dispatchLocked sends the interaction: its deadline begins.
func (w *World) dispatchLocked(c *Call) {
	defer w.at(c.app)()
	now := w.clock.Now()
	c.id = w.ids.Next(now)
	c.token = interactionToken(c.id)
	c.dispatched, c.state = now, CallPending
	c.look(now)
	c.refused = c.refuse()
	c.envelope()
	w.keepCallLocked(c)
	if c.refused != "" {
		c.deadline = func() bool { return false }
		w.refused++
		w.expireLocked(c)
		return
	}
	c.deadline = w.clock.AfterFunc(w.opt.Deadline, func() {
		defer w.hold()()
		w.expireLocked(c)
	})
	w.publishCallLocked(c)
	w.activeAt = time.Now()
	w.deliverLocked(c)
	if w.trouble.redeliver > 0 {
		w.trouble.redeliver--
		w.deliverLocked(c)
	}
}

// deliverLocked posts the interaction to its application's endpoint, or puts the event
// on the wire of every session that it concerns.
func (w *World) deliverLocked(c *Call) {
	defer w.at(c.app)()
	if c.payload["id"] == nil {
		c.envelope()
	}
	if c.app.endpoint != "" {
		w.wire.Post(c)
		return
	}
	guild := ""
	if c.channel.guild != nil {
		guild = c.channel.guild.id
	}
	if w.wire.Send("INTERACTION_CREATE", depart.Told(w.trouble.departures, c.payload), guild, 0) == 0 && w.trouble.lost {
		c.excused = true
	}
	if w.trouble.delay >= w.opt.Deadline {
		c.excused = true
	}
}

// expireLocked fails a call that is still pending.
func (w *World) expireLocked(c *Call) {
	if c.state != CallPending {
		return
	}
	c.state = CallFailed
	switch c.kind {
	case InteractionComponent:
		c.failure = FailedComponent
	case InteractionAutocomplete:
		c.failure = FailedAutocomplete
	case InteractionModal:
		c.failure = FailedModal
	default:
		c.failure = FailedCommand
	}
	if c.refused == "" {
		w.logUnansweredLocked(c)
	}
	w.publishCallLocked(c)
}

// keepCallLocked remembers a call: for a while by its token, and as one of the
// last for whoever watches.
func (w *World) keepCallLocked(c *Call) {
	w.calls = append(w.calls, c)
	w.byID[c.id], w.byToken[c.token] = c, c
	if limit := w.opt.KeepCalls; limit > 0 && len(w.calls) > 2*limit {
		for _, old := range w.calls[:len(w.calls)-limit] {
			old.slim()
		}
		w.calls = append([]*Call(nil), w.calls[len(w.calls)-limit:]...)
	}
	if w.opt.KeepCalls < 0 {
		return
	}
	w.live = append(w.live, c)
	keep := 0
	for _, old := range w.live {
		young := w.clock.Now().Sub(old.dispatched) < w.opt.TokenLife && len(w.live)-keep <= w.opt.KeepTokens
		if young || old.state == CallPending {
			break
		}
		delete(w.byID, old.id)
		delete(w.byToken, old.token)
		old.forget()
		keep++
	}
	w.live = w.live[keep:]
}

// unanswered lists the calls for which the bot is to blame.
func (w *World) unanswered() []*Call {
	defer w.hold()()
	var out []*Call
	for _, c := range w.calls {
		if c.state != CallAnswered && !c.excused && !w.unasked && c.refused == "" {
			out = append(out, c)
		}
	}
	return out
}

// closeCallsLocked stops the deadlines.
func (w *World) closeCallsLocked() {
	for _, c := range w.byID {
		if c.deadline != nil {
			c.deadline()
		}
	}
}

// closedToApps reports whether answers here are made private because the guild
// does not let people use applications of their own.
func (w *World) closedToApps(c *Call) bool {
	ch := c.channel
	return ch.guild != nil && ch.installedByUser() && ch.permissionsOf(c.user)&PermissionUseExternalApps == 0
}

// logAnswerLocked writes that an answer came late, but in time.
func (w *World) logAnswerLocked(c *Call) {
	if took := c.answeredAt.Sub(c.dispatched); took >= rest.Slow {
		w.log.Warn("slow answer", "interaction", c.String(), "took", took.Round(time.Millisecond), "deadline", w.opt.Deadline)
	}
}

// logUnansweredLocked writes that an answer did not come.
func (w *World) logUnansweredLocked(c *Call) {
	attrs := []any{"interaction", c.String(), "deadline", w.opt.Deadline, "shown", c.failure}
	if c.attempts > 0 {
		attrs = append(attrs, "refused", strings.Join(c.problems, "; "))
	}
	if w.wire.Ready(nil) == 0 {
		attrs = append(attrs, "hint", "no bot is connected")
	}
	w.log.Warn("never answered", attrs...)
}
