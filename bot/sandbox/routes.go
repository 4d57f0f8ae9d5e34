package sandbox

import (
	"strings"

	"tictactoe/bot/sandbox/operations"
)

// endpoints are the routes that are served, by the templates of Discord's API
// description.
var endpoints = []endpoint{
	{method: "GET", template: "/gateway", auth: authNone, serve: getGateway},
	{method: "GET", template: "/gateway/bot", serve: getGatewayBot},
	{method: "GET", template: "/users/@me", serve: getMe},
	{method: "GET", template: "/users/@me/guilds", serve: getMyGuilds},
	{method: "POST", template: "/users/@me/channels", serve: createDM},
	{method: "GET", template: "/users/{user_id}", serve: getUser},
	{method: "GET", template: "/oauth2/applications/@me", serve: getApplication},
	{method: "GET", template: "/applications/@me", serve: getApplication},

	{method: "GET", template: "/applications/{application_id}/commands", serve: listCommands},
	{method: "POST", template: "/applications/{application_id}/commands", serve: createCommand},
	{method: "PUT", template: "/applications/{application_id}/commands", serve: overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/commands/{command_id}", serve: getCommand},
	{method: "PATCH", template: "/applications/{application_id}/commands/{command_id}", serve: editCommand},
	{method: "DELETE", template: "/applications/{application_id}/commands/{command_id}", serve: deleteCommand},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands", serve: listCommands},
	{method: "POST", template: "/applications/{application_id}/guilds/{guild_id}/commands", serve: createCommand},
	{method: "PUT", template: "/applications/{application_id}/guilds/{guild_id}/commands", serve: overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/permissions", serve: commandPermissions},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", serve: getCommand},
	{method: "PATCH", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", serve: editCommand},
	{method: "DELETE", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", serve: deleteCommand},

	{method: "POST", template: "/interactions/{interaction_id}/{interaction_token}/callback", auth: authToken, serve: callback},
	{method: "POST", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: eitherWebhook(followUp, execute)},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: getByToken},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: deleteByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: eitherWebhook(getByToken, getHookMessage)},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: eitherWebhook(editByToken, editHookMessage)},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: eitherWebhook(deleteByToken, deleteHookMessage)},

	{method: "GET", template: "/channels/{channel_id}", serve: getChannel},
	{method: "GET", template: "/channels/{channel_id}/messages", serve: listMessages},
	{method: "POST", template: "/channels/{channel_id}/messages", serve: createMessage},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}", serve: getMessage},
	{method: "PATCH", template: "/channels/{channel_id}/messages/{message_id}", serve: editMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}", serve: deleteMessage},
	{method: "POST", template: "/channels/{channel_id}/typing", serve: typing},

	{method: "GET", template: "/guilds/{guild_id}", serve: getGuild},
	{method: "GET", template: "/guilds/{guild_id}/channels", serve: getGuildChannels},
	{method: "GET", template: "/guilds/{guild_id}/members/{user_id}", serve: getMember},

	{method: "PATCH", template: "/users/@me", serve: editMe},
	{method: "GET", template: "/applications/{application_id}/emojis", serve: listEmojis},
	{method: "POST", template: "/applications/{application_id}/emojis", serve: createEmoji},
	{method: "GET", template: "/applications/{application_id}/emojis/{emoji_id}", serve: getEmoji},
	{method: "PATCH", template: "/applications/{application_id}/emojis/{emoji_id}", serve: editEmoji},
	{method: "DELETE", template: "/applications/{application_id}/emojis/{emoji_id}", serve: deleteEmoji},
	{method: "GET", template: "/applications/{application_id}/entitlements", serve: emptyList},

	{method: "PATCH", template: "/channels/{channel_id}", serve: editChannel},
	{method: "DELETE", template: "/channels/{channel_id}", serve: deleteChannel},
	{method: "PUT", template: "/channels/{channel_id}/permissions/{overwrite_id}", serve: putOverwrite},
	{method: "DELETE", template: "/channels/{channel_id}/permissions/{overwrite_id}", serve: deleteOverwrite},
	{method: "GET", template: "/channels/{channel_id}/invites", serve: emptyGuildList},
	{method: "POST", template: "/channels/{channel_id}/messages/bulk-delete", serve: bulkDelete},
	{method: "GET", template: "/channels/{channel_id}/messages/pins", serve: listPinned},
	{method: "PUT", template: "/channels/{channel_id}/messages/pins/{message_id}", serve: pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/pins/{message_id}", serve: unpinMessage},
	{method: "GET", template: "/channels/{channel_id}/pins", serve: listPins},
	{method: "PUT", template: "/channels/{channel_id}/pins/{message_id}", serve: pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/pins/{message_id}", serve: unpinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions", serve: clearReactions},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", serve: listReactions},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", serve: clearReactions},
	{method: "PUT", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", serve: addReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", serve: removeReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}", serve: removeReaction},
	{method: "POST", template: "/channels/{channel_id}/messages/{message_id}/threads", serve: createThread},
	{method: "POST", template: "/channels/{channel_id}/threads", serve: createThread},
	{method: "GET", template: "/channels/{channel_id}/thread-members", serve: listThreadMembers},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/@me", serve: addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/@me", serve: removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/thread-members/{user_id}", serve: getThreadMember},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/{user_id}", serve: addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/{user_id}", serve: removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/public", serve: listArchivedThreads(false, false)},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/private", serve: listArchivedThreads(true, false)},
	{method: "GET", template: "/channels/{channel_id}/users/@me/threads/archived/private", serve: listArchivedThreads(true, true)},
	{method: "GET", template: "/channels/{channel_id}/webhooks", serve: listChannelWebhooks},
	{method: "POST", template: "/channels/{channel_id}/webhooks", serve: createWebhook},

	{method: "POST", template: "/guilds/{guild_id}/channels", serve: createChannel},
	{method: "GET", template: "/guilds/{guild_id}/threads/active", serve: listActiveThreads},
	{method: "GET", template: "/guilds/{guild_id}/members", serve: listMembers},
	{method: "GET", template: "/guilds/{guild_id}/members/search", serve: searchMembers},
	{method: "PATCH", template: "/guilds/{guild_id}/members/@me", serve: editMyMember},
	{method: "PATCH", template: "/guilds/{guild_id}/members/{user_id}", serve: editMember},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}", serve: kick},
	{method: "PUT", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", serve: setMemberRole((*User).giveLocked)},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", serve: setMemberRole((*User).takeLocked)},
	{method: "GET", template: "/guilds/{guild_id}/bans", serve: listBans},
	{method: "GET", template: "/guilds/{guild_id}/bans/{user_id}", serve: getBan},
	{method: "PUT", template: "/guilds/{guild_id}/bans/{user_id}", serve: putBan},
	{method: "DELETE", template: "/guilds/{guild_id}/bans/{user_id}", serve: deleteBan},
	{method: "GET", template: "/guilds/{guild_id}/roles", serve: listRoles},
	{method: "POST", template: "/guilds/{guild_id}/roles", serve: createRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles", serve: moveRoles},
	{method: "GET", template: "/guilds/{guild_id}/roles/{role_id}", serve: getRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles/{role_id}", serve: editRole},
	{method: "DELETE", template: "/guilds/{guild_id}/roles/{role_id}", serve: deleteRole},
	{method: "GET", template: "/guilds/{guild_id}/webhooks", serve: listGuildWebhooks},
	{method: "GET", template: "/guilds/{guild_id}/emojis", serve: emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/stickers", serve: emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/invites", serve: emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/integrations", serve: emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/scheduled-events", serve: emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/auto-moderation/rules", serve: emptyGuildList},

	{method: "GET", template: "/webhooks/{webhook_id}", serve: getWebhook},
	{method: "PATCH", template: "/webhooks/{webhook_id}", serve: editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}", serve: deleteWebhook},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: getWebhook},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: deleteWebhook},
}

// served finds an endpoint by its operation.
var served = map[operations.Operation]*endpoint{}

// The table is filled here and not where it is declared: its functions use it.
func init() {
	for i := range endpoints {
		e := &endpoints[i]
		e.segments = strings.Split(e.template, "/")
		served[operations.Operation{Method: e.method, Path: e.template}] = e
	}
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
