package sandbox

import (
	"net/http"
)

func getEmoji(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, appEmojiJSON(w, x.emoji), nil
}
