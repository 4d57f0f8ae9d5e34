package sandbox

import (
	"net/http"
)

func listChannelWebhooks(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, webhooksOf(w, func(h *channelWebhook) bool { return h.channel == x.channel }), nil
}

func listGuildWebhooks(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, webhooksOf(w, func(h *channelWebhook) bool { return h.channel.guild == x.guild }), nil
}

func getWebhook(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, webhookJSON(w, x.hook), nil
}
