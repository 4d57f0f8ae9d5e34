package sandbox

import (
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/rules"
)

// EventKind says what an Event tells.
type EventKind string

// The kinds of events. Message events come only to those who see the message;
// call events only to who sent the interaction.
const (
	EventMessageCreated   EventKind = "message_created"                // Message
	EventMessageEdited    EventKind = "message_edited"                 // Message
	EventMessageDeleted   EventKind = "message_deleted"                // Message
	EventCall             EventKind = "call"                           // Call, State
	EventChannelsChanged  EventKind = "channels_changed"               // made, deleted, permissions
	EventUsersChanged     EventKind = "users_changed"                  // made, names, locale, membership
	EventGuildsChanged    EventKind = "guilds_changed"                 // made, locale, the bot in or out
	EventCommandsChanged  EventKind = "commands_changed"               // registrations
	EventGatewayConnected EventKind = EventKind(gateway.Connected)     // a session became ready or resumed
	EventGatewayLost      EventKind = EventKind(gateway.Lost)          // a session lost its connection
	EventFaultsChanged    EventKind = EventKind(gateway.FaultsChanged) // armed or used
)

// Event is one change as one person's client learns of it.
type Event struct {
	Kind EventKind `json:"kind"`
	At   time.Time `json:"at"`
	// Seq counts the server's events from 1, so that a reader sees gaps.
	Seq       int64     `json:"seq"`
	Message   *Snapshot `json:"message,omitempty"`
	ChannelID string    `json:"channel_id,omitempty"`
	UserID    string    `json:"user_id,omitempty"`
	// Call is the interaction of a call event, as World.CallInfo gives it.
	Call *CallInfo `json:"call,omitempty"`
	// Pings reports that a created message notifies this person.
	Pings bool `json:"pings,omitempty"`
	// Badges reports that it counts on this person's badge.
	Badges bool `json:"badges,omitempty"`
}

// CallInfo describes an interaction for somebody who watches.
type CallInfo struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Kind      int            `json:"kind"`
	UserID    string         `json:"user_id"`
	ChannelID string         `json:"channel_id"`
	MessageID string         `json:"message_id,omitempty"` // the component's message
	CustomID  string         `json:"custom_id,omitempty"`  // the component's or modal's
	State     CallState      `json:"state"`
	Failed    string         `json:"failed,omitempty"`  // what the client shows
	Refused   string         `json:"refused,omitempty"` // why Discord did not pass it on
	Sent      time.Time      `json:"sent"`
	Latency   time.Duration  `json:"latency"`
	Type      int            `json:"type,omitempty"`     // callback type
	Payload   any            `json:"payload,omitempty"`  // as delivered, without the token
	Answer    any            `json:"answer,omitempty"`   // the accepted callback's body
	ReplyID   string         `json:"reply_id,omitempty"` // message created or edited
	Modal     *rules.Modal   `json:"modal,omitempty"`
	Choices   []rules.Choice `json:"choices,omitempty"`
	Problems  []string       `json:"problems,omitempty"`
}

// subscriberBuffer is how many events a reader may lag behind before it is dropped.
const subscriberBuffer = 256

// subscriptions are the open subscriptions. The Server's lock guards it.
type subscriptions struct {
	open map[*subscription]struct{}
	seq  int64
}

type subscription struct {
	user string
	ch   chan Event
}

// Subscribe returns what the client of the person with that id learns from now
// on; an empty id sees everything, ephemeral messages of all people included.
// The channel is closed by cancel, which may be called more than once, when the
// server closes, and when its reader lags more than 256 events behind: the reader
// then subscribes anew and reads the state afresh.
func (w *World) Subscribe(userID string) (events <-chan Event, cancel func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	sub := &subscription{user: userID, ch: make(chan Event, subscriberBuffer)}
	if w.closed {
		close(sub.ch)
		return sub.ch, func() {}
	}
	if w.subs.open == nil {
		w.subs.open = map[*subscription]struct{}{}
	}
	w.subs.open[sub] = struct{}{}
	return sub.ch, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.subs.drop(sub)
	}
}

// Interactions describes the interactions sent, oldest first, as many as
// Options.KeepCalls keeps.
func (w *World) Interactions() []CallInfo {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]CallInfo, 0, len(w.calls))
	for _, c := range w.calls {
		out = append(out, c.info())
	}
	return out
}

// CallInfo describes the interaction of that id and reports whether there is one.
func (w *World) CallInfo(id string) (CallInfo, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.byID[id]
	if c == nil {
		return CallInfo{}, false
	}
	return c.info(), true
}

func (c *Call) info() CallInfo {
	i := CallInfo{
		ID: c.id, Name: c.name, Kind: c.kind, UserID: c.user.id, ChannelID: c.channel.id,
		State: c.state, Failed: c.failure, Refused: c.refused, Sent: c.dispatched, Type: c.ackType,
		Modal: c.modal, Choices: c.choices, Problems: append([]string(nil), c.problems...),
	}
	i.MessageID = c.messageID()
	if data, ok := c.payload["data"].(map[string]any); ok {
		i.CustomID, _ = data["custom_id"].(string)
	}
	if !c.answeredAt.IsZero() {
		i.Latency = c.answeredAt.Sub(c.dispatched)
	}
	switch {
	case c.created != nil:
		i.ReplyID = c.created.id
	case c.edited != nil:
		i.ReplyID = c.edited.id
	}
	payload := make(map[string]any, len(c.payload))
	for k, v := range c.payload {
		if k != "token" {
			payload[k] = v
		}
	}
	i.Payload = payload
	if c.callbackBody != nil {
		i.Answer = c.callbackBody
	}
	return i
}

// publishLocked tells subscribers and everybody who waits of a change.
func (w *World) publishLocked(e Event) {
	w.notifyLocked()
	w.subs.seq++
	if len(w.subs.open) == 0 {
		return
	}
	e.At, e.Seq = w.clock.Now(), w.subs.seq
	for sub := range w.subs.open {
		w.subs.send(sub, e)
	}
}

// publishMessageLocked tells those who see m.
func (w *World) publishMessageLocked(kind EventKind, m *Message) {
	w.notifyLocked()
	w.subs.seq++
	if len(w.subs.open) == 0 {
		return
	}
	snap := m.snapshot()
	e := Event{Kind: kind, At: w.clock.Now(), Seq: w.subs.seq, Message: &snap, ChannelID: m.channel.id}
	for sub := range w.subs.open {
		if sub.user != "" {
			u := w.users[sub.user]
			if u == nil || !m.visibleTo(u) {
				continue
			}
			e.Pings = kind == EventMessageCreated && containsID(m.pinged, u)
			e.Badges = kind == EventMessageCreated && containsID(m.badged, u)
		}
		w.subs.send(sub, e)
	}
}

// publishCallLocked tells who sent c.
func (w *World) publishCallLocked(c *Call) {
	w.notifyLocked()
	w.subs.seq++
	if len(w.subs.open) == 0 {
		return
	}
	info := c.info()
	e := Event{Kind: EventCall, At: w.clock.Now(), Seq: w.subs.seq, Call: &info, ChannelID: c.channel.id, UserID: c.user.id}
	for sub := range w.subs.open {
		if sub.user == "" || sub.user == c.user.id {
			w.subs.send(sub, e)
		}
	}
}

func (s *subscriptions) send(sub *subscription, e Event) {
	select {
	case sub.ch <- e:
	default:
		s.drop(sub)
	}
}

func (s *subscriptions) drop(sub *subscription) {
	if _, ok := s.open[sub]; ok {
		delete(s.open, sub)
		close(sub.ch)
	}
}

func (s *subscriptions) closeAll() {
	for sub := range s.open {
		s.drop(sub)
	}
}

func containsID(us []*User, u *User) bool {
	for _, x := range us {
		if x == u {
			return true
		}
	}
	return false
}
