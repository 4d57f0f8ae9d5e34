package sandbox

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sort"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

func createMessage(w *World, x *exchange) (any, error) {
	c := x.channel
	switch {
	case c.form == channelForum:
		return nil, rules.ErrNotText
	case c.person != nil && c.person.is.ClosedDMs:
		return nil, rules.ErrClosedDMs
	case !c.botMayPost():
		return nil, rules.ErrMissingPermissions
	case lockedFor(w.app.user, c):
		return nil, rules.ErrLocked
	}
	d, err := w.application().CheckMessage(x.Form, x.fields, nil, x.Files)
	if err != nil {
		return nil, err
	}
	may := c.botPermissions()
	if len(x.Files) > 0 && may&permission.AttachFiles == 0 || len(d.Embeds) > 0 && may&permission.EmbedLinks == 0 {
		return nil, rules.ErrMissingPermissions
	}
	m := newMessage(c, w.app.user)
	if d.Reference != nil {
		if err := reply(w, x.Form, m, d.Reference); err != nil {
			return nil, err
		}
	}
	nonce := w.app.id + " " + fmt.Sprint(d.Nonce) // of the same author, says the documentation
	if d.Nonce != nil && d.Enforce {
		switch used := c.nonces[nonce]; {
		case used == nil || m.created.Sub(used.created) >= nonceLife:
		case used.deleted: // on purpose (discord/discord-api-docs#6647)
			return nil, rules.ErrUnknownMessage
		default:
			return used.json(), nil
		}
	}
	m.apply(d, false)
	m.body.Flags = d.Flags & rules.SettableFlags
	m.ping(d.Mentions)
	if d.Nonce != nil {
		maps.DeleteFunc(c.nonces, func(_ string, old *Message) bool { return m.created.Sub(old.created) >= nonceLife })
		c.nonces[nonce] = m
	}
	m.post(x.write("create"))
	o := m.json()
	if d.Nonce != nil {
		o["nonce"] = d.Nonce
	}
	return o, nil
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
	if m.channel.botPermissions()&permission.ReadHistory == 0 {
		return &rules.Error{Status: http.StatusForbidden, Code: 160002, Message: "Cannot reply without permission to read message history"}
	}
	m.kind = messageReply
	m.reference = referenceTo(m.channel, id)
	return nil
}

func editMessage(w *World, x *exchange) (any, error) {
	c, m := x.channel, x.message
	switch {
	case m.author != w.app.user:
		return nil, rules.ErrNotAuthor
	case m.system():
		return nil, rules.ErrSystemMessage
	case c.archived:
		return nil, rules.ErrArchived
	case lockedFor(w.app.user, c):
		return nil, rules.ErrLocked // whether Discord calls it so nobody has reported
	}
	if o := w.rest.Options(); o.OldEdits > 0 && w.clock.Now().Sub(m.created) >= rules.OldMessage {
		if wait := w.rest.Limits(w.app).TakeOldEdit(c.id, o.OldEdits, o.OldEditWindow); wait > 0 {
			return nil, rules.TooManyOldEdits(wait)
		}
	}
	if err := edit(w, x, m, x.Form, x.fields); err != nil {
		return nil, err
	}
	return m.json(), nil
}

func deleteMessage(w *World, x *exchange) (any, error) {
	c, m := x.channel, x.message
	switch {
	case m.author != w.app.user && c.botPermissions()&permission.ManageMessages == 0:
		return nil, rules.ErrMissingPermissions
	case m.kind == messageThreadStarter:
		return nil, rules.ErrSystemMessage
	}
	m.deleteLocked(x.write("delete"))
	return nil, nil
}

// listMessages answers with messages of a channel, the newest first: the last ones,
// or those before, after or around a message, which need not exist.
func listMessages(w *World, x *exchange) (any, error) {
	c := x.channel
	asked := window{x.Limit(50, 100), x.Anchor("before"), x.Anchor("after"), x.Anchor("around")}
	if given := without([]string{asked.before, asked.after, asked.around}, ""); len(given) > 1 {
		x.Form.Fail("BASE_TYPE_BAD", "Only one of before, after and around can be given.")
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	if c.botPermissions()&permission.ReadHistory == 0 {
		return []any{}, nil // documented: no history, no messages
	}
	page := cut(but(c.messages, func(m *Message) bool { return m.deleted || m.viewer != nil }), (*Message).ID, asked)
	slices.Reverse(page)
	return each(page, func(m *Message) any { return m.readBy(w.app.readsContent()) }), nil
}

// window is the part of a list by ids that a request asks for: so many of it before, after or around an
// id, which need not be there. Without one they are the last.
type window struct {
	limit                 int
	before, after, around string
}

// beginning is older than any id.
const beginning = "0"

// cut cuts a window out of a list that is sorted by id.
func cut[T any](list []T, id func(T) string, asked window) []T {
	from := func(anchor string) int { // the first that is not older
		return sort.Search(len(list), func(i int) bool { return !rules.OlderID(id(list[i]), anchor) })
	}
	high := len(list)
	if asked.before != "" {
		high = from(asked.before)
	}
	low := high - asked.limit
	switch {
	case asked.after != "":
		low = sort.Search(high, func(i int) bool { return rules.OlderID(asked.after, id(list[i])) })
		high = min(high, low+asked.limit)
	case asked.around != "":
		low = from(asked.around) - asked.limit/2
		high = low + asked.limit
	}
	return list[max(low, 0):min(high, len(list))]
}

// oldestBulk is how old a message may be that is deleted together with others.
const oldestBulk = 14 * 24 * time.Hour

func bulkDelete(w *World, x *exchange) (any, error) {
	c := x.channel
	list, _ := x.Form.NeedList(x.fields, "messages", 2, 100)
	var gone []*Message
	for i, v := range list {
		id, ok := x.Form.At("messages").At(i).Snowflake(v)
		if !ok {
			continue
		}
		if w.clock.Now().Sub(rules.SnowflakeTime(id)) > oldestBulk {
			return nil, rules.ErrOldMessages
		}
		// Ids of messages that do not exist count, and delete nothing.
		if m := w.messages[id]; m != nil && m.channel == c && !m.deleted && m.viewer == nil && !slices.Contains(gone, m) {
			gone = append(gone, m)
		}
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	for _, m := range gone {
		m.remove(x.write("delete"))
	}
	if len(gone) > 0 {
		o := map[string]any{"ids": each(gone, (*Message).ID), "channel_id": c.id, "guild_id": c.guild.id}
		c.guild.tell("MESSAGE_DELETE_BULK", o, gateway.IntentGuildMessages)
	}
	return nil, nil
}
