// Command sandbox is a local Discord for any bot: see the README of its module.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/host"
)

// The exit codes, where no bot was started here that ends with one of its own.
const (
	exitError = 1 // it could not go on
	exitUsage = 2 // it was not told properly what to do
)

// buildVersion is set by builds that know better than the Go tool what they build.
var buildVersion string

// name is what the program is called where it is installed, which packages decide.
var name = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")

// cli is the command line.
type cli struct {
	host.Settings
	Endpoint  string     `placeholder:"URL" help:"Post interactions here, signed, as soon as what answers there passes Discord's check, instead of sending them over the Gateway."`
	Stdin     bool       `help:"End when standard input does, and so with the program that started this one."`
	LogLevel  slog.Level `env:"LOG_LEVEL" default:"info" help:"debug, info, warn or error."`
	LogFormat string     `env:"LOG_FORMAT" enum:"text,json" default:"text" help:"text or json."`

	Version kong.VersionFlag `help:"Print the version and exit."`

	Command []string `arg:"" optional:"" help:"After --: the bot to start, with the variables that --env prints. The program ends with it."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx)
	stop()
	os.Exit(code)
}

// run is the whole program; it returns the exit code.
func run(ctx context.Context) int {
	var c cli
	parser := kong.Must(&c, kong.Name(name), kong.Description("A local Discord for any bot, with a page to play on."),
		kong.Vars{"version": host.Version(buildVersion)})
	if _, err := parser.Parse(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n\"%[1]s --help\" lists the settings.\n", name, err)
		return exitUsage
	}
	var wrong []string
	place := c.Check(c.Command, func(format string, a ...any) { wrong = append(wrong, fmt.Sprintf(format, a...)) })
	if len(wrong) > 0 {
		fmt.Fprintf(os.Stderr, "%s: the settings need attention:\n  %s\n", name, strings.Join(wrong, "\n  "))
		return exitUsage
	}
	err := c.serve(ctx, place)
	var ended host.ExitCode // which was told already
	switch {
	case errors.As(err, &ended):
		return int(ended)
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return exitError
	}
	return 0
}

func (c cli) serve(ctx context.Context, place host.Config) error {
	log := c.logger()
	h, err := place.Start(host.Program{Name: name, Stdout: os.Stdout, Stderr: os.Stderr, Log: log})
	if err != nil {
		return err
	}
	defer h.Close()
	if c.Endpoint != "" {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		err := h.Server.REST().SetEndpoint(ctx, h.Server.App(), c.Endpoint)
		if errors.Is(err, sandbox.ErrEndpointAddress) {
			return err
		}
		go c.post(ctx, h.Server, log, err)
	}
	if c.Stdin {
		var stop context.CancelCauseFunc
		ctx, stop = context.WithCancelCause(ctx)
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop(host.ErrInputEnded)
		}()
	}
	return h.Serve(ctx, c.Command)
}

func (c cli) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

// post has interactions posted to the endpoint, which may take a while to come up, and
// tells when that has begun or why it has not.
func (c cli) post(ctx context.Context, srv *sandbox.Server, log *slog.Logger, err error) {
	told := ""
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for ; err != nil; err = srv.REST().SetEndpoint(ctx, srv.App(), c.Endpoint) {
		if text := err.Error(); text != told && ctx.Err() == nil {
			log.Info("interactions go over the Gateway until the endpoint is accepted", "error", err)
			told = text
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	log.Info("interactions are posted", "endpoint", c.Endpoint)
}
