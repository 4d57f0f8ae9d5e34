package sandbox

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// System messages: what Discord itself writes into a channel when somebody pins a
// message or begins a thread, in their name and without a text but for a thread's name.

// Types of system messages, as specified by Discord's documentation.
const (
	messagePin           = 6
	messageThreadCreated = 18
	messageThreadStarter = 21
)

// system reports whether Discord itself wrote the message.
func (m *Message) system() bool {
	return m.kind == messagePin || m.kind == messageThreadCreated || m.kind == messageThreadStarter
}

// systemMessage lets Discord write into a channel what u has done. The
// reference says to what: a channel, and a message in it unless the id is empty.
func (c *Channel) systemMessage(u *User, kind int, content string, about *Channel, id string) {
	m := newMessage(c, u)
	m.kind, m.body.Content = kind, content
	m.reference = referenceTo(about, id)
	m.post(Write{Action: "create", Auth: "system"})
}

// referenceTo is message_reference to a channel, and to a message there unless the id is empty.
func referenceTo(c *Channel, id string) map[string]any {
	ref := map[string]any{"type": 0, "channel_id": c.id}
	if id != "" {
		ref["message_id"] = id
	}
	if c.guild != nil {
		ref["guild_id"] = c.guild.id
	}
	return ref
}

// pin pins a message, and says so in its channel.
func (m *Message) pin(by *User) {
	m.pinned = m.world.clock.Now()
	m.pinsChanged()
	m.channel.systemMessage(by, messagePin, "", m.channel, m.id)
}

// mayPin reports whether somebody may pin messages.
func (c *Channel) mayPin(u *User) bool {
	return c.guild == nil || c.permissionsOf(u)&permission.PinMessages != 0
}

// Pin pins a message, as its menu does.
func (u *User) Pin(m *Message) error {
	defer u.world.hold()()
	if err := u.pinning(m); err != nil || !m.pinned.IsZero() {
		return err
	}
	if len(m.channel.pins()) >= rules.MaxPins {
		return fmt.Errorf("%w: a channel has at most %d pins", ErrForbidden, rules.MaxPins)
	}
	m.pin(u)
	return nil
}

// Unpin takes the pin from a message.
func (u *User) Unpin(m *Message) error {
	defer u.world.hold()()
	if err := u.pinning(m); err != nil || m.pinned.IsZero() {
		return err
	}
	m.pinned = time.Time{}
	m.pinsChanged()
	return nil
}

// pinning says what keeps the person from pinning a message.
func (u *User) pinning(m *Message) error {
	switch {
	case m.deleted:
		return ErrGone
	case !m.visibleTo(u), m.viewer != nil:
		return ErrNotVisible
	case !m.channel.mayPin(u), m.system(), m.channel.archived:
		return ErrForbidden
	}
	return nil
}

// Pins lists the pinned messages of the channel, the one pinned last first.
func (c *Channel) Pins() []*Message { return held(c.world, c.pins) }

// pins are the channel's pinned messages, the one pinned last first.
func (c *Channel) pins() []*Message {
	out := but(c.messages, func(m *Message) bool { return m.deleted || m.pinned.IsZero() })
	slices.SortStableFunc(out, func(a, b *Message) int { return b.pinned.Compare(a.pinned) })
	return out
}

func (m *Message) pinsChanged() {
	c := m.channel
	o := map[string]any{"last_pin_timestamp": nil}
	if pins := c.pins(); len(pins) > 0 {
		o["last_pin_timestamp"] = isoTime(pins[0].pinned)
	}
	c.tell("CHANNEL_PINS_UPDATE", o, gateway.IntentGuilds, gateway.IntentDirectMessages)
	m.tell("MESSAGE_UPDATE")
	m.publish(EventMessageEdited)
}

func pinMessage(w *World, x *exchange) (any, error) {
	m := x.message
	switch {
	case m.system():
		return nil, rules.ErrSystemMessage
	case !m.pinned.IsZero():
		return nil, nil
	case len(x.channel.pins()) >= rules.MaxPins:
		return nil, rules.ErrMaxPins
	}
	m.pin(w.app.user)
	return nil, nil
}

func unpinMessage(_ *World, x *exchange) (any, error) {
	if m := x.message; !m.pinned.IsZero() {
		m.pinned = time.Time{}
		m.pinsChanged()
	}
	return nil, nil
}

// listPins is the older of two routes: all pinned messages, without their times.
func listPins(w *World, x *exchange) (any, error) {
	c := x.channel
	if c.botPermissions()&permission.ReadHistory == 0 {
		return []any{}, nil
	}
	return each(c.pins(), func(m *Message) any { return m.readBy(w.app.readsContent()) }), nil
}

func listPinned(w *World, x *exchange) (any, error) {
	c := x.channel
	limit, before := x.Limit(50, 50), time.Time{}
	if q := x.Query.Get("before"); q != "" {
		before = x.Form.Until(q, "before", w.clock.Now(), math.MaxInt64)
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	pins := but(c.pins(), func(m *Message) bool {
		return c.botPermissions()&permission.ReadHistory == 0 || !before.IsZero() && !m.pinned.Before(before)
	})
	items := each(pins[:min(limit, len(pins))], func(m *Message) any {
		return map[string]any{"pinned_at": isoTime(m.pinned), "message": m.readBy(w.app.readsContent())}
	})
	return map[string]any{"items": items, "has_more": len(pins) > limit}, nil
}
