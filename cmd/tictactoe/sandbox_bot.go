package main

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

// exitCode ends the program with the code of a command that it ran.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// runBot runs a command with variables in its environment until it ends. Signals are
// passed on; when the context ends, the command has botGrace to end, too.
func runBot(ctx context.Context, env environment, command []string, vars []variable) error {
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec,noctx // what the user asked for; it ends by a signal first
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, env.stdout, env.stderr
	cmd.Env = env.environ
	for _, v := range vars {
		cmd.Env = append(cmd.Env, v.name+"="+v.value)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var late <-chan time.Time
	done := ctx.Done()
	for {
		select {
		case err := <-ended:
			return endOf(env, command, err)
		case s := <-signals:
			// A terminal sends Ctrl+C to the command by itself.
			if s != os.Interrupt || !term.IsTerminal(int(os.Stdin.Fd())) {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		case <-done:
			done = nil
			t := time.NewTimer(botGrace)
			defer t.Stop()
			late = t.C
		case <-late:
			fmt.Fprintf(env.stderr, "tictactoe: %s did not end within %v and is killed\n", command[0], botGrace)
			_ = cmd.Process.Kill()
		}
	}
}

// endOf says how the command ended, unless all is well.
func endOf(env environment, command []string, err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	code := exit.ExitCode()
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal()) // as shells do
	}
	fmt.Fprintf(env.stderr, "tictactoe: %s ended: %v\n", strings.Join(command, " "), exit)
	return exitCode(code)
}
