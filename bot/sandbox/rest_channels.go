package sandbox

import (
	"fmt"
	"net/http"

	"tictactoe/bot/sandbox/rules"
)

func getChannel(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.channel.json(), nil
}

func getMessage(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, w.contentFor(x.message, w.app.readsContent()), nil
}

func createMessage(w *World, x *exchange) (int, any, error) {
	c := x.channel
	switch {
	case c.form == channelForum:
		return 0, nil, rules.ErrNotText
	case c.person != nil && c.person.closedDMs:
		return 0, nil, rules.ErrClosedDMs
	case !c.botMayPost():
		return 0, nil, rules.ErrMissingPermissions
	case lockedFor(w.app.user, c):
		return 0, nil, rules.ErrLocked
	}
	data, err := x.Object()
	if err != nil {
		return 0, nil, err
	}
	f := rules.NewForm()
	d, err := w.application().CheckMessage(f, data, nil, x.Files)
	if err != nil {
		return 0, nil, err
	}
	if len(x.Files) > 0 && c.botPermissions()&PermissionAttachFiles == 0 {
		return 0, nil, rules.ErrMissingPermissions
	}
	if len(d.Embeds) > 0 && c.botPermissions()&PermissionEmbedLinks == 0 {
		return 0, nil, rules.ErrMissingPermissions
	}
	m := w.newMessage(c, w.app.user)
	if d.Reference != nil {
		if err := reply(w, f, m, d.Reference); err != nil {
			return 0, nil, err
		}
	}
	nonce := w.app.id + " " + fmt.Sprint(d.Nonce) // of the same author, says the documentation
	if d.Nonce != nil && d.Enforce {
		used, ok := c.nonces[nonce]
		switch {
		case !ok || w.clock.Now().Sub(used.at) >= nonceLife:
		case used.message.deleted: // on purpose (discord/discord-api-docs#6647)
			return 0, nil, rules.ErrUnknownMessage
		default:
			return http.StatusOK, used.message.json(), nil
		}
	}
	m.apply(d)
	m.flags = d.Flags & rules.SettableFlags
	m.writeMentions(d.Mentions, false)
	m.ping(d.Mentions)
	if d.Nonce != nil {
		c.keepNonce(nonce, nonceUse{m, w.clock.Now()})
	}
	w.addMessageLocked(m, x.write("create"))
	o := m.json()
	if d.Nonce != nil {
		o["nonce"] = d.Nonce
	}
	return http.StatusOK, o, nil
}

// reply makes m a reply to the message that ref names.
func reply(w *World, f rules.Form, m *Message, ref map[string]any) error {
	id := fmt.Sprint(ref["message_id"])
	to := w.messages[id]
	if to == nil || to.deleted || to.channel != m.channel || to.viewer != nil {
		if ref["fail_if_not_exists"] == false {
			return nil
		}
		f.At("message_reference").Fail("REPLIES_UNKNOWN_MESSAGE", "Unknown message")
		return f.Err()
	}
	if m.channel.botPermissions()&PermissionReadMessageHistory == 0 {
		return &rules.Error{Status: http.StatusForbidden, Code: 160002, Message: "Cannot reply without permission to read message history"}
	}
	m.kind = messageReply
	m.reference = referenceTo(m.channel, id)
	return nil
}

func editMessage(w *World, x *exchange) (int, any, error) {
	c, m := x.channel, x.message
	switch {
	case m.author != w.app.user:
		return 0, nil, rules.ErrNotAuthor
	case m.system():
		return 0, nil, rules.ErrSystemMessage
	case c.archived:
		return 0, nil, rules.ErrArchived
	case lockedFor(w.app.user, c):
		return 0, nil, rules.ErrLocked // whether Discord calls it so nobody has reported
	}
	if o := x.rest.Options(); o.OldEdits > 0 && w.clock.Now().Sub(m.created) >= rules.OldMessage {
		if wait := x.rest.Limits(w.app).TakeOldEdit(c.id, o.OldEdits, o.OldEditWindow); wait > 0 {
			return 0, nil, rules.TooManyOldEdits(wait)
		}
	}
	if err := edit(w, x, m); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, m.json(), nil
}

func deleteMessage(w *World, x *exchange) (int, any, error) {
	c, m := x.channel, x.message
	switch {
	case m.author != w.app.user && c.botPermissions()&PermissionManageMessages == 0:
		return 0, nil, rules.ErrMissingPermissions
	case m.kind == messageThreadStarter:
		return 0, nil, rules.ErrSystemMessage
	}
	w.deleteMessageLocked(m, x.write("delete"))
	return http.StatusNoContent, nil, nil
}

func typing(w *World, x *exchange) (int, any, error) {
	if !x.channel.botMayPost() {
		return 0, nil, rules.ErrMissingPermissions
	}
	w.typingLocked(x.channel, w.app.user)
	return http.StatusNoContent, nil, nil
}
