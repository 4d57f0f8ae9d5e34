package webhook

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

const (
	// maxBody is more than Discord sends: the largest part is the clicked message, of
	// which Discord takes some 10 kB of text.
	maxBody = 1 << 20
	// settle is for how long an answer in the body of a response counts as on its way.
	// Discord does not say when it has applied it, and what shows the same message
	// next must not overtake it.
	settle = 150 * time.Millisecond
)

// Options are the settings of a Handler. Key, Handle, API and Now are required.
type Options struct {
	Key ed25519.PublicKey // of the application; one of another length signs nothing

	// Handle handles an interaction and answers it. It is called in a goroutine of its
	// own for every one whose signature is right, a PING excepted. A panic in it is
	// caught and logged.
	Handle func(in *discord.Interaction, a *Answer)
	// Handling counts the interactions that were begun and are not finished; default: a group
	// of its own. Whoever waits for it does so after Stop, when no new ones begin.
	Handling *tasks.Group
	// API takes answers that are not the body of a response; usually a *rest.Client.
	API Responder
	// Fit, if set, returns the body of a response as it is sent.
	Fit func(content []byte) []byte

	Now    func() time.Time // by Discord's clock, as well as it is known
	Settle time.Duration    // default 150 ms; negative for none
	Logger *slog.Logger     // default: nothing is logged
}

// Responder is the route that takes answers.
type Responder interface {
	Respond(ctx context.Context, interactionID, token string, cb rest.Callback) (*rest.Message, error)
}

// Handler is the endpoint that Discord posts interactions to. It answers
//
//   - 200 with the answer, or with a PONG for a PING,
//   - 202 where the answer comes by the callback route, or none does,
//   - 400 to what is signed and is no interaction,
//   - 401 where the signature is missing, wrong or older than five minutes,
//   - 413 to a body of more than a megabyte,
//   - 503 once it has been stopped: nothing was begun, so that somebody else may be
//     asked.
//
// It may be used concurrently.
type Handler struct {
	opts    Options
	stopped atomic.Bool
	refused atomic.Int64
}

// New returns a handler that takes interactions.
func New(o Options) *Handler {
	o.Handling = cmp.Or(o.Handling, new(tasks.Group))
	o.Settle = cmp.Or(o.Settle, settle)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return &Handler{opts: o}
}

// Refused returns how many requests were answered with 401.
func (h *Handler) Refused() int64 { return h.refused.Load() }

// Stop has the handler take no more interactions.
func (h *Handler) Stop() { h.stopped.Store(true) }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	received := time.Now()
	h.opts.Handling.Begin() // before the look at stopped: whoever saw that it was not is waited for
	if h.stopped.Load() {
		h.opts.Handling.End()
		w.Header().Set("Retry-After", "1")
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	in, status := h.read(w, r, received)
	if in == nil {
		h.opts.Handling.End()
		if status == http.StatusOK {
			_ = write(w, http.StatusOK, []byte(`{"type":1}`)) // Discord asks again
			return
		}
		http.Error(w, http.StatusText(status), status)
		return
	}
	a := &Answer{h: h, w: w, written: make(chan struct{})}
	go h.handle(in, a)
	<-a.written
}

// read returns the interaction of a request, and without one the status that answers
// it, which is OK for a PING.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, received time.Time) (in *discord.Interaction, status int) {
	signs, err := parseSignature(r.Header, h.opts.Key, h.opts.Now())
	if err != nil {
		return nil, h.refuse(err)
	}
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge
	case err != nil:
		return nil, http.StatusBadRequest
	case !signs(content):
		return nil, h.refuse(errWrong)
	}
	in, err = discord.DecodeInteraction(content, received)
	switch {
	case err != nil:
		h.opts.Logger.Warn("interaction dropped", "error", err)
		return nil, http.StatusBadRequest
	case in.Kind == discord.KindPing:
		return nil, http.StatusOK
	}
	return in, 0
}

// refuse counts a request without a right signature. Discord sends such requests on
// purpose, and so may anybody: that is no reason for a line in the log.
func (h *Handler) refuse(err error) (status int) {
	h.refused.Add(1)
	h.opts.Logger.Debug("posted interaction refused", "error", err)
	return http.StatusUnauthorized
}

// handle calls the function of the options for one interaction.
func (h *Handler) handle(in *discord.Interaction, a *Answer) {
	defer h.opts.Handling.End()
	defer func() {
		if v := recover(); v != nil {
			h.opts.Logger.Error("panic in the interaction handler", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
		}
		if !a.sent {
			_ = a.respond(http.StatusAccepted, nil) // somebody else answers, or nobody can
		}
	}()
	h.opts.Handle(in, a)
}

// write sends a response to its end: whoever waits for it goes on.
func write(w http.ResponseWriter, status int, content []byte) error {
	if len(content) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	w.WriteHeader(status)
	if _, err := w.Write(content); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}
