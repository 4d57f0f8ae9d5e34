package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// newDatabase marks a bot for which a PostgreSQL database is to be made.
const newDatabase = "postgres:"

// onPostgreSQL is the game with its store in a database that is made for it.
func onPostgreSQL(game Bot, name, beside string) Bot {
	game.Name, game.Beside, game.Store = name, beside, newDatabase
	return game
}

// dropTime is how long a database may take to go.
const dropTime = 30 * time.Second

// makeDatabases makes a database for each bot that is marked for one, beside the one of
// --database, and tells the bot. drop takes away what was made, beside an error, too.
func (o *options) makeDatabases(ctx context.Context, bots []Bot) (drop func() error, err error) {
	var made []string
	drop = func() error { return nil }
	if o.Database == "" {
		return drop, nil
	}
	conn, err := pgx.Connect(ctx, o.Database)
	if err != nil {
		return drop, fmt.Errorf("--database: %w", err)
	}
	drop = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTime)
		defer cancel()
		var errs error
		for _, name := range made {
			_, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
			errs = errors.Join(errs, err)
		}
		return errors.Join(errs, conn.Close(ctx))
	}
	server := parentOf(int(conn.PgConn().PID()), "postgres") // 0 where it runs elsewhere
	for i := range bots {
		b := &bots[i]
		if b.Store != newDatabase {
			continue
		}
		name := "tictactoe_loadtest_" + strings.ToLower(rand.Text())
		if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
			return drop, fmt.Errorf("--database: no database can be made beside it: %w", err)
		}
		made = append(made, name)
		at, _ := url.Parse(o.Database) // it was checked
		at.Path = "/" + name
		q := at.Query()
		q.Del("dbname")
		at.RawQuery = q.Encode()
		b.Store, b.Database = at.String(), server
	}
	return drop, nil
}
