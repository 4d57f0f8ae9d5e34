package sandbox

import (
	"net/http"

	"tictactoe/bot/sandbox/internal/gateway"
)

func getGateway(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, map[string]any{"url": gateway.At(x.Request.Host)}, nil
}

func getGatewayBot(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.rest.gateway.Bot(x.Request.Host), nil
}

func getUser(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.user.json(), nil
}

func getGuild(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.guild.json(), nil
}

// emptyList answers what many applications ask when they start, and of which there
// is nothing here.
func emptyList(*World, *exchange) (int, any, error) { return http.StatusOK, []any{}, nil }
