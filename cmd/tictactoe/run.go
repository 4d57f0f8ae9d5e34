package main

import (
	"context"
	"fmt"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// runCmd connects to Discord and plays.
type runCmd struct {
	discordSettings
	gameSettings
	logSettings
	DatabaseURL string `env:"DATABASE_URL" default:"sqlite:tictactoe.db" help:"Where games are kept."`
	HTTPAddr    string `name:"http-addr" env:"HTTP_ADDR" placeholder:"ADDR" help:"Serve /healthz and /readyz at this address."`
}

// Run implements the command.
func (c *runCmd) Run(ctx context.Context, env environment) error {
	p := env.problems
	discord, game, log := c.discordSettings.check(&p), c.gameSettings.check(&p), c.logSettings.check(&p, env.stderr)
	path := databasePath(&p, c.DatabaseURL)
	checkHTTPAddr(&p, c.HTTPAddr)
	if err := p.err(); err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	a := &app{log: log, discord: discord, game: game, store: db}
	a.announce = func(invite string) { fmt.Fprintf(env.stdout, "Invite the bot: %s\n", invite) }
	if c.HTTPAddr != "" {
		stop, err := serveHealth(ctx, c.HTTPAddr, a)
		if err != nil {
			_ = db.Close()
			return err
		}
		defer stop()
	}
	err = a.play(ctx)
	if closeErr := db.Close(); err == nil {
		err = closeErr
	}
	return err
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
	p := env.problems
	discord, log := c.discordSettings.check(&p), c.logSettings.check(&p, env.stderr)
	if err := p.err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, registerTime)
	defer cancel()
	a := &app{log: log, discord: discord}
	client := rest.New(rest.Options{BaseURL: discord.apiURL, Token: string(discord.token), Logger: log})
	if _, err := client.Application(ctx); err != nil {
		return a.outcome(ctx, err)
	}
	written, err := bot.Register(ctx, client, store.GuildID(discord.guild))
	switch {
	case err != nil:
		return a.outcome(ctx, err)
	case written:
		fmt.Fprintln(env.stdout, "The commands are registered.")
	default:
		fmt.Fprintln(env.stdout, "The commands were registered already.")
	}
	return nil
}
