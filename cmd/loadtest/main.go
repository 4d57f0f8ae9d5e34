// Command loadtest measures the bot under load: simulated people in many channels of a
// local Discord play one game after the other with it, beside a bot that only
// acknowledges. Every bot is a process of its own, so that its CPU time and memory are
// its own as well.
//
// It measures and does not judge: what the figures ought to be is for whoever reads
// them. The README beside this file says how.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"tictactoe/cmd/internal/progress"
	"tictactoe/store/postgres"
)

// options say what to measure and how.
type options struct {
	Channels  int           `default:"32" help:"Pairs of people who play at once, each in a channel of its own."`
	Duration  time.Duration `default:"20s" help:"How long each bot is measured under each load."`
	Games     int           `placeholder:"N" help:"Measure for so many games with each bot instead."`
	Pause     time.Duration `default:"0s" help:"Time from one click in a channel to the next; without a pause people click as soon as they are answered, and half of the rate is measured as well."`
	Rounds    int           `default:"4" help:"In how many turns each bot is measured."`
	WarmUp    time.Duration `default:"2s" help:"How long each bot is played with before anything counts."`
	Database  string        `placeholder:"postgres://…" help:"Measure beside it the bot on PostgreSQL, in databases of its own that are made beside this one and dropped at the end."`
	HTTP      bool          `name:"http" help:"Measure beside it the bot by HTTP, and a handler that only verifies the signature and answers."`
	Processes int           `placeholder:"N" help:"Measure beside it one process by HTTP on PostgreSQL, and so many, each behind a balancer; needs --database and --http."`
	Programs  []string      `name:"program" sep:"none" type:"existingfile" placeholder:"FILE" help:"Measure this build of the bot instead of the checkout's; given again, another build beside it."`
	Alone     bool          `help:"Without the bots that only acknowledge."`
	JSON      bool          `help:"Write one JSON object instead of tables."`
	Profiles  bool          `help:"Say at which address each bot that plays serves its profiles, for go tool pprof."`
}

// Validate is called by kong. It says all that is wrong.
func (o *options) Validate() error {
	var bad []error
	add := func(format string, args ...any) { bad = append(bad, fmt.Errorf(format, args...)) }
	bad = append(bad,
		least("channels", o.Channels, 1), least("games", o.Games, 0), least("rounds", o.Rounds, 1),
		least("duration", o.Duration, 100*time.Millisecond), least("pause", o.Pause, 0), least("warm-up", o.WarmUp, 0))
	if o.Processes != 0 {
		bad = append(bad, least("processes", o.Processes, 2))
		if o.Processes > mostProcesses {
			add("--processes %d: at most %d", o.Processes, mostProcesses)
		}
		if o.Database == "" || !o.HTTP {
			add("--processes: needs --database and --http; several processes share a PostgreSQL database, and a balancer needs something to balance")
		}
	}
	if o.Database != "" {
		if err := postgres.CheckURL(o.Database); err != nil {
			add("--database %v, such as postgres://user:password@host:5432/postgres", err)
		}
	}
	if o.Channels > mostChannels {
		add("--channels %d: at most %d", o.Channels, mostChannels)
	}
	return errors.Join(bad...)
}

// least returns what is wrong with a flag that is less than it may be.
func least[T int | time.Duration](name string, v, min T) error {
	if v < min {
		return fmt.Errorf("--%s %v: at least %v", name, v, min)
	}
	return nil
}

// mostProcesses bounds the processes, which all run on this machine.
const mostProcesses = 64

// mostChannels bounds the pairs: each needs a goroutine and some connections here.
const mostChannels = 10_000

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if board := os.Getenv(boardVariable); board != "" {
		if err := beBot(ctx, board); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	var o options
	kong.Parse(&o, kong.Name("loadtest"), kong.Description("Measures the bot on a local Discord, beside one that only acknowledges.")).
		FatalIfErrorf(o.run(ctx, os.Stdout, os.Stderr))
}

// run measures, and writes the report.
func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	line := progress.On(stderr)
	report, err := o.report(ctx, line)
	line.Clear()
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("interrupted before the end; nothing was measured")
	case err != nil:
		return err
	case o.JSON:
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		return out.Encode(report)
	default:
		return report.WriteTables(stdout)
	}
}

// report makes what the bots need, measures them, and leaves nothing of it.
func (o *options) report(ctx context.Context, line *progress.Line) (_ *Report, err error) {
	dir, err := os.MkdirTemp("", "tictactoe-loadtest-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if len(o.Programs) == 0 {
		line.Say("building the bot")
		game, err := build(ctx, dir)
		if err != nil {
			return nil, err
		}
		o.Programs = []string{game}
	}
	bots, err := o.bots(dir)
	if err != nil {
		return nil, err
	}
	drop, err := o.makeDatabases(ctx, bots)
	defer func() { err = errors.Join(err, drop()) }()
	if err != nil {
		return nil, err
	}
	return o.measure(ctx, bots, line)
}

// build builds the bot of the checkout that the working directory is in.
func build(ctx context.Context, dir string) (program string, err error) {
	c := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", dir+string(filepath.Separator), "tictactoe/cmd/tictactoe") //nolint:gosec // into our own folder
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the bot is built where this runs, in its checkout: %w\n%s", err, said)
	}
	return filepath.Join(dir, "tictactoe"), nil
}

// bots returns what is measured, each with a folder of its own.
func (o *options) bots(dir string) ([]Bot, error) {
	game := Bot{BotReport: BotReport{Name: "tictactoe", Processes: 1}, Program: o.Programs[0], Store: "sqlite:loadtest.db"}
	const acknowledging, verifying = "acknowledging", "verifying"
	all, names := []Bot{game}, []string{game.Name, acknowledging, verifying}
	for _, program := range o.Programs[1:] {
		other := game
		other.Name, other.Program = nameBeside(names, program), program
		all, names = append(all, other), append(names, other.Name)
	}
	if !o.Alone {
		all = append(all, Bot{BotReport: BotReport{Name: acknowledging, Processes: 1, Acknowledges: true}})
	}
	if o.Database != "" {
		all = append(all, onPostgreSQL(game, "on PostgreSQL", game.Name))
	}
	if o.HTTP {
		posted := game
		posted.Name, posted.Posted, posted.Beside = "by HTTP", true, game.Name
		if !o.Alone {
			posted.Beside = verifying
			all = append(all, Bot{BotReport: BotReport{
				Name: verifying, Processes: 1, Acknowledges: true, Posted: true, Beside: game.Name,
			}})
		}
		all = append(all, posted)
	}
	if o.Processes > 0 {
		one := onPostgreSQL(game, "one process", game.Name)
		one.Posted, one.Balanced = true, true
		several := onPostgreSQL(one, fmt.Sprintf("%d processes", o.Processes), one.Name)
		several.Processes = o.Processes
		all = append(all, one, several)
	}
	for i := range all {
		all[i].Dir = filepath.Join(dir, fmt.Sprint("bot-", i))
		if err := os.Mkdir(all[i].Dir, 0o700); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// nameBeside returns the name of a build beside others: its file's, behind those of as many
// folders as it takes to tell it from them.
func nameBeside(names []string, program string) string {
	name := filepath.Base(program)
	for dir := filepath.Dir(program); slices.Contains(names, name); dir = filepath.Dir(dir) {
		name = filepath.Base(dir) + "-" + name
	}
	return name
}

// withoutSettings returns what the bots get of the environment. Their settings, which
// are all the same, are not in it.
func withoutSettings(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "PG") && !slices.Contains([]string{"HOME", "TMPDIR", "TMP", "TEMP"}, name)
	})
}
