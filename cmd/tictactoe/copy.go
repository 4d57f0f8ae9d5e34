package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tictactoe/cmd/internal/progress"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// copyCmd carries games from an SQLite file into an empty PostgreSQL database.
type copyCmd struct {
	From string `required:"" placeholder:"sqlite:FILE" help:"The SQLite file; it is not changed. Stop the bot first."`
	To   string `env:"DATABASE_URL" placeholder:"postgres://…" help:"The empty PostgreSQL database (better in the environment, where other users do not see its password)."`
}

// Run implements the command.
func (c *copyCmd) Run(ctx context.Context, env environment) error {
	var p problems
	from, to := checkDatabase(&p, "--from", c.From), checkDatabase(&p, "--to (or DATABASE_URL)", c.To)
	if len(p) == 0 && (from.path == "" || to.address == "") {
		p.add("copy goes from sqlite: to postgres://, and nowhere else")
	}
	if len(p) > 0 {
		return p
	}
	line := progress.On(env.stderr)
	defer line.Clear()
	var counts map[string]int
	err := sqlite.Export(ctx, from.path, func(rows sqlite.Source) (err error) {
		total, err := rows.Total()
		if err != nil {
			return err
		}
		steps := 0
		counts, err = postgres.Import(ctx, string(to.address), rows, func(n int) {
			steps += n
			line.Say("copying and comparing: %d %%", 100*steps/max(1, 2*total))
		})
		return err
	})
	if err != nil {
		return err
	}
	line.Clear()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(env.stdout, "%-10s %d\n", name, counts[name])
	}
	fmt.Fprintln(env.stdout, "Every row was copied and compared. Set DATABASE_URL to the new database and start the bot.")
	return nil
}
