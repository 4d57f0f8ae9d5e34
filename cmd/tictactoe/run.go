package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/service"
)

// Tests on slow machines raise these.
var (
	answerTime = 3 * time.Second // that Discord waits for an answer
	gridTime   = match.GridStays // that people see the cells of a game that is over
	// How long balancers may take to notice that a process stops, and how long that may
	// take to end; zero is what the service has by itself.
	noticeTime, stopTime time.Duration
)

// runCmd connects to Discord and plays.
type runCmd struct {
	discordSettings
	interactionSettings
	gameSettings
	logSettings
	DatabaseURL string `env:"DATABASE_URL" default:"sqlite:tictactoe.db" help:"Where games are kept: sqlite: and a file, or postgres:// and a database."`
	MetricsAddr string `env:"METRICS_ADDR" placeholder:"ADDR" help:"Serve /metrics for Prometheus and /debug/pprof at this address, on loopback unless it names a host."`
}

// Run implements the command.
func (c *runCmd) Run(ctx context.Context, env environment) (err error) {
	p, o := env.problems, service.Options{}
	c.discordSettings.check(&p, &o)
	c.gameSettings.check(&p, &o)
	log := c.logSettings.check(&p, env.stderr)
	games := checkDatabase(&p, "DATABASE_URL", c.DatabaseURL)
	c.interactionSettings.check(&p, &o)
	figures := checkMetrics(&p, c.MetricsAddr)
	if len(p) > 0 {
		return p
	}
	fate := games.fate()
	if fate != "" {
		log.Warn(fate, "hint", "put the database into a volume with a name, such as docker run -v tictactoe:/data")
	}
	var commits func(changes int, took time.Duration)
	if told := figures.metrics; told != nil {
		commits, o.Bot.Observer, o.REST.Observer = told.Commit, told, told
	}
	db, err := games.open(ctx, log, commits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }() // when nobody asks for it any more
	closeDoor := func() {}
	o.Store, o.Logger = db, log
	o.Bot.InContainer = fate != ""
	o.Bot.AnswerTime, o.Bot.WorkTime = answerTime, answerTime*2/3
	o.NoticeTime, o.StopTime, o.CloseDoor = noticeTime, stopTime, func() { closeDoor() }
	o.OnIdentified = func(a *rest.Application) {
		fmt.Fprintf(env.stdout, "Invite the bot: %s\n", kit.InviteLink(a.ID))
		fmt.Fprint(env.stdout, advice(o, c.HTTPAddr, a.Endpoint))
	}
	o.OnRegistered = func() {
		// Only the start needs room for migrations and for the commands in every language.
		debug.FreeOSMemory()
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(200) // half of the collector's work, for some 10 MiB under load
		}
	}
	played := service.New(o)
	stop, err := figures.serve(ctx, played, db, log)
	if err != nil {
		return err
	}
	defer stop()
	if c.HTTPAddr != "" {
		at, stop, err := serveHTTP(ctx, c.HTTPAddr, played)
		if err != nil {
			return err
		}
		log.Info("serving", "setting", "HTTP_ADDR", "address", at.String())
		if _, port, _ := net.SplitHostPort(c.HTTPAddr); port == "0" {
			c.HTTPAddr = at.String() // before anybody is told of it
		}
		defer stop()
		closeDoor = stop
	}
	return play(ctx, played, log)
}

// play runs the service until the context ends. That it had no time to finish all is
// worth a line in the log, and an orderly end all the same.
func play(ctx context.Context, s *service.Service, log *slog.Logger) error {
	err := s.Run(ctx)
	if errors.Is(err, service.ErrUnfinished) && ctx.Err() != nil {
		log.Warn("stopped too soon for some", "error", err)
		return nil
	}
	return err
}

// advice says what there is to do so that interactions arrive, where anything is: which
// address belongs on the application's page, and that one is there which does not fit.
// addr is where the bot listens, endpoint what Discord posts to, empty for nothing.
func advice(o service.Options, addr, endpoint string) string {
	here := "http://" + addr + "/interactions"
	switch {
	case o.Webhook.Key == nil && endpoint != "":
		return fmt.Sprintf("Discord posts interactions to %s and sends none over the Gateway. To play here, set\n"+
			"DISCORD_PUBLIC_KEY and HTTP_ADDR, or remove Interactions Endpoint URL from the application's General Information page.\n", endpoint)
	case o.Webhook.Key == nil:
		return ""
	case endpoint != "":
		return fmt.Sprintf("Discord posts interactions to %s, which has to lead to %s here.\n", endpoint, here)
	}
	text := fmt.Sprintf("To get interactions by HTTP, set Interactions Endpoint URL on the application's General Information page\n"+
		"(https://discord.com/developers/applications) to https://YOUR-HOST/interactions, which has to lead to %s here.\n", here)
	if !o.GatewayOff {
		text += "Until then they come over the Gateway.\n"
	}
	return text
}

// registerCmd writes the application commands.
type registerCmd struct {
	discordSettings
	logSettings
}

// registerTime bounds the command.
const registerTime = time.Minute

// Run implements the command.
func (c *registerCmd) Run(ctx context.Context, env environment) error {
	p, o := env.problems, service.Options{}
	c.discordSettings.check(&p, &o)
	o.Logger = c.logSettings.check(&p, env.stderr)
	if len(p) > 0 {
		return p
	}
	ctx, cancel := context.WithTimeout(ctx, registerTime)
	defer cancel()
	written, err := service.Register(ctx, o)
	switch {
	case err != nil:
		return err
	case written:
		fmt.Fprintln(env.stdout, "The commands are registered.")
	default:
		fmt.Fprintln(env.stdout, "The commands were registered already.")
	}
	return nil
}
