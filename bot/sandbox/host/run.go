package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

// botGrace is how long a bot may take to end once it was asked to.
const botGrace = 10 * time.Second

// callTime is how long a bot that was started here may take until it asks for anything.
const callTime = 15 * time.Second

// hintIfUnasked says so if the bot has asked for nothing yet: it may not know where to ask,
// and take the real Discord for this one.
func (h *Host) hintIfUnasked() {
	if len(h.Server.REST().Requests()) == 0 && h.Server.Gateway().Identifies() == 0 {
		h.program.Log.Warn("no bot has asked for anything yet", "hint", "does it take its API's address from DISCORD_API_BASE or DISCORD_API_URL? see the manual's lines for libraries")
	}
}

// ExitCode is what a bot that was started here ended with, after that was told.
type ExitCode int

func (c ExitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ErrInputEnded is the cause of a context that ends because nobody holds the other end of
// standard input any more, so that a bot has had no signal yet.
var ErrInputEnded = errors.New("standard input ended")

// runBot runs a command with variables in its environment until it ends. Signals are
// passed on; when the context ends, the command has botGrace to end, too.
func (h *Host) runBot(ctx context.Context, command []string, vars []variable) error {
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec,noctx // what the user asked for; it ends by a signal first
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, h.program.Stdout, h.program.Stderr
	cmd.Env = os.Environ()
	for _, v := range vars {
		cmd.Env = append(cmd.Env, v.name+"="+v.value)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	silence := time.After(callTime)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var late <-chan time.Time
	done := ctx.Done()
	for {
		select {
		case err := <-ended:
			return h.endOf(command, err)
		case <-silence:
			h.hintIfUnasked()
		case s := <-signals:
			// A terminal sends Ctrl+C to the command by itself.
			if s != os.Interrupt || !term.IsTerminal(int(os.Stdin.Fd())) {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		case <-done:
			done = nil
			if errors.Is(context.Cause(ctx), ErrInputEnded) && cmd.Process.Signal(syscall.SIGTERM) != nil {
				_ = cmd.Process.Kill() // where there are no signals
			}
			late = time.After(botGrace)
		case <-late:
			fmt.Fprintf(h.program.Stderr, "%s: %s did not end within %v and is killed\n", h.program.Name, command[0], botGrace)
			_ = cmd.Process.Kill()
		}
	}
}

// endOf says how the command ended, unless all is well.
func (h *Host) endOf(command []string, err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err
	}
	code := exit.ExitCode()
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal()) // as shells do
	}
	fmt.Fprintf(h.program.Stderr, "%s: %s ended: %v\n", h.program.Name, strings.Join(command, " "), exit)
	return ExitCode(code)
}
