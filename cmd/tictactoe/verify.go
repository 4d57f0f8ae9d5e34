package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/host"
	"tictactoe/bot/verify"
	"tictactoe/cmd/internal/progress"
)

// verifyCmd compares what Discord does with what the bot expects of it.
type verifyCmd struct {
	apiSettings
	verify.Settings
}

// The exit codes of verify: 0 says that nothing differs.
const (
	exitDiffers   = 1
	exitCannotRun = 2
)

// Run implements the command.
func (c *verifyCmd) Run(ctx context.Context, env environment) error {
	p := env.problems
	api := c.check(&p)
	if strings.Trim(c.Channel, "0123456789") != "" || c.Channel == "" && !c.Clean {
		p.add("--channel %q is no channel id: those are digits only (Developer Mode, right-click on the channel, Copy Channel ID)", c.Channel)
	}
	if len(p) > 0 {
		return p
	}
	terminal := progress.IsTerminal(env.stdout)
	o := verify.Options{
		Settings: c.Settings, Version: version(), REST: api, Identifies: gateway.NewIdentifies(),
		Out: env.stdout, Progress: progress.On(env.stderr), Now: time.Now, After: time.After,
		Colour: terminal && !slices.ContainsFunc(env.environ, func(e string) bool { return strings.HasPrefix(e, "NO_COLOR=") && e != "NO_COLOR=" }),
	}
	if terminal && progress.IsTerminal(os.Stdin) {
		o.Ask = asks(os.Stdin, env.stdout)
	}
	report, err := verify.Run(ctx, o)
	switch {
	case err != nil:
		fmt.Fprintf(env.stderr, "tictactoe: %v\n", err)
		return host.ExitCode(exitCannotRun)
	case report.Count(verify.Differs) > 0:
		return host.ExitCode(exitDiffers)
	}
	return nil
}

// asks returns what puts a question and takes a line for the answer.
func asks(in io.Reader, out io.Writer) func(context.Context, string) bool {
	lines := make(chan string)
	go func() {
		for scan := bufio.NewScanner(in); scan.Scan(); {
			lines <- strings.ToLower(strings.TrimSpace(scan.Text()))
		}
		close(lines)
	}()
	return func(ctx context.Context, question string) bool {
		fmt.Fprintf(out, "%s [y/N] ", question)
		select {
		case line := <-lines:
			return line == "y" || line == "yes"
		case <-ctx.Done():
			return false
		}
	}
}
