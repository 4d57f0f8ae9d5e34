package sandbox

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
	ref := map[string]any{"type": 0, "channel_id": about.id}
	if about.guild != nil {
		ref["guild_id"] = about.guild.id
	}
	if start != nil {
		ref["message_id"] = start.id
	}
	m.reference = ref
	w.addMessageLocked(m, Write{Action: "create", Auth: "system"})
}

// pinLocked pins a message, and says so in its channel.
func (w *World) pinLocked(m *Message, by *User) {
	m.pinned = w.clock.Now()
	w.pinsChangedLocked(m)
	w.systemMessageLocked(m.channel, by, messagePin, "", m.channel, m)
}
