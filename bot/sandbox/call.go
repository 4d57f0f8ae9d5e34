package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// Discord's interaction types.
const (
	InteractionPing         = 1
	InteractionCommand      = 2
	InteractionComponent    = 3
	InteractionAutocomplete = 4
	InteractionModal        = 5
)

// Discord's callback types.
const (
	CallbackMessage      = 4
	CallbackDeferMessage = 5
	CallbackDeferUpdate  = 6
	CallbackUpdate       = 7
	CallbackAutocomplete = 8
	CallbackModal        = 9
)

// CallState is how far an interaction has come.
type CallState string

// The states of a Call.
const (
	CallPrepared CallState = "prepared" // made, not sent
	CallPending  CallState = "pending"  // sent, waiting for the first answer
	CallAnswered CallState = "answered" // answered in time
	CallFailed   CallState = "failed"   // not answered within the deadline
)

// What a client shows when an interaction was not answered in time.
const (
	FailedComponent    = "This interaction failed"
	FailedCommand      = "The application did not respond"
	FailedAutocomplete = "Loading options failed"
	FailedModal        = "Something went wrong. Try again."
)

// failures are the same by the kind of interaction.
var failures = map[int]string{
	InteractionCommand: FailedCommand, InteractionComponent: FailedComponent,
	InteractionAutocomplete: FailedAutocomplete, InteractionModal: FailedModal,
}

// Call is one interaction that a person sent.
type Call struct {
	world *World
	app   *App // that it is for
	id    string
	token string
	kind  int
	name  string // for people: what was done
	path  string // the command's name, group and subcommand

	user    *User
	channel *Channel
	message *Message       // of a component, or of the component that opened the modal
	data    map[string]any // of its payload
	payload map[string]any
	ownedBy map[string]any // authorizing_integration_owners, once it was sent
	trigger map[string]any // interaction_metadata of what opened the modal

	cameFrom string // id of message once that was let go of

	is         Outcome
	dispatched time.Time
	excused    bool
	blind      bool // made without looking at the newest picture
	deadline   func() bool
	tokenFails error // what the routes of its token answer, nil while they work
	focus      int   // type of the option an autocomplete is for
	answered
}

// answer is the message that the callback created or edited, nil for none.
func (c *Call) answer() *Message {
	if c.is.Type == CallbackDeferUpdate {
		return nil
	}
	return c.original
}

// answered is what a bot has done with an interaction.
type answered struct {
	attempts     int
	original     *Message // that the callback created, or whose component was used
	deferred     bool     // a type 5 that no edit or follow-up has filled in
	followUps    []*Message
	callbackBody json.RawMessage
}

// Outcome is what an interaction has come to, but for messages.
type Outcome struct {
	// State is answered, failed or, before the deadline, pending.
	State CallState `json:"state"`
	// Type is the callback type of the answer, 0 without one.
	Type int `json:"type,omitempty"`
	// Failed is what the person's client shows when no answer came in time.
	Failed string `json:"failed,omitempty"`
	// Refused says why Discord did not pass the interaction on, empty if it did;
	// see ClicksRefused.
	Refused string `json:"refused,omitempty"`
	// Latency is the time from sending to the answer, on the server's clock.
	Latency time.Duration `json:"latency"`
	// Modal is set for an answer of type 9, Choices for one of type 8.
	Modal   *rules.Modal   `json:"modal,omitempty"`
	Choices []rules.Choice `json:"choices,omitempty"`
	// Problems are the errors with which requests for this interaction were refused.
	Problems []string `json:"problems,omitempty"`
}

// Reply is what a Call had come to at one moment.
type Reply struct {
	// Call is the interaction replied to.
	Call *Call
	Outcome
	// Message is the message that the answer created or edited, nil for
	// modals, choices and an acknowledgement of type 6.
	Message *Message
	// Ephemeral reports whether Message is for the person alone.
	Ephemeral bool
	// Acks counts the callback requests for this interaction, refused ones included.
	Acks int
}

// ID is the interaction's snowflake.
func (c *Call) ID() string { return c.id }

// InteractionToken is the interaction's secret token.
func (c *Call) InteractionToken() string { return c.token }

// Kind is the interaction's type, such as InteractionComponent.
func (c *Call) Kind() int { return c.kind }

// User is who sent it, Channel where.
func (c *Call) User() *User { return c.user }

// Channel is where it was sent.
func (c *Call) Channel() *Channel { return c.channel }

// String names the call for people, without its token.
func (c *Call) String() string {
	return fmt.Sprintf("%s by %s in #%s (interaction %s)", c.name, c.user.is.Name, c.channel.name, c.id)
}

// Server is where it was sent.
func (c *Call) Server() *World { return c.world }

// Payload is the interaction object as it was or will be delivered, with the token.
func (c *Call) Payload() json.RawMessage {
	defer c.world.hold()()
	return rules.Encode(c.payload)
}

// AllowUnanswered keeps the end of the test from failing when this interaction
// is never answered.
func (c *Call) AllowUnanswered() {
	defer c.world.hold()()
	c.excused = true
}

// Wait waits until the interaction is answered or has failed, and fails the test
// when neither happened within 20 s of real time (a ManualClock that nobody
// advances).
func (c *Call) Wait(tb TB) *Reply {
	tb.Helper()
	if soon(func(ctx context.Context) error { return c.world.Until(ctx, c.done) }) != nil {
		tb.Fatalf("sandbox: still unanswered and the deadline does not come: %s", c)
	}
	return c.Reply()
}

// Reply returns what the call has come to by now.
func (c *Call) Reply() *Reply {
	defer c.world.hold()()
	r := &Reply{Call: c, Outcome: c.is, Acks: c.attempts, Message: c.answer()}
	if r.Message != nil {
		r.Ephemeral = r.Message.body.Flags&rules.FlagEphemeral != 0
	}
	return r
}

// Answered reports whether the interaction was answered in time.
func (r *Reply) Answered() bool { return r.State == CallAnswered }

// Text is the text that Message has now, empty without one.
func (r *Reply) Text() string {
	if r.Message == nil {
		return ""
	}
	return r.Message.Text()
}

// Followups lists the follow-up messages sent so far.
func (r *Reply) Followups() []*Message { return listOf(r.Call.world, &r.Call.followUps) }

// AllowUnanswered keeps the end of the test from failing for interactions that
// were never answered. Call.AllowUnanswered excuses a single one.
func (w *World) AllowUnanswered() {
	defer w.hold()()
	w.unasked = true
}

// DispatchTogether sends prepared calls back to back, before any answer to one
// of them can be handled. Calls already sent are delivered again.
func (w *World) DispatchTogether(calls ...*Call) {
	defer w.hold()()
	for _, c := range calls {
		if c.is.State == CallPrepared {
			c.dispatch()
		} else {
			c.deliver()
		}
	}
}

// Calls lists the interactions sent, oldest first, as many as Options.KeepCalls keeps.
func (w *World) Calls() []*Call { return listOf(w, &w.calls) }

// prepareLocked checks an action and makes its interaction.
func (u *User) prepareLocked(a Action) (*Call, error) {
	if u.world.closing.Err() != nil {
		return nil, ErrClosed
	}
	if u.is.Deleted {
		return nil, ErrGone
	}
	c, err := a.prepare(u)
	if err != nil {
		return nil, err
	}
	c.name = a.String()
	return c, nil
}

// envelope fills in what all interactions have, around their data.
func (c *Call) envelope() {
	ch := c.channel
	p := map[string]any{
		"id": c.id, "application_id": c.app.id, "type": c.kind, "token": c.token, "version": 1,
		"channel_id": ch.id, "channel": ch.seenBy(c.user), "app_permissions": ch.appPermissions(), "locale": c.user.is.Locale,
		"entitlements": []any{}, "attachment_size_limit": rules.MaxFileBytes, "data": c.data,
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
			owners["0"] = cmp.Or(idOf(c.channel.guild), "0")
		}
		if c.user.is.Installed {
			owners["1"] = c.user.id
		}
	}
	if c.is.State != CallPrepared {
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

// dispatch sends the interaction: its deadline begins.
func (c *Call) dispatch() {
	w := c.world
	defer w.at(c.app)()
	now := w.clock.Now()
	c.id = w.ids.Next(now)
	c.token = interactionToken(c.id)
	c.dispatched, c.is.State = now, CallPending
	c.look(now)
	c.is.Refused = c.refuse()
	c.envelope()
	w.keep(c, w.clock.Now(), w.opt)
	if c.is.Refused != "" {
		c.deadline = func() bool { return false }
		w.refused++
		c.expire()
		return
	}
	c.deadline = w.clock.AfterFunc(w.opt.Deadline, func() {
		defer w.hold()()
		c.expire()
	})
	c.publish()
	w.activeAt = time.Now()
	c.deliver()
	if w.gateway.Faults().Redelivers() {
		c.deliver()
	}
}

// deliver posts the interaction to its application's endpoint, or puts the event
// on the wire of every session that it concerns.
func (c *Call) deliver() {
	w := c.world
	defer w.at(c.app)()
	if c.payload["id"] == nil {
		c.envelope()
	}
	if c.app.endpoint != "" {
		w.rest.Post(c)
		return
	}
	heard := w.gateway.dispatch("INTERACTION_CREATE", w.departures.Told(c.payload), idOf(c.channel.guild), 0)
	if heard == 0 && w.lost || w.gateway.Faults().Delay() >= w.opt.Deadline {
		c.excused = true
	}
}

// expire fails a call that is still pending.
func (c *Call) expire() {
	if c.is.State != CallPending {
		return
	}
	c.is.State, c.is.Failed = CallFailed, failures[c.kind]
	if c.is.Refused == "" {
		c.logUnanswered()
	}
	c.publish()
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

// keep remembers a call: for a while by its token, and as one of the
// last for whoever watches.
func (l *callLog) keep(c *Call, now time.Time, opt WorldOptions) {
	l.calls = append(l.calls, c)
	l.byID[c.id], l.byToken[c.token] = c, c
	if limit := opt.KeepCalls; limit > 0 && len(l.calls) > 2*limit {
		for _, old := range l.calls[:len(l.calls)-limit] {
			old.slim()
		}
		l.calls = append([]*Call(nil), l.calls[len(l.calls)-limit:]...)
	}
	if opt.KeepCalls < 0 {
		return
	}
	l.live = append(l.live, c)
	var pending []*Call // which are not forgotten, and keep no others from it
	for len(l.live) > 0 {
		old := l.live[0]
		if now.Sub(old.dispatched) < tokenLife && len(l.live) <= opt.KeepTokens {
			break
		}
		l.live = l.live[1:]
		if old.is.State == CallPending {
			pending = append(pending, old)
			continue
		}
		delete(l.byID, old.id)
		delete(l.byToken, old.token)
		old.forget()
	}
	if pending != nil {
		l.live = append(pending, l.live...)
	}
}

// slim drops what only whoever watches the last calls wants to see. The data is
// kept: with it the call can be delivered again.
func (c *Call) slim() {
	c.payload = map[string]any{"data": c.data}
	c.callbackBody, c.is.Problems = nil, nil
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
	return cmp.Or(idOf(c.message), c.cameFrom)
}

// unanswered lists the calls for which the bot is to blame.
func (l *callLog) unanswered() []*Call {
	return but(l.calls, func(c *Call) bool { return c.is.State == CallAnswered || c.excused || l.unasked || c.is.Refused != "" })
}

// mustBePrivate reports whether answers here are made private because the guild
// does not let people use applications of their own.
func (c *Call) mustBePrivate() bool {
	ch := c.channel
	return ch.guild != nil && ch.installedByUser() && ch.permissionsOf(c.user)&permission.UseExternalApps == 0
}

// logUnanswered writes that an answer did not come.
func (c *Call) logUnanswered() {
	w := c.world
	attrs := []any{"interaction", c.String(), "deadline", w.opt.Deadline, "shown", c.is.Failed}
	if len(c.is.Problems) > 0 {
		attrs = append(attrs, "refused", strings.Join(c.is.Problems, "; "))
	}
	if w.gateway.Ready(gatewayApp{c.app}) == 0 && c.app.endpoint == "" {
		attrs = append(attrs, "hint", "no bot is connected")
	}
	w.log.Warn("never answered", attrs...)
}

// noise turns what is in an interaction into what interactions carry. Two bodies that Discord
// has signed (2023 and 2025) and recorded ones of 2026 have no overwrites of channels, nor
// flags, banners and accent colours of people; and they have fields that REST answers and the
// documentation know nothing of. Whoever decodes it has to leave those alone.
func (c *Call) noise(p map[string]any) {
	p["entitlement_sku_ids"] = []any{}
	if m, ok := p["member"].(map[string]any); ok {
		m["unusual_dm_activity_until"], m["collectibles"], m["display_name_styles"] = nil, nil, nil
	}
	ch := c.channel
	o := p["channel"].(map[string]any)
	delete(o, "permission_overwrites")
	switch {
	case ch.parent != nil:
		o["member_ids_preview"] = userIDs(ch.joined())
		delete(o, "member")
		if ch.inThread(c.user) {
			o["member"] = ch.memberJSON(c.user) // of who acts, and not the bot's
		}
	case ch.guild != nil:
		o["icon_emoji"], o["theme_color"] = map[string]any{"id": nil, "name": "👋"}, nil
	case len(ch.party) <= 2:
		o["recipient_flags"] = 0
	}
	if ch.guild != nil {
		o["permissions"] = strconv.FormatInt(ch.permissionsOf(c.user), 10)
	}
	rules.EachObject(p, func(o map[string]any) {
		if o["discriminator"] != nil { // somebody
			maps.DeleteFunc(o, func(key string, _ any) bool { return key == "flags" || key == "banner" || key == "accent_color" })
			o["clan"], o["collectibles"], o["display_name_styles"] = nil, nil, nil
		}
	})
}
