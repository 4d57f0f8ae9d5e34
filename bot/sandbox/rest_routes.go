package sandbox

import (
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/operations"
	"tictactoe/bot/sandbox/permission"
)

// endpoints are the routes that are served, by the templates of Discord's API
// description.
var endpoints = []endpoint{
	{method: "GET", template: "/gateway", auth: rest.AuthNone, serve: getGateway},
	{method: "GET", template: "/gateway/bot", serve: getGatewayBot},
	{method: "GET", template: "/users/@me", serve: getMe},
	{method: "GET", template: "/users/@me/guilds", serve: getMyGuilds},
	{method: "POST", template: "/users/@me/channels", find: object, serve: createDM},
	{method: "GET", template: "/users/{user_id}", find: openUser, serve: getUser},
	{method: "GET", template: "/oauth2/applications/@me", serve: getApplication},
	{method: "GET", template: "/applications/@me", serve: getApplication},
	{method: "PATCH", template: "/applications/@me", find: object, before: (*REST).tryEndpoint, serve: editApplication},

	{method: "GET", template: "/applications/{application_id}/commands", find: openCommands, serve: listCommands},
	{method: "POST", template: "/applications/{application_id}/commands", find: all(openCommands, object), serve: createCommand},
	{method: "PUT", template: "/applications/{application_id}/commands", find: openCommands, serve: overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/commands/{command_id}", find: openCommand, serve: getCommand},
	{method: "PATCH", template: "/applications/{application_id}/commands/{command_id}", find: all(openCommand, object), serve: editCommand},
	{method: "DELETE", template: "/applications/{application_id}/commands/{command_id}", find: openCommand, serve: deleteCommand},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands", find: openCommands, serve: listCommands},
	{method: "POST", template: "/applications/{application_id}/guilds/{guild_id}/commands", find: all(openCommands, object), serve: createCommand},
	{method: "PUT", template: "/applications/{application_id}/guilds/{guild_id}/commands", find: openCommands, serve: overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/permissions", find: openCommands, serve: commandPermissions},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", find: openCommand, serve: getCommand},
	{method: "PATCH", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", find: all(openCommand, object), serve: editCommand},
	{method: "DELETE", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", find: openCommand, serve: deleteCommand},

	{method: "POST", template: "/interactions/{interaction_id}/{interaction_token}/callback", auth: rest.AuthToken, serve: callback},
	{method: "POST", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: all(byToken(openCall, openWebhook), object), serve: postByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: rest.AuthToken, find: openOriginal, serve: getByToken},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: rest.AuthToken, find: openOriginal, serve: editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: rest.AuthToken, find: openOriginal, serve: deleteByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: rest.AuthToken, find: byToken(openOriginal, openHookMessage), serve: getByToken},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: rest.AuthToken, find: byToken(openOriginal, openHookMessage), serve: editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: rest.AuthToken, find: byToken(openOriginal, openHookMessage), serve: deleteByToken},

	{method: "GET", template: "/channels/{channel_id}", find: openChannel, serve: getChannel},
	{method: "GET", template: "/channels/{channel_id}/messages", find: openChannel, serve: listMessages},
	{method: "POST", template: "/channels/{channel_id}/messages", find: openChannel, serve: createMessage},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}", find: readMessage, serve: getMessage},
	{method: "PATCH", template: "/channels/{channel_id}/messages/{message_id}", find: openMessage, serve: editMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}", find: openMessage, serve: deleteMessage},
	{method: "POST", template: "/channels/{channel_id}/typing", find: openChannel, serve: typing},

	{method: "GET", template: "/guilds/{guild_id}", find: openGuild, serve: getGuild},
	{method: "GET", template: "/guilds/{guild_id}/channels", find: openGuild, serve: getGuildChannels},
	{method: "GET", template: "/guilds/{guild_id}/members/{user_id}", find: openMember, serve: getMember},

	{method: "PATCH", template: "/users/@me", find: object, serve: editMe},
	{method: "GET", template: "/applications/{application_id}/emojis", find: openApp, serve: listEmojis},
	{method: "POST", template: "/applications/{application_id}/emojis", find: all(openApp, object), serve: createEmoji},
	{method: "GET", template: "/applications/{application_id}/emojis/{emoji_id}", find: openEmoji, serve: getEmoji},
	{method: "PATCH", template: "/applications/{application_id}/emojis/{emoji_id}", find: all(openEmoji, object), serve: editEmoji},
	{method: "DELETE", template: "/applications/{application_id}/emojis/{emoji_id}", find: openEmoji, serve: deleteEmoji},
	{method: "GET", template: "/applications/{application_id}/entitlements", find: openApp, serve: emptyList},

	{method: "PATCH", template: "/channels/{channel_id}", find: all(openChannel, object), serve: editChannel},
	{method: "DELETE", template: "/channels/{channel_id}", find: openChannel, serve: deleteChannel},
	{method: "PUT", template: "/channels/{channel_id}/permissions/{overwrite_id}", find: all(openChannel, object), serve: putOverwrite},
	{method: "DELETE", template: "/channels/{channel_id}/permissions/{overwrite_id}", find: openChannel, serve: deleteOverwrite},
	{method: "GET", template: "/channels/{channel_id}/invites", find: openChannel, serve: emptyList},
	{method: "POST", template: "/channels/{channel_id}/messages/bulk-delete", find: all(openChannel, object), serve: bulkDelete},
	{method: "GET", template: "/channels/{channel_id}/messages/pins", find: openChannel, serve: listPinned},
	{method: "PUT", template: "/channels/{channel_id}/messages/pins/{message_id}", find: openMessage, serve: pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/pins/{message_id}", find: openMessage, serve: unpinMessage},
	{method: "GET", template: "/channels/{channel_id}/pins", find: openChannel, serve: listPins},
	{method: "PUT", template: "/channels/{channel_id}/pins/{message_id}", find: openMessage, serve: pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/pins/{message_id}", find: openMessage, serve: unpinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions", find: all(openMessage, may(PermissionManageMessages)), serve: clearReactions},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", find: openReaction, serve: listReactions},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", find: all(openMessage, may(PermissionManageMessages)), serve: clearReactions},
	{method: "PUT", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", find: openReaction, serve: addReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", find: openReaction, serve: removeReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}", find: all(openReaction, openUser), serve: removeReaction},
	{method: "POST", template: "/channels/{channel_id}/messages/{message_id}/threads", find: all(openMessage, object), serve: createThread},
	{method: "POST", template: "/channels/{channel_id}/threads", find: all(openChannel, object), serve: createThread},
	{method: "GET", template: "/channels/{channel_id}/thread-members", find: openThread, serve: listThreadMembers},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/@me", find: openThread, serve: addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/@me", find: openThread, serve: removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/thread-members/{user_id}", find: openThread, serve: getThreadMember},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/{user_id}", find: openThread, serve: addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/{user_id}", find: openThread, serve: removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/public", find: openChannel, serve: listArchivedThreads(false, false)},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/private", find: openChannel, serve: listArchivedThreads(true, false)},
	{method: "GET", template: "/channels/{channel_id}/users/@me/threads/archived/private", find: openChannel, serve: listArchivedThreads(true, true)},
	{method: "GET", template: "/channels/{channel_id}/webhooks", find: all(openChannel, may(permission.ManageWebhooks)), serve: listChannelWebhooks},
	{method: "POST", template: "/channels/{channel_id}/webhooks", find: all(openChannel, object), serve: createWebhook},

	{method: "POST", template: "/guilds/{guild_id}/channels", find: all(openGuild, may(permission.ManageChannels), object), serve: createChannel},
	{method: "GET", template: "/guilds/{guild_id}/threads/active", find: openGuild, serve: listActiveThreads},
	{method: "GET", template: "/guilds/{guild_id}/members", find: openGuild, serve: listMembers},
	{method: "GET", template: "/guilds/{guild_id}/members/search", find: openGuild, serve: searchMembers},
	{method: "PATCH", template: "/guilds/{guild_id}/members/@me", find: all(openGuild, object), serve: editMyMember},
	{method: "PATCH", template: "/guilds/{guild_id}/members/{user_id}", find: all(openMember, object), serve: editMember},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}", find: openMember, serve: kick},
	{method: "PUT", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", find: all(openMember, openRole), serve: setMemberRole((*User).giveLocked)},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", find: all(openMember, openRole), serve: setMemberRole((*User).takeLocked)},
	{method: "GET", template: "/guilds/{guild_id}/bans", find: openBans, serve: listBans},
	{method: "GET", template: "/guilds/{guild_id}/bans/{user_id}", find: all(openBans, openUser), serve: getBan},
	{method: "PUT", template: "/guilds/{guild_id}/bans/{user_id}", find: all(openBans, openUser), serve: putBan},
	{method: "DELETE", template: "/guilds/{guild_id}/bans/{user_id}", find: all(openBans, openUser), serve: deleteBan},
	{method: "GET", template: "/guilds/{guild_id}/roles", find: openGuild, serve: listRoles},
	{method: "POST", template: "/guilds/{guild_id}/roles", find: all(openGuild, may(permission.ManageRoles)), serve: createRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles", find: openGuild, serve: moveRoles},
	{method: "GET", template: "/guilds/{guild_id}/roles/{role_id}", find: all(openGuild, openRole), serve: getRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles/{role_id}", find: all(openGuild, openRole), serve: editRole},
	{method: "DELETE", template: "/guilds/{guild_id}/roles/{role_id}", find: all(openGuild, openRole), serve: deleteRole},
	{method: "GET", template: "/guilds/{guild_id}/webhooks", find: all(openGuild, may(permission.ManageWebhooks)), serve: listGuildWebhooks},
	{method: "GET", template: "/guilds/{guild_id}/emojis", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/stickers", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/invites", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/integrations", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/scheduled-events", find: openGuild, serve: emptyList},
	{method: "GET", template: "/guilds/{guild_id}/auto-moderation/rules", find: openGuild, serve: emptyList},

	{method: "GET", template: "/webhooks/{webhook_id}", find: openWebhook, serve: getWebhook},
	{method: "PATCH", template: "/webhooks/{webhook_id}", find: all(openWebhook, object), serve: editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}", find: openWebhook, serve: deleteWebhook},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: openWebhook, serve: getWebhook},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: all(openWebhook, object), serve: editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}", auth: rest.AuthToken, find: openWebhook, serve: deleteWebhook},
}

// Served lists the operations of Discord's API that a server answers.
func Served() []operations.Operation {
	var out []operations.Operation
	for _, e := range endpoints {
		out = append(out, operations.Operation{Method: e.method, Path: e.template})
	}
	return out
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
