package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/service"
	"tictactoe/bot/webhook"
	"tictactoe/store/sqlite"
)

// sandboxCmd is the whole thing on this machine: a local Discord, a bot, which is ours
// or any other, and a page to play on.
type sandboxCmd struct {
	gameSettings
	logSettings
	doorSettings
	Addr string `default:"127.0.0.1:8484" help:"Where to serve the page and Discord's API; beyond loopback only with --allow-host."`
	Data string `type:"path" placeholder:"DIR" help:"Keep games in this folder; otherwise they live in a temporary one."`
	Open bool   `help:"Open the page in the browser."`
	HTTP bool   `name:"http" help:"Post interactions to our bot, signed, instead of sending them over the Gateway."`

	Command []string `arg:"" optional:"" help:"After --: a bot to run instead of ours, with the variables that --env prints."`
}

// The bounds of what a local Discord remembers, for a program that may run for days.
const (
	keptMessages = 500
	keptRequests = 500
	keptWrites   = 20
)

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
	game, log := c.gameSettings.check(&p), c.logSettings.check(&p, env.stderr)
	door := c.doorSettings.check(&p, c.Addr, c.Command)
	if c.HTTP && door.foreign {
		p.add("--http is for our own bot")
	}
	if err := p.err(); err != nil {
		return err
	}
	for _, text := range env.problems { // nothing here needs that file
		fmt.Fprintln(env.stderr, "Note:", text)
	}
	dir, remove, err := c.folder()
	if err != nil {
		return err
	}
	defer remove()
	var db *sqlite.Store
	if !door.foreign {
		if db, err = sqlite.Open(ctx, filepath.Join(dir, "tictactoe.db")); err != nil {
			return err
		}
		defer db.Close()
	}
	var played atomic.Pointer[service.Service] // nil until there is a Discord to play on
	srv, err := sandbox.Start(door.options(log, func() error {
		if s := played.Load(); s != nil {
			return s.RestartSession()
		}
		return errNoSession
	}))
	if err != nil {
		return fmt.Errorf("--addr %s: %w; --addr 127.0.0.1:0 takes any free port", c.Addr, err)
	}
	defer srv.Close()
	saved := &savedDiscord{srv: srv, file: filepath.Join(dir, discordFile), log: log}
	if err := saved.load(); err != nil {
		return err
	}
	door.addApps(srv)
	fmt.Fprint(env.stderr, door.warning(srv))
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { saved.keep(ctx) })
	if door.foreign {
		err = c.host(ctx, env, srv, door)
	} else {
		discord := discordConfig{token: secret(srv.Token()), apiURL: srv.APIURL()}
		playing := service.New(options(log, discord, game, db, func(o *service.Options) {
			o.Gateway.Timing = hasty
			o.Gateway.Identifies = gateway.NewIdentifiesEvery(localPace)
			c.interactions(srv).options(o)
			o.NoticeTime = -1 // there is no balancer
		}))
		played.Store(playing)
		beside.Go(func() { c.greet(ctx, env, srv, door.pageURL(srv), playing) })
		if err = c.serve(ctx, srv, playing, log); err == nil {
			err = play(ctx, playing, log)
		}
	}
	stop()
	beside.Wait()
	return err
}

// interactions are how they come to our own bot.
func (c *sandboxCmd) interactions(srv *sandbox.Server) interactionConfig {
	if !c.HTTP {
		return interactionConfig{}
	}
	key, _ := webhook.ParseKey(srv.PublicKey()) // the local Discord's is one
	return interactionConfig{key: key, gatewayOff: true}
}

// serve listens for posted interactions, if that is how they come, until the context
// ends, and tells the local Discord where as soon as the bot can answer its check.
func (c *sandboxCmd) serve(ctx context.Context, srv *sandbox.Server, playing *service.Service, log *slog.Logger) error {
	if !c.HTTP {
		return nil
	}
	at, stop, err := serveHTTP(ctx, "127.0.0.1:0", playing)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, stop)
	go func() {
		if !until(ctx, playing.Ready) {
			return
		}
		if err := srv.App().SetEndpoint(ctx, "http://"+at.String()+"/interactions"); err != nil && ctx.Err() == nil {
			log.Error("interactions go nowhere", "error", err)
		}
	}()
	return nil
}

// host serves another bot, until it ends if it was started here.
func (c *sandboxCmd) host(ctx context.Context, env environment, srv *sandbox.Server, door door) error {
	vars := door.variables(srv)
	switch {
	case len(c.Command) > 0:
		fmt.Fprintf(env.stderr, "A local Discord for %s; its page: %s\n", c.Command[0], door.pageURL(srv))
	case c.Env:
		fmt.Fprint(env.stdout, forShell(vars))
	case c.JSON:
		fmt.Fprintln(env.stdout, asJSON(vars))
	default:
		fmt.Fprint(env.stdout, forPeople(vars, door.pageURL(srv)))
	}
	c.openPage(ctx, env, door.pageURL(srv))
	if len(c.Command) > 0 {
		return runBot(ctx, env, c.Command, vars)
	}
	<-ctx.Done()
	return nil
}

// errNoSession: the page asked before the bot had begun to connect.
var errNoSession = errors.New("the bot has no session yet")

// greet prints the address once there is something to play with.
func (c *sandboxCmd) greet(ctx context.Context, env environment, srv *sandbox.Server, url string, playing *service.Service) {
	if !until(ctx, func() bool {
		return playing.Ready() && playing.Registered() && (!c.HTTP || srv.App().Endpoint() != "")
	}) {
		return
	}
	fmt.Fprintf(env.stdout, "Play at %s\nPress Ctrl+C to stop.\n", url)
	c.openPage(ctx, env, url)
}

// until waits until ok holds, and reports whether it does before the context ends.
func until(ctx context.Context, ok func() bool) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}

func (c *sandboxCmd) openPage(ctx context.Context, env environment, url string) {
	if !c.Open {
		return
	}
	if err := openBrowser(ctx, url); err != nil {
		fmt.Fprintf(env.stderr, "tictactoe: the browser did not open: %v\n", err)
	}
}

// folder returns where games are kept, and what to do with it at the end.
func (c *sandboxCmd) folder() (dir string, remove func(), err error) {
	if c.Data == "" {
		dir, err = os.MkdirTemp("", "tictactoe-sandbox-")
		return dir, func() { _ = os.RemoveAll(dir) }, err
	}
	return c.Data, func() {}, os.MkdirAll(c.Data, 0o700)
}

// openBrowser opens the address in whatever the system uses for it.
func openBrowser(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // an address of our own
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
