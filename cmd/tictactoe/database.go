package main

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// database says where games are kept. One of the fields is set.
type database struct {
	path    string // of an SQLite file
	address secret // of a PostgreSQL database; it may hold a password
}

// checkDatabase checks a setting or flag that names a database. What is wrong is said
// without the value, which may hold a password.
func checkDatabase(p *problems, name, text string) database {
	if postgres.IsURL(text) {
		if err := postgres.CheckURL(text); err != nil {
			p.add("%s %v, such as postgres://user:password@host:5432/tictactoe", name, err)
		}
		return database{address: secret(text)}
	}
	path, ok := strings.CutPrefix(text, "sqlite:")
	if path = strings.TrimPrefix(path, "//"); !ok || path == "" {
		p.add("%s must be sqlite: and a file's path, such as sqlite:tictactoe.db, or postgres:// and a database's address, such as postgres://user:password@host:5432/tictactoe", name)
	}
	return database{path: path}
}

// open opens the database for a process that plays on it. commits, if it is not
// nil, is told of every commit. The options are for a PostgreSQL database alone.
func (d database) open(ctx context.Context, log *slog.Logger, commits func(changes int, took time.Duration), options ...postgres.Option) (store.Store, error) {
	if d.address != "" {
		waiting := func(process string) {
			log.Warn("the database is changed when nobody plays on it by an older version: stop that, this one waits", "older", process)
		}
		return postgres.Open(ctx, string(d.address), append(options, postgres.WithCommits(commits), postgres.WithWaiting(waiting))...)
	}
	migrating := func(back string) {
		log.Warn("the database is brought up to date for this version; to go back to the one before, stop the bot and run the command: what is played from now on is lost by it",
			"command", back, "until", "in seven days, or when somebody is erased")
	}
	return sqlite.Open(ctx, d.path, sqlite.WithCommits(commits), sqlite.WithMigration(migrating))
}
