package sandbox

import (
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

// set changes what is told to applications at all.
func (f *Faults) set(change func(*trouble)) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.world.trouble.lost = true
	change(&f.world.trouble)
	f.world.publishLocked(Event{Kind: EventFaultsChanged})
}

// RevokeToken makes the bot token wrong: 401 on every route that carries it,
// close code 4004 for sessions and for those who identify or resume.
func (f *Faults) RevokeToken() {
	f.set(func(t *trouble) { t.revoked = true })
	f.CloseGateway(4004)
}

// ExpireToken makes the call's interaction token die now: its webhook routes
// answer 401 with code 50027, as after fifteen minutes.
func (f *Faults) ExpireToken(c *Call) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	c.tokenFails = rules.ErrWebhookToken
}

// UnknownWebhook makes the webhook routes of the call's token answer 10015.
func (f *Faults) UnknownWebhook(c *Call) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	c.tokenFails = rules.ErrUnknownWebhook
}

// Redeliver delivers an interaction again, with the same id and token.
func (f *Faults) Redeliver(c *Call) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.world.deliverLocked(c)
}

// RedeliverNext delivers each of the next n interactions (one if left out) twice.
func (f *Faults) RedeliverNext(n ...int) {
	f.set(func(t *trouble) { t.redeliver += times(n) })
}

// DelayDelivery holds back every event of the Gateway for d on the server's
// clock, while an interaction's deadline already runs; 0 ends it.
func (f *Faults) DelayDelivery(d time.Duration) {
	f.set(func(t *trouble) { t.delay = d })
}

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
	f.world.trouble = trouble{lost: f.world.trouble.lost}
	f.gatewayFaults.Disarm()
	f.restFaults.Disarm()
	f.world.publishLocked(Event{Kind: EventFaultsChanged})
}

func times(n []int) int {
	if len(n) == 0 {
		return 1
	}
	return n[0]
}
