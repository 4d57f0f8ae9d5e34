package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"tictactoe/store/postgres"
)

// recountCmd compares the sums of results with the ledger and makes them right.
type recountCmd struct {
	Database string `env:"DATABASE_URL" default:"sqlite:tictactoe.db" placeholder:"URL" help:"The database: sqlite:FILE or postgres://…. Stop the bot first."`
}

// recountTime is how long a PostgreSQL database may take to look through all results: it needs some
// twenty seconds for a hundred thousand.
const recountTime = 24 * time.Hour

// Run implements the command.
func (c *recountCmd) Run(ctx context.Context, env environment) (err error) {
	var p problems
	at := checkDatabase(&p, "--database (or DATABASE_URL)", c.Database)
	if len(p) > 0 {
		return p
	}
	if at.path != "" { // a file that is missing would be made
		if _, err := os.Stat(at.path); err != nil {
			return err
		}
	}
	s, err := at.open(ctx, slog.New(slog.NewTextHandler(env.stderr, nil)), nil, postgres.WithTimeout(recountTime))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	wrong, err := s.Recount(ctx)
	switch {
	case err != nil:
		return err
	case wrong == 0:
		fmt.Fprintln(env.stdout, "Every sum agrees with the results in the ledger.")
	case wrong == 1:
		fmt.Fprintln(env.stdout, "1 row of sums did not agree with the results in the ledger. It does now.")
	default:
		fmt.Fprintf(env.stdout, "%d rows of sums did not agree with the results in the ledger. They do now.\n", wrong)
	}
	return nil
}
