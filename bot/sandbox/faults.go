package sandbox

import (
	"fmt"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/rules"
)

// Scope says whose rate limit a 429 reports.
type Scope = rules.Scope

// The scopes of Discord, and HTML for the page that Cloudflare answers with
// before Discord sees a request.
const (
	ScopeUser   = rules.ScopeUser
	ScopeShared = rules.ScopeShared
	ScopeGlobal = rules.ScopeGlobal
	ScopeHTML   = rules.ScopeHTML
)

// Faults are what goes wrong with Discord on purpose. Its methods may be called by several
// goroutines at once.
type Faults struct {
	*gatewayFaults
	*restFaults
	world *World
}

type (
	gatewayFaults = gateway.Faults
	restFaults    = rest.Faults
)

// FaultInfo describes a fault for somebody who chooses one.
type FaultInfo struct {
	// Name is what Trigger takes.
	Name string `json:"name"`
	// About says in a sentence what it does with Trigger's values.
	About string `json:"about"`
	// Armed is how many more times it will strike; -1 for one that lasts.
	Armed int `json:"armed"`
}

// ExpireToken makes the call's interaction token die now: its webhook routes
// answer 401 with code 50027, as after fifteen minutes.
func (f *Faults) ExpireToken(c *Call) {
	defer f.world.hold()()
	c.tokenFails = rules.ErrWebhookToken
}

// UnknownWebhook makes the webhook routes of the call's token answer 10015.
func (f *Faults) UnknownWebhook(c *Call) {
	defer f.world.hold()()
	c.tokenFails = rules.ErrUnknownWebhook
}

// Redeliver delivers an interaction again, with the same id and token.
func (f *Faults) Redeliver(c *Call) {
	defer f.world.hold()()
	c.deliver()
}

// ReplayOnResume cuts all connections and lets the calls be sent while nobody
// listens, so that they arrive as a replay when the session resumes. The calls
// need no answer.
func (f *Faults) ReplayOnResume(calls ...*Call) {
	f.DropGateway()
	for _, c := range calls {
		c.AllowUnanswered()
	}
	f.world.DispatchTogether(calls...)
}

// Clear disarms everything, except what was already done to tokens,
// sessions, messages and channels.
func (f *Faults) Clear() {
	defer f.world.hold()()
	f.world.departures = nil
	f.gatewayFaults.Disarm()
	f.restFaults.Disarm()
	f.world.publishLocked(Event{Kind: EventFaultsChanged})
}

// trial is a fault as somebody tries it by hand.
type trial struct {
	name  string
	about string
	cause func(*Faults)
}

// armed is how many more times the fault of that name will strike; -1 for one that lasts.
func (f *Faults) armed(name string) int {
	return f.gatewayFaults.Armed(name) + f.restFaults.Armed(name)
}

// lasts reports whether the fault of that name goes on.
func (f *Faults) lasts(name string) bool {
	defer f.world.hold()()
	return f.armed(name) < 0
}

// trials are the faults that suit trying by hand, in the order of their list.
var trials = []trial{
	{"DropGateway", "Cut the bot's Gateway connections.", func(f *Faults) { f.DropGateway() }},
	{"CloseGateway", "Close the Gateway connections with code 4000.", func(f *Faults) { f.CloseGateway(4000) }},
	{"ReconnectOp7", "Ask the bot to reconnect.", func(f *Faults) { f.ReconnectOp7() }},
	{"InvalidSession", "Call the bot's session invalid.", func(f *Faults) { f.InvalidSession(false) }},
	{"SilentGateway", "Accept the next connection, say nothing, and cut the present one.", func(f *Faults) { f.SilentGateway(); f.DropGateway() }},
	{"NoHello", "Say no Hello on the next connection, and cut the present one.", func(f *Faults) { f.NoHello(); f.DropGateway() }},
	{"NoReady", "Take the next identify or resume without an answer, and cut the connection.", func(f *Faults) { f.NoReady(); f.DropGateway() }},
	{"NoAcks", "Half-open links: no more ACKs and events on the present connections.", func(f *Faults) { f.HalfOpen() }},
	{"FirstPacketAfterHello", "Follow the next Hello with op 7, and cut the connection.", func(f *Faults) { f.FirstPacketAfterHello(PacketReconnect); f.DropGateway() }},
	{"FirstPacketAfterIdentify", "Answer the next identify with op 7.", func(f *Faults) { f.FirstPacketAfterIdentify(PacketReconnect); f.InvalidSession(false) }},
	{"FirstPacketAfterResume", "Answer the next resume with op 7, and cut the connection.", func(f *Faults) { f.FirstPacketAfterResume(PacketReconnect); f.DropGateway() }},
	{"RefuseResume", "Refuse the next resume, and cut the connection.", func(f *Faults) { f.RefuseResume(); f.DropGateway() }},
	{"RefuseUpgrade", "Refuse the next websocket handshake, and cut the connection.", func(f *Faults) { f.RefuseUpgrade(); f.DropGateway() }},
	{"GatewayBotFails", "Answer the next five requests for the Gateway's address with 503.", func(f *Faults) { f.GatewayBotFails(5) }},
	{"RedeliverNext", "Deliver the next interaction twice.", func(f *Faults) { f.RedeliverNext() }},
	{"DelayDelivery", "Hold back every event for two seconds; again to stop.", func(f *Faults) {
		delay := 2 * time.Second
		if f.lasts("DelayDelivery") {
			delay = 0
		}
		f.DelayDelivery(delay)
	}},
	{"CompressedFrames", "Compress what the Gateway sends; again to stop.", func(f *Faults) { f.CompressedFrames(!f.lasts("CompressedFrames")) }},
	{"UnknownEvents", "Sprinkle in events, opcodes and fields that nobody knows; again to stop.", func(f *Faults) { f.UnknownEvents(!f.lasts("UnknownEvents")) }},
	{"RateLimitNext", "Answer the next request with 429 and half a second to wait.", func(f *Faults) { f.RateLimitNext(AnyRoute, 500*time.Millisecond, rules.ScopeUser) }},
	{"OldEditsNext", "Refuse the next edit of a message as one of too many old ones (30046).", func(f *Faults) { f.OldEditsNext(2 * time.Second) }},
	{"ResourceLimitNext", "Refuse the next request because a shared resource is limited (40062).", func(f *Faults) { f.ResourceLimitNext(AnyRoute, 2*time.Second) }},
	{"FailNext", "Answer the next request with 500.", func(f *Faults) { f.FailNext(AnyRoute, 500) }},
	{"RefuseNext", "Refuse the next request with 403, missing permissions.", func(f *Faults) { f.RefuseNext(AnyRoute, 403, 50013) }},
	{"ApplyThenFailNext", "Let the next request take effect and answer 502.", func(f *Faults) { f.ApplyThenFailNext(AnyRoute) }},
	{"SlowNext", "Take two seconds for the next request.", func(f *Faults) { f.SlowNext(AnyRoute, 2*time.Second) }},
	{"HangNext", "Never answer the next request.", func(f *Faults) { f.HangNext(AnyRoute) }},
	{"ResetNext", "Reset the connection of the next request.", func(f *Faults) { f.ResetNext(AnyRoute, false) }},
	{"ExpireTokens", "Let the tokens of all interactions so far die.", (*Faults).ExpireTokens},
	{"RevokeToken", "Revoke the bot's token: it cannot come back.", (*Faults).RevokeToken},
}

// ExpireTokens lets the tokens of all interactions so far die; see ExpireToken.
func (f *Faults) ExpireTokens() {
	defer f.world.hold()()
	for _, c := range f.world.byToken {
		c.tokenFails = rules.ErrWebhookToken
	}
}

// List lists the faults that Trigger knows, with what is armed.
func (f *Faults) List() []FaultInfo {
	defer f.world.hold()()
	return each(trials, func(t trial) FaultInfo { return FaultInfo{t.name, t.about, f.armed(t.name)} })
}

// Trigger causes the named fault with values that suit trying it by hand.
// ErrUnknownFault means that there is none of that name.
func (f *Faults) Trigger(name string) error {
	for _, t := range trials {
		if t.name == name {
			t.cause(f)
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrUnknownFault, name)
}

// Routes for faults, as "METHOD template" with the templates of Discord's API
// description. A template alone means every method, AnyRoute every request, and
// InteractionRoutes every route that an interaction token authorises.
const (
	AnyRoute          = rest.AnyRoute
	InteractionRoutes = rest.InteractionRoutes

	RouteCallback      = "POST /interactions/{interaction_id}/{interaction_token}/callback"
	RouteEditOriginal  = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
	RouteFollowUp      = "POST /webhooks/{webhook_id}/{webhook_token}"
	RouteCreateMessage = "POST /channels/{channel_id}/messages"
	RouteGetMessage    = "GET /channels/{channel_id}/messages/{message_id}"
	RouteEditMessage   = "PATCH /channels/{channel_id}/messages/{message_id}"
)
