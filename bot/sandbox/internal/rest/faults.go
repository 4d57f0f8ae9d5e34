package rest

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// takeFault gives the exchange the first armed fault of its route.
func (s *API) takeFault(x *Exchange) {
	defer s.world.Hold()()
	for i, f := range s.faults.armed {
		if !f.meets(x.Route) {
			continue
		}
		do := f.do
		x.fault, x.record.Fault = &do, f.name
		f.left--
		if f.left <= 0 {
			s.faults.armed = slices.Delete(s.faults.armed, i, i+1)
		}
		if c, ok := s.world.CallOf(x.Params); ok {
			if !do.apply { // the bot cannot answer by it
				c.Excuse()
			}
			x.record.CallID = c.ID()
		}
		s.world.FaultsChanged()
		return
	}
}

func (f *fault) meets(e *Endpoint) bool {
	switch f.route {
	case AnyRoute, e.Template, e.Operation().String():
		return true
	case InteractionRoutes:
		return e.Auth == AuthToken
	case "gateway":
		return strings.HasPrefix(e.Template, "/gateway")
	}
	return false
}

// pause spends the time that the fault takes and reports whether the request
// goes on; it does not when the client or the server went away.
func (s *API) pause(x *Exchange) bool {
	if x.fault.delay == 0 {
		return true
	}
	select {
	case <-time.After(x.fault.delay):
		return true
	case <-x.Request.Context().Done():
	case <-s.world.Closing().Done():
	}
	x.fault.reset, x.fault.apply = true, false
	return false
}

// applyFault replaces the answer by the fault's.
func (s *API) applyFault(w http.ResponseWriter, x *Exchange, a answer) answer {
	f := x.fault
	switch {
	case f.reset:
		reset(w)
		return answer{}
	case f.status != 0:
		h := http.Header{}
		for k, v := range a.header {
			if strings.HasPrefix(k, "X-Ratelimit-") && f.status != http.StatusTooManyRequests {
				h[k] = v
			}
		}
		maps.Copy(h, f.header)
		if f.isInvalid() && f.header.Get("X-Ratelimit-Scope") != string(rules.ScopeShared) {
			release := s.world.Hold()
			s.Limits(s.world.First()).Invalid()
			release()
		}
		return answer{f.status, f.body, h}
	}
	return a
}

// reset makes the kernel answer the client with a reset instead of an orderly end.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func failing(status int) answer {
	switch {
	case status >= 502: // those come from what stands before Discord
		return htmlPage(status, http.StatusText(status), 0)
	case status == http.StatusUnauthorized:
		return refusing(rules.ErrUnauthorized)
	}
	return refusing(&rules.Error{Status: status, Message: http.StatusText(status)})
}

// refusing answers with an error.
func refusing(e *rules.Error) answer {
	a := refusal(e, http.Header{})
	a.header.Del("Via")
	return a
}

func limiting(wait time.Duration, scope rules.Scope) answer {
	if scope == rules.ScopeHTML {
		return banned(wait)
	}
	h := http.Header{}
	a := written(http.StatusTooManyRequests, rules.TooMany(h, wait, scope), h)
	if scope != rules.ScopeGlobal {
		rules.TellLimit(h, 5, 0, time.Now().Add(wait), wait, "fault")
	}
	return a
}

// fault meets the next requests that match its route.
type fault struct {
	name  string
	route string
	left  int
	do    effect
}

// effect is what a fault does to a request. The zero value does nothing.
type effect struct {
	answer // in place of the route's, unless its status is 0
	delay  time.Duration
	apply  bool // let the request take effect before answer or reset
	reset  bool // end the TCP connection with a reset
}

// Routes for faults that are no template.
const (
	AnyRoute          = ""             // every request
	InteractionRoutes = "interactions" // every route that an interaction token authorises
)

// Faults are what goes wrong with an API on purpose. Its methods may be called by several
// goroutines at once.
type Faults struct {
	api   *API
	armed []*fault
}

func (f *Faults) arm(name, route string, n int, do effect) {
	defer f.api.world.Hold()()
	f.armed = append(f.armed, &fault{name: name, route: route, left: n, do: do})
	f.api.world.FaultsChanged()
}

// Armed is how many more requests the fault of that name will meet. The world's lock is held.
func (f *Faults) Armed(name string) (n int) {
	for _, one := range f.armed {
		if one.name == name {
			n += one.left
		}
	}
	return n
}

// Disarm disarms everything. The world's lock is held.
func (f *Faults) Disarm() { f.armed = nil }

// RateLimitNext answers the next request for route with 429: of scope user or
// shared for its bucket, global for all without a Reset-After header, or html as
// Cloudflare does. The request has no effect.
func (f *Faults) RateLimitNext(route string, retryAfter time.Duration, scope rules.Scope) {
	f.arm("RateLimitNext", route, 1, effect{answer: limiting(retryAfter, scope)})
}

// OldEditsNext refuses the next edit of a message by the channel route with 429
// and code 30046, as after too many edits of messages older than an hour.
func (f *Faults) OldEditsNext(retryAfter time.Duration) {
	a := refusal(rules.TooManyOldEdits(retryAfter), http.Header{"X-Ratelimit-Scope": {string(rules.ScopeUser)}})
	f.arm("OldEditsNext", "PATCH /channels/{channel_id}/messages/{message_id}", 1, effect{answer: a})
}

// ResourceLimitNext refuses the next request for route with 429, code 40062 and
// scope shared: something is limited that other applications use as well.
func (f *Faults) ResourceLimitNext(route string, retryAfter time.Duration) {
	a := refusal(rules.ResourceLimited(retryAfter), http.Header{"X-Ratelimit-Scope": {string(rules.ScopeShared)}})
	f.arm("ResourceLimitNext", route, 1, effect{answer: a})
}

// FailNext answers the next n requests for route (one if n is left out) with
// that status and no effect.
func (f *Faults) FailNext(route string, status int, n ...int) {
	f.arm("FailNext", route, append(n, 1)[0], effect{answer: failing(status)})
}

// RefuseNext answers the next request for route with that status and one of
// Discord's error codes, such as 403 and 50013, and no effect.
func (f *Faults) RefuseNext(route string, status, code int) {
	f.arm("RefuseNext", route, 1, effect{answer: refusing(&rules.Error{Status: status, Code: code, Message: http.StatusText(status)})})
}

// ApplyThenFailNext lets the next request for route take effect and then
// answers 502, as a gateway in between does when it loses the answer.
func (f *Faults) ApplyThenFailNext(route string) {
	f.arm("ApplyThenFailNext", route, 1, effect{answer: failing(502), apply: true})
}

// SlowNext delays the next request for route by d of real time, before it has
// any effect.
func (f *Faults) SlowNext(route string, d time.Duration) {
	f.arm("SlowNext", route, 1, effect{delay: d})
}

// HangNext never answers the next request for route, which has no effect; it
// ends when the client gives up or the server closes.
func (f *Faults) HangNext(route string) {
	f.arm("HangNext", route, 1, effect{delay: math.MaxInt64})
}

// ResetNext resets the connection of the next request for route instead of
// answering; with applied it has taken effect before.
func (f *Faults) ResetNext(route string, applied bool) {
	f.arm("ResetNext", route, 1, effect{reset: true, apply: applied})
}

// GatewayBotFails answers the next n requests for /gateway and /gateway/bot
// with 503.
func (f *Faults) GatewayBotFails(n int) {
	f.arm("GatewayBotFails", "gateway", n, effect{answer: failing(503)})
}
