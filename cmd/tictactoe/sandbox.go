package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/host"
	"tictactoe/bot/service"
	"tictactoe/bot/webhook"
)

// sandboxCmd is the whole thing on this machine: a local Discord, a bot, which is ours
// or any other, and a page to play on.
type sandboxCmd struct {
	gameSettings
	logSettings
	host.Settings
	NoBot       bool `help:"Serve without our bot, for another one, and print what it needs to connect; --env and --json imply it."`
	LogRequests bool `help:"Log refused, slow and unanswered requests of our own bot, too."`
	HTTP        bool `name:"http" help:"Post interactions to our bot, signed, instead of sending them over the Gateway."`

	Command []string `arg:"" optional:"" help:"After --: a bot to run instead of ours, with the variables that --env prints."`
}

// Whoever causes a fault on the page wants to see the bot cope, not wait: there is
// no Discord here whose patience has to be spared.
const heartbeat = 5 * time.Second

var hasty = gateway.Timing{Ready: 5 * time.Second, BackoffMax: 2 * time.Second, Stable: time.Second}

// localPace is between the starts of two sessions: the local Discord takes more in five
// seconds than the real one.
const localPace = 400 * time.Millisecond

// Run implements the command.
func (c *sandboxCmd) Run(ctx context.Context, env environment) error {
	var p problems
	var o service.Options
	c.gameSettings.check(&p, &o)
	log := c.logSettings.check(&p, env.stderr)
	place := c.Check(c.Command, p.add)
	foreign := c.NoBot || c.Env || c.JSON || len(c.Command) > 0
	if c.HTTP && foreign {
		p.add("--http is for our own bot")
	}
	if !foreign && c.ForAnotherBot() {
		p.add("--token, --name, --app, --intents, --permissions and --owner are for another bot: add --no-bot, or its command after --")
	}
	if len(p) > 0 {
		return p
	}
	for _, text := range env.problems { // nothing here needs that file
		fmt.Fprintln(env.stderr, "Note:", text)
	}
	program := host.Program{Name: "tictactoe sandbox", Stdout: env.stdout, Stderr: env.stderr, Log: log}
	var played atomic.Pointer[service.Service] // nil until there is a Discord to play on
	if !foreign {
		dir, remove, err := c.folder()
		if err != nil {
			return err
		}
		defer remove()
		if o.Store, err = (database{path: filepath.Join(dir, "tictactoe.db")}).open(ctx, log, nil); err != nil {
			return err
		}
		defer o.Store.Close()
		program.Own = &host.OwnBot{Heartbeat: heartbeat, LogRequests: c.LogRequests, RestartSession: func() error {
			if s := played.Load(); s != nil {
				return s.RestartSession()
			}
			return errNoSession
		}}
	}
	h, err := place.Start(program)
	if err != nil {
		return err
	}
	defer h.Close()
	if foreign {
		return h.Serve(ctx, c.Command)
	}
	srv := h.Server
	o.Logger, o.REST = log, rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()}
	o.Gateway.Timing = hasty
	o.Gateway.Identifies = gateway.NewIdentifiesEvery(localPace)
	o.NoticeTime = -1 // there is no balancer
	if c.HTTP {
		o.GatewayOff = true
		o.Webhook.Key, _ = webhook.ParseKey(srv.PublicKey()) // the local Discord's is one
	}
	playing := service.New(o)
	played.Store(playing)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	address := "" // that interactions are posted to, if that is how they come
	if c.HTTP {
		at, closeDoor, err := serveHTTP(ctx, "127.0.0.1:0", playing)
		if err != nil {
			return err
		}
		context.AfterFunc(ctx, closeDoor)
		address = "http://" + at.String() + "/interactions"
	}
	var beside sync.WaitGroup
	beside.Go(func() { greet(ctx, env, log, h, playing, address) })
	err = play(ctx, playing, log)
	stop()
	beside.Wait()
	return err
}

// errNoSession: the page asked before the bot had begun to connect.
var errNoSession = errors.New("the bot has no session yet")

// greet prints the address once there is something to play with. As soon as the bot can answer
// its check, it tells the local Discord where interactions are posted to, if they are.
func greet(ctx context.Context, env environment, log *slog.Logger, h *host.Host, playing *service.Service, address string) {
	if !until(ctx, playing.Ready) {
		return
	}
	if address != "" {
		if err := h.Server.REST().SetEndpoint(ctx, h.Server.App(), address); err != nil && ctx.Err() == nil {
			log.Error("interactions go nowhere", "error", err)
			return
		}
	}
	if !until(ctx, playing.Registered) {
		return
	}
	fmt.Fprintf(env.stdout, "Play at %s\nPress Ctrl+C to stop.\n", h.PageURL())
	h.OpenPage(ctx)
}

// until waits until ok holds, and reports whether it does before the context ends.
func until(ctx context.Context, ok func() bool) bool {
	for ; !ok(); time.Sleep(10 * time.Millisecond) {
		if ctx.Err() != nil {
			return false
		}
	}
	return true
}

// folder returns where games are kept, and what to do with it at the end.
func (c *sandboxCmd) folder() (dir string, remove func(), err error) {
	if c.Data == "" {
		dir, err = os.MkdirTemp("", "tictactoe-sandbox-")
		return dir, func() { _ = os.RemoveAll(dir) }, err
	}
	return c.Data, func() {}, os.MkdirAll(c.Data, 0o700)
}
