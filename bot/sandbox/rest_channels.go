package sandbox

import (
	"fmt"
	"net/http"
	"time"

	"tictactoe/bot/sandbox/rules"
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

func getChannel(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.channel.json(), nil
}

// contentFor is the message with the one that it answers, without texts where the privileged intent for
// message content would be needed.
func (w *World) contentFor(m *Message) map[string]any {
	o := w.readable(m, m.json())
	if m.kind != messageReply && m.kind != messageThreadStarter {
		return o
	}
	o["referenced_message"] = nil
	ref, _ := m.reference.(map[string]any)
	id, _ := ref["message_id"].(string)
	if to := w.messages[id]; to != nil && !to.deleted {
		o["referenced_message"] = w.readable(to, to.json())
	}
	return o
}

// readable takes the text out of a message's object that the bot may not read.
func (w *World) readable(m *Message, o map[string]any) map[string]any {
	mentioned := containsID(m.mentions, w.app.user)
	if m.author == w.app.user || mentioned || m.channel.guild == nil || w.app.intents&intentMessageContent != 0 {
		return o
	}
	o["content"], o["embeds"], o["components"], o["attachments"] = "", []any{}, []any{}, []any{}
	return o
}

func getMessage(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, w.contentFor(x.message), nil
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
	case c.archived && c.locked:
		return 0, nil, rules.ErrLocked
	}
	data, err := x.object()
	if err != nil {
		return 0, nil, err
	}
	f := rules.NewForm()
	d, err := w.application().CheckMessage(f, data, nil, x.files, false)
	if err != nil {
		return 0, nil, err
	}
	if len(x.files) > 0 && c.botPermissions()&PermissionAttachFiles == 0 {
		return 0, nil, rules.ErrMissingPermissions
	}
	if len(d.Embeds) > 0 && c.botPermissions()&PermissionEmbedLinks == 0 {
		return 0, nil, rules.ErrMissingPermissions
	}
	m := w.newMessage(c, w.app.user)
	if d.Reference != nil {
		if err := w.reply(f, m, d.Reference); err != nil {
			return 0, nil, err
		}
	}
	nonce := fmt.Sprint(d.Nonce)
	if d.Nonce != nil && d.Enforce {
		if used, ok := c.nonces[nonce]; ok && w.clock.Now().Sub(used.at) < nonceLife {
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
func (w *World) reply(f rules.Form, m *Message, ref map[string]any) error {
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
	m.reference = map[string]any{"type": 0, "message_id": id, "channel_id": m.channel.id}
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
	}
	if w.opt.OldEdits > 0 && w.clock.Now().Sub(m.created) >= rules.OldMessage {
		if wait := w.app.limits.TakeOldEdit(c.id, w.opt.OldEdits, w.opt.OldEditWindow); wait > 0 {
			return 0, nil, rules.TooManyOldEdits(wait)
		}
	}
	if err := w.edit(x, m); err != nil {
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

// typingLocked tells that somebody writes.
func (w *World) typingLocked(c *Channel, u *User) {
	o := map[string]any{"user_id": u.id, "timestamp": w.clock.Now().Unix()}
	if c.guild != nil {
		o["member"] = c.guild.memberJSON(u, nil, true)
	}
	w.tellOfChannelLocked("TYPING_START", o, c, intentGuildTyping, intentDirectTyping)
}
