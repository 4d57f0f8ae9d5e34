// Package api lets a program in any language try its bot in a local Discord: it
// makes worlds, lets people act in them, waits for the bot, reads what happened, arms
// faults and moves the clock, by HTTP and JSON. GET /sandbox/v1/openapi.json describes
// it; [Description] is the same file.
//
// Whoever has the key can do everything here, and nothing anywhere else.
package api

import (
	"cmp"
	"context"
	"crypto/subtle"
	_ "embed"
	"net/http"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/webjson"
)

// Base is the path that all routes begin with.
const Base = "/sandbox/v1"

// Description is the OpenAPI description of the API.
//
//go:embed openapi.json
var Description []byte

// maxBody bounds a request: a file of a message fits, base64 included.
const maxBody = 16 << 20

// longestWait bounds how long a request may wait for the bot.
const longestWait = time.Minute

// handler serves the API. It may be used by several goroutines at once.
type handler struct {
	srv *sandbox.Server
	key string
}

// New returns the handler of the API for srv; mount it at Base and below. Requests
// have to carry the key as "Authorization: Bearer key".
func New(srv *sandbox.Server, key string) http.Handler {
	h := &handler{srv, key}
	return h.at(Base, h.authorised)
}

// Unlocked returns the handler of the same routes at base and below for a server that
// has its own way to tell who may ask, and guards the handler by that.
func Unlocked(srv *sandbox.Server, base string) http.Handler {
	h := &handler{srv: srv}
	return h.at(base, func(serve http.Handler) http.Handler { return serve })
}

// at mounts the routes, which a guard stands before.
func (h *handler) at(base string, guard func(http.Handler) http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+base+"/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(Description)
	})
	for pattern, serve := range h.routes() {
		method, path, _ := strings.Cut(pattern, " ")
		mux.Handle(method+" "+base+path, guard(serve))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		format.Fail(w, refuse(http.StatusNotFound, "not_found", "There is no such route; see "+Base+"/openapi.json."))
	})
	return mux
}

// routes is the table of everything that the API answers.
func (h *handler) routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /{$}":    format.Do(h.info),
		"POST /reset": format.Do(h.reset),

		"GET /apps":  format.Do(h.listApps),
		"POST /apps": post(h.createApp),

		"GET /worlds":                   format.Do(h.listWorlds),
		"POST /worlds":                  post(h.createWorld),
		"GET /worlds/{world}":           within(h, (*world).get),
		"DELETE /worlds/{world}":        within(h, (*world).delete),
		"POST /worlds/{world}/people":   postWithin(h, (*world).addPerson),
		"PATCH /worlds/{world}/people":  postWithin(h, (*world).changePerson),
		"POST /worlds/{world}/channels": postWithin(h, (*world).addChannel),
		"POST /worlds/{world}/roles":    postWithin(h, (*world).addRole),
		"POST /worlds/{world}/private":  postWithin(h, (*world).createPrivate),

		"PATCH /worlds/{world}/roles/{role}":                         postWithin(h, (*world).changeRole),
		"DELETE /worlds/{world}/roles/{role}":                        within(h, (*world).deleteRole),
		"PUT /worlds/{world}/people/{person}/roles/{role}":           within(h, setRole((*sandbox.User).Give)),
		"DELETE /worlds/{world}/people/{person}/roles/{role}":        within(h, setRole((*sandbox.User).Take)),
		"DELETE /worlds/{world}/channels/{channel}":                  within(h, (*world).deleteChannel),
		"PUT /worlds/{world}/channels/{channel}/overwrites/{target}": postWithin(h, (*world).setOverwrite),

		"POST /worlds/{world}/command":      act[slashCommand](h),
		"POST /worlds/{world}/autocomplete": act[typedCommand](h),
		"POST /worlds/{world}/context":      act[menuEntry](h),
		"POST /worlds/{world}/click":        act[buttonClick](h),
		"POST /worlds/{world}/select":       act[selection](h),
		"POST /worlds/{world}/modal":        act[filledModal](h),
		"POST /worlds/{world}/say":          postWithin(h, (*world).say),
		"POST /worlds/{world}/react":        postWithin(h, (*world).react),
		"POST /worlds/{world}/pin":          postWithin(h, (*world).pin),
		"POST /worlds/{world}/dismiss":      postWithin(h, once((*sandbox.User).Dismiss)),
		"POST /worlds/{world}/delete":       postWithin(h, once(deleteMessage)),
		"POST /worlds/{world}/threads":      postWithin(h, (*world).startThread),
		"PATCH /worlds/{world}/threads":     postWithin(h, (*world).changeThread),

		"GET /worlds/{world}/pins":     within(h, (*world).listPins),
		"GET /worlds/{world}/messages": within(h, (*world).listMessages),
		"GET /messages/{message}":      format.Do(h.getMessage),
		"GET /calls/{call}":            format.Do(h.getCall),
		"GET /requests":                format.Do(h.listRequests),
		"DELETE /requests":             format.Do(h.forgetRequests),
		"POST /wait":                   post(h.wait),
		"GET /faults":                  format.Do(h.listFaults),
		"POST /faults":                 post(h.arm),
		"DELETE /faults":               format.Do(h.clearFaults),
		"POST /clock":                  post(h.moveClock),
	}
}

// authorised lets only those pass who have the key.
func (h *handler) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(key), []byte(h.key)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			format.Fail(w, refuse(http.StatusUnauthorized, "unauthorised", "The header Authorization must be Bearer and the key that was printed at start."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// format is how the API speaks.
var format = webjson.Format{MaxBody: maxBody, Known: []webjson.Known{
	{Err: sandbox.ErrUnknownCommand, Status: http.StatusConflict, Code: "unknown_command"},
	{Err: sandbox.ErrBadOption, Status: http.StatusUnprocessableEntity, Code: "bad_option"},
	{Err: sandbox.ErrForbidden, Status: http.StatusConflict, Code: "forbidden"},
	{Err: sandbox.ErrNotVisible, Status: http.StatusConflict, Code: "not_visible"},
	{Err: sandbox.ErrNoComponent, Status: http.StatusConflict, Code: "no_component"},
	{Err: sandbox.ErrDisabled, Status: http.StatusConflict, Code: "disabled"},
	{Err: sandbox.ErrNoModal, Status: http.StatusConflict, Code: "no_modal"},
	{Err: sandbox.ErrGone, Status: http.StatusConflict, Code: "gone"},
	{Err: sandbox.ErrUnknownFault, Status: http.StatusUnprocessableEntity, Code: "unknown_fault"},
	{Err: sandbox.ErrClosed, Status: http.StatusServiceUnavailable, Code: "closed"},
	{Err: context.DeadlineExceeded, Status: http.StatusGatewayTimeout, Code: "timeout"},
	{Err: context.Canceled, Status: http.StatusGatewayTimeout, Code: "timeout"},
}}

func refuse(status int, code, message string) error { return webjson.Refuse(status, code, message) }

func badField(field, message string) error {
	return &webjson.Error{Status: http.StatusUnprocessableEntity, Code: "bad_field", Message: message, Field: field}
}

func post[T any](serve func(*http.Request, T) (any, error)) http.HandlerFunc {
	return webjson.Post(format, serve)
}

// waiting reads the query: what to wait for, and for how long at most.
func waiting(r *http.Request, usual string) (what string, timeout time.Duration, err error) {
	what = usual
	q := r.URL.Query()
	if q.Has("wait") {
		what = q.Get("wait")
	}
	if !slices.Contains([]string{"none", "answered", "settled"}, what) {
		return "", 0, badField("wait", `wait must be "none", "answered" or "settled".`)
	}
	timeout, err = patience(q.Get("timeout"))
	return what, timeout, err
}

// patience reads how long to wait at most.
func patience(text string) (time.Duration, error) {
	timeout, err := time.ParseDuration(cmp.Or(text, "10s"))
	if err != nil || timeout <= 0 || timeout > longestWait {
		return 0, badField("timeout", "timeout must be a duration such as 5s, at most 1m.")
	}
	return timeout, nil
}
