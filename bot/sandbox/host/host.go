// Package host is a local Discord as programs serve it: the settings of their command
// lines, the variables by which a bot finds its way, its process, and a folder that
// keeps everything.
package host

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/api"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/page"
)

// The bounds of what a local Discord remembers, for a program that may run for days.
const (
	keptMessages = 500
	keptRequests = 500
	keptWrites   = 20
)

// helloDelay is the pause before Hello for a bot of any library: on a busy machine 20 ms did
// not keep it apart from the handshake, and seyfert never connected.
const helloDelay = 120 * time.Millisecond

// Program is what serves the local Discord.
type Program struct {
	Name           string // as it is called, such as "tictactoe sandbox"
	Stdout, Stderr io.Writer
	Log            *slog.Logger
	Own            *OwnBot // nil where the bot is somebody else's
}

// OwnBot is what a program wants for a bot that is in it. Another bot has Discord's own
// patience, since somebody stops it in a debugger, and a clock that can be moved.
type OwnBot struct {
	Heartbeat      time.Duration
	RestartSession func() error // for the page
	LogRequests    bool
}

// Host is a local Discord that a program serves.
type Host struct {
	Server *sandbox.Server

	config   Config
	program  Program
	stopSave func()
}

// Start starts the local Discord, with what its folder has kept.
func (c Config) Start(p Program) (*Host, error) {
	srv, err := sandbox.Start(c.options(p))
	if err != nil {
		return nil, fmt.Errorf("--addr %s: %w; --addr 127.0.0.1:0 takes any free port", c.Addr, err)
	}
	h := &Host{Server: srv, config: c, program: p, stopSave: func() {}}
	if err := h.furnish(); err != nil {
		_ = srv.Close() // the other error says more
		return nil, err
	}
	fmt.Fprint(p.Stderr, h.warning())
	return h, nil
}

// furnish makes the people, channels and applications that are not there yet.
func (h *Host) furnish() (err error) {
	if h.config.Data == "" {
		page.Furnish(h.Server)
	} else if h.stopSave, err = load(h.Server, filepath.Join(h.config.Data, savedFile), h.program.Log); err != nil {
		return err
	}
	if w := h.Server.World(); h.config.Owner != "" || h.program.Own == nil && !slices.Contains(w.Users(), w.Owner()) {
		w.User(cmp.Or(h.config.Owner, "Ada"), sandbox.Owns) // who sits at the page
	}
	for _, name := range h.config.App { // what the first one may, they may
		if !slices.ContainsFunc(h.Server.World().Apps(), func(a *sandbox.App) bool { return a.Name() == name }) {
			h.Server.World().AddApp(sandbox.AppOptions{Name: name, Permissions: h.config.permissions, PrivilegedIntents: h.config.intents})
		}
	}
	return nil
}

// Close keeps everything, and ends the local Discord.
func (h *Host) Close() {
	h.stopSave()
	_ = h.Server.Close() // it has nobody left to tell
}

// options are what the settings and the program ask of the local Discord.
func (c Config) options(p Program) sandbox.Options {
	o := sandbox.Options{
		Addr:       c.Addr,
		AllowHosts: c.AllowHost,
		World:      sandbox.WorldOptions{KeepMessages: keptMessages, KeepWrites: keptWrites},
		REST:       sandbox.RESTOptions{KeepRequests: keptRequests},
	}
	if c.open {
		o.Key = c.key
	}
	var restart func() error
	if own := p.Own; own != nil {
		o.Gateway.Heartbeat, restart = own.Heartbeat, own.RestartSession
	} else {
		o.World.Clock, o.Gateway.HelloDelay = clock.NewMovable(), helloDelay
		o.World.Token, o.World.BotName, o.World.PrivilegedIntents, o.World.BotPermissions = c.Token, c.Name, c.intents, c.permissions
	}
	if p.Own == nil || p.Own.LogRequests {
		o.Log = p.Log
	}
	o.Handler = func(s *sandbox.Server) http.Handler {
		mux := http.NewServeMux()
		if p.Own == nil || c.Key != "" {
			mux.Handle(api.Base+"/", api.New(s, c.key))
		}
		mux.Handle("/", page.New(s, restart))
		return mux
	}
	return o
}

// Serve serves another bot until the context ends, or until the bot does if a command
// starts it here. An error of type ExitCode is what that command ended with.
func (h *Host) Serve(ctx context.Context, command []string) error {
	out, vars := h.program.Stdout, h.variables()
	if h.config.JSON {
		fmt.Fprintln(out, asJSON(vars))
	}
	switch {
	case len(command) > 0:
		fmt.Fprintf(h.program.Stderr, "A local Discord for %s; its page: %s\n", command[0], h.PageURL())
	case h.config.Env:
		fmt.Fprint(out, forShell(vars))
	case !h.config.JSON:
		fmt.Fprint(out, forPeople(vars, h.PageURL(), h.program.Name))
	}
	h.OpenPage(ctx)
	if len(command) > 0 {
		return h.runBot(ctx, command, vars)
	}
	<-ctx.Done()
	return nil
}

// PageURL is the address of the page for the browser of whoever started the program,
// with the key if it wants one.
func (h *Host) PageURL() string {
	if h.config.open {
		return h.Server.PublicURL() + "/?key=" + h.config.key
	}
	return h.Server.URL()
}

// warning says who else can come in.
func (h *Host) warning() string {
	if !h.config.open {
		return ""
	}
	return fmt.Sprintf(`WARNING: %s is not on this machine alone. Whoever reaches it
and has the key can be anybody in this local Discord and read all of it; whoever has
the token is the bot. There is no encryption: use it on a network that you trust.
The page: %s
`, h.config.Addr, h.PageURL())
}

// OpenPage opens the page in whatever the system uses for it, if that is wanted.
func (h *Host) OpenPage(ctx context.Context) {
	if !h.config.Open {
		return
	}
	name, args := "xdg-open", []string{h.PageURL()}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", h.PageURL()}
	}
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // an address of our own
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(h.program.Stderr, "%s: the browser did not open: %v\n", h.program.Name, err)
		return
	}
	go func() { _ = cmd.Wait() }()
}
