package sandbox

import (
	"tictactoe/bot/sandbox/internal/rest"
)

// Routes for faults, as "METHOD template" with the templates of Discord's API
// description. A template alone means every method, AnyRoute every request, and
// InteractionRoutes every route that an interaction token authorises.
const (
	AnyRoute          = rest.AnyRoute
	InteractionRoutes = rest.InteractionRoutes

	RouteCallback       = "POST /interactions/{interaction_id}/{interaction_token}/callback"
	RouteGetOriginal    = "GET /webhooks/{webhook_id}/{webhook_token}/messages/@original"
	RouteEditOriginal   = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
	RouteDeleteOriginal = "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original"
	RouteFollowUp       = "POST /webhooks/{webhook_id}/{webhook_token}"
	RouteEditByToken    = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}" //nolint:gosec // a template
	RouteDeleteByToken  = "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
	RouteCreateMessage  = "POST /channels/{channel_id}/messages"
	RouteGetMessage     = "GET /channels/{channel_id}/messages/{message_id}"
	RouteEditMessage    = "PATCH /channels/{channel_id}/messages/{message_id}"
	RouteDeleteMessage  = "DELETE /channels/{channel_id}/messages/{message_id}"
	RouteCommands       = "GET /applications/{application_id}/commands"
	RouteSetCommands    = "PUT /applications/{application_id}/commands"
	RouteGateway        = "GET /gateway"
	RouteGatewayBot     = "GET /gateway/bot"
)
