package sandbox

import (
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
	Query string `json:"query,omitempty"`
	// Route is the template of Discord's API description that it matched, such
	// as "/channels/{channel_id}/messages", empty for none.
	Route string `json:"route,omitempty"`
	// Header is the request's, with Authorization redacted.
	Header http.Header `json:"header"`
	// Body is the request's body as it came; Response what was answered.
	Body     []byte `json:"body,omitempty"`
	Status   int    `json:"status"`
	Response []byte `json:"response,omitempty"`
	// ResponseHeader is the answer's header.
	ResponseHeader http.Header `json:"response_header"`
	// Took is the real time the request took.
	Took time.Duration `json:"took"`
	// Fault names the fault that met it, if any.
	Fault string `json:"fault,omitempty"`
	// CallID is the interaction it was for, if any.
	CallID string `json:"call_id,omitempty"`
	// Unserved marks a path outside the REST base, or one that Discord has but
	// this server does not.
	Unserved bool `json:"unserved,omitempty"`
}

// recorder keeps what was asked. The Server's lock guards it.
type recorder struct {
	requests []Request
	hooks    []func(Request)
}

// Requests returns the REST requests received so far, oldest first, as many as
// Options.KeepRequests keeps. Paths of interaction and webhook routes hold tokens.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.record.requests...)
}

// OnRequest has f called after each request was answered, in the goroutine that
// served it, so that calls may overlap.
func (s *Server) OnRequest(f func(Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record.hooks = append(s.record.hooks, f)
}
