package sandbox

import (
	"log/slog"
	"slices"
	"time"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/gateway"
)

// GatewayOptions configure a Gateway.
type GatewayOptions = gateway.Options

// FirstPacket is what a Gateway says in place of, or before, what was expected.
type FirstPacket = gateway.FirstPacket

// The packets for the First... faults.
const (
	PacketReconnect      = gateway.PacketReconnect
	PacketInvalid        = gateway.PacketInvalid
	PacketInvalidResume  = gateway.PacketInvalidResume
	PacketAck            = gateway.PacketAck
	PacketHeartbeat      = gateway.PacketHeartbeat
	PacketEvent          = gateway.PacketEvent
	PacketClose          = gateway.PacketClose
	PacketConnectionLoss = gateway.PacketConnectionLoss
)

// Gateway is where bots connect to hear what happens. Its methods may be called by several
// goroutines at once.
type Gateway struct {
	*gateway.Gateway
	world *World
}

func newGateway(w *World, o GatewayOptions, address string) *Gateway {
	return &Gateway{gateway.New(gatewayWorld{w}, o, address), w}
}

// WaitConnected waits until at least n Gateway sessions are ready, one if n is
// left out.
func (g *Gateway) WaitConnected(tb TB, n ...int) {
	tb.Helper()
	g.world.WaitFor(tb, "the bot's Gateway session", func() bool { return g.Sessions() >= append(n, 1)[0] })
}

// reach is how a server's world reaches applications.
type reach struct {
	world   *World
	gateway *Gateway
	*REST
}

// Send is part of wire.
func (r reach) Send(event string, data any, guildID string, intents int) int {
	heard := r.gateway.Send(gatewayApp{r.world.app}, event, data, guildID, intents)
	if heard > 0 {
		r.world.activeAt = time.Now() // there is something to do, see Settled
	}
	return heard
}

// Ready is part of wire.
func (r reach) Ready(a *App) int {
	if a == nil {
		return r.gateway.Ready(nil)
	}
	return r.gateway.Ready(gatewayApp{a})
}

// gatewayWorld is a world as its Gateway knows it.
type gatewayWorld struct{ world *World }

func (w gatewayWorld) Lock()                    { w.world.mu.Lock() }
func (w gatewayWorld) Unlock()                  { w.world.mu.Unlock() }
func (w gatewayWorld) Log() *slog.Logger        { return w.world.log }
func (w gatewayWorld) Clock() clock.Clock       { return w.world.clock }
func (w gatewayWorld) Stopped() <-chan struct{} { return w.world.stopped }
func (w gatewayWorld) Revoke()                  { w.world.trouble.revoked = true }
func (w gatewayWorld) Delay() time.Duration     { return w.world.trouble.delay }

func (w gatewayWorld) App(token string) gateway.App {
	if a := w.world.appWithToken(token); a != nil {
		return gatewayApp{a}
	}
	return nil
}

func (w gatewayWorld) Excuse(pending bool) {
	w.world.trouble.lost = true
	for _, c := range w.world.calls {
		c.excused = c.excused || pending && c.state == CallPending
	}
}

func (w gatewayWorld) Tell(what gateway.Event) {
	if what == gateway.Hung {
		w.world.notifyLocked()
		return
	}
	w.world.publishLocked(Event{Kind: EventKind(what)})
}

// gatewayApp is an application as the Gateway knows it.
type gatewayApp struct{ *App }

func (a gatewayApp) Name() string { return a.user.globalName }
func (a gatewayApp) User() any    { return a.me() }
func (a gatewayApp) Intents() int { return a.intents }

func (a gatewayApp) Guilds() (ids []string) {
	for _, g := range a.world.guilds {
		if a.user.in[g] != nil {
			ids = append(ids, g.id)
		}
	}
	return ids
}

func (a gatewayApp) guild(id string) *Guild {
	i := slices.IndexFunc(a.world.guilds, func(g *Guild) bool { return g.id == id })
	return a.world.guilds[i]
}

func (a gatewayApp) Guild(id string) any {
	defer a.world.at(a.App)()
	return a.guild(id).full()
}

func (a gatewayApp) Member(guildID, userID string) any {
	g, u := a.guild(guildID), a.world.users[userID]
	if u == nil || !g.hasMember(u) {
		return nil
	}
	return g.memberJSON(u, nil, true)
}

func (a gatewayApp) Members(guildID, begin string, limit int) (out []any) {
	g := a.guild(guildID)
	members := g.everybody()
	if limit >= 0 {
		members = g.called(begin, limit)
	}
	for _, u := range members {
		out = append(out, g.memberJSON(u, nil, true))
	}
	return out
}
