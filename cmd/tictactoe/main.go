// Command tictactoe plays tic-tac-toe on Discord, or on a local Discord that
// needs no account. See the README for its commands and settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"tictactoe/bot/sandbox/host"
)

// The exit codes.
const (
	exitOK    = 0
	exitError = 1 // it could not go on
	exitUsage = 2 // it was not told properly what to do
)

func main() {
	ctx, stop := untilSignal()
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// untilSignal returns a context that a signal ends. A second one ends the process at once.
func untilSignal() (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// environment is what the commands are given to work with.
type environment struct {
	stdout, stderr io.Writer
	environ        []string // "NAME=value"
	problems       problems // of the .env file
}

// run is the whole program: arguments without the program's name, the environment
// as "NAME=value", and where to write. It returns the exit code.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	env, wrong := readEnvironment(environ, dotenvFile)
	var c cli
	exited := -1
	parser := kong.Must(&c,
		kong.Name("tictactoe"),
		kong.Description("Tic-tac-toe on Discord: slash commands, boards of buttons, games that survive anything."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited = code }),
		kong.Resolvers(env),
		kong.Vars{"version": version()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	command, err := parser.Parse(args)
	switch {
	case exited >= 0: // help or the version was asked for
		return exited
	case err != nil:
		fmt.Fprintf(stderr, "tictactoe: %v\n\"tictactoe --help\" lists the commands, \"tictactoe run --help\" the settings.\n", err)
		return exitUsage
	}
	command.BindTo(ctx, (*context.Context)(nil))
	return fail(stderr, command.Run(environment{stdout: stdout, stderr: stderr, environ: environ, problems: wrong}))
}

// fail prints the error, if there is one, and returns the exit code for it.
func fail(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	if code, ok := errors.AsType[host.ExitCode](err); ok { // it was told already
		return int(code)
	}
	if bad, ok := errors.AsType[problems](err); ok {
		fmt.Fprintln(stderr, strings.TrimSpace(bad.Error()))
		return exitUsage
	}
	fmt.Fprintf(stderr, "tictactoe: %v\n", err)
	return exitError
}

// buildVersion is set by builds that know better than the Go tool what they build.
var buildVersion string

// version says how the program was built.
func version() string { return host.Version(buildVersion) }
