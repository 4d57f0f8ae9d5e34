package sandbox

import (
	"slices"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/operations"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// endpoints are the routes that are served, by the templates of Discord's API
// description.
var endpoints = []rest.Endpoint{
	{Method: "GET", Template: "/gateway", Auth: rest.AuthNone, Serve: serving(shows(func(_ *World, x *exchange) any { return map[string]any{"url": gateway.At(x.Request.Host)} }))},
	{Method: "GET", Template: "/gateway/bot", Serve: serving(shows(func(w *World, x *exchange) any { return w.gateway.Bot(x.Request.Host) }))},
	{Method: "GET", Template: "/users/@me", Serve: serving(getMe)},
	{Method: "GET", Template: "/users/@me/guilds", Serve: serving(getMyGuilds)},
	{Method: "POST", Template: "/users/@me/channels", Serve: serving(createDM, object)},
	{Method: "GET", Template: "/users/{user_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.user.json() }), openUser)},
	{Method: "GET", Template: "/oauth2/applications/@me", Serve: serving(getApplication)},
	{Method: "GET", Template: "/applications/@me", Serve: serving(getApplication)},
	{Method: "PATCH", Template: "/applications/@me", Before: tryEndpoint, Serve: serving(editApplication, object)},

	{Method: "GET", Template: "/applications/{application_id}/commands", Serve: serving(listCommands, openCommands)},
	{Method: "POST", Template: "/applications/{application_id}/commands", Serve: serving(createCommand, openCommands, object)},
	{Method: "PUT", Template: "/applications/{application_id}/commands", Serve: serving(overwriteCommands, openCommands)},
	{Method: "GET", Template: "/applications/{application_id}/commands/{command_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.command }), openCommand)},
	{Method: "PATCH", Template: "/applications/{application_id}/commands/{command_id}", Serve: serving(editCommand, openCommand, object)},
	{Method: "DELETE", Template: "/applications/{application_id}/commands/{command_id}", Serve: serving(deleteCommand, openCommand)},
	{Method: "GET", Template: "/applications/{application_id}/guilds/{guild_id}/commands", Serve: serving(listCommands, openCommands)},
	{Method: "POST", Template: "/applications/{application_id}/guilds/{guild_id}/commands", Serve: serving(createCommand, openCommands, object)},
	{Method: "PUT", Template: "/applications/{application_id}/guilds/{guild_id}/commands", Serve: serving(overwriteCommands, openCommands)},
	{Method: "GET", Template: "/applications/{application_id}/guilds/{guild_id}/commands/permissions", Serve: serving(emptyList, openCommands)},
	{Method: "GET", Template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.command }), openCommand)},
	{Method: "PATCH", Template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", Serve: serving(editCommand, openCommand, object)},
	{Method: "DELETE", Template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", Serve: serving(deleteCommand, openCommand)},

	{Method: "POST", Template: "/interactions/{interaction_id}/{interaction_token}/callback", Auth: rest.AuthToken, Serve: serving(callback)},
	{Method: "POST", Template: "/webhooks/{webhook_id}/{webhook_token}", Auth: rest.AuthToken, Serve: serving(postByToken, byToken(openCall, openWebhook), object)},
	{Method: "GET", Template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", Auth: rest.AuthToken, Serve: serving(shows(func(_ *World, x *exchange) any { return x.message.json() }), openOriginal)},
	{Method: "PATCH", Template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", Auth: rest.AuthToken, Serve: serving(editByToken, openOriginal, object)},
	{Method: "DELETE", Template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", Auth: rest.AuthToken, Serve: serving(deleteByToken, openOriginal)},
	{Method: "GET", Template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", Auth: rest.AuthToken, Serve: serving(shows(func(_ *World, x *exchange) any { return x.message.json() }), byToken(openOriginal, openHookMessage))},
	{Method: "PATCH", Template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", Auth: rest.AuthToken, Serve: serving(editByToken, byToken(openOriginal, openHookMessage), object)},
	{Method: "DELETE", Template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", Auth: rest.AuthToken, Serve: serving(deleteByToken, byToken(openOriginal, openHookMessage))},

	{Method: "GET", Template: "/channels/{channel_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.channel.json() }), openChannel)},
	{Method: "GET", Template: "/channels/{channel_id}/messages", Serve: serving(listMessages, openChannel)},
	{Method: "POST", Template: "/channels/{channel_id}/messages", Serve: serving(createMessage, openChannel, object)},
	{Method: "GET", Template: "/channels/{channel_id}/messages/{message_id}", Serve: serving(shows(func(w *World, x *exchange) any { return x.message.readBy(w.app.readsContent()) }), readMessage)},
	{Method: "PATCH", Template: "/channels/{channel_id}/messages/{message_id}", Serve: serving(editMessage, openMessage, object)},
	{Method: "DELETE", Template: "/channels/{channel_id}/messages/{message_id}", Serve: serving(deleteMessage, openMessage)},
	{Method: "POST", Template: "/channels/{channel_id}/typing", Serve: serving(typing, openChannel)},

	{Method: "GET", Template: "/guilds/{guild_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.guild.json() }), openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/channels", Serve: serving(getGuildChannels, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/members/{user_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.guild.memberJSON(x.user, nil, true) }), openMember)},

	{Method: "PATCH", Template: "/users/@me", Serve: serving(editMe, object)},
	{Method: "GET", Template: "/applications/{application_id}/emojis", Serve: serving(listEmojis, openApp)},
	{Method: "POST", Template: "/applications/{application_id}/emojis", Serve: serving(createEmoji, openApp, object)},
	{Method: "GET", Template: "/applications/{application_id}/emojis/{emoji_id}", Serve: serving(shows(func(w *World, x *exchange) any { return appEmojiJSON(w, x.emoji) }), openEmoji)},
	{Method: "PATCH", Template: "/applications/{application_id}/emojis/{emoji_id}", Serve: serving(editEmoji, openEmoji, object)},
	{Method: "DELETE", Template: "/applications/{application_id}/emojis/{emoji_id}", Serve: serving(deleteEmoji, openEmoji)},
	{Method: "GET", Template: "/applications/{application_id}/entitlements", Serve: serving(emptyList, openApp)},

	{Method: "PATCH", Template: "/channels/{channel_id}", Serve: serving(editChannel, openChannel, object)},
	{Method: "DELETE", Template: "/channels/{channel_id}", Serve: serving(deleteChannel, openChannel)},
	{Method: "PUT", Template: "/channels/{channel_id}/permissions/{overwrite_id}", Serve: serving(putOverwrite, openOverwrites, object)},
	{Method: "DELETE", Template: "/channels/{channel_id}/permissions/{overwrite_id}", Serve: serving(deleteOverwrite, openOverwrites)},
	{Method: "GET", Template: "/channels/{channel_id}/invites", Serve: serving(emptyList, openChannel)},
	{Method: "POST", Template: "/channels/{channel_id}/messages/bulk-delete", Serve: serving(bulkDelete, openChannel, object, may(permission.ManageMessages))},
	{Method: "GET", Template: "/channels/{channel_id}/messages/pins", Serve: serving(listPinned, openChannel)},
	{Method: "PUT", Template: "/channels/{channel_id}/messages/pins/{message_id}", Serve: serving(pinMessage, openPin, unarchived)},
	{Method: "DELETE", Template: "/channels/{channel_id}/messages/pins/{message_id}", Serve: serving(unpinMessage, openPin)},
	{Method: "GET", Template: "/channels/{channel_id}/pins", Serve: serving(listPins, openChannel)},
	{Method: "PUT", Template: "/channels/{channel_id}/pins/{message_id}", Serve: serving(pinMessage, openPin, unarchived)},
	{Method: "DELETE", Template: "/channels/{channel_id}/pins/{message_id}", Serve: serving(unpinMessage, openPin)},
	{Method: "DELETE", Template: "/channels/{channel_id}/messages/{message_id}/reactions", Serve: serving(clearReactions, openMessage, may(permission.ManageMessages))},
	{Method: "GET", Template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", Serve: serving(listReactions, openReaction)},
	{Method: "DELETE", Template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", Serve: serving(clearReactions, openMessage, may(permission.ManageMessages), openEmojiName)},
	{Method: "PUT", Template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", Serve: serving(addReaction, openReaction, unarchived)},
	{Method: "DELETE", Template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", Serve: serving(removeReaction, openReaction)},
	{Method: "DELETE", Template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}", Serve: serving(removeReaction, openReaction, openUser)},
	{Method: "POST", Template: "/channels/{channel_id}/messages/{message_id}/threads", Serve: serving(createThread, openMessage, object)},
	{Method: "POST", Template: "/channels/{channel_id}/threads", Serve: serving(createThread, openChannel, object)},
	{Method: "GET", Template: "/channels/{channel_id}/thread-members", Serve: serving(listThreadMembers, openThread)},
	{Method: "PUT", Template: "/channels/{channel_id}/thread-members/@me", Serve: serving(addThreadMember, openThread, self, unarchived)},
	{Method: "DELETE", Template: "/channels/{channel_id}/thread-members/@me", Serve: serving(removeThreadMember, openThread, self, unarchived)},
	{Method: "GET", Template: "/channels/{channel_id}/thread-members/{user_id}", Serve: serving(getThreadMember, openThread, somebody)},
	{Method: "PUT", Template: "/channels/{channel_id}/thread-members/{user_id}", Serve: serving(addThreadMember, openThread, somebody, unarchived)},
	{Method: "DELETE", Template: "/channels/{channel_id}/thread-members/{user_id}", Serve: serving(removeThreadMember, openThread, somebody, unarchived)},
	{Method: "GET", Template: "/channels/{channel_id}/threads/archived/public", Serve: serving(listArchivedThreads(false, false), openChannel)},
	{Method: "GET", Template: "/channels/{channel_id}/threads/archived/private", Serve: serving(listArchivedThreads(true, false), openChannel)},
	{Method: "GET", Template: "/channels/{channel_id}/users/@me/threads/archived/private", Serve: serving(listArchivedThreads(true, true), openChannel)},
	{Method: "GET", Template: "/channels/{channel_id}/webhooks", Serve: serving(shows(func(w *World, x *exchange) any {
		return webhooksOf(w, func(h *channelWebhook) bool { return h.channel == x.channel })
	}), openChannel, may(permission.ManageWebhooks))},
	{Method: "POST", Template: "/channels/{channel_id}/webhooks", Serve: serving(createWebhook, openChannel, object)},

	{Method: "POST", Template: "/guilds/{guild_id}/channels", Serve: serving(createChannel, openGuild, may(permission.ManageChannels), object)},
	{Method: "GET", Template: "/guilds/{guild_id}/threads/active", Serve: serving(shows(func(w *World, x *exchange) any { return threadsJSON(w, activeThreads(x.guild)) }), openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/members", Serve: serving(listMembers, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/members/search", Serve: serving(searchMembers, openGuild)},
	{Method: "PATCH", Template: "/guilds/{guild_id}/members/@me", Serve: serving(editMember, openGuild, self, object)},
	{Method: "PATCH", Template: "/guilds/{guild_id}/members/{user_id}", Serve: serving(editMember, openMember, object)},
	{Method: "DELETE", Template: "/guilds/{guild_id}/members/{user_id}", Serve: serving(kick, openMember, may(permission.KickMembers), below)},
	{Method: "PUT", Template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", Serve: serving(setMemberRole, openMember, openRole)},
	{Method: "DELETE", Template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", Serve: serving(setMemberRole, openMember, openRole)},
	{Method: "GET", Template: "/guilds/{guild_id}/bans", Serve: serving(shows(func(_ *World, x *exchange) any { return each(x.guild.banned, banJSON) }), openBans)},
	{Method: "GET", Template: "/guilds/{guild_id}/bans/{user_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return banJSON(x.user) }), openBan)},
	{Method: "PUT", Template: "/guilds/{guild_id}/bans/{user_id}", Serve: serving(putBan, openBans, openUser, below)},
	{Method: "DELETE", Template: "/guilds/{guild_id}/bans/{user_id}", Serve: serving(deleteBan, openBan)},
	{Method: "GET", Template: "/guilds/{guild_id}/roles", Serve: serving(shows(func(_ *World, x *exchange) any { return objects(x.guild.roles) }), openGuild)},
	{Method: "POST", Template: "/guilds/{guild_id}/roles", Serve: serving(createRole, openGuild, may(permission.ManageRoles), object)},
	{Method: "PATCH", Template: "/guilds/{guild_id}/roles", Serve: serving(moveRoles, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/roles/{role_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.role.json() }), openGuild, openRole)},
	{Method: "PATCH", Template: "/guilds/{guild_id}/roles/{role_id}", Serve: serving(editRole, openGuild, openRole, object)},
	{Method: "DELETE", Template: "/guilds/{guild_id}/roles/{role_id}", Serve: serving(deleteRole, openGuild, openRole)},
	{Method: "GET", Template: "/guilds/{guild_id}/webhooks", Serve: serving(shows(func(w *World, x *exchange) any {
		return webhooksOf(w, func(h *channelWebhook) bool { return h.channel.guild == x.guild })
	}), openGuild, may(permission.ManageWebhooks))},
	{Method: "GET", Template: "/guilds/{guild_id}/emojis", Serve: serving(emptyList, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/stickers", Serve: serving(emptyList, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/invites", Serve: serving(emptyList, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/integrations", Serve: serving(emptyList, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/scheduled-events", Serve: serving(emptyList, openGuild)},
	{Method: "GET", Template: "/guilds/{guild_id}/auto-moderation/rules", Serve: serving(emptyList, openGuild)},

	{Method: "GET", Template: "/webhooks/{webhook_id}", Serve: serving(shows(func(_ *World, x *exchange) any { return x.hook.json() }), openWebhook)},
	{Method: "PATCH", Template: "/webhooks/{webhook_id}", Serve: serving(editWebhook, openWebhook, object)},
	{Method: "DELETE", Template: "/webhooks/{webhook_id}", Serve: serving(deleteWebhook, openWebhook)},
	{Method: "GET", Template: "/webhooks/{webhook_id}/{webhook_token}", Auth: rest.AuthToken, Serve: serving(shows(func(_ *World, x *exchange) any { return x.hook.json() }), openWebhook)},
	{Method: "PATCH", Template: "/webhooks/{webhook_id}/{webhook_token}", Auth: rest.AuthToken, Serve: serving(editWebhook, openWebhook, object)},
	{Method: "DELETE", Template: "/webhooks/{webhook_id}/{webhook_token}", Auth: rest.AuthToken, Serve: serving(deleteWebhook, openWebhook)},
}

// Served lists the operations of Discord's API that a server answers.
func Served() []operations.Operation {
	return each(endpoints, rest.Endpoint.Operation)
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

// openBan finds somebody whom the route's guild has banned.
var openBan = all(openBans, openUser, func(_ *World, x *exchange) error {
	return unless(slices.Contains(x.guild.banned, x.user), rules.ErrUnknownBan)
})

// below demands that whoever was found stands below the bot.
func below(w *World, x *exchange) error {
	return unless(x.user != w.app.user && botAbove(x.guild, x.user), rules.ErrMissingPermissions)
}

// openChannel finds the route's channel if the bot can see it.
func openChannel(w *World, x *exchange) error {
	x.channel = w.channels[x.Params["channel_id"]]
	if x.channel == nil {
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

// openPin finds the route's message where the bot may pin messages.
var openPin = all(openMessage, func(w *World, x *exchange) error {
	return unless(x.channel.mayPin(w.app.user), rules.ErrMissingPermissions)
})

// unarchived demands that the channel that was found is no archived thread.
func unarchived(_ *World, x *exchange) error { return unless(!x.channel.archived, rules.ErrArchived) }

// openReaction finds the route's message and emoji.
var openReaction = all(openMessage, may(permission.ReadHistory), openEmojiName)

func openEmojiName(w *World, x *exchange) error {
	emoji, ok := w.app.emoji(x.Params["emoji_name"])
	x.reaction = emoji
	return unless(ok, rules.ErrUnknownEmoji)
}

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
	h := w.webhook(x.Params["webhook_id"])
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
	case c.is.State != CallAnswered, c.kind == InteractionAutocomplete:
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
		if w.webhook(x.Params["webhook_id"]) != nil {
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
