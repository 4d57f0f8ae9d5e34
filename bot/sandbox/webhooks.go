package sandbox

import (
	"cmp"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// maxWebhooks is how many a channel can have.
const maxWebhooks = 15

func (h *channelWebhook) json() map[string]any {
	return map[string]any{
		"id": h.id, "type": 1, "name": h.name, "avatar": nil, "channel_id": h.channel.id, "guild_id": h.channel.guild.id,
		"application_id": h.app.id, "token": h.token, "url": h.channel.world.public + "/api/webhooks/" + h.id + "/" + h.token,
	}
}

// changed tells of a webhook that was made, changed or deleted.
func (h *channelWebhook) changed() {
	c := h.channel
	c.guild.tell("WEBHOOKS_UPDATE", map[string]any{"guild_id": c.guild.id, "channel_id": c.id}, gateway.IntentWebhooks)
}

func createWebhook(w *World, x *exchange) (any, error) {
	c := x.channel
	name := x.Form.Need(x.fields, "name", 1, 80)
	switch {
	case x.Form.Err() != nil:
		return nil, x.Form.Err()
	case c.guild == nil || c.parent != nil:
		return nil, rules.ErrChannelType
	case c.botPermissions()&permission.ManageWebhooks == 0:
		return nil, rules.ErrMissingPermissions
	case len(webhooksOf(w, func(h *channelWebhook) bool { return h.channel == c })) >= maxWebhooks:
		return nil, rules.ErrMaxWebhooks
	}
	h := &channelWebhook{id: w.newID(), token: secret(51), name: name, channel: c, app: w.app}
	w.webhooks = append(w.webhooks, h)
	h.changed()
	return h.json(), nil
}

// webhooksOf lists webhooks as an application that owns them sees them.
func webhooksOf(w *World, keep func(*channelWebhook) bool) []any {
	return objects(but(w.webhooks, func(h *channelWebhook) bool { return !keep(h) }))
}

func editWebhook(w *World, x *exchange) (any, error) {
	h := x.hook
	name, named := x.Form.Text(x.fields, "name", 1, 80)
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	if named {
		h.name = name
	}
	h.changed()
	return h.json(), nil
}

func deleteWebhook(w *World, x *exchange) (any, error) {
	h := x.hook
	w.webhooks = without(w.webhooks, h)
	h.changed()
	return nil, nil
}

// execute posts a message of a webhook, of which only its token tells.
func execute(w *World, x *exchange) (any, error) {
	h := x.hook
	ch := h.channel
	if id := x.Query.Get("thread_id"); id != "" {
		if ch = w.channels[id]; ch == nil || ch.parent != h.channel {
			return nil, rules.ErrUnknownChannel
		}
	}
	name, _ := x.Form.Text(x.fields, "username", 1, 80)
	d, err := w.application().CheckMessage(x.Form, x.fields, nil, x.Files)
	if err != nil {
		return nil, err
	}
	m := newMessage(ch, hookUser(w, h.id, cmp.Or(name, h.name)))
	m.apply(d, true)
	m.body.Flags = d.Flags & rules.SettableFlags
	m.ping(d.Mentions)
	how := x.write("create")
	how.Auth = "webhook"
	m.post(how)
	if wait := x.Query.Get("wait"); wait != "true" && wait != "1" {
		return nil, nil
	}
	return m.json(), nil
}

// channelWebhook posts into one channel under names of its own.
type channelWebhook struct {
	id, token, name string
	channel         *Channel
	app             *App // that made it
}

// webhook returns the webhook of that id, nil for none.
func (p *population) webhook(id string) *channelWebhook {
	return first(p.webhooks, func(h *channelWebhook) bool { return h.id == id })
}

// hookUser is the author of a webhook's message, who is nobody's user.
func hookUser(w *World, id, name string) *User {
	return &User{world: w, id: id, username: name, is: kept.Person{Name: name, Locale: "en-US", Bot: true}, isHook: true, dms: map[*App]*Channel{}, in: map[*Guild]*member{}}
}
