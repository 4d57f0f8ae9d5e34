package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/sandbox"
)

// listMessages answers with what a person sees in a channel, oldest first; without a
// person with everything.
func (w *world) listMessages(r *http.Request) (any, error) {
	as, c := w.seen(r)
	if w.err != nil {
		return nil, w.err
	}
	return map[string]any{"messages": each(c.Messages(as), (*sandbox.Message).Snapshot)}, nil
}

// seen reads the query: a channel, and who looks at it, nil for nobody in particular.
func (w *world) seen(r *http.Request) (as *sandbox.User, c *sandbox.Channel) {
	q := r.URL.Query()
	if name := q.Get("as"); name != "" {
		as = w.person(name)
	}
	return as, w.channel(as, nil, q.Get("channel"))
}

// shownMessage is a message with what was done to it.
type shownMessage struct {
	sandbox.Snapshot
	Text   string          `json:"text"`
	Writes []sandbox.Write `json:"writes"`
}

func (h *handler) getMessage(r *http.Request) (any, error) {
	w := &world{handler: h}
	m := w.message(r.PathValue("message"))
	if w.err != nil {
		return nil, w.err
	}
	s := m.Snapshot()
	return shownMessage{s, s.Text(), s.Writes}, nil
}

func (h *handler) getCall(r *http.Request) (any, error) {
	w := &world{handler: h}
	call := w.call(r.PathValue("call"))
	return w.do(r, "none", func() (*sandbox.Call, *sandbox.Message, error) { return call, nil, nil })
}

// request is what a bot asked, without the headers.
type request struct {
	sandbox.Request
	Body     any `json:"body"`     // JSON as it came, else text
	Response any `json:"response"` // JSON as it was answered, else text
}

// listRequests answers with the recorded requests from the given number on, and with
// the number that comes next.
func (h *handler) listRequests(r *http.Request) (any, error) {
	from := 0
	if text := r.URL.Query().Get("from"); text != "" {
		var err error
		if from, err = strconv.Atoi(text); err != nil || from < 0 {
			return nil, badField("from", "from must be a number.")
		}
	}
	kept, next := h.srv.REST().RequestsFrom(from)
	shown := func(x sandbox.Request) request { return request{x, jsonOrText(x.Body), jsonOrText(x.Response)} }
	return map[string]any{"requests": each(kept, shown), "next": next}, nil
}

func jsonOrText(b []byte) any {
	if json.Valid(b) && len(b) > 0 {
		return json.RawMessage(b)
	}
	return string(b)
}

func (h *handler) forgetRequests(*http.Request) (any, error) {
	h.srv.REST().Forget()
	return struct{}{}, nil
}

// waitRequest says what to wait for.
type waitRequest struct {
	// For is "connected", until a bot has a session or an endpoint, "ready", until it has
	// registered a command besides, or "settled".
	For     string `json:"for"`
	Timeout string `json:"timeout,omitempty"`
}

func (h *handler) wait(r *http.Request, in waitRequest) (any, error) {
	timeout, err := patience(in.Timeout)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	switch in.For {
	case "settled":
		return struct{}{}, h.srv.Settled(ctx)
	case "connected", "ready":
		return struct{}{}, h.srv.Until(ctx, func() bool {
			return connected(h.srv) && (in.For == "connected" || h.registered())
		})
	}
	return nil, badField("for", `for must be "connected", "ready" or "settled".`)
}

// connected reports whether interactions reach a bot, over the Gateway or by HTTP.
func connected(srv *sandbox.Server) bool {
	return srv.Gateway().Sessions() > 0 ||
		slices.ContainsFunc(srv.World().Apps(), func(a *sandbox.App) bool { return a.Endpoint() != "" })
}

// registered reports whether a bot has a command, for all worlds or for one.
func (h *handler) registered() bool {
	return slices.ContainsFunc(h.srv.World().Apps(), func(a *sandbox.App) bool {
		return len(a.Commands("")) > 0 ||
			slices.ContainsFunc(h.srv.World().Guilds(), func(g *sandbox.Guild) bool { return len(a.Commands(g.ID())) > 0 })
	})
}

// clockRequest moves the clock.
type clockRequest struct {
	Advance string `json:"advance"`
}

func (h *handler) moveClock(_ *http.Request, in clockRequest) (any, error) {
	d, err := time.ParseDuration(in.Advance)
	if err != nil || d < 0 {
		return nil, badField("advance", "advance must be a duration such as 3s.")
	}
	if _, ok := h.srv.Clock().(interface{ Advance(time.Duration) }); !ok {
		return nil, refuse(http.StatusConflict, "fixed_clock", "This local Discord runs on the system's clock.")
	}
	h.srv.Advance(d)
	return map[string]any{"now": h.srv.Clock().Now()}, nil
}
