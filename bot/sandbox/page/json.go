package page

import (
	"net/http"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/webjson"
)

// format is how the page's own routes speak. A modal with five inputs of 4,000
// characters fits into a request several times over.
var format = webjson.Format{MaxBody: 128 << 10, Internal: "That did not work.", Known: []webjson.Known{
	{Err: sandbox.ErrUnknownCommand, Status: http.StatusNotFound, Code: "unknown_command"},
	{Err: sandbox.ErrBadOption, Status: http.StatusUnprocessableEntity, Code: "bad_option"},
	{Err: sandbox.ErrForbidden, Status: http.StatusForbidden, Code: "forbidden"},
	{Err: sandbox.ErrNotVisible, Status: http.StatusNotFound, Code: "not_visible"},
	{Err: sandbox.ErrNoComponent, Status: http.StatusConflict, Code: "no_component"},
	{Err: sandbox.ErrDisabled, Status: http.StatusConflict, Code: "disabled"},
	{Err: sandbox.ErrNoModal, Status: http.StatusConflict, Code: "no_modal"},
	{Err: sandbox.ErrGone, Status: http.StatusGone, Code: "gone"},
	{Err: sandbox.ErrClosed, Status: http.StatusServiceUnavailable, Code: "closed"},
}}

// withFiles is the same for what can carry files, whose content is base64.
var withFiles = webjson.Format{MaxBody: 16 << 20, Internal: format.Internal, Known: format.Known}

func refuse(status int, code, message string) *webjson.Error {
	return webjson.Refuse(status, code, message)
}

func refuseField(field, code, message string) error {
	return &webjson.Error{Status: http.StatusUnprocessableEntity, Code: code, Message: message, Field: field}
}

func fail(w http.ResponseWriter, status int, code, message string) {
	format.Fail(w, refuse(status, code, message))
}

// post makes a handler of a function that takes the request's JSON.
func post[T any](do func(T) (any, error)) http.Handler {
	return webjson.Post(format, func(_ *http.Request, in T) (any, error) { return do(in) })
}
