package main

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres/postgrestest"
)

// TestLoadtestPastOneMachine measures the bot on PostgreSQL, by HTTP, and as several
// processes behind a balancer.
func TestLoadtestPastOneMachine(t *testing.T) {
	t.Parallel()
	server := postgrestest.Server(t)
	r := measured(t, "--games", "1", "--rounds", "1", "--channels", "2", "--warm-up", "0s", "--pause", "1ms",
		"--http", "--processes", "2", "--database", server)
	want := []BotReport{
		{Name: "tictactoe", Processes: 1},
		{Name: "acknowledging", Processes: 1, Acknowledges: true},
		{Name: "on PostgreSQL", Processes: 1, Beside: "tictactoe"},
		{Name: "verifying", Processes: 1, Acknowledges: true, Posted: true, Beside: "tictactoe"},
		{Name: "by HTTP", Processes: 1, Posted: true, Beside: "verifying"},
		{Name: "one process", Processes: 1, Posted: true, Beside: "tictactoe"},
		{Name: "2 processes", Processes: 2, Posted: true, Beside: "one process"},
	}
	if len(r.Bots) != len(want) || len(r.Loads) != 1 {
		t.Fatalf("report %+v", r)
	}
	for i, b := range r.Bots {
		b.Ready, b.Memory, b.WarmMemory = 0, Memory{}, Memory{}
		if b != want[i] {
			t.Errorf("bot %+v, want %+v", b, want[i])
		}
		f := r.Loads[0].Bots[i]
		// The game may be one that was begun before. A millisecond after a picture of one process
		// an older one of another may stand on the board: who taps on that reads so.
		surprised := f.Unanswered
		if b.Processes > 1 {
			surprised += f.Interactions / 5
		}
		if f.Name != b.Name || f.Games < 1 || f.Interactions < f.Games || f.Unexpected > surprised {
			t.Errorf("figures %+v", f)
		}
		kept := b.Name == "on PostgreSQL" || strings.HasSuffix(b.Name, "process") || strings.HasSuffix(b.Name, "processes")
		if systemTells && (f.DatabaseCPU != nil) != kept {
			t.Errorf("%s: the server's CPU is told: %v", f.Name, f.DatabaseCPU != nil)
		}
	}
}

// TestLoadtestDatabases: each bot that asks for one gets a database of its own, and all of
// them go.
func TestLoadtestDatabases(t *testing.T) {
	c := options{Database: postgrestest.Server(t)}
	bots := []Bot{{Store: "sqlite:a.db"}, onPostgreSQL(Bot{}, "one", ""), onPostgreSQL(Bot{}, "two", "")}
	drop, err := c.makeDatabases(t.Context(), bots)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range bots[1:] {
		u, err := url.Parse(b.Store)
		if err != nil || b.Store == newDatabase {
			t.Fatalf("store %q: %v", b.Store, err)
		}
		names = append(names, strings.TrimPrefix(u.Path, "/"))
	}
	count := func() (n int) {
		postgrestest.Conn(t, c.Database, func(ctx context.Context, conn *pgx.Conn) error {
			return conn.QueryRow(ctx, "SELECT count(*) FROM pg_database WHERE datname = ANY($1)", names).Scan(&n)
		})
		return n
	}
	if n := count(); n != 2 || bots[0].Store != "sqlite:a.db" {
		t.Errorf("%d databases %q, and the first bot has %q", n, names, bots[0].Store)
	}
	if err := drop(); err != nil {
		t.Error(err)
	}
	if n := count(); n != 0 {
		t.Errorf("%d databases are left", n)
	}
}
