package sandbox

import (
	"strings"
	"time"

	"tictactoe/bot/sandbox/internal/depart"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/rules"
)

// newCall makes an interaction that is not sent yet.
func (w *World) newCall(u *User, ch *Channel, kind int, name string) *Call {
	return &Call{world: w, kind: kind, name: name, user: u, channel: ch, state: CallPrepared}
}

// prepareLocked checks an action and makes its interaction.
func (u *User) prepareLocked(a Action) (*Call, error) {
	if u.world.closed {
		return nil, ErrClosed
	}
	if u.deleted {
		return nil, ErrGone
	}
	c, err := a.prepare(u.world, u)
	if err != nil {
		return nil, err
	}
	c.name, c.app = a.String(), u.world.appOf(c)
	return c, nil
}

// envelope fills in what all interactions have, around their data.
func (c *Call) envelope() {
	ch := c.channel
	p := map[string]any{
		"id": c.id, "application_id": c.app.id, "type": c.kind, "token": c.token, "version": 1,
		"channel_id": ch.id, "channel": ch.seenBy(c.user), "app_permissions": ch.appPermissions(), "locale": c.user.locale,
		"entitlements": []any{}, "attachment_size_limit": rules.MaxFileBytes, "data": c.payload["data"],
		"authorizing_integration_owners": c.owners(), "context": ch.context(),
	}
	if g := ch.guild; g != nil {
		p["guild_id"], p["guild_locale"] = g.id, g.locale
		p["guild"] = map[string]any{"id": g.id, "locale": g.locale, "features": []any{}}
		p["member"] = g.memberJSON(c.user, ch, true)
	} else {
		p["user"] = c.user.json()
	}
	if c.message != nil {
		p["message"] = c.message.json()
	}
	c.noise(p)
	c.payload = p
}

// owners is authorizing_integration_owners: the guild for an installed application, "0" in
// its direct messages, the person for a user's. A component has the owners of the message
// that it is on, who need not be who uses it.
func (c *Call) owners() map[string]any {
	if c.ownedBy != nil {
		return c.ownedBy
	}
	owners := map[string]any{}
	if c.message != nil && c.message.origin != nil {
		owners = c.message.origin.owners()
	} else {
		if !c.channel.installedByUser() {
			owners["0"] = "0"
			if c.channel.guild != nil {
				owners["0"] = c.channel.guild.id
			}
		}
		if c.user.hasApp() {
			owners["1"] = c.user.id
		}
	}
	if c.state != CallPrepared {
		c.ownedBy = owners
	}
	return owners
}

// metadata is interaction_metadata of a message that answers the call.
func (c *Call) metadata() map[string]any {
	m := map[string]any{"id": c.id, "type": c.kind, "user": c.user.json(), "authorizing_integration_owners": c.owners()}
	if c.kind == InteractionCommand {
		m["name"] = c.path
	}
	switch id := c.messageID(); {
	case c.kind == InteractionModal:
		m["triggering_interaction_metadata"] = c.trigger
	case id != "":
		m["interacted_message_id"] = id
	}
	return m
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
		w.mu.Lock()
		defer w.mu.Unlock()
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

// interactionToken makes a token that tells its interaction, as Discord's do, so
// that one that was forgotten is still known to have expired.
func interactionToken(id string) string {
	return "aW50ZXJhY3Rpb24" + id + "-" + secret(96)
}

// tokenTime is the time of the interaction that a token was made for, zero for
// what is no token.
func tokenTime(token string) time.Time {
	rest, ok := strings.CutPrefix(token, "aW50ZXJhY3Rpb24")
	id, _, cut := strings.Cut(rest, "-")
	if !ok || !cut {
		return time.Time{}
	}
	return rules.SnowflakeTime(id)
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

// slim drops what only whoever watches the last calls wants to see. The data is
// kept: with it the call can be delivered again.
func (c *Call) slim() {
	c.payload = map[string]any{"data": c.payload["data"]}
	c.callbackBody, c.problems = nil, nil
}

// forget lets go of the message that the call came from. That one may answer a call
// from another message, and so on: whoever plays one game after the other would keep
// all their messages in memory.
func (c *Call) forget() {
	if c.message != nil {
		c.cameFrom, c.message = c.message.id, nil
	}
}

// messageID is the id of the message that the call came from, empty for none.
func (c *Call) messageID() string {
	if c.message != nil {
		return c.message.id
	}
	return c.cameFrom
}

// unanswered lists the calls for which the bot is to blame.
func (w *World) unanswered() []*Call {
	w.mu.Lock()
	defer w.mu.Unlock()
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
