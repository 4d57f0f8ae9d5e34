package sandbox

import (
	"net/http"

	"tictactoe/bot/sandbox/rules"
)

func getByToken(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.message.json(), nil
}

func editByToken(w *World, x *exchange) (int, any, error) {
	if err := closedToTokens(x.message.channel); x.call != nil && err != nil {
		return 0, nil, err
	}
	if err := edit(w, x, x.message); err != nil {
		return 0, nil, err
	}
	if c := x.call; c != nil {
		if x.message == c.original {
			c.deferred = false
		}
		w.publishCallLocked(c)
	}
	return http.StatusOK, x.message.json(), nil
}

func deleteByToken(w *World, x *exchange) (int, any, error) {
	w.deleteMessageLocked(x.message, x.write("delete"))
	if x.call != nil {
		w.publishCallLocked(x.call)
	}
	return http.StatusNoContent, nil, nil
}

// postByToken posts a message of a channel's webhook, or for an interaction.
func postByToken(w *World, x *exchange) (int, any, error) {
	if x.hook != nil {
		return execute(w, x)
	}
	return followUp(w, x)
}

// followUp creates a further message for an interaction. The first one after a
// deferred answer fills that in instead and stays as private as it was.
func followUp(w *World, x *exchange) (int, any, error) {
	c := x.call
	data := x.fields
	if err := closedToTokens(c.channel); err != nil {
		return 0, nil, err
	}
	if c.deferred && (!c.original.deleted || c.original.dismissed) {
		if err := edit(w, x, c.original); err != nil {
			return 0, nil, err
		}
		c.deferred = false
		w.publishCallLocked(c)
		return http.StatusOK, c.original.json(), nil
	}
	d, err := w.application().CheckMessage(rules.NewForm(), data, nil, x.Files)
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
	m := w.newMessage(c.channel, w.app.user)
	m.origin = c
	m.apply(d)
	m.flags = d.Flags & (rules.SettableFlags | rules.FlagEphemeral)
	if w.closedToApps(c) {
		m.flags |= rules.FlagEphemeral
	}
	if m.flags&rules.FlagEphemeral != 0 {
		m.viewer = c.user
	}
	if c.original != nil {
		m.kind = messageReply
		m.reference = referenceTo(c.channel, c.original.id)
	}
	m.writeMentions(d.Mentions, true)
	m.ping(d.Mentions)
	c.followUps = append(c.followUps, m)
	w.addMessageLocked(m, x.write("create"))
	w.publishCallLocked(c)
	return http.StatusOK, m.json(), nil
}

// edit checks and applies a PATCH of a message.
func edit(w *World, x *exchange, m *Message) error {
	data, err := x.Object()
	if err != nil {
		return err
	}
	d, err := w.application().CheckMessage(rules.NewForm(), data, m.stored(), x.Files)
	if err != nil {
		return err
	}
	changeMessage(w, x, m, d)
	return nil
}
