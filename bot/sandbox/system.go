package sandbox

import (
	"tictactoe/bot/sandbox/internal/gateway"
)

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

// pinLocked pins a message, and says so in its channel.
func (w *World) pinLocked(m *Message, by *User) {
	m.pinned = w.clock.Now()
	w.pinsChangedLocked(m)
	w.systemMessageLocked(m.channel, by, messagePin, "", m.channel, m)
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
