package sandbox

import (
	"net/http"
	"slices"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/rules"
)

// listMessages answers with messages of a channel, the newest first: the last ones,
// or those before, after or around a message, which need not exist.
func listMessages(w *World, x *exchange) (int, any, error) {
	c := x.channel
	limit, err := x.Limit(50, 100)
	if err != nil {
		return 0, nil, err
	}
	at := map[string]string{}
	for _, name := range []string{"before", "after", "around"} {
		id, err := x.Anchor(name)
		if err != nil {
			return 0, nil, err
		}
		if id != "" {
			at[name] = id
		}
	}
	if len(at) > 1 {
		f := rules.NewForm()
		f.Fail("BASE_TYPE_BAD", "Only one of before, after and around can be given.")
		return 0, nil, f.Err()
	}
	out := []any{}
	if c.botPermissions()&PermissionReadMessageHistory == 0 {
		return http.StatusOK, out, nil // documented: no history, no messages
	}
	for _, m := range slices.Backward(pageOf(c, at, limit)) {
		out = append(out, w.contentFor(m, w.app.readsContent()))
	}
	return http.StatusOK, out, nil
}

// pageOf is the part of the channel's messages that a request asks for, oldest first.
func pageOf(c *Channel, at map[string]string, limit int) []*Message {
	var all []*Message
	for _, m := range c.messages {
		if !m.deleted && m.viewer == nil {
			all = append(all, m)
		}
	}
	from := func(id string) int { // the first that is not older than id
		i := slices.IndexFunc(all, func(m *Message) bool { return !rules.OlderID(m.id, id) })
		if i < 0 {
			i = len(all)
		}
		return i
	}
	low, high := len(all)-limit, len(all)
	switch {
	case at["before"] != "":
		high = from(at["before"])
		low = high - limit
	case at["after"] != "":
		low = from(at["after"])
		if low < len(all) && all[low].id == at["after"] {
			low++
		}
		high = low + limit
	case at["around"] != "":
		low = from(at["around"]) - limit/2
		high = low + limit
	}
	return all[min(max(low, 0), len(all)):min(max(high, 0), len(all))]
}

// oldestBulk is how old a message may be that is deleted together with others.
const oldestBulk = 14 * 24 * time.Hour

func bulkDelete(w *World, x *exchange) (int, any, error) {
	c := x.channel
	o := x.fields
	if c.guild == nil || c.botPermissions()&PermissionManageMessages == 0 {
		return 0, nil, rules.ErrMissingPermissions
	}
	f := rules.NewForm()
	list, ok := f.List(o, "messages", 2, 100)
	if !ok && f.Err() == nil {
		f.At("messages").Missing()
	}
	var gone []*Message
	ids := []any{}
	for i, v := range list {
		id, ok := f.At("messages").At(i).Snowflake(v)
		if !ok {
			continue
		}
		if w.clock.Now().Sub(rules.SnowflakeTime(id)) > oldestBulk {
			return 0, nil, rules.ErrOldMessages
		}
		// Ids of messages that do not exist count, and delete nothing.
		if m := w.messages[id]; m != nil && m.channel == c && !m.deleted && m.viewer == nil && !slices.Contains(gone, m) {
			gone = append(gone, m)
			ids = append(ids, id)
		}
	}
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	for _, m := range gone {
		w.removeMessageLocked(m, x.write("delete"))
	}
	if len(gone) > 0 {
		w.tellAppsLocked("MESSAGE_DELETE_BULK", map[string]any{"ids": ids, "channel_id": c.id, "guild_id": c.guild.id}, c.guild, gateway.IntentGuildMessages)
	}
	return http.StatusNoContent, nil, nil
}

func pinMessage(w *World, x *exchange) (int, any, error) {
	c, m := x.channel, x.message
	switch {
	case !c.mayPin(w.app.user):
		return 0, nil, rules.ErrMissingPermissions
	case c.archived:
		return 0, nil, rules.ErrArchived
	case m.system():
		return 0, nil, rules.ErrSystemMessage
	case !m.pinned.IsZero():
		return http.StatusNoContent, nil, nil
	case len(c.pins()) >= rules.MaxPins:
		return 0, nil, rules.ErrMaxPins
	}
	w.pinLocked(m, w.app.user)
	return http.StatusNoContent, nil, nil
}

func unpinMessage(w *World, x *exchange) (int, any, error) {
	c, m := x.channel, x.message
	switch {
	case !c.mayPin(w.app.user):
		return 0, nil, rules.ErrMissingPermissions
	case !m.pinned.IsZero():
		m.pinned = time.Time{}
		w.pinsChangedLocked(m)
	}
	return http.StatusNoContent, nil, nil
}

// listPins is the older of two routes: all pinned messages, without their times.
func listPins(w *World, x *exchange) (int, any, error) {
	c := x.channel
	out := []any{}
	if c.botPermissions()&PermissionReadMessageHistory != 0 {
		for _, m := range c.pins() {
			out = append(out, w.contentFor(m, w.app.readsContent()))
		}
	}
	return http.StatusOK, out, nil
}

func listPinned(w *World, x *exchange) (int, any, error) {
	c := x.channel
	limit, err := x.Limit(50, 50)
	if err != nil {
		return 0, nil, err
	}
	before := time.Time{}
	if q := x.Query.Get("before"); q != "" {
		if before, err = time.Parse(time.RFC3339, q); err != nil {
			f := rules.NewForm("before")
			f.Fail("DATETIME_PARSE_ERROR", "Could not parse %s. Should be ISO8601.", q)
			return 0, nil, f.Err()
		}
	}
	items, more := []any{}, false
	for _, m := range c.pins() {
		switch {
		case c.botPermissions()&PermissionReadMessageHistory == 0, !before.IsZero() && !m.pinned.Before(before):
		case len(items) == limit:
			more = true
		default:
			items = append(items, map[string]any{"pinned_at": isoTime(m.pinned), "message": w.contentFor(m, w.app.readsContent())})
		}
	}
	return http.StatusOK, map[string]any{"items": items, "has_more": more}, nil
}
