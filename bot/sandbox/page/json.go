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

// post makes a handler of a function that takes the request's JSON.
func post[T any](do func(T) (any, error)) http.Handler {
	return webjson.Post(format, func(_ *http.Request, in T) (any, error) { return do(in) })
}
