package sandbox

import (
	"encoding/json"
	"strings"
	"time"
)

// Message types, as specified by Discord's documentation.
const (
	messagePlain   = 0
	messageReply   = 19
	messageSlash   = 20
	messageContext = 23
)

// isoTime is a moment as Discord writes it.
func isoTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }

// write describes a write of the request.
func (x *exchange) write(action string) Write {
	w := Write{Action: action, Method: x.route.method, Route: x.route.template, Auth: "bot", Body: json.RawMessage(x.raw)}
	if x.route.auth == authToken {
		w.Auth = "interaction"
		if x.call != nil {
			w.CallID = x.call.id
		}
	}
	return w
}

// newMessage makes a message of the bot without putting it into the channel.
func (s *Server) newMessage(ch *Channel, author *User) *Message {
	return &Message{srv: s, id: s.newID(), channel: ch, author: author, created: s.clock.Now()}
}

// apply puts what the draft gives into the message; what it leaves out stays.
func (m *Message) apply(d *draft) {
	if d.has["content"] {
		m.content = d.content
	}
	if d.has["embeds"] {
		m.embeds = d.embeds
	}
	if d.has["components"] {
		m.rawComps = d.components
		m.components = parseComponents(d.components)
	}
	m.srv.files.replace(m.attached, d.attached, d.uploaded)
	m.attached = d.attached
	if d.hasFlags {
		// A message in components v2 stays one, and ephemeral is for ever.
		keep := m.flags & (FlagComponentsV2 | FlagEphemeral | FlagSuppressNotifications)
		m.flags = keep | d.flags&(FlagSuppressEmbeds|FlagComponentsV2)
	}
	m.flags &^= FlagLoading
}

func parseComponents(list []any) []Component {
	var out []Component
	b, err := json.Marshal(list)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return nil // the list was checked: a field that we do not check has an odd type
	}
	return out
}

// addMessageLocked puts a new message into its channel and tells everybody.
func (s *Server) addMessageLocked(m *Message, w Write) {
	ch := m.channel
	ch.messages = append(ch.messages, m)
	s.messages[m.id] = m
	if limit := s.opt.KeepMessages; limit > 0 && len(ch.messages) > limit {
		gone := len(ch.messages) - limit
		for _, old := range ch.messages[:gone] {
			delete(s.messages, old.id)
			s.files.replace(old.attached, nil, nil)
		}
		ch.messages = append([]*Message(nil), ch.messages[gone:]...)
	}
	m.note(w)
	s.publishMessageLocked(EventMessageCreated, m)
	if m.viewer == nil {
		s.dispatchMessageLocked("MESSAGE_CREATE", m)
	}
}

// editedLocked notes an edit and tells everybody.
func (s *Server) editedLocked(m *Message, w Write) {
	m.edited = s.clock.Now()
	m.note(w)
	if m.dismissed {
		return // applied, but the person has put it away
	}
	s.publishMessageLocked(EventMessageEdited, m)
	if m.viewer == nil {
		s.dispatchMessageLocked("MESSAGE_UPDATE", m)
	}
}

func (m *Message) note(w Write) {
	w.At, w.Text = m.srv.clock.Now(), textOf(m.content, m.components)
	m.writes = append(m.writes, w)
	if limit := m.srv.opt.KeepWrites; limit > 0 && len(m.writes) > limit {
		m.writes = append([]Write(nil), m.writes[len(m.writes)-limit:]...)
	}
}

// deleteMessageLocked deletes a message for everybody.
func (s *Server) deleteMessageLocked(m *Message, w Write) {
	if m.dismissed {
		m.dismissed = false
		return
	}
	if m.deleted {
		return
	}
	s.publishMessageLocked(EventMessageDeleted, m)
	m.deleted = true
	s.files.replace(m.attached, nil, nil)
	m.note(w)
	if m.viewer == nil {
		s.dispatchMessageLocked("MESSAGE_DELETE", m)
	}
	s.forgetDeletedLocked(m)
}

// dismissLocked takes an ephemeral message out of its viewer's sight. The bot is
// not told, and can still edit it in vain.
func (s *Server) dismissLocked(m *Message) {
	s.publishMessageLocked(EventMessageDeleted, m)
	m.deleted, m.dismissed = true, true
	s.files.replace(m.attached, nil, nil)
	s.forgetDeletedLocked(m)
}

// forgetDeletedLocked drops a deleted message from a bounded server.
func (s *Server) forgetDeletedLocked(m *Message) {
	if s.opt.KeepMessages <= 0 {
		return
	}
	for i, x := range m.channel.messages {
		if x == m {
			m.channel.messages = append(m.channel.messages[:i:i], m.channel.messages[i+1:]...)
			break
		}
	}
	delete(s.messages, m.id)
}

// deleteChannelLocked deletes a channel with its threads and messages.
func (s *Server) deleteChannelLocked(c *Channel) {
	if c.deleted {
		return
	}
	if c.guild != nil {
		for _, t := range c.guild.channels {
			if t.parent == c {
				s.deleteChannelLocked(t)
			}
		}
		s.sendEventLocked("CHANNEL_DELETE", c.json(), c.guild.id, intentGuilds)
	}
	c.deleted = true
	for _, m := range c.messages {
		m.deleted = true
		s.files.replace(m.attached, nil, nil)
	}
	s.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id})
}

// sayLocked adds a plain message of a person.
func (s *Server) sayLocked(u *User, ch *Channel, text string) (*Message, error) {
	if !ch.visibleTo(u) {
		return nil, ErrNotVisible
	}
	text = strings.TrimSpace(text)
	if text == "" || len([]rune(text)) > maxContent {
		return nil, ErrBadOption
	}
	m := s.newMessage(ch, u)
	m.content = text
	m.writeMentions(nil, false)
	m.ping(nil)
	s.addMessageLocked(m, Write{Action: "create", Auth: "person"})
	return m, nil
}
