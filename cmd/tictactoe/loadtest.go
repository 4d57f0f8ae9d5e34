package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"tictactoe/cmd/internal/progress"
	"tictactoe/cmd/loadtest"
	"tictactoe/store/postgres"
)

// loadtestCmd measures the bot on a local Discord, beside one that only acknowledges.
type loadtestCmd struct {
	Channels    int           `default:"32" help:"Pairs of people who play at once, each in a channel of its own."`
	Duration    time.Duration `default:"20s" help:"How long each bot is measured under each load."`
	Games       int           `placeholder:"N" help:"Measure for so many games with each bot instead."`
	Pause       time.Duration `default:"0s" help:"Time from one click in a channel to the next; without a pause people click as soon as they are answered, and half of the rate is measured as well."`
	Rounds      int           `default:"4" help:"In how many turns each bot is measured."`
	WarmUp      time.Duration `default:"2s" help:"How long each bot is played with before anything counts."`
	GamesStored int           `placeholder:"N" help:"Measure beside it the bot with so many running games in its store."`
	Database    string        `placeholder:"postgres://…" help:"Measure beside it the bot on PostgreSQL, in databases of its own that are made beside this one and dropped at the end."`
	HTTP        bool          `name:"http" help:"Measure beside it the bot by HTTP, and a handler that only verifies the signature and answers."`
	Processes   int           `placeholder:"N" help:"Measure beside it one process by HTTP on PostgreSQL, and so many, each behind a balancer; needs --database and --http."`
	Alone       bool          `help:"Without the bots that only acknowledge."`
	Seed        uint64        `default:"1" help:"Seed of the games that are played."`
	JSON        bool          `help:"Write one JSON object instead of tables."`
	Profiles    string        `type:"path" placeholder:"DIR" help:"Write CPU and memory profiles of the bots and of the local Discord to this folder."`
}

// check says what is wrong with the flags.
func (c *loadtestCmd) check() error {
	var bad problems
	least := func(name string, v, min int) {
		if v < min {
			bad.add("--%s %d: at least %d", name, v, min)
		}
	}
	least("channels", c.Channels, 1)
	least("games", c.Games, 0)
	least("rounds", c.Rounds, 1)
	least("games-stored", c.GamesStored, 0)
	if c.Processes != 0 {
		least("processes", c.Processes, 2)
		if c.Database == "" || !c.HTTP {
			bad.add("--processes: needs --database and --http; several processes share a PostgreSQL database, and a balancer needs something to balance")
		}
		if c.Processes > mostProcesses {
			bad.add("--processes %d: at most %d", c.Processes, mostProcesses)
		}
	}
	if c.Database != "" {
		if err := postgres.CheckURL(c.Database); err != nil {
			bad.add("--database %v, such as postgres://user:password@host:5432/postgres", err)
		}
	}
	if c.Channels > mostChannels {
		bad.add("--channels %d: at most %d", c.Channels, mostChannels)
	}
	for _, d := range []struct {
		name     string
		v, least time.Duration
	}{{"duration", c.Duration, 100 * time.Millisecond}, {"pause", c.Pause, 0}, {"warm-up", c.WarmUp, 0}} {
		if d.v < d.least {
			bad.add("--%s %v: at least %v", d.name, d.v, d.least)
		}
	}
	if c.Profiles != "" {
		if info, err := os.Stat(c.Profiles); err != nil || !info.IsDir() {
			bad.add("--profiles %s: there is no such folder", c.Profiles)
		}
	}
	return bad.err()
}

// mostChannels bounds the pairs: each needs a goroutine and some connections here.
const mostChannels = 10_000

// mostProcesses bounds the processes, which all run on this machine.
const mostProcesses = 64

// Run implements the command.
func (c *loadtestCmd) Run(ctx context.Context, env environment) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tictactoe-loadtest-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bots, err := c.bots(ctx, dir, env)
	if err != nil {
		return err
	}
	drop, err := c.makeDatabases(ctx, bots)
	defer func() { err = errors.Join(err, drop()) }()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	line := progress.On(env.stderr)
	report, err := loadtest.Run(ctx, loadtest.Options{
		Bots: bots, Executable: self, Environ: withoutSettings(os.Environ()),
		Channels: c.Channels, Duration: c.Duration, Games: c.Games, Rounds: c.Rounds,
		WarmUp: c.WarmUp, Pause: c.Pause, Seed: c.Seed, Profiles: c.Profiles,
		Progress: func(part float64, what string) { line.Say("%s: %.0f %% done", what, 100*part) },
	})
	line.Clear()
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted before the end; nothing was measured")
	case err != nil:
		return err
	case c.JSON:
		out := json.NewEncoder(env.stdout)
		out.SetIndent("", "  ")
		return out.Encode(report)
	default:
		return report.WriteTables(env.stdout)
	}
}

// bots returns what is measured, each with a folder of its own.
func (c *loadtestCmd) bots(ctx context.Context, dir string, env environment) ([]loadtest.Bot, error) {
	game := loadtest.Bot{
		Name: "tictactoe", Args: []string{"run"},
		Environ: []string{"DATABASE_URL=sqlite:" + databaseFile, "START_LIMIT=none", "LOG_LEVEL=warn"},
	}
	all := []loadtest.Bot{game}
	if c.GamesStored > 0 {
		full := game
		full.Name, full.Stored = fmt.Sprintf("with %d games", c.GamesStored), c.GamesStored
		all = append(all, full)
	}
	if !c.Alone {
		all = append(all, loadtest.Bot{Name: "acknowledging", Args: []string{"loadtest-bot", "acknowledge"}, Acknowledges: true})
	}
	if c.Database != "" {
		all = append(all, onPostgreSQL(game, "on PostgreSQL", game.Name))
	}
	if c.HTTP {
		posted := game
		posted.Name, posted.Posted, posted.Beside = "by HTTP", true, game.Name
		if !c.Alone {
			const bare = "verifying"
			posted.Beside = bare
			all = append(all, loadtest.Bot{
				Name: bare, Args: []string{"loadtest-bot", "answer"}, Acknowledges: true, Posted: true, Beside: game.Name,
			})
		}
		all = append(all, posted)
	}
	if c.Processes > 0 {
		one := onPostgreSQL(game, "one process", game.Name)
		one.Posted, one.Processes = true, 1
		several := onPostgreSQL(one, fmt.Sprintf("%d processes", c.Processes), one.Name)
		several.Processes = c.Processes
		all = append(all, one, several)
	}
	for i := range all {
		b := &all[i]
		b.Dir = filepath.Join(dir, fmt.Sprint("bot-", i))
		if err := os.Mkdir(b.Dir, 0o700); err != nil {
			return nil, err
		}
		if c.Profiles != "" {
			if !b.Acknowledges {
				b.Args = []string{"loadtest-bot", "play"}
			}
			b.Environ = append(slices.Clone(b.Environ), profileVariable+"="+filepath.Join(c.Profiles, strings.ReplaceAll(b.Name, " ", "-")))
		}
		if b.Stored > 0 {
			if err := fillStore(ctx, filepath.Join(b.Dir, databaseFile), b.Stored, env.stderr); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// databaseFile is the file of a bot that is measured, in its folder.
const databaseFile = "loadtest.db"

// withoutSettings returns the environment without what would be read as a setting:
// the bots that are measured all run with the same ones.
func withoutSettings(environ []string) []string {
	names := settingNames()
	return slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(names, name)
	})
}

// loadtestBotCmd are the bots that loadtest starts as processes of their own.
type loadtestBotCmd struct {
	Play        profiledRunCmd `cmd:"" help:"What run does, with profiles."`
	Acknowledge acknowledgeCmd `cmd:"" help:"Acknowledge every click with the same board."`
	Answer      answerCmd      `cmd:"" help:"Answer what is posted with the same board."`
}

// profiledRunCmd is run with profiles.
type profiledRunCmd struct{ runCmd }

// Run implements the command.
func (c *profiledRunCmd) Run(ctx context.Context, env environment) error {
	return profiled(func() error { return c.runCmd.Run(ctx, env) })
}

// acknowledgeCmd is the bot that the other one is compared with.
type acknowledgeCmd struct{ discordSettings }

// Run implements the command.
func (c *acknowledgeCmd) Run(ctx context.Context, env environment) error {
	p := env.problems
	discord, board := c.check(&p), fixedBoard(&p)
	if err := p.err(); err != nil {
		return err
	}
	return profiled(func() error {
		return loadtest.Acknowledge(ctx, discord.apiURL, string(discord.token), board)
	})
}

// answerCmd is the bot that the one by HTTP is compared with.
type answerCmd struct {
	discordSettings
	interactionSettings
}

// Run implements the command.
func (c *answerCmd) Run(ctx context.Context, env environment) error {
	p := env.problems
	discord, board := c.discordSettings.check(&p), fixedBoard(&p)
	if err := p.err(); err != nil {
		return err
	}
	return profiled(func() error {
		return loadtest.Answer(ctx, discord.apiURL, string(discord.token), c.PublicKey, c.HTTPAddr, board)
	})
}

// fixedBoard reads the board that every click is answered with.
func fixedBoard(p *problems) []byte {
	board, err := os.ReadFile(os.Getenv(loadtest.BoardVariable)) //nolint:gosec // set by the load test for its own child
	if err != nil {
		p.add("%s: %v", loadtest.BoardVariable, err)
	}
	return board
}

// profileVariable names the variable with the beginning of the names of the
// profiles that a measured bot writes; without it there are none.
const profileVariable = "TICTACTOE_LOADTEST_PROFILE"

// profiled runs f and writes profiles of it where the variable says so.
func profiled(f func() error) (err error) {
	name := os.Getenv(profileVariable)
	if name == "" {
		return f()
	}
	cpu, err := os.Create(name + ".cpu.pprof") //nolint:gosec // the operator's choice
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cpu.Close()) }()
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return err
	}
	err = f()
	pprof.StopCPUProfile()
	memory, createErr := os.Create(name + ".memory.pprof") //nolint:gosec // the operator's choice
	if createErr != nil {
		return errors.Join(err, createErr)
	}
	return errors.Join(err, pprof.Lookup("allocs").WriteTo(memory, 0), memory.Close())
}
