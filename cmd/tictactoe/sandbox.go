package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
	"tictactoe/store/sqlite"
)

// sandboxCmd is the whole thing on this machine: a local Discord, the same bot, and
// a page to play on.
type sandboxCmd struct {
	gameSettings
	logSettings
	Addr string `default:"127.0.0.1:8484" help:"Where to serve the page; loopback only."`
	Data string `type:"path" placeholder:"DIR" help:"Keep games in this folder; otherwise they live in a temporary one."`
	Open bool   `help:"Open the page in the browser."`
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

// worldFile holds the people, channels and messages of the local Discord, beside
// the games.
const worldFile = "discord.json"

// worldSaved is how often they are saved, if anything has changed.
const worldSaved = 2 * time.Second

// Run implements the command.
func (c *sandboxCmd) Run(ctx context.Context, env environment) error {
	var p problems
	game, log := c.gameSettings.check(&p), c.logSettings.check(&p, env.stderr)
	checkAddr(&p, c.Addr)
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
	db, err := sqlite.Open(ctx, filepath.Join(dir, "tictactoe.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	a := &app{log: log, game: game, store: db, timing: hasty}
	srv, err := sandbox.Start(sandbox.Options{
		Addr:         c.Addr,
		Heartbeat:    heartbeat,
		KeepMessages: keptMessages, KeepRequests: keptRequests, KeepWrites: keptWrites,
		Handler: func(s *sandbox.Server) http.Handler {
			return sandbox.Page(s, sandbox.PageOptions{Bare: true, RestartSession: a.restartSession})
		},
	})
	if err != nil {
		return fmt.Errorf("--addr %s: %w; --addr 127.0.0.1:0 takes any free port", c.Addr, err)
	}
	defer srv.Close()
	w := &world{srv: srv, file: filepath.Join(dir, worldFile), log: log}
	if err := w.load(); err != nil {
		return err
	}
	a.discord = discordConfig{token: secret(srv.Token()), apiURL: srv.APIURL()}
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { w.keep(ctx) })
	beside.Go(func() { c.greet(ctx, env, srv) })
	err = a.play(ctx)
	stop()
	beside.Wait()
	return err
}

// checkAddr checks --addr.
func checkAddr(p *problems, addr string) {
	switch err := sandbox.CheckAddr(addr); {
	case errors.Is(err, sandbox.ErrNotLoopback):
		p.add("--addr %q is not on this machine alone: give a loopback address such as 127.0.0.1:8484", addr)
	case err != nil:
		p.add("--addr %q is not host:port, such as 127.0.0.1:8484", addr)
	}
}

// greet prints the address once there is something to play with.
func (c *sandboxCmd) greet(ctx context.Context, env environment, srv *sandbox.Server) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for srv.Sessions() == 0 || len(srv.Commands("")) == 0 {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	fmt.Fprintf(env.stdout, "Play at %s\nPress Ctrl+C to stop.\n", srv.URL())
	if c.Open {
		if err := openBrowser(ctx, srv.URL()); err != nil {
			fmt.Fprintf(env.stderr, "tictactoe: the browser did not open: %v\n", err)
		}
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

// world keeps the local Discord's people, channels and messages in a file.
type world struct {
	srv  *sandbox.Server
	file string
	log  *slog.Logger
	last []byte
}

// load goes on with what was saved, or furnishes a new world.
func (w *world) load() error {
	f, err := os.Open(w.file)
	if errors.Is(err, fs.ErrNotExist) {
		sandbox.Furnish(w.srv)
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := w.srv.LoadState(f); err != nil {
		return fmt.Errorf("%s: %w", w.file, err)
	}
	return nil
}

// keep saves until the context ends, and then once more.
func (w *world) keep(ctx context.Context) {
	tick := time.NewTicker(worldSaved)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			w.save()
			return
		case <-tick.C:
			w.save()
		}
	}
}

// save writes the world if it has changed, in one step.
func (w *world) save() {
	var b bytes.Buffer
	err := w.srv.SaveState(&b)
	if err == nil && !bytes.Equal(b.Bytes(), w.last) {
		if err = os.WriteFile(w.file+".new", b.Bytes(), 0o600); err == nil {
			err = os.Rename(w.file+".new", w.file)
		}
	}
	if err != nil {
		w.log.Error("the local Discord was not saved", "error", err)
		return
	}
	w.last = b.Bytes()
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
