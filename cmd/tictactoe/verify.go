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

	"golang.org/x/term"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/host"
	"tictactoe/bot/verify"
	"tictactoe/cmd/internal/progress"
)

// verifyCmd compares what Discord does with what the bot expects of it.
type verifyCmd struct {
	Token   string        `env:"DISCORD_TOKEN" placeholder:"TOKEN" help:"Bot token (better in the environment, where other users do not see it)."`
	APIURL  string        `name:"api-url" env:"DISCORD_API_URL" default:"https://discord.com/api/v10" help:"Base of Discord's REST API."`
	Channel string        `placeholder:"ID" help:"A text channel of a test server, in which all of it happens."`
	Alone   bool          `help:"Ask for no clicks."`
	More    bool          `help:"Also ask for what takes a second account, a thread that you lock and delete, and the app on your account."`
	Later   bool          `help:"Leave one message there, for --resume."`
	Resume  bool          `help:"Look at that message when it is older than an hour, and at nothing else."`
	Clean   bool          `help:"Remove what a run that was cut short has left, and look at nothing."`
	Yes     bool          `help:"Do not ask."`
	Wait    time.Duration `default:"5m" help:"How long to wait for each click."`
	Report  string        `default:"tictactoe-verify.json" placeholder:"FILE" help:"Where the report goes."`
	Made    string        `default:"tictactoe-verify-made.json" placeholder:"FILE" help:"Where the ids are kept of what has to be removed."`
}

// The exit codes of verify: 0 says that nothing differs.
const (
	exitDiffers   = 1
	exitCannotRun = 2
)

// Run implements the command.
func (c *verifyCmd) Run(ctx context.Context, env environment) error {
	p := env.problems
	discord := discordSettings{Token: c.Token, APIURL: c.APIURL}.check(&p)
	if strings.Trim(c.Channel, "0123456789") != "" || c.Channel == "" && !c.Clean {
		p.add("--channel %q is no channel id: those are digits only (Developer Mode, right-click on the channel, Copy Channel ID)", c.Channel)
	}
	if err := p.err(); err != nil {
		return err
	}
	terminal := isTerminal(env.stdout)
	o := verify.Options{
		REST: rest.Options{BaseURL: discord.apiURL, Token: string(discord.token)}, Identifies: gateway.NewIdentifies(),
		Channel: c.Channel, Alone: c.Alone, More: c.More, Later: c.Later, Resume: c.Resume, Clean: c.Clean, Yes: c.Yes, Wait: c.Wait,
		Report: c.Report, Made: c.Made, Version: version(),
		Out: env.stdout, Progress: progress.On(env.stderr), Now: time.Now, After: time.After,
		Colour: terminal && !slices.ContainsFunc(env.environ, func(e string) bool { return strings.HasPrefix(e, "NO_COLOR=") && e != "NO_COLOR=" }),
	}
	if terminal && isTerminal(os.Stdin) {
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

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) //nolint:gosec // descriptors are small
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
