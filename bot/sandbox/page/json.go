package page

import (
	"net/http"

	"tictactoe/bot/sandbox/internal/webjson"
)

// format is how the page's own routes speak.
var format = webjson.Format{MaxBody: 128 << 10, Internal: "That did not work."}

func refuse(status int, code, message string) *webjson.Error {
	return webjson.Refuse(status, code, message)
}

func fail(w http.ResponseWriter, status int, code, message string) {
	format.Fail(w, refuse(status, code, message))
}
