package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/sqlite"
)

// TestCopy carries a game from a file into PostgreSQL, and refuses to do so twice.
func TestCopy(t *testing.T) {
	address := postgrestest.URL(t)
	path := filepath.Join(t.TempDir(), "games.db")
	from, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	m := store.Match{
		ID: 7, Guild: "1", Channel: "1", Place: 1, Rules: engine.Standard, X: store.Player{User: "1"}, O: store.Player{Opponent: "easy"},
		Moves: []engine.Cell{4, 0}, State: store.Active,
	}
	if err := from.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
		t.Fatal(err)
	}
	if err := from.Close(); err != nil {
		t.Fatal(err)
	}
	code, out := inProcess(t, []string{"DATABASE_URL=" + address}, "copy", "--from", "sqlite:"+path)
	if code != exitOK || !strings.Contains(out, "matches    1") || !strings.Contains(out, "copied and compared") {
		t.Fatalf("exit code %d, %s", code, out)
	}
	to, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if got, err := to.Match(t.Context(), 7); err != nil || got.Version != 1 || len(got.Moves) != 2 {
		t.Errorf("Match = %+v, %v", got, err)
	}
	code, out = inProcess(t, nil, "copy", "--from", "sqlite:"+path, "--to", address)
	if code != exitError || !strings.Contains(out, "not empty") {
		t.Errorf("into a database that is not empty: exit code %d, %s", code, out)
	}
}

// TestCopyRefuses: what copy cannot do is said, nothing is made, and no password shown.
func TestCopyRefuses(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.db")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"copy"}, exitUsage, "--from"},
		{[]string{"copy", "--from", "games.db", "--to", "mysql://bot:hunter2@host/db"}, exitUsage, "--from must be"},
		{[]string{"copy", "--from", "sqlite:games.db"}, exitUsage, "--to (or DATABASE_URL)"},
		{[]string{"copy", "--from", "postgres://bot:hunter2@host/db", "--to", "sqlite:games.db"}, exitUsage, "nowhere else"},
		{[]string{"copy", "--from", "sqlite:" + missing, "--to", "postgres://bot:hunter2@127.0.0.1:1/db"}, exitError, "no such file"},
	} {
		code, out := inProcess(t, nil, c.args...)
		if code != c.code || !strings.Contains(out, c.says) || strings.Contains(out, "hunter2") {
			t.Errorf("%v: exit code %d, %s", c.args, code, out)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the file that was missing was made")
	}
}
