package sandbox

import (
	"strings"

	"tictactoe/bot/sandbox/operations"
)

// endpoints are the routes that are served, by the templates of Discord's API
// description.
var endpoints = []endpoint{
	{method: "GET", template: "/gateway", auth: authNone, serve: (*Server).getGateway},
	{method: "GET", template: "/gateway/bot", serve: (*Server).getGatewayBot},
	{method: "GET", template: "/users/@me", serve: (*Server).getMe},
	{method: "GET", template: "/users/@me/guilds", serve: (*Server).getMyGuilds},
	{method: "POST", template: "/users/@me/channels", serve: (*Server).createDM},
	{method: "GET", template: "/users/{user_id}", serve: (*Server).getUser},
	{method: "GET", template: "/oauth2/applications/@me", serve: (*Server).getApplication},
	{method: "GET", template: "/applications/@me", serve: (*Server).getApplication},

	{method: "GET", template: "/applications/{application_id}/commands", serve: (*Server).listCommands},
	{method: "POST", template: "/applications/{application_id}/commands", serve: (*Server).createCommand},
	{method: "PUT", template: "/applications/{application_id}/commands", serve: (*Server).overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/commands/{command_id}", serve: (*Server).getCommand},
	{method: "PATCH", template: "/applications/{application_id}/commands/{command_id}", serve: (*Server).editCommand},
	{method: "DELETE", template: "/applications/{application_id}/commands/{command_id}", serve: (*Server).deleteCommand},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands", serve: (*Server).listCommands},
	{method: "POST", template: "/applications/{application_id}/guilds/{guild_id}/commands", serve: (*Server).createCommand},
	{method: "PUT", template: "/applications/{application_id}/guilds/{guild_id}/commands", serve: (*Server).overwriteCommands},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/permissions", serve: (*Server).commandPermissions},
	{method: "GET", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", serve: (*Server).getCommand},
	{method: "PATCH", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", serve: (*Server).editCommand},
	{method: "DELETE", template: "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}", serve: (*Server).deleteCommand},

	{method: "POST", template: "/interactions/{interaction_id}/{interaction_token}/callback", auth: authToken, serve: (*Server).callback},
	{method: "POST", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: eitherWebhook((*Server).followUp, (*Server).execute)},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: (*Server).getByToken},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: (*Server).editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: (*Server).deleteByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: eitherWebhook((*Server).getByToken, (*Server).getHookMessage)},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: eitherWebhook((*Server).editByToken, (*Server).editHookMessage)},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: eitherWebhook((*Server).deleteByToken, (*Server).deleteHookMessage)},

	{method: "GET", template: "/channels/{channel_id}", serve: (*Server).getChannel},
	{method: "GET", template: "/channels/{channel_id}/messages", serve: (*Server).listMessages},
	{method: "POST", template: "/channels/{channel_id}/messages", serve: (*Server).createMessage},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}", serve: (*Server).getMessage},
	{method: "PATCH", template: "/channels/{channel_id}/messages/{message_id}", serve: (*Server).editMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}", serve: (*Server).deleteMessage},
	{method: "POST", template: "/channels/{channel_id}/typing", serve: (*Server).typing},

	{method: "GET", template: "/guilds/{guild_id}", serve: (*Server).getGuild},
	{method: "GET", template: "/guilds/{guild_id}/channels", serve: (*Server).getGuildChannels},
	{method: "GET", template: "/guilds/{guild_id}/members/{user_id}", serve: (*Server).getMember},

	{method: "PATCH", template: "/users/@me", serve: (*Server).editMe},
	{method: "GET", template: "/applications/{application_id}/emojis", serve: (*Server).listEmojis},
	{method: "POST", template: "/applications/{application_id}/emojis", serve: (*Server).createEmoji},
	{method: "GET", template: "/applications/{application_id}/emojis/{emoji_id}", serve: (*Server).getEmoji},
	{method: "PATCH", template: "/applications/{application_id}/emojis/{emoji_id}", serve: (*Server).editEmoji},
	{method: "DELETE", template: "/applications/{application_id}/emojis/{emoji_id}", serve: (*Server).deleteEmoji},
	{method: "GET", template: "/applications/{application_id}/entitlements", serve: (*Server).emptyList},

	{method: "PATCH", template: "/channels/{channel_id}", serve: (*Server).editChannel},
	{method: "DELETE", template: "/channels/{channel_id}", serve: (*Server).deleteChannel},
	{method: "PUT", template: "/channels/{channel_id}/permissions/{overwrite_id}", serve: (*Server).putOverwrite},
	{method: "DELETE", template: "/channels/{channel_id}/permissions/{overwrite_id}", serve: (*Server).deleteOverwrite},
	{method: "GET", template: "/channels/{channel_id}/invites", serve: (*Server).emptyGuildList},
	{method: "POST", template: "/channels/{channel_id}/messages/bulk-delete", serve: (*Server).bulkDelete},
	{method: "GET", template: "/channels/{channel_id}/messages/pins", serve: (*Server).listPinned},
	{method: "PUT", template: "/channels/{channel_id}/messages/pins/{message_id}", serve: (*Server).pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/pins/{message_id}", serve: (*Server).unpinMessage},
	{method: "GET", template: "/channels/{channel_id}/pins", serve: (*Server).listPins},
	{method: "PUT", template: "/channels/{channel_id}/pins/{message_id}", serve: (*Server).pinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/pins/{message_id}", serve: (*Server).unpinMessage},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions", serve: (*Server).clearReactions},
	{method: "GET", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", serve: (*Server).listReactions},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}", serve: (*Server).clearReactions},
	{method: "PUT", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", serve: (*Server).addReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", serve: (*Server).removeReaction},
	{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}", serve: (*Server).removeReaction},
	{method: "POST", template: "/channels/{channel_id}/messages/{message_id}/threads", serve: (*Server).createThread},
	{method: "POST", template: "/channels/{channel_id}/threads", serve: (*Server).createThread},
	{method: "GET", template: "/channels/{channel_id}/thread-members", serve: (*Server).listThreadMembers},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/@me", serve: (*Server).addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/@me", serve: (*Server).removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/thread-members/{user_id}", serve: (*Server).getThreadMember},
	{method: "PUT", template: "/channels/{channel_id}/thread-members/{user_id}", serve: (*Server).addThreadMember},
	{method: "DELETE", template: "/channels/{channel_id}/thread-members/{user_id}", serve: (*Server).removeThreadMember},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/public", serve: listArchivedThreads(false, false)},
	{method: "GET", template: "/channels/{channel_id}/threads/archived/private", serve: listArchivedThreads(true, false)},
	{method: "GET", template: "/channels/{channel_id}/users/@me/threads/archived/private", serve: listArchivedThreads(true, true)},
	{method: "GET", template: "/channels/{channel_id}/webhooks", serve: (*Server).listChannelWebhooks},
	{method: "POST", template: "/channels/{channel_id}/webhooks", serve: (*Server).createWebhook},

	{method: "POST", template: "/guilds/{guild_id}/channels", serve: (*Server).createChannel},
	{method: "GET", template: "/guilds/{guild_id}/threads/active", serve: (*Server).listActiveThreads},
	{method: "GET", template: "/guilds/{guild_id}/members", serve: (*Server).listMembers},
	{method: "GET", template: "/guilds/{guild_id}/members/search", serve: (*Server).searchMembers},
	{method: "PATCH", template: "/guilds/{guild_id}/members/@me", serve: (*Server).editMyMember},
	{method: "PATCH", template: "/guilds/{guild_id}/members/{user_id}", serve: (*Server).editMember},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}", serve: (*Server).kick},
	{method: "PUT", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", serve: setMemberRole((*User).giveLocked)},
	{method: "DELETE", template: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", serve: setMemberRole((*User).takeLocked)},
	{method: "GET", template: "/guilds/{guild_id}/bans", serve: (*Server).listBans},
	{method: "GET", template: "/guilds/{guild_id}/bans/{user_id}", serve: (*Server).getBan},
	{method: "PUT", template: "/guilds/{guild_id}/bans/{user_id}", serve: (*Server).putBan},
	{method: "DELETE", template: "/guilds/{guild_id}/bans/{user_id}", serve: (*Server).deleteBan},
	{method: "GET", template: "/guilds/{guild_id}/roles", serve: (*Server).listRoles},
	{method: "POST", template: "/guilds/{guild_id}/roles", serve: (*Server).createRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles", serve: (*Server).moveRoles},
	{method: "GET", template: "/guilds/{guild_id}/roles/{role_id}", serve: (*Server).getRole},
	{method: "PATCH", template: "/guilds/{guild_id}/roles/{role_id}", serve: (*Server).editRole},
	{method: "DELETE", template: "/guilds/{guild_id}/roles/{role_id}", serve: (*Server).deleteRole},
	{method: "GET", template: "/guilds/{guild_id}/webhooks", serve: (*Server).listGuildWebhooks},
	{method: "GET", template: "/guilds/{guild_id}/emojis", serve: (*Server).emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/stickers", serve: (*Server).emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/invites", serve: (*Server).emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/integrations", serve: (*Server).emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/scheduled-events", serve: (*Server).emptyGuildList},
	{method: "GET", template: "/guilds/{guild_id}/auto-moderation/rules", serve: (*Server).emptyGuildList},

	{method: "GET", template: "/webhooks/{webhook_id}", serve: (*Server).getWebhook},
	{method: "PATCH", template: "/webhooks/{webhook_id}", serve: (*Server).editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}", serve: (*Server).deleteWebhook},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: (*Server).getWebhook},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: (*Server).editWebhook},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: (*Server).deleteWebhook},
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
