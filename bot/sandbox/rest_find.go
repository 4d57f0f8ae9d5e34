package sandbox

import (
	"slices"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// about is what a request is about, as far as its route finds it.
type about struct {
	guild    *Guild
	channel  *Channel
	message  *Message
	user     *User // in the guild, or banned from it
	role     *Role
	reaction rules.Emoji
	emoji    *appEmoji
	hook     *channelWebhook
	scope    string // of commands: the guild's id, empty for global ones
	command  *rules.Command
	fields   map[string]any // of its body
}

// find finds what a request is about, or says why the bot cannot have it.
type find func(*World, *exchange) error

// all finds one after the other.
func all(finds ...find) find {
	return func(w *World, x *exchange) error {
		for _, f := range finds {
			if err := f(w, x); err != nil {
				return err
			}
		}
		return nil
	}
}

// may demands that the bot has a permission in the channel that was found, or else in
// the guild.
func may(bit int64) find {
	return func(_ *World, x *exchange) error {
		if x.channel != nil && x.channel.botPermissions()&bit == 0 || x.channel == nil && !x.guild.botMay(bit) {
			return rules.ErrMissingPermissions
		}
		return nil
	}
}

// object demands a body that is an object, if there is one.
func object(_ *World, x *exchange) (err error) {
	x.fields, err = x.Object()
	return err
}

// openGuild finds the route's guild if the bot is in it.
func openGuild(w *World, x *exchange) error {
	i := slices.IndexFunc(w.guilds, func(g *Guild) bool { return g.id == x.Params["guild_id"] && !g.deleted })
	switch {
	case i < 0:
		return rules.ErrUnknownGuild
	case !w.guilds[i].botIn():
		return rules.ErrMissingAccess
	}
	x.guild = w.guilds[i]
	return nil
}

// openUser finds the route's person.
func openUser(w *World, x *exchange) error {
	if x.user = w.users[x.Params["user_id"]]; x.user == nil {
		return rules.ErrUnknownUser
	}
	return nil
}

// openMember finds the route's guild and a member of it.
var openMember = all(openGuild, openUser, func(_ *World, x *exchange) error {
	if !x.guild.hasMember(x.user) {
		return rules.ErrUnknownMember
	}
	return nil
})

// openRole finds a role of the guild that was found.
func openRole(_ *World, x *exchange) error {
	if x.role = x.guild.roleByID(x.Params["role_id"]); x.role == nil {
		return rules.ErrUnknownRole
	}
	return nil
}

// openBans finds the route's guild, of which the bot may read and end bans.
var openBans = all(openGuild, may(permission.BanMembers))

// openChannel finds the route's channel if the bot can see it.
func openChannel(w *World, x *exchange) error {
	c := w.channels[x.Params["channel_id"]]
	switch {
	case c == nil || c.deleted:
		return rules.ErrUnknownChannel
	case !c.visibleTo(w.app.user):
		return rules.ErrMissingAccess
	}
	x.channel = c
	return nil
}

// openThread finds the route's channel, which must be a thread.
var openThread = all(openChannel, func(_ *World, x *exchange) error {
	if x.channel.parent == nil {
		return rules.ErrChannelType
	}
	return nil
})

// openMessage finds the route's channel and message. Private ones are reached by their
// token alone.
var openMessage = all(openChannel, messageInChannel)

func messageInChannel(w *World, x *exchange) error {
	m := w.messages[x.Params["message_id"]]
	if m == nil || m.channel != x.channel || m.deleted || m.viewer != nil {
		return rules.ErrUnknownMessage
	}
	x.message = m
	return nil
}

// readMessage finds the route's message where the bot may read history.
var readMessage = all(openChannel, func(_ *World, x *exchange) error {
	if x.channel.botPermissions()&PermissionReadMessageHistory == 0 {
		return rules.ErrMissingAccess
	}
	return nil
}, messageInChannel)

// openReaction finds the route's message and emoji.
var openReaction = all(openMessage, may(PermissionReadMessageHistory), func(w *World, x *exchange) (err error) {
	ok := false
	if x.reaction, ok = w.emoji(x.Params["emoji_name"]); !ok {
		err = rules.ErrUnknownEmoji
	}
	return err
})

// openApp demands that the route's application is the one that asks.
func openApp(w *World, x *exchange) error {
	if x.Params["application_id"] != w.app.id {
		return rules.ErrMissingAccess
	}
	return nil
}

// openEmoji finds the route's emoji of the route's application.
var openEmoji = all(openApp, func(w *World, x *exchange) error {
	i := slices.IndexFunc(w.app.emojis, func(e *appEmoji) bool { return e.id == x.Params["emoji_id"] })
	if i < 0 {
		return rules.ErrNoEmoji
	}
	x.emoji = w.app.emojis[i]
	return nil
})

// openCommands finds the guild whose commands the route is about, if it names one.
var openCommands = all(openApp, func(w *World, x *exchange) error {
	x.scope = x.Params["guild_id"]
	if x.scope != "" && openGuild(w, x) != nil {
		return rules.ErrMissingAccess
	}
	return nil
})

// openCommand finds the route's command.
var openCommand = all(openCommands, func(w *World, x *exchange) error {
	list := w.app.commands.scopes[x.scope]
	i := slices.IndexFunc(list, func(c *rules.Command) bool { return c.ID == x.Params["command_id"] })
	if i < 0 {
		return rules.ErrUnknownCommand
	}
	x.command = list[i]
	return nil
})

// openWebhook finds the route's webhook of a channel, by its token if the route has one.
func openWebhook(w *World, x *exchange) error {
	h := w.webhook(x.Params["webhook_id"])
	token, byToken := x.Params["webhook_token"]
	switch {
	case h == nil:
		return rules.ErrUnknownWebhook
	case byToken && token != h.token:
		return rules.ErrWebhookToken
	case !byToken && h.channel.botPermissions()&permission.ManageWebhooks == 0:
		return rules.ErrMissingPermissions
	}
	x.hook = h
	return nil
}

// openCall finds the interaction whose token the route carries, alive and answered.
func openCall(w *World, x *exchange) error {
	if x.Params["webhook_id"] != w.app.id {
		return rules.ErrUnknownWebhook
	}
	token := x.Params["webhook_token"]
	c := w.byToken[token]
	if c == nil {
		if at := tokenTime(token); !at.IsZero() && w.opt.KeepCalls >= 0 {
			return rules.ErrWebhookToken // one that was forgotten because it is old
		}
		return rules.ErrUnknownWebhook
	}
	if c.app != w.app {
		return rules.ErrUnknownWebhook
	}
	x.isFor(c)
	switch {
	case c.tokenFails != nil:
		return c.tokenFails
	case w.clock.Now().Sub(c.dispatched) >= w.opt.TokenLife:
		return rules.ErrWebhookToken
	case c.state != CallAnswered, c.kind == InteractionAutocomplete:
		return rules.ErrUnknownWebhook
	case c.channel.deleted:
		return rules.ErrUnknownChannel
	}
	return nil
}

// openOriginal finds the message of an interaction that the route calls @original, or
// another one that this very token made.
var openOriginal = all(openCall, func(_ *World, x *exchange) error {
	m, id := x.call.original, x.Params["message_id"]
	if id != "" && (m == nil || m.id != id) {
		m = nil
		for _, f := range x.call.followUps {
			if f.id == id {
				m = f
			}
		}
	}
	if m == nil || m.deleted && !m.dismissed {
		return rules.ErrUnknownMessage
	}
	x.message = m
	return nil
})

// openHookMessage finds a message that the route's webhook has made.
var openHookMessage = all(openWebhook, func(w *World, x *exchange) error {
	m := w.messages[x.Params["message_id"]]
	if m == nil || m.deleted || m.author.id != x.hook.id {
		return rules.ErrUnknownMessage
	}
	x.message = m
	return nil
})

// byToken is for routes that interaction tokens share with webhooks of channels.
func byToken(interaction, hook find) find {
	return func(w *World, x *exchange) error {
		if w.webhook(x.Params["webhook_id"]) != nil {
			return hook(w, x)
		}
		return interaction(w, x)
	}
}
