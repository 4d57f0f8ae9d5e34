package sandbox

import (
	"net/http"

	"tictactoe/bot/sandbox/rules"
)

// byWebhook finds the call whose token the route carries, alive and answered.
func byWebhook(s *Server, x *exchange) (*Call, error) {
	if x.params["webhook_id"] != s.app.id {
		return nil, rules.ErrUnknownWebhook
	}
	token := x.params["webhook_token"]
	c := s.byToken[token]
	if c == nil {
		if at := tokenTime(token); !at.IsZero() && s.opt.KeepCalls >= 0 {
			return nil, rules.ErrWebhookToken // one that was forgotten because it is old
		}
		return nil, rules.ErrUnknownWebhook
	}
	if c.app != s.app {
		return nil, rules.ErrUnknownWebhook
	}
	x.call = c
	switch {
	case c.tokenDead, s.clock.Now().Sub(c.dispatched) >= s.opt.TokenLife:
		return nil, rules.ErrWebhookToken
	case c.webhookGone, c.state != CallAnswered, c.kind == InteractionAutocomplete:
		return nil, rules.ErrUnknownWebhook
	}
	return c, nil
}

// byTokenMessage finds the message of a webhook route: @original, or one that
// this very token made.
func byTokenMessage(s *Server, x *exchange) (*Call, *Message, error) {
	c, err := byWebhook(s, x)
	if err != nil {
		return nil, nil, err
	}
	if c.channel.deleted {
		return nil, nil, rules.ErrUnknownChannel
	}
	m, id := c.original, x.params["message_id"]
	if id != "" && (m == nil || m.id != id) {
		m = nil
		for _, f := range c.followUps {
			if f.id == id {
				m = f
			}
		}
	}
	if m == nil || m.deleted && !m.dismissed {
		return nil, nil, rules.ErrUnknownMessage
	}
	return c, m, nil
}

func getByToken(s *Server, x *exchange) (int, any, error) {
	_, m, err := byTokenMessage(s, x)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, m.json(), nil
}

func editByToken(s *Server, x *exchange) (int, any, error) {
	c, m, err := byTokenMessage(s, x)
	if err != nil {
		return 0, nil, err
	}
	if err := s.edit(x, m); err != nil {
		return 0, nil, err
	}
	if m == c.original {
		c.deferred = false
	}
	s.publishCallLocked(c)
	return http.StatusOK, m.json(), nil
}

func deleteByToken(s *Server, x *exchange) (int, any, error) {
	c, m, err := byTokenMessage(s, x)
	if err != nil {
		return 0, nil, err
	}
	s.deleteMessageLocked(m, x.write("delete"))
	s.publishCallLocked(c)
	return http.StatusNoContent, nil, nil
}

// followUp creates a further message for an interaction. The first one after a
// deferred answer fills that in instead and stays as private as it was.
func followUp(s *Server, x *exchange) (int, any, error) {
	c, err := byWebhook(s, x)
	if err != nil {
		return 0, nil, err
	}
	if c.channel.deleted {
		return 0, nil, rules.ErrUnknownChannel
	}
	data, err := x.object()
	if err != nil {
		return 0, nil, err
	}
	if c.deferred && (!c.original.deleted || c.original.dismissed) {
		if err := s.edit(x, c.original); err != nil {
			return 0, nil, err
		}
		c.deferred = false
		s.publishCallLocked(c)
		return http.StatusOK, c.original.json(), nil
	}
	d, err := s.application().CheckMessage(rules.NewForm(), data, nil, x.files, false)
	if err != nil {
		return 0, nil, err
	}
	// Unlike the first answer, follow-ups obey what the bot may do in a channel
	// of a guild that it is a member of; private ones post nothing.
	g := c.channel.guild
	if g != nil && g.botIn() && d.Flags&rules.FlagEphemeral == 0 && !c.channel.botMayPost() {
		return 0, nil, rules.ErrMissingPermissions
	}
	if c.channel.installedByUser() && len(c.followUps) >= rules.MaxFollowUps {
		return 0, nil, rules.ErrFollowUps
	}
	m := s.newMessage(c.channel, s.app.user)
	m.origin = c
	m.apply(d)
	m.flags = d.Flags & (rules.SettableFlags | rules.FlagEphemeral)
	if s.closedToApps(c) {
		m.flags |= rules.FlagEphemeral
	}
	if m.flags&rules.FlagEphemeral != 0 {
		m.viewer = c.user
	}
	if c.original != nil {
		m.kind = messageReply
		m.reference = map[string]any{"type": 0, "message_id": c.original.id, "channel_id": c.channel.id}
	}
	m.writeMentions(d.Mentions, true)
	m.ping(d.Mentions)
	c.followUps = append(c.followUps, m)
	s.addMessageLocked(m, x.write("create"))
	s.publishCallLocked(c)
	return http.StatusOK, m.json(), nil
}

// edit checks and applies a PATCH of a message.
func (s *Server) edit(x *exchange, m *Message) error {
	data, err := x.object()
	if err != nil {
		return err
	}
	d, err := s.application().CheckMessage(rules.NewForm(), data, m.stored(), x.files, false)
	if err != nil {
		return err
	}
	s.changeMessage(x, m, d)
	return nil
}
