package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/internal/post"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/rules"
)

// RESTOptions configure a REST API.
type RESTOptions = rest.Options

// Request is one REST request that the server received, as a record.
type Request = rest.Request

// REST is the API that bots ask. Its methods may be called by several goroutines at once.
type REST struct {
	*rest.API
	world  *World
	poster *post.Poster // to endpoints of applications
	posts  sync.WaitGroup
}

// serving is how a route is served, whose finders find first what the request is about. It runs
// with the world's lock held and must not wait for anything.
func serving(serve func(*World, *exchange) (any, error), finders ...find) func(*rest.Exchange) (any, error) {
	return func(asked *rest.Exchange) (any, error) {
		a := asked.App.(*App)
		defer a.world.at(a)()
		x := &exchange{Exchange: asked}
		if err := all(finders...)(a.world, x); err != nil {
			return nil, err
		}
		return serve(a.world, x)
	}
}

// exchange is one request on its way to an answer, and what it is about, as far as its route
// finds it.
type exchange struct {
	*rest.Exchange
	guild    *Guild
	channel  *Channel
	message  *Message
	user     *User // in the guild, or banned from it
	role     *Role
	reaction rules.Emoji
	emoji    *kept.Emoji
	hook     *channelWebhook
	scope    string // of commands: the guild's id, empty for global ones
	command  *rules.Command
	fields   map[string]any // of its body
	call     *Call          // the interaction it is for, if any
}

// isFor notes which interaction the request is for.
func (x *exchange) isFor(c *Call) { x.call, x.Call = c, restCall{c} }

// write describes a write of the request.
func (x *exchange) write(action string) Write {
	how := Write{Action: action, Method: x.Route.Method, Route: x.Route.Template, Auth: "bot", Body: json.RawMessage(x.Raw)}
	if x.Route.Auth == rest.AuthToken {
		how.Auth, how.CallID = "interaction", idOf(x.call)
	}
	return how
}

// take puts what a request gives, if it does, into its place.
func take[T any](to *T) func(given T, ok bool) {
	return func(given T, ok bool) {
		if ok {
			*to = given
		}
	}
}

// serveAttachment answers with a file at the address that its attachment has. Nobody
// needs a token for it, as at Discord.
func (s *REST) serveAttachment(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(r.URL.Path, "/", 5) // "", kind, application, id, name
	if len(parts) == 5 {
		if f := s.world.File(parts[3]); f != nil && f.Name == parts[4] {
			f.ServeHTTP(w, r)
			return
		}
	}
	http.NotFound(w, r)
}

// outside is a world as its Gateway and its REST API know it.
type outside struct{ world *World }

func (w outside) Hold() (release func())   { return w.world.hold() }
func (w outside) Log() *slog.Logger        { return w.world.log }
func (w outside) Clock() clock.Clock       { return w.world.clock }
func (w outside) Closing() context.Context { return w.world.closing }

// restWorld is a world as its REST API knows it.
type restWorld struct{ outside }

func (w restWorld) First() rest.App { return w.world.apps[0] }
func (w restWorld) Changed()        { w.world.feed.Wake() }
func (w restWorld) FaultsChanged()  { w.world.publishLocked(Event{Kind: EventFaultsChanged}) }

func (w restWorld) Activity(n int) {
	defer w.world.hold()()
	w.world.active += n
	w.world.activeAt = time.Now()
	w.world.feed.Wake()
}

func (w restWorld) App(token string) (rest.App, bool) {
	a := w.world.withToken(token)
	return a, a != nil
}

func (w restWorld) AppOf(params map[string]string) (rest.App, bool) {
	if c := w.world.byID[params["interaction_id"]]; c != nil {
		return c.app, true
	}
	a := first(w.world.apps, func(a *App) bool { return a.id == params["webhook_id"] })
	return a, a != nil
}

func (w restWorld) CallOf(params map[string]string) (rest.Call, bool) {
	c := w.world.byToken[cmp.Or(params["interaction_token"], params["webhook_token"])]
	return restCall{c}, c != nil
}

// restCall is an interaction as the REST API knows it.
type restCall struct{ *Call }

func (c restCall) Excuse() { c.excused = true }

func (c restCall) Refused(problem string) {
	c.is.Problems = append(c.is.Problems, problem)
	c.publish()
}

func (c restCall) Fail(problem string) {
	c.is.Problems = append(c.is.Problems, problem)
	c.expire() // nothing if it was answered otherwise
}

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

// WaitConnected waits until at least n Gateway sessions are ready, one if n is
// left out.
func (g *Gateway) WaitConnected(tb TB, n ...int) {
	tb.Helper()
	g.world.WaitFor(tb, "the bot's Gateway session", func() bool { return g.Sessions() >= append(n, 1)[0] })
}

// dispatch dispatches an event to the sessions of the application at hand: those of the
// guild's shard, or of the first one without a guild, that have one of the intents; 0
// means that none is needed. It returns how many are connected to hear it. The world's lock is
// held.
func (g *Gateway) dispatch(event string, data any, guildID string, intents int) (heard int) {
	heard = g.Send(gatewayApp{g.world.app}, event, data, guildID, intents)
	if heard > 0 {
		g.world.activeAt = time.Now() // there is something to do, see Settled
	}
	return heard
}

// gatewayWorld is a world as its Gateway knows it.
type gatewayWorld struct{ outside }

func (w gatewayWorld) App(token string) (gateway.App, bool) {
	a := w.world.withToken(token)
	return gatewayApp{a}, a != nil
}

func (w gatewayWorld) Excuse(pending bool) {
	w.world.lost = true
	for _, c := range w.world.calls {
		c.excused = c.excused || pending && c.is.State == CallPending
	}
}

func (w gatewayWorld) Tell(what gateway.Event) {
	if what == gateway.Counted {
		w.world.feed.Wake()
		return
	}
	w.world.publishLocked(Event{Kind: EventKind(what)})
}

// gatewayApp is an application as the Gateway knows it.
type gatewayApp struct{ *App }

func (a gatewayApp) Name() string { return a.user.is.Name }
func (a gatewayApp) User() any    { return a.me() }
func (a gatewayApp) Intents() int { return a.intents }

func (a gatewayApp) Guilds() []string {
	return each(but(a.world.guilds, func(g *Guild) bool { return !g.hasMember(a.user) }), (*Guild).ID)
}

func (a gatewayApp) Guild(id string) any {
	defer a.world.at(a.App)()
	return a.world.guildByID(id).full()
}

func (a gatewayApp) Member(guildID, userID string) any {
	g, u := a.world.guildByID(guildID), a.world.users[userID]
	if u == nil || !g.hasMember(u) {
		return nil
	}
	return g.memberJSON(u, nil, true)
}

func (a gatewayApp) Members(guildID, begin string, limit int) []any {
	g := a.world.guildByID(guildID)
	return each(called(g, begin, limit), func(u *User) any { return g.memberJSON(u, nil, true) })
}
