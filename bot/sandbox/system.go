package sandbox

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
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
	switch m.kind {
	case messagePin, messageThreadCreated, messageThreadStarter:
		return true
	}
	return false
}

// systemMessageLocked lets Discord write into a channel what u has done. The
// reference says to what: a channel, and a message in it where it is about one.
func (w *World) systemMessageLocked(c *Channel, u *User, kind int, content string, about *Channel, start *Message) {
	m := w.newMessage(c, u)
	m.kind, m.content = kind, content
	id := ""
	if start != nil {
		id = start.id
	}
	m.reference = referenceTo(about, id)
	w.addMessageLocked(m, Write{Action: "create", Auth: "system"})
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

// pinLocked pins a message, and says so in its channel.
func (w *World) pinLocked(m *Message, by *User) {
	m.pinned = w.clock.Now()
	w.pinsChangedLocked(m)
	w.systemMessageLocked(m.channel, by, messagePin, "", m.channel, m)
}

// mayPin reports whether somebody may pin messages.
func (c *Channel) mayPin(u *User) bool {
	return c.guild == nil || c.permissionsOf(u)&PermissionPinMessages != 0
}

// Pin pins a message, as its menu does.
func (u *User) Pin(m *Message) error {
	w := u.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := u.pinning(m); err != nil || !m.pinned.IsZero() {
		return err
	}
	if len(m.channel.pins()) >= rules.MaxPins {
		return fmt.Errorf("%w: a channel has at most %d pins", ErrForbidden, rules.MaxPins)
	}
	w.pinLocked(m, u)
	return nil
}

// Unpin takes the pin from a message.
func (u *User) Unpin(m *Message) error {
	w := u.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := u.pinning(m); err != nil || m.pinned.IsZero() {
		return err
	}
	m.pinned = time.Time{}
	w.pinsChangedLocked(m)
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
func (c *Channel) Pins() []*Message {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	return c.pins()
}

// pins are the channel's pinned messages, the one pinned last first.
func (c *Channel) pins() []*Message {
	var out []*Message
	for _, m := range c.messages {
		if !m.deleted && !m.pinned.IsZero() {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b *Message) int { return b.pinned.Compare(a.pinned) })
	return out
}

func (w *World) pinsChangedLocked(m *Message) {
	c := m.channel
	o := map[string]any{"last_pin_timestamp": nil}
	if pins := c.pins(); len(pins) > 0 {
		o["last_pin_timestamp"] = isoTime(pins[0].pinned)
	}
	w.tellOfChannelLocked("CHANNEL_PINS_UPDATE", o, c, gateway.IntentGuilds, gateway.IntentDirectMessages)
	w.dispatchMessageLocked("MESSAGE_UPDATE", m)
	w.publishMessageLocked(EventMessageEdited, m)
}
