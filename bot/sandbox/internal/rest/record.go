package rest

import (
	"bytes"
	"net/http"
	"time"
)

// Request is one REST request that the server received, as a record.
type Request struct {
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	// Path is below the REST base, such as "/channels/1/messages"; Query is
	// what follows "?". An unknown path is given in full.
	Path  string `json:"path"`
	Query string `json:"query"`
	// Route is the template of Discord's API description that it matched, such
	// as "/channels/{channel_id}/messages", empty for none.
	Route string `json:"route"`
	// Header is the request's, with Authorization redacted.
	Header http.Header `json:"-"`
	// Body is the request's body as it came; Response what was answered.
	Body     []byte `json:"body,omitempty"`
	Status   int    `json:"status"`
	Response []byte `json:"response,omitempty"`
	// ResponseHeader is the answer's header.
	ResponseHeader http.Header `json:"-"`
	// Took is the real time the request took.
	Took time.Duration `json:"took"`
	// Fault names the fault that met it, if any.
	Fault string `json:"fault"`
	// CallID is the interaction it was for, if any.
	CallID string `json:"call"`
	// InBody marks the answer to an interaction that came as the body of an endpoint's
	// response. It is recorded as the callback that it stands for.
	InBody bool `json:"-"`
	// Unserved marks a path outside the REST base, or one that Discord has but
	// this server does not.
	Unserved bool `json:"unserved"`
}

// Requests returns the REST requests received so far, oldest first, as many as
// Options.KeepRequests keeps. Who sees what a request has changed finds it here,
// unless a fault has met it: then it comes with its answer. Paths of interaction and webhook routes hold tokens.
func (s *API) Requests() []Request {
	kept, _ := s.RequestsFrom(0)
	return kept
}

// RequestsFrom returns those of Requests that came after the first n of all, and how many
// have come by now. Requests that are kept no more count as well.
func (s *API) RequestsFrom(n int) (kept []Request, next int) {
	defer s.world.Hold()()
	from := min(max(n-s.gone, 0), len(s.requests))
	return append(kept, s.requests[from:]...), s.gone + len(s.requests)
}

// Forget empties the record of requests.
func (s *API) Forget() {
	defer s.world.Hold()()
	s.gone += len(s.requests)
	s.requests = nil
}

// OnRequest has f called after each request was answered, in the goroutine that
// served it, so that calls may overlap.
func (s *API) OnRequest(f func(Request)) {
	defer s.world.Hold()()
	s.hooks = append(s.hooks, f)
}

// keptBody is how much of a body a server that forgets remembers: every
// message, and the beginning of an upload.
const keptBody = 64 << 10

// keepLocked records a request and what it is answered with.
func (s *API) keepLocked(x *Exchange, started time.Time, a answer) {
	r := &x.record
	r.Status, r.Response, r.ResponseHeader, r.Took = a.status, a.body, a.header, time.Since(started)
	kept, limit := *r, s.opt.KeepRequests
	if limit > 0 && len(r.Body) > keptBody {
		kept.Body = bytes.Clone(r.Body[:keptBody])
	}
	s.requests = append(s.requests, kept)
	if limit > 0 && len(s.requests) > 2*limit {
		s.gone += len(s.requests) - limit
		s.requests = append([]Request(nil), s.requests[len(s.requests)-limit:]...)
	}
	s.world.Changed()
}

// tellHooks tells whoever listens of a request that is recorded.
func (s *API) tellHooks(r Request) {
	release := s.world.Hold()
	hooks := s.hooks
	release()
	for _, f := range hooks {
		f(r)
	}
}

// InvalidRequests is the number of requests of the last ten minutes that were
// answered 401, 403 or 429. From 10,000 on Discord bans the address.
func (s *API) InvalidRequests() int {
	defer s.world.Hold()()
	return s.Limits(s.world.First()).InvalidRequests()
}
