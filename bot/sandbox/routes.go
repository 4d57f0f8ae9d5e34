package sandbox

import "strings"

// endpoints are the routes that are served, by the templates of Discord's API
// description. Of two that match a path the first one answers.
var endpoints = withSegments([]endpoint{
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
	{method: "POST", template: "/webhooks/{webhook_id}/{webhook_token}", auth: authToken, serve: (*Server).followUp},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: (*Server).getByToken},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: (*Server).editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", auth: authToken, serve: (*Server).deleteByToken},
	{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: (*Server).getByToken},
	{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: (*Server).editByToken},
	{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", auth: authToken, serve: (*Server).deleteByToken},

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
})

func withSegments(list []endpoint) []endpoint {
	for i := range list {
		list[i].segments = strings.Split(strings.TrimPrefix(list[i].template, "/"), "/")
	}
	return list
}
