package webhook

import (
	"context"
	"fmt"
	"net/http"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

// Answer answers the interaction of one request. Its methods may be called several
// times, one after the other, until the interaction is handled.
type Answer struct {
	h       *Handler
	w       http.ResponseWriter
	written chan struct{} // closed when the response is
	sent    bool          // the response is written, or about to be
	settles bool          // it was the answer
}

// Answer sends an answer. A new message is made by the callback route, which returns
// it. Everything else is the body of the response: what Discord makes of that nobody
// learns, so that nil only says that it was written. The errors of the callback route are
// those of package rest. An answer behind one that was sent goes by that route, too.
func (a *Answer) Answer(ctx context.Context, in *discord.Interaction, cb rest.Callback) (*rest.Message, error) {
	if !a.sent && cb.Type == rest.CallbackMessage {
		// Discord gets this answer by the other way even if this response is lost.
		_ = a.respond(http.StatusAccepted, nil)
	}
	if a.sent {
		return a.h.opts.API.Respond(ctx, in.ID, in.Token, cb)
	}
	content, err := cb.JSON()
	if err != nil {
		return nil, err
	}
	if a.h.opts.Fit != nil {
		content = a.h.opts.Fit(content)
	}
	if err := a.respond(http.StatusOK, content); err != nil {
		return nil, fmt.Errorf("webhook: %w", err)
	}
	a.settles = true
	return nil, nil
}

// Settle waits until an answer that was the body of the response has had time to
// arrive, or the context ends.
func (a *Answer) Settle(ctx context.Context) {
	if a.settles && a.h.opts.Settle > 0 {
		_ = tasks.Sleep(ctx, a.h.opts.Settle) // a context that ends has nothing left to wait for
	}
	a.settles = false
}

// respond writes the response to its end: whoever waits for it goes on.
func (a *Answer) respond(status int, content []byte) error {
	a.sent = true
	defer close(a.written)
	return write(a.w, status, content)
}
