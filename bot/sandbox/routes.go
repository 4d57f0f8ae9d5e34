package sandbox

import (
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/operations"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// endpoints are the routes that are served, by the templates of Discord's API
// description.
var endpoints = []endpoint{
	{method: "GET", template: "/gateway", auth: rest.AuthNone, serve: shows(func(_ *World, x *exchange) any { return map[string]any{"url": gateway.At(x.Request.Host)} })},
	{method: "GET", template: "/gateway/bot", serve: shows(func(w *World, x *exchange) any { return w.gateway.Bot(x.Request.Host) })},
	{method: "GET", template: "/users/@me", serve: getMe},
	{method: "GET", template: "/users/@me/guilds", serve: getMyGuilds},
	{method: "POST", template: "/users/@me/channels", find: object, serve: createDM},
	{method: "GET", template: "/users/{user_id}", find: openUser, serve: shows(func(_ *World, x *exchange) any { return x.user.json() })},
	{method: "GET", template: "/oauth2/applications/@me", serve: getApplication},
	{method: "GET", template: "/applications/@me", serve: getApplication},
	{method: "PATCH", template: "/applications/@me", find: object, before: (*REST).tryEndpoint, serve: editApplication},

	{method: "GET", template: "/applications/{application_id}/commands", find: openCommands, serve: listCommands},
	{method: "POST", template: "/applications/{application_id}/commands", find: all(openCommands, object), serve: createCommand},
	{method: "PUT", template: "/applications/{application_id}/commands", find: openCommands, serve: overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/commands/{command_id}", find: openCommand, serve: shows(func(_ *World, x *exchange) any { return x.command })},
	{method: "PATCH", template: "/applications/{application_id}/commands/{command_id}", find: all(openCommand, object), serve: editCommand},
	{method: "DELETE", template: "/applications/{application_id}/commands/{command_id}", find: openCommand, serve: deleteCommand},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands", find: openCommands, serve: listCommands},
	{method: "POST", template: "/applications/{application_id}/guilds/{guild_id}/commands", find: all(openCommands, object), serve: createCommand},
	{method: "PUT", template: "/applications/{application_id}/guilds/{guild_id}/commands", find: openCommands, serve: overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/permissions", find: openCommands, serve: emptyList},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", find: openCommand, serve: shows(func(_ *World, x *exchange) any { return x.command })},
	{method: "PATCH", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", find: all(openCommand, object), serve: editCommand},
	{method: "DELETE", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", find: openCommand, serve: deleteCommand},

	{method: "POST", template: "/interactions/{interaction_id}/{interaction_token}/callback", auth: rest.AuthToken, serve: callback},
	{method: "POST", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: all(byToken(openCall, openWebhook), object), serve: postByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: rest.AuthToken, find: openOriginal, serve: shows(func(_ *World, x *exchange) any { return x.message.json() })},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: rest.AuthToken, find: all(openOriginal, object), serve: editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: rest.AuthToken, find: openOriginal, serve: deleteByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: rest.AuthToken, find: byToken(openOriginal, openHookMessage), serve: shows(func(_ *World, x *exchange) any { return x.message.json() })},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: rest.AuthToken, find: all(byToken(openOriginal, openHookMessage), object), serve: editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: rest.AuthToken, find: byToken(openOriginal, openHookMessage), serve: deleteByToken},

	{method: "GET", template: "/channels/{channel_id}", find: openChannel, serve: shows(func(_ *World, x *exchange) any { return x.channel.json() })},
	{method: "GET", template: "/channels/{channel_id}/messages", find: openChannel, serve: listMessages},
	{method: "POST", template: "/channels/{channel_id}/messages", find: all(openChannel, object), serve: createMessage},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}", find: readMessage, serve: shows(func(w *World, x *exchange) any { return x.message.readBy(w.app.readsContent()) })},
	{method: "PATCH", template: "/channels/{channel_id}/messages/{message_id}", find: all(openMessage, object), serve: editMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}", find: openMessage, serve: deleteMessage},
	{method: "POST", template: "/channels/{channel_id}/typing", find: openChannel, serve: typing},

	{method: "GET", template: "/guilds/{guild_id}", find: openGuild, serve: shows(func(_ *World, x *exchange) any { return x.guild.json() })},
	{method: "GET", template: "/guilds/{guild_id}/channels", find: openGuild, serve: getGuildChannels},
	{method: "GET", template: "/guilds/{guild_id}/members/{user_id}", find: openMember, serve: shows(func(_ *World, x *exchange) any { return x.guild.memberJSON(x.user, nil, true) })},

	{method: "PATCH", template: "/users/@me", find: object, serve: editMe},
	{method: "GET", template: "/applications/{application_id}/emojis", find: openApp, serve: listEmojis},
	{method: "POST", template: "/applications/{application_id}/emojis", find: all(openApp, object), serve: createEmoji},
	{method: "GET", template: "/applications/{application_id}/emojis/{emoji_id}", find: openEmoji, serve: shows(func(w *World, x *exchange) any { return appEmojiJSON(w, x.emoji) })},
	{method: "PATCH", template: "/applications/{application_id}/emojis/{emoji_id}", find: all(openEmoji, object), serve: editEmoji},
	{method: "DELETE", template: "/applications/{application_id}/emojis/{emoji_id}", find: openEmoji, serve: deleteEmoji},
	{method: "GET", template: "/applications/{application_id}/entitlements", find: openApp, serve: emptyList},

	{method: "PATCH", template: "/channels/{channel_id}", find: all(openChannel, object), serve: editChannel},
	{method: "DELETE", template: "/channels/{channel_id}", find: openChannel, serve: deleteChannel},
	{method: "PUT", template: "/channels/{channel_id}/permissions/{overwrite_id}", find: all(openOverwrites, object), serve: putOverwrite},
	{method: "DELETE", template: "/channels/{channel_id}/permissions/{overwrite_id}", find: openOverwrites, serve: deleteOverwrite},
	{method: "GET", template: "/channels/{channel_id}/invites", find: openChannel, serve: emptyList},
	{method: "POST", template: "/channels/{channel_id}/messages/bulk-delete", find: all(openChannel, object, may(permission.ManageMessages)), serve: bulkDelete},
	{method: "GET", template: "/channels/{channel_id}/messages/pins", find: openChannel, serve: listPinned},
	{method: "PUT", template: "/channels/{channel_id}/messages/pins/{message_id}", find: openMessage, serve: pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/pins/{message_id}", find: openMessage, serve: unpinMessage},
	{method: "GET", template: "/channels/{channel_id}/pins", find: openChannel, serve: listPins},
	{method: "PUT", template: "/channels/{channel_id}/pins/{message_id}", find: openMessage, serve: pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/pins/{message_id}", find: openMessage, serve: unpinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions", find: all(openMessage, may(permission.ManageMessages)), serve: clearReactions},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", find: openReaction, serve: listReactions},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", find: all(openMessage, may(permission.ManageMessages)), serve: clearReactions},
	{method: "PUT", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", find: openReaction, serve: addReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", find: openReaction, serve: removeReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}", find: all(openReaction, openUser), serve: removeReaction},
	{method: "POST", template: "/channels/{channel_id}/messages/{message_id}/threads", find: all(openMessage, object), serve: createThread},
	{method: "POST", template: "/channels/{channel_id}/threads", find: all(openChannel, object), serve: createThread},
	{method: "GET", template: "/channels/{channel_id}/thread-members", find: openThread, serve: listThreadMembers},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/@me", find: all(openThread, self), serve: addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/@me", find: all(openThread, self), serve: removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/thread-members/{user_id}", find: all(openThread, somebody), serve: getThreadMember},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/{user_id}", find: all(openThread, somebody), serve: addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/{user_id}", find: all(openThread, somebody), serve: removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/public", find: openChannel, serve: listArchivedThreads(false, false)},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/private", find: openChannel, serve: listArchivedThreads(true, false)},
	{method: "GET", template: "/channels/{channel_id}/users/@me/threads/archived/private", find: openChannel, serve: listArchivedThreads(true, true)},
	{method: "GET", template: "/channels/{channel_id}/webhooks", find: all(openChannel, may(permission.ManageWebhooks)), serve: shows(func(w *World, x *exchange) any {
		return webhooksOf(w, func(h *channelWebhook) bool { return h.channel == x.channel })
	})},
	{method: "POST", template: "/channels/{channel_id}/webhooks", find: all(openChannel, object), serve: createWebhook},

	{method: "POST", template: "/guilds/{guild_id}/channels", find: all(openGuild, may(permission.ManageChannels), object), serve: createChannel},
	{method: "GET", template: "/guilds/{guild_id}/threads/active", find: openGuild, serve: shows(func(w *World, x *exchange) any { return threadsJSON(w, activeThreads(x.guild)) })},
	{method: "GET", template: "/guilds/{guild_id}/members", find: openGuild, serve: listMembers},
	{method: "GET", template: "/guilds/{guild_id}/members/search", find: openGuild, serve: searchMembers},
	{method: "PATCH", template: "/guilds/{guild_id}/members/@me", find: all(openGuild, self, object), serve: editMember},
	{method: "PATCH", template: "/guilds/{guild_id}/members/{user_id}", find: all(openMember, object), serve: editMember},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}", find: openMember, serve: kick},
	{method: "PUT", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", find: all(openMember, openRole), serve: setMemberRole((*User).giveLocked)},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", find: all(openMember, openRole), serve: setMemberRole((*User).takeLocked)},
	{method: "GET", template: "/guilds/{guild_id}/bans", find: openBans, serve: shows(func(_ *World, x *exchange) any { return each(x.guild.banned, banJSON) })},
	{method: "GET", template: "/guilds/{guild_id}/bans/{user_id}", find: all(openBans, openUser), serve: getBan},
	{method: "PUT", template: "/guilds/{guild_id}/bans/{user_id}", find: all(openBans, openUser), serve: putBan},
	{method: "DELETE", template: "/guilds/{guild_id}/bans/{user_id}", find: all(openBans, openUser), serve: deleteBan},
	{method: "GET", template: "/guilds/{guild_id}/roles", find: openGuild, serve: shows(func(_ *World, x *exchange) any { return objects(x.guild.roles) })},
	{method: "POST", template: "/guilds/{guild_id}/roles", find: all(openGuild, may(permission.ManageRoles), object), serve: createRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles", find: openGuild, serve: moveRoles},
	{method: "GET", template: "/guilds/{guild_id}/roles/{role_id}", find: all(openGuild, openRole), serve: shows(func(_ *World, x *exchange) any { return x.role.json() })},
	{method: "PATCH", template: "/guilds/{guild_id}/roles/{role_id}", find: all(openGuild, openRole, object), serve: editRole},
	{method: "DELETE", template: "/guilds/{guild_id}/roles/{role_id}", find: all(openGuild, openRole), serve: deleteRole},
	{method: "GET", template: "/guilds/{guild_id}/webhooks", find: all(openGuild, may(permission.ManageWebhooks)), serve: shows(func(w *World, x *exchange) any {
		return webhooksOf(w, func(h *channelWebhook) bool { return h.channel.guild == x.guild })
	})},
	{method: "GET", template: "/guilds/{guild_id}/emojis", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/stickers", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/invites", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/integrations", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/scheduled-events", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/auto-moderation/rules", find: openGuild, serve: emptyList},

	{method: "GET", template: "/webhooks/{webhook_id}", find: openWebhook, serve: shows(func(w *World, x *exchange) any { return webhookJSON(w, x.hook) })},
	{method: "PATCH", template: "/webhooks/{webhook_id}", find: all(openWebhook, object), serve: editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}", find: openWebhook, serve: deleteWebhook},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: openWebhook, serve: shows(func(w *World, x *exchange) any { return webhookJSON(w, x.hook) })},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: all(openWebhook, object), serve: editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: openWebhook, serve: deleteWebhook},
}

// Served lists the operations of Discord's API that a server answers.
func Served() []operations.Operation {
	return each(endpoints, func(e endpoint) operations.Operation { return operations.Operation{Method: e.method, Path: e.template} })
}

// Events lists the names of the events that a server dispatches.
func Events() []string {
	return []string{
		"CHANNEL_CREATE", "CHANNEL_DELETE", "CHANNEL_PINS_UPDATE", "CHANNEL_UPDATE",
		"GUILD_BAN_ADD", "GUILD_BAN_REMOVE", "GUILD_CREATE", "GUILD_DELETE", "GUILD_MEMBERS_CHUNK", "GUILD_MEMBER_ADD",
		"GUILD_MEMBER_REMOVE", "GUILD_MEMBER_UPDATE", "GUILD_ROLE_CREATE", "GUILD_ROLE_DELETE", "GUILD_ROLE_UPDATE", "GUILD_UPDATE",
		"INTERACTION_CREATE", "MESSAGE_CREATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE",
		"MESSAGE_REACTION_REMOVE_ALL", "MESSAGE_REACTION_REMOVE_EMOJI", "MESSAGE_UPDATE", "READY", "RESUMED",
		"THREAD_CREATE", "THREAD_DELETE", "THREAD_MEMBERS_UPDATE", "THREAD_UPDATE", "TYPING_START", "USER_UPDATE", "WEBHOOKS_UPDATE",
	}
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

// unless is the error unless something is so.
func unless(so bool, err error) error {
	if so {
		return nil
	}
	return err
}

// may demands that the bot has a permission in the channel that was found, or else in
// the guild.
func may(bit int64) find {
	return func(_ *World, x *exchange) error {
		if x.channel != nil {
			return unless(x.channel.botPermissions()&bit != 0, rules.ErrMissingPermissions)
		}
		return unless(x.guild.botMay(bit), rules.ErrMissingPermissions)
	}
}

// object demands a body that is an object, if there is one.
func object(_ *World, x *exchange) (err error) {
	x.fields, err = x.Object()
	return err
}

// openGuild finds the route's guild if the bot is in it.
func openGuild(w *World, x *exchange) error {
	x.guild = w.guildByID(x.Params["guild_id"])
	if x.guild == nil || x.guild.deleted {
		return rules.ErrUnknownGuild
	}
	return unless(x.guild.botIn(), rules.ErrMissingAccess)
}

// openUser finds the route's person.
func openUser(w *World, x *exchange) error {
	x.user = w.users[x.Params["user_id"]]
	return unless(x.user != nil, rules.ErrUnknownUser)
}

// self is for routes that name the bot itself @me.
func self(w *World, x *exchange) error {
	x.user = w.app.user
	return nil
}

// somebody finds the route's person, who need not be there.
func somebody(w *World, x *exchange) error {
	x.user = w.users[x.Params["user_id"]]
	return nil
}

// openMember finds the route's guild and a member of it.
var openMember = all(openGuild, openUser, func(_ *World, x *exchange) error {
	return unless(x.guild.hasMember(x.user), rules.ErrUnknownMember)
})

// openRole finds a role of the guild that was found.
func openRole(_ *World, x *exchange) error {
	x.role = x.guild.roleByID(x.Params["role_id"])
	return unless(x.role != nil, rules.ErrUnknownRole)
}

// openBans finds the route's guild, of which the bot may read and end bans.
var openBans = all(openGuild, may(permission.BanMembers))

// openChannel finds the route's channel if the bot can see it.
func openChannel(w *World, x *exchange) error {
	x.channel = w.channels[x.Params["channel_id"]]
	if x.channel == nil || x.channel.deleted {
		return rules.ErrUnknownChannel
	}
	return unless(x.channel.visibleTo(w.app.user), rules.ErrMissingAccess)
}

// openOverwrites finds the route's channel, in which the bot may change who may do what.
var openOverwrites = all(openChannel, func(_ *World, x *exchange) error {
	return unless(x.channel.guild != nil && x.channel.parent == nil, rules.ErrChannelType)
}, may(permission.ManageRoles))

// openThread finds the route's channel, which must be a thread.
var openThread = all(openChannel, func(_ *World, x *exchange) error {
	return unless(x.channel.parent != nil, rules.ErrChannelType)
})

// openMessage finds the route's channel and message. Private ones are reached by their
// token alone.
var openMessage = all(openChannel, messageInChannel)

func messageInChannel(w *World, x *exchange) error {
	m := w.messages[x.Params["message_id"]]
	x.message = m
	return unless(m != nil && m.channel == x.channel && !m.deleted && m.viewer == nil, rules.ErrUnknownMessage)
}

// readMessage finds the route's message where the bot may read history.
var readMessage = all(openChannel, func(_ *World, x *exchange) error {
	return unless(x.channel.botPermissions()&permission.ReadHistory != 0, rules.ErrMissingAccess)
}, messageInChannel)

// openReaction finds the route's message and emoji.
var openReaction = all(openMessage, may(permission.ReadHistory), func(w *World, x *exchange) error {
	emoji, ok := w.app.emoji(x.Params["emoji_name"])
	x.reaction = emoji
	return unless(ok, rules.ErrUnknownEmoji)
})

// openApp demands that the route's application is the one that asks.
func openApp(w *World, x *exchange) error {
	return unless(x.Params["application_id"] == w.app.id, rules.ErrMissingAccess)
}

// openEmoji finds the route's emoji of the route's application.
var openEmoji = all(openApp, func(w *World, x *exchange) error {
	x.emoji = w.app.emojiByID(x.Params["emoji_id"])
	return unless(x.emoji != nil, rules.ErrNoEmoji)
})

// openCommands finds the guild whose commands the route is about, if it names one.
var openCommands = all(openApp, func(w *World, x *exchange) error {
	x.scope = x.Params["guild_id"]
	return unless(x.scope == "" || openGuild(w, x) == nil, rules.ErrMissingAccess)
})

// openCommand finds the route's command.
var openCommand = all(openCommands, func(w *World, x *exchange) error {
	x.command = w.app.commands.Find(x.scope, x.Params["command_id"])
	return unless(x.command != nil, rules.ErrUnknownCommand)
})

// openWebhook finds the route's webhook of a channel, by its token if the route has one.
func openWebhook(w *World, x *exchange) error {
	h := w.webhooks.find(x.Params["webhook_id"])
	x.hook = h
	token, byToken := x.Params["webhook_token"]
	switch {
	case h == nil:
		return rules.ErrUnknownWebhook
	case byToken:
		return unless(token == h.token, rules.ErrWebhookToken)
	}
	return unless(h.channel.botPermissions()&permission.ManageWebhooks != 0, rules.ErrMissingPermissions)
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
	case w.clock.Now().Sub(c.dispatched) >= tokenLife:
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
		m = first(x.call.followUps, func(f *Message) bool { return f.id == id })
	}
	x.message = m
	return unless(m != nil && (!m.deleted || m.dismissed), rules.ErrUnknownMessage)
})

// openHookMessage finds a message that the route's webhook has made.
var openHookMessage = all(openWebhook, func(w *World, x *exchange) error {
	m := w.messages[x.Params["message_id"]]
	x.message = m
	return unless(m != nil && !m.deleted && m.author.id == x.hook.id, rules.ErrUnknownMessage)
})

// byToken is for routes that interaction tokens share with webhooks of channels.
func byToken(interaction, hook find) find {
	return func(w *World, x *exchange) error {
		if w.webhooks.find(x.Params["webhook_id"]) != nil {
			return hook(w, x)
		}
		return interaction(w, x)
	}
}

// emptyList answers what many applications ask when they start, and of which there
// is nothing here.
var emptyList = shows(func(*World, *exchange) any { return []any{} })

// shows is a route that answers with something as it is.
func shows(what func(*World, *exchange) any) func(*World, *exchange) (any, error) {
	return func(w *World, x *exchange) (any, error) { return what(w, x), nil }
}
