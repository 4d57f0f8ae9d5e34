package sandbox

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// nonceUse remembers a message by the nonce that made it.
type nonceUse struct {
	message *Message
	at      time.Time
}

// nonceLife is how long a nonce with enforce_nonce keeps duplicates away.
// Discord's documentation says "the past few minutes".
const nonceLife = 5 * time.Minute

// botMayPost reports whether the bot may create messages by the channel route.
func (c *Channel) botMayPost() bool {
	need := int64(PermissionViewChannel | PermissionSendMessages)
	if c.parent != nil {
		need = PermissionViewChannel | PermissionSendMessagesInThreads
	}
	return c.botPermissions()&need == need
}

// openChannel finds the route's channel if the bot can see it.
func (s *Server) openChannel(x *exchange) (*Channel, error) {
	c := s.channels[x.params["channel_id"]]
	switch {
	case c == nil || c.deleted:
		return nil, errUnknownChannel
	case !c.visibleTo(s.bot):
		return nil, errMissingAccess
	}
	return c, nil
}

// openMessage finds the route's message. Private ones are reached by their
// token alone.
func (s *Server) openMessage(x *exchange) (*Channel, *Message, error) {
	c, err := s.openChannel(x)
	if err != nil {
		return nil, nil, err
	}
	m := s.messages[x.params["message_id"]]
	if m == nil || m.channel != c || m.deleted || m.viewer != nil {
		return c, nil, errUnknownMessage
	}
	return c, m, nil
}

func (s *Server) getChannel(x *exchange) (int, any, error) {
	c, err := s.openChannel(x)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.json(), nil
}

func (s *Server) listMessages(x *exchange) (int, any, error) {
	c, err := s.openChannel(x)
	if err != nil {
		return 0, nil, err
	}
	limit := 50
	if q := x.query.Get("limit"); q != "" {
		limit, err = strconv.Atoi(q)
		if err != nil || limit < 1 || limit > 100 {
			f := newForm("limit")
			f.fail("NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
			return 0, nil, f.err()
		}
	}
	out := []any{}
	if c.botPermissions()&PermissionReadMessageHistory == 0 {
		return http.StatusOK, out, nil // documented: no history, no messages
	}
	for i := len(c.messages) - 1; i >= 0 && len(out) < limit; i-- {
		if m := c.messages[i]; !m.deleted && m.viewer == nil {
			out = append(out, s.contentFor(m))
		}
	}
	return http.StatusOK, out, nil
}

// contentFor is the message without its text where the privileged intent for
// message content would be needed.
func (s *Server) contentFor(m *Message) map[string]any {
	o := m.json()
	mentioned := containsID(m.mentions, s.bot)
	if m.author == s.bot || mentioned || m.channel.guild == nil || s.opt.PrivilegedIntents&intentMessageContent != 0 {
		return o
	}
	o["content"], o["embeds"], o["components"], o["attachments"] = "", []any{}, []any{}, []any{}
	return o
}

func (s *Server) getMessage(x *exchange) (int, any, error) {
	c, m, err := s.openMessage(x)
	if c != nil && c.botPermissions()&PermissionReadMessageHistory == 0 {
		return 0, nil, errMissingAccess
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.contentFor(m), nil
}

func (s *Server) createMessage(x *exchange) (int, any, error) {
	c, err := s.openChannel(x)
	if err != nil {
		return 0, nil, err
	}
	switch {
	case c.person != nil && c.person.closedDMs:
		return 0, nil, errClosedDMs
	case !c.botMayPost():
		return 0, nil, errMissingPermissions
	case c.archived:
		return 0, nil, errArchived
	}
	data, err := x.object()
	if err != nil {
		return 0, nil, err
	}
	f := newForm()
	d, err := s.validateMessage(f, data, nil, x.files, false)
	if err != nil {
		return 0, nil, err
	}
	if len(x.files) > 0 && c.botPermissions()&PermissionAttachFiles == 0 {
		return 0, nil, errMissingPermissions
	}
	if len(d.embeds) > 0 && c.botPermissions()&PermissionEmbedLinks == 0 {
		return 0, nil, errMissingPermissions
	}
	m := s.newMessage(c, s.bot)
	if d.reference != nil {
		if err := s.reply(f, m, d.reference); err != nil {
			return 0, nil, err
		}
	}
	nonce := fmt.Sprint(d.nonce)
	if d.nonce != nil && d.enforce {
		if used, ok := c.nonces[nonce]; ok && s.clock.Now().Sub(used.at) < nonceLife {
			return http.StatusOK, used.message.json(), nil
		}
	}
	m.apply(d)
	m.flags = d.flags & settableFlags
	m.writeMentions(d.mentions, false)
	m.ping(d.mentions)
	if d.nonce != nil {
		c.keepNonce(nonce, nonceUse{m, s.clock.Now()})
	}
	s.addMessageLocked(m, x.write("create"))
	o := m.json()
	if d.nonce != nil {
		o["nonce"] = d.nonce
	}
	return http.StatusOK, o, nil
}

// keepNonce remembers a nonce and forgets those whose time is over.
func (c *Channel) keepNonce(nonce string, use nonceUse) {
	if c.nonces == nil {
		c.nonces = map[string]nonceUse{}
	}
	for k, old := range c.nonces {
		if use.at.Sub(old.at) >= nonceLife {
			delete(c.nonces, k)
		}
	}
	c.nonces[nonce] = use
}

// reply makes m a reply to the message that ref names.
func (s *Server) reply(f form, m *Message, ref map[string]any) error {
	id := fmt.Sprint(ref["message_id"])
	to := s.messages[id]
	if to == nil || to.deleted || to.channel != m.channel || to.viewer != nil {
		if ref["fail_if_not_exists"] == false {
			return nil
		}
		f.at("message_reference").fail("REPLIES_UNKNOWN_MESSAGE", "Unknown message")
		return f.err()
	}
	if m.channel.botPermissions()&PermissionReadMessageHistory == 0 {
		return &apiError{status: http.StatusForbidden, code: 160002, message: "Cannot reply without permission to read message history"}
	}
	m.kind = messageReply
	m.reference = map[string]any{"type": 0, "message_id": id, "channel_id": m.channel.id}
	return nil
}

func (s *Server) editMessage(x *exchange) (int, any, error) {
	c, m, err := s.openMessage(x)
	if err != nil {
		return 0, nil, err
	}
	switch {
	case m.author != s.bot:
		return 0, nil, errNotAuthor
	case c.archived:
		return 0, nil, errArchived
	}
	if err := s.edit(x, m); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, m.json(), nil
}

func (s *Server) deleteMessage(x *exchange) (int, any, error) {
	c, m, err := s.openMessage(x)
	if err != nil {
		return 0, nil, err
	}
	switch {
	case m.author != s.bot && c.botPermissions()&PermissionManageMessages == 0:
		return 0, nil, errMissingPermissions
	case c.archived:
		return 0, nil, errArchived
	}
	s.deleteMessageLocked(m, x.write("delete"))
	return http.StatusNoContent, nil, nil
}

func (s *Server) typing(x *exchange) (int, any, error) {
	c, err := s.openChannel(x)
	if err != nil {
		return 0, nil, err
	}
	if !c.botMayPost() {
		return 0, nil, errMissingPermissions
	}
	return http.StatusNoContent, nil, nil
}
