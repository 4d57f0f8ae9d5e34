package sandbox

import (
	"net/http"
	"time"

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
	world   *World
	gateway *Gateway
	rest    *REST
}

// FaultInfo describes a fault for somebody who chooses one.
type FaultInfo struct {
	// Name is what Trigger takes.
	Name string `json:"name"`
	// About says in a sentence what it does with Trigger's values.
	About string `json:"about"`
	// Armed is how many more times it will strike; -1 for one that lasts.
	Armed int `json:"armed"`
}

func (f *Faults) armRest(name, route string, n int, do restEffect) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.rest.faults = append(f.rest.faults, &restFault{name: name, route: route, left: n, do: do})
	f.world.publishLocked(Event{Kind: EventFaultsChanged})
}

// set changes the armed faults of the Gateway, and what is told to applications at all.
func (f *Faults) set(change func(*gatewayFaults, *trouble)) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.world.trouble.lost = true
	change(&f.gateway.faults, &f.world.trouble)
	f.world.publishLocked(Event{Kind: EventFaultsChanged})
}

// RateLimitNext answers the next request for route with 429: of scope user or
// shared for its bucket, global for all without a Reset-After header, or html as
// Cloudflare does. The request has no effect.
func (f *Faults) RateLimitNext(route string, retryAfter time.Duration, scope Scope) {
	f.armRest("RateLimitNext", route, 1, rateLimitEffect(retryAfter, scope))
}

// OldEditsNext refuses the next edit of a message by the channel route with 429
// and code 30046, as after too many edits of messages older than an hour.
func (f *Faults) OldEditsNext(retryAfter time.Duration) {
	f.armRest("OldEditsNext", RouteEditMessage, 1, refusalEffect(rules.TooManyOldEdits(retryAfter), ScopeUser))
}

// ResourceLimitNext refuses the next request for route with 429, code 40062 and
// scope shared: something is limited that other applications use as well.
func (f *Faults) ResourceLimitNext(route string, retryAfter time.Duration) {
	f.armRest("ResourceLimitNext", route, 1, refusalEffect(rules.ResourceLimited(retryAfter), ScopeShared))
}

// FailNext answers the next n requests for route (one if n is left out) with
// that status and no effect.
func (f *Faults) FailNext(route string, status int, n ...int) {
	f.armRest("FailNext", route, times(n), failEffect(status))
}

// RefuseNext answers the next request for route with that status and one of
// Discord's error codes, such as 403 and 50013, and no effect.
func (f *Faults) RefuseNext(route string, status, code int) {
	e := failEffect(status)
	_, e.body, _ = encode(0, nil, &rules.Error{Status: status, Code: code, Message: http.StatusText(status)}, nil)
	e.header["Content-Type"] = "application/json"
	f.armRest("RefuseNext", route, 1, e)
}

// ApplyThenFailNext lets the next request for route take effect and then
// answers 502, as a gateway in between does when it loses the answer.
func (f *Faults) ApplyThenFailNext(route string) {
	e := failEffect(502)
	e.apply, e.excuses = true, false
	f.armRest("ApplyThenFailNext", route, 1, e)
}

// SlowNext delays the next request for route by d of real time, before it has
// any effect.
func (f *Faults) SlowNext(route string, d time.Duration) {
	f.armRest("SlowNext", route, 1, restEffect{delay: d, excuses: true})
}

// HangNext never answers the next request for route, which has no effect; it
// ends when the client gives up or the server closes.
func (f *Faults) HangNext(route string) {
	f.armRest("HangNext", route, 1, restEffect{hang: true, excuses: true})
}

// ResetNext resets the connection of the next request for route instead of
// answering; with applied it has taken effect before.
func (f *Faults) ResetNext(route string, applied bool) {
	f.armRest("ResetNext", route, 1, restEffect{reset: true, apply: applied, excuses: !applied})
}

// GatewayBotFails answers the next n requests for /gateway and /gateway/bot
// with 503.
func (f *Faults) GatewayBotFails(n int) {
	f.armRest("GatewayBotFails", "gateway", n, failEffect(503))
}

// RevokeToken makes the bot token wrong: 401 on every route that carries it,
// close code 4004 for sessions and for those who identify or resume.
func (f *Faults) RevokeToken() {
	f.set(func(_ *gatewayFaults, t *trouble) { t.revoked = true })
	f.CloseGateway(4004)
}

// ExpireToken makes the call's interaction token die now: its webhook routes
// answer 401 with code 50027, as after fifteen minutes.
func (f *Faults) ExpireToken(c *Call) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	c.tokenDead = true
}

// UnknownWebhook makes the webhook routes of the call's token answer 10015.
func (f *Faults) UnknownWebhook(c *Call) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	c.webhookGone = true
}

// DropGateway ends the TCP connections of all sessions without a close frame.
// The sessions can be resumed.
func (f *Faults) DropGateway() { f.gateway.eachConn(func(c *gatewayConn) { c.cut() }) }

// CloseGateway closes all sessions with that close code, 0 for a close frame
// without one. After 4004, 4007, 4009 and 4010 to 4014 a session cannot be resumed.
func (f *Faults) CloseGateway(code int) {
	f.gateway.eachConn(func(c *gatewayConn) { c.closeWith(code, "") })
}

// DropShard ends the TCP connections of a shard's sessions without a close frame.
// They can be resumed.
func (f *Faults) DropShard(shard int) { f.gateway.eachOf(shard, (*gatewayConn).cut) }

// CloseShard closes a shard's sessions with that close code; see CloseGateway.
func (f *Faults) CloseShard(shard, code int) {
	f.gateway.eachOf(shard, func(c *gatewayConn) { c.closeWith(code, "") })
}

// ReconnectOp7 asks all sessions to reconnect.
func (f *Faults) ReconnectOp7() {
	f.gateway.eachConn(func(c *gatewayConn) { c.sendLocked(opReconnect, nil) })
}

// InvalidSession sends op 9 to all sessions; unless resumable they cannot be
// resumed afterwards. With n the next n identifies or resumes are answered so too.
func (f *Faults) InvalidSession(resumable bool, n ...int) {
	f.set(func(g *gatewayFaults, _ *trouble) {
		g.invalidOK = resumable
		if len(n) > 0 {
			g.invalid += n[0]
		}
	})
	f.gateway.eachConn(func(c *gatewayConn) { c.invalidateLocked(resumable) })
}

// SilentGateway makes the next n Gateway connections (one if left out) be
// accepted and never hear anything.
func (f *Faults) SilentGateway(n ...int) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.silent += times(n) })
}

// NoHello makes the next n connections wait for Hello in vain; what they send is
// still read.
func (f *Faults) NoHello(n ...int) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.noHello += times(n) })
}

// NoReady makes the next n identifies be taken without READY and the next
// resumes without RESUMED.
func (f *Faults) NoReady(n ...int) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.noReady += times(n) })
}

// NoAcks stops the answers to heartbeats, and every event, on all connections
// that are open now and, while on is true, on later ones: links that are half open.
func (f *Faults) NoAcks(on bool) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.noAcks = on })
	f.gateway.eachConn(func(c *gatewayConn) { c.mute = on })
}

// FirstPacketInsteadOfHello sends p to the next connection and no Hello.
func (f *Faults) FirstPacketInsteadOfHello(p FirstPacket) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.forHello = append(g.forHello, p) })
}

// FirstPacketAfterHello sends p to the next connection right after Hello, before
// it could identify.
func (f *Faults) FirstPacketAfterHello(p FirstPacket) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.afterHello = append(g.afterHello, p) })
}

// FirstPacketAfterIdentify sends p before READY at the next identify; after a p
// that ends a session there is no READY.
func (f *Faults) FirstPacketAfterIdentify(p FirstPacket) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.afterIdent = append(g.afterIdent, p) })
}

// FirstPacketAfterResume sends p before the replay at the next resume; after a
// p that ends a session there is no RESUMED.
func (f *Faults) FirstPacketAfterResume(p FirstPacket) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.afterResume = append(g.afterResume, p) })
}

// RefuseResume answers the next n resumes (one if left out) with op 9 false.
func (f *Faults) RefuseResume(n ...int) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.refuse += times(n) })
}

// RefuseUpgrade answers the next n websocket handshakes with 503.
func (f *Faults) RefuseUpgrade(n ...int) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.refuseUp += times(n) })
}

// Redeliver delivers an interaction again, with the same id and token.
func (f *Faults) Redeliver(c *Call) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.world.deliverLocked(c)
}

// RedeliverNext delivers each of the next n interactions (one if left out) twice.
func (f *Faults) RedeliverNext(n ...int) {
	f.set(func(_ *gatewayFaults, t *trouble) { t.redeliver += times(n) })
}

// DelayDelivery holds back every event of the Gateway for d on the server's
// clock, while an interaction's deadline already runs; 0 ends it.
func (f *Faults) DelayDelivery(d time.Duration) {
	f.set(func(_ *gatewayFaults, t *trouble) { t.delay = d })
}

// CompressedFrames sends everything as binary frames of one zlib stream each to
// sessions that identified with compress, while on is true.
func (f *Faults) CompressedFrames(on bool) {
	f.set(func(g *gatewayFaults, _ *trouble) { g.compressed = on })
}

// UnknownEvents puts an unknown event, an unknown op and unknown fields before
// every dispatch while on is true.
func (f *Faults) UnknownEvents(on bool) { f.set(func(g *gatewayFaults, _ *trouble) { g.unknown = on }) }

// ReplayOnResume cuts all connections and lets the calls be sent while nobody
// listens, so that they arrive as a replay when the session resumes. The calls
// need no answer.
func (f *Faults) ReplayOnResume(calls ...*Call) {
	f.DropGateway()
	f.world.mu.Lock()
	for _, c := range calls {
		c.excused = true
	}
	f.world.mu.Unlock()
	f.world.dispatchTogether(calls...)
}

// Clear disarms everything, except what was already done to tokens,
// sessions, messages and channels.
func (f *Faults) Clear() {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.rest.faults, f.gateway.faults, f.world.trouble = nil, gatewayFaults{}, trouble{lost: f.world.trouble.lost}
	for c := range f.gateway.conns {
		c.mute = false
	}
	f.world.publishLocked(Event{Kind: EventFaultsChanged})
}

func times(n []int) int {
	if len(n) == 0 {
		return 1
	}
	return n[0]
}
