package api

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tictactoe/bot/sandbox"
)

// faultRequest arms a fault. Which arguments count depends on the fault; without any
// it does what the page's button does.
type faultRequest struct {
	Name string `json:"name"`
	// Route is the template of a route with its method, such as
	// "POST /channels/{channel_id}/messages", or empty for any.
	Route string `json:"route,omitempty"`
	// Count is how often it strikes; 1.
	Count      int    `json:"count,omitempty"`
	Status     int    `json:"status,omitempty"`
	Code       int    `json:"code,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"`
	Scope      string `json:"scope,omitempty"`
	Delay      string `json:"delay,omitempty"`
	Applied    bool   `json:"applied,omitempty"`
	Resumable  bool   `json:"resumable,omitempty"`
	On         *bool  `json:"on,omitempty"`
	Packet     string `json:"packet,omitempty"`
	Call       string `json:"call,omitempty"`
	Channel    string `json:"channel,omitempty"`
}

// arguments are a faultRequest's, read.
type arguments struct {
	*world
	faultRequest
	retryAfter, delay time.Duration
	on                bool
	count             int
	in                *sandbox.Channel
}

// withArguments are those that take arguments, by name.
var withArguments = map[string]func(*sandbox.Faults, arguments){
	"RateLimitNext": func(s *sandbox.Faults, a arguments) {
		s.RateLimitNext(a.Route, a.retryAfter, sandbox.Scope(cmp.Or(a.Scope, string(sandbox.ScopeUser))))
	},
	"FailNext": func(s *sandbox.Faults, a arguments) {
		s.FailNext(a.Route, cmp.Or(a.Status, http.StatusInternalServerError), a.count)
	},
	"RefuseNext": func(s *sandbox.Faults, a arguments) {
		s.RefuseNext(a.Route, cmp.Or(a.Status, http.StatusForbidden), cmp.Or(a.Code, 50013))
	},
	"ApplyThenFailNext":         func(s *sandbox.Faults, a arguments) { s.ApplyThenFailNext(a.Route) },
	"SlowNext":                  func(s *sandbox.Faults, a arguments) { s.SlowNext(a.Route, cmp.Or(a.delay, 2*time.Second)) },
	"HangNext":                  func(s *sandbox.Faults, a arguments) { s.HangNext(a.Route) },
	"ResetNext":                 func(s *sandbox.Faults, a arguments) { s.ResetNext(a.Route, a.Applied) },
	"GatewayBotFails":           func(s *sandbox.Faults, a arguments) { s.GatewayBotFails(a.count) },
	"CloseGateway":              func(s *sandbox.Faults, a arguments) { s.CloseGateway(cmp.Or(a.Code, 4000)) },
	"InvalidSession":            func(s *sandbox.Faults, a arguments) { s.InvalidSession(a.Resumable, a.count) },
	"FirstPacketAfterHello":     packet((*sandbox.Faults).FirstPacketAfterHello),
	"FirstPacketInsteadOfHello": packet((*sandbox.Faults).FirstPacketInsteadOfHello),
	"FirstPacketAfterIdentify":  packet((*sandbox.Faults).FirstPacketAfterIdentify),
	"FirstPacketAfterResume":    packet((*sandbox.Faults).FirstPacketAfterResume),
	"RefuseResume":              times((*sandbox.Faults).RefuseResume),
	"RefuseUpgrade":             times((*sandbox.Faults).RefuseUpgrade),
	"SilentGateway":             times((*sandbox.Faults).SilentGateway),
	"NoHello":                   times((*sandbox.Faults).NoHello),
	"NoReady":                   times((*sandbox.Faults).NoReady),
	"RedeliverNext":             times((*sandbox.Faults).RedeliverNext),
	"DelayDelivery":             func(s *sandbox.Faults, a arguments) { s.DelayDelivery(a.delay) },
	"NoAcks":                    lasting((*sandbox.Faults).NoAcks),
	"CompressedFrames":          lasting((*sandbox.Faults).CompressedFrames),
	"UnknownEvents":             lasting((*sandbox.Faults).UnknownEvents),
	"LosePermission": func(_ *sandbox.Faults, a arguments) {
		if a.in == nil {
			a.note(badField("channel", "LosePermission needs the id of a channel."))
			return
		}
		a.in.Set(sandbox.NoBotPosts)
	},
	"ExpireToken":    ofCall((*sandbox.Faults).ExpireToken),
	"UnknownWebhook": ofCall((*sandbox.Faults).UnknownWebhook),
}

func packet(arm func(*sandbox.Faults, sandbox.FirstPacket)) func(*sandbox.Faults, arguments) {
	return func(s *sandbox.Faults, a arguments) {
		switch p := sandbox.FirstPacket(cmp.Or(a.Packet, string(sandbox.PacketReconnect))); p {
		case sandbox.PacketReconnect, sandbox.PacketInvalid, sandbox.PacketInvalidResume, sandbox.PacketAck, sandbox.PacketHeartbeat,
			sandbox.PacketEvent, sandbox.PacketClose, sandbox.PacketConnectionLoss:
			arm(s, p)
		default:
			a.note(badField("packet", fmt.Sprintf("There is no packet %q.", p)))
		}
	}
}

func times(arm func(*sandbox.Faults, ...int)) func(*sandbox.Faults, arguments) {
	return func(s *sandbox.Faults, a arguments) { arm(s, a.count) }
}

func lasting(arm func(*sandbox.Faults, bool)) func(*sandbox.Faults, arguments) {
	return func(s *sandbox.Faults, a arguments) { arm(s, a.on) }
}

func ofCall(arm func(*sandbox.Faults, *sandbox.Call)) func(*sandbox.Faults, arguments) {
	return func(s *sandbox.Faults, a arguments) {
		if call := a.call(a.Call); call != nil {
			arm(s, call)
		}
	}
}

// arm arms a fault with its arguments. Those that take or are given none are caused as from the
// page, if its button is there.
func (h *handler) arm(r *http.Request, in faultRequest) (any, error) {
	a := arguments{world: &world{handler: h}, faultRequest: in, on: in.On == nil || *in.On, count: max(in.Count, 1)}
	a.retryAfter, a.delay = a.duration("retry_after", in.RetryAfter), a.duration("delay", in.Delay)
	if in.Channel != "" {
		if a.in = h.srv.World().ChannelByID(in.Channel); a.in == nil {
			a.note(unknown("channel", in.Channel))
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	f, err := withArguments[in.Name], sandbox.ErrUnknownFault
	if f == nil || in == (faultRequest{Name: in.Name}) {
		err = h.srv.Faults().Trigger(in.Name)
	}
	if f != nil && errors.Is(err, sandbox.ErrUnknownFault) {
		f(h.srv.Faults(), a)
		err = a.err
	}
	if err != nil {
		return nil, err
	}
	return h.listFaults(r)
}

// duration reads one that may be left out.
func (w *world) duration(field, text string) time.Duration {
	d, err := time.ParseDuration(cmp.Or(text, "0"))
	if err != nil || d < 0 {
		w.note(badField(field, field+" must be a duration such as 2s."))
	}
	return d
}

func (h *handler) listFaults(*http.Request) (any, error) {
	return map[string]any{"faults": h.srv.Faults().List()}, nil
}

func (h *handler) clearFaults(r *http.Request) (any, error) {
	h.srv.Faults().Clear()
	return h.listFaults(r)
}
