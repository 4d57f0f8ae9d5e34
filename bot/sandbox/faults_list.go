package sandbox

import (
	"fmt"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// trial is a fault as somebody tries it by hand.
type trial struct {
	name  string
	about string
	armed func(*faultState) int
	cause func(*Server)
}

// restArmed counts how many more requests a fault of that name will meet.
func restArmed(name string) func(*faultState) int {
	return func(f *faultState) int {
		n := 0
		for _, r := range f.rest {
			if r.name == name {
				n += r.left
			}
		}
		return n
	}
}

func lasting(on bool) int {
	if on {
		return -1
	}
	return 0
}

func none(*faultState) int { return 0 }

// trials are the faults that suit trying by hand, in the order of their list.
var trials = []trial{
	{"DropGateway", "Cut the bot's Gateway connections.", none, (*Server).DropGateway},
	{"CloseGateway", "Close the Gateway connections with code 4000.", none, func(s *Server) { s.CloseGateway(4000) }},
	{"ReconnectOp7", "Ask the bot to reconnect.", none, (*Server).ReconnectOp7},
	{"InvalidSession", "Call the bot's session invalid.", func(f *faultState) int { return f.invalid }, func(s *Server) { s.InvalidSession(false) }},
	{
		"SilentGateway", "Accept the next connection, say nothing, and cut the present one.",
		func(f *faultState) int { return f.silent }, func(s *Server) { s.SilentGateway(); s.DropGateway() },
	},
	{
		"NoHello", "Say no Hello on the next connection, and cut the present one.",
		func(f *faultState) int { return f.noHello }, func(s *Server) { s.NoHello(); s.DropGateway() },
	},
	{
		"NoReady", "Take the next identify or resume without an answer, and cut the connection.",
		func(f *faultState) int { return f.noReady }, func(s *Server) { s.NoReady(); s.DropGateway() },
	},
	{
		"NoAcks", "Half-open links: no more ACKs and events on the present connections.", none,
		func(s *Server) { s.NoAcks(true); s.set(func(f *faultState) { f.noAcks = false }) },
	},
	{
		"FirstPacketAfterHello", "Follow the next Hello with op 7, and cut the connection.",
		func(f *faultState) int { return len(f.afterHello) }, func(s *Server) { s.FirstPacketAfterHello(PacketReconnect); s.DropGateway() },
	},
	{
		"FirstPacketAfterIdentify", "Answer the next identify with op 7.",
		func(f *faultState) int { return len(f.afterIdent) }, func(s *Server) { s.FirstPacketAfterIdentify(PacketReconnect); s.InvalidSession(false) },
	},
	{
		"FirstPacketAfterResume", "Answer the next resume with op 7, and cut the connection.",
		func(f *faultState) int { return len(f.afterResume) }, func(s *Server) { s.FirstPacketAfterResume(PacketReconnect); s.DropGateway() },
	},
	{
		"RefuseResume", "Refuse the next resume, and cut the connection.",
		func(f *faultState) int { return f.refuse }, func(s *Server) { s.RefuseResume(); s.DropGateway() },
	},
	{
		"RefuseUpgrade", "Refuse the next websocket handshake, and cut the connection.",
		func(f *faultState) int { return f.refuseUp }, func(s *Server) { s.RefuseUpgrade(); s.DropGateway() },
	},
	{
		"GatewayBotFails", "Answer the next five requests for the Gateway's address with 503.",
		restArmed("GatewayBotFails"), func(s *Server) { s.GatewayBotFails(5) },
	},
	{
		"RedeliverNext", "Deliver the next interaction twice.",
		func(f *faultState) int { return f.redeliver }, func(s *Server) { s.RedeliverNext() },
	},
	{
		"DelayDelivery", "Hold back every event for two seconds; again to stop.",
		func(f *faultState) int { return lasting(f.delay > 0) }, func(s *Server) {
			s.set(func(f *faultState) {
				if f.delay = 2*time.Second - f.delay; f.delay < 0 {
					f.delay = 0
				}
			})
		},
	},
	{
		"CompressedFrames", "Compress what the Gateway sends; again to stop.",
		func(f *faultState) int { return lasting(f.compressed) }, func(s *Server) { s.set(func(f *faultState) { f.compressed = !f.compressed }) },
	},
	{
		"UnknownEvents", "Sprinkle in events, opcodes and fields that nobody knows; again to stop.",
		func(f *faultState) int { return lasting(f.unknown) }, func(s *Server) { s.set(func(f *faultState) { f.unknown = !f.unknown }) },
	},
	{
		"RateLimitNext", "Answer the next request with 429 and half a second to wait.",
		restArmed("RateLimitNext"), func(s *Server) { s.RateLimitNext(AnyRoute, 500*time.Millisecond, rules.ScopeUser) },
	},
	{
		"OldEditsNext", "Refuse the next edit of a message as one of too many old ones (30046).",
		restArmed("OldEditsNext"), func(s *Server) { s.OldEditsNext(2 * time.Second) },
	},
	{
		"ResourceLimitNext", "Refuse the next request because a shared resource is limited (40062).",
		restArmed("ResourceLimitNext"), func(s *Server) { s.ResourceLimitNext(AnyRoute, 2*time.Second) },
	},
	{"FailNext", "Answer the next request with 500.", restArmed("FailNext"), func(s *Server) { s.FailNext(AnyRoute, 500) }},
	{
		"RefuseNext", "Refuse the next request with 403, missing permissions.",
		restArmed("RefuseNext"), func(s *Server) { s.RefuseNext(AnyRoute, 403, 50013) },
	},
	{
		"ApplyThenFailNext", "Let the next request take effect and answer 502.",
		restArmed("ApplyThenFailNext"), func(s *Server) { s.ApplyThenFailNext(AnyRoute) },
	},
	{
		"SlowNext", "Take two seconds for the next request.",
		restArmed("SlowNext"), func(s *Server) { s.SlowNext(AnyRoute, 2*time.Second) },
	},
	{"HangNext", "Never answer the next request.", restArmed("HangNext"), func(s *Server) { s.HangNext(AnyRoute) }},
	{
		"ResetNext", "Reset the connection of the next request.",
		restArmed("ResetNext"), func(s *Server) { s.ResetNext(AnyRoute, false) },
	},
	{"ExpireTokens", "Let the tokens of all interactions so far die.", none, (*Server).ExpireTokens},
	{"RevokeToken", "Revoke the bot's token: it cannot come back.", func(f *faultState) int { return lasting(f.revoked) }, (*Server).RevokeToken},
}

// ExpireTokens lets the tokens of all interactions so far die; see ExpireToken.
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.byToken {
		c.tokenDead = true
	}
}

// Faults lists the faults that Trigger knows, with what is armed.
func (s *Server) Faults() []FaultInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]FaultInfo, 0, len(trials))
	for _, t := range trials {
		out = append(out, FaultInfo{t.name, t.about, t.armed(&s.faults)})
	}
	return out
}

// Trigger causes the named fault with values that suit trying it by hand.
// ErrUnknownFault means that there is none of that name.
func (s *Server) Trigger(name string) error {
	for _, t := range trials {
		if t.name == name {
			t.cause(s)
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrUnknownFault, name)
}
