package main

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/sqlite"
)

// TestRecount puts sums right that somebody has changed, and finds nothing wrong then.
func TestRecount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	won := store.Match{
		ID: 7, Guild: "1", Channel: "1", Place: 1, Rules: engine.Standard, X: store.Player{User: "1"}, O: store.Player{User: "2"},
		Moves: []engine.Cell{4, 0, 3, 1, 5}, State: store.Ended, EndReason: store.ByLine, Winner: engine.X,
	}
	c := store.Change{Matches: []store.Match{won}, Awards: []store.Award{{Match: 7, X: 3, HonoursX: 1}}}
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if code, out := inProcess(t, nil, "recount", "--database", "sqlite:"+path); code != exitOK || !strings.Contains(out, "Every sum agrees") {
		t.Errorf("exit code %d, %s", code, out)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, harm := range []string{
		"UPDATE standings SET points = 99 WHERE user_id = '1'", // all time and a month
		"DELETE FROM records WHERE user_id = '2'",
		"INSERT INTO pairs VALUES ('1', '3', '1', 1, 0, 0)",
		"UPDATE streaks SET best = 10 WHERE user_id = '1'",
		"DELETE FROM honours",
	} {
		if _, err := db.ExecContext(t.Context(), harm); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	code, out := inProcess(t, []string{"DATABASE_URL=sqlite:" + path}, "recount")
	if code != exitOK || !strings.Contains(out, "6 rows of sums did not agree") {
		t.Errorf("exit code %d, %s", code, out)
	}
	if code, out = inProcess(t, nil, "recount", "--database", "sqlite:"+path); code != exitOK || !strings.Contains(out, "Every sum agrees") {
		t.Errorf("the second time: exit code %d, %s", code, out)
	}
	if s, err = sqlite.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	row, err := s.Standing(t.Context(), "1", store.AllTime, "1")
	if row.Points != 3 || err != nil {
		t.Errorf("Standing = %+v, %v, want 3 points", row, err)
	}
}

// TestSaysHowToGoBack: whatever opens a database of an older version logs the command that
// goes back, in a form that can be copied as it is.
func TestSaysHowToGoBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the command is for PowerShell there")
	}
	dump, err := os.ReadFile("../../store/sqlite/testdata/schema30.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), string(dump)); err != nil {
		t.Fatal(err)
	}
	code, out := inProcess(t, nil, "recount", "--database", "sqlite:"+path)
	_, command, ok := strings.Cut(out, `command="`)
	command, _, _ = strings.Cut(command, `"`)
	if code != exitOK || !ok {
		t.Fatalf("exit code %d, %s", code, out)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v, %s", command, err, out)
	}
	if db, err = sql.Open("sqlite", path); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var version int
	if err := db.QueryRowContext(t.Context(), "SELECT max(version_id) FROM goose_db_version").Scan(&version); version != 30 || err != nil {
		t.Errorf("gone back to schema %d, %v, want 30", version, err)
	}
}

// TestRecountOnPostgres does the same on a PostgreSQL database. What can be wrong is looked at
// in its package.
func TestRecountOnPostgres(t *testing.T) {
	address := postgrestest.URL(t)
	s, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	won := store.Match{
		ID: 7, Guild: "1", Channel: "1", Place: 1, Rules: engine.Standard, X: store.Player{User: "1"}, O: store.Player{User: "2"},
		Moves: []engine.Cell{4, 0, 3, 1, 5}, State: store.Ended, EndReason: store.ByLine, Winner: engine.X,
	}
	c := store.Change{Matches: []store.Match{won}, Awards: []store.Award{{Match: 7, X: 3}}}
	if err := errors.Join(s.Apply(t.Context(), c), s.Close()); err != nil {
		t.Fatal(err)
	}
	postgrestest.Exec(t, address, "UPDATE streaks SET best = 10 WHERE user_id = '1'")
	for _, want := range []string{"1 row of sums did not agree", "Every sum agrees"} {
		if code, out := inProcess(t, nil, "recount", "--database", address); code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %s, want %q", code, out, want)
		}
	}
}

// TestRecountTakesItsTime: it waits for longer than a bot would wait for a write.
func TestRecountTakesItsTime(t *testing.T) {
	address := postgrestest.URL(t)
	if code, out := inProcess(t, nil, "recount", "--database", address); code != exitOK {
		t.Fatalf("exit code %d, %s", code, out)
	}
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "BEGIN; LOCK TABLE results"); err != nil {
			return err
		}
		var work sync.WaitGroup
		work.Go(func() {
			if code, out := inProcess(t, nil, "recount", "--database", address); code != exitOK {
				t.Errorf("exit code %d, %s", code, out)
			}
		})
		_, err := conn.Exec(ctx, "SELECT pg_sleep(2); COMMIT")
		work.Wait()
		return err
	})
}

// TestRecountRefuses: a database that is missing is not made.
func TestRecountRefuses(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.db")
	if code, out := inProcess(t, nil, "recount", "--database", "sqlite:"+missing); code != exitError || !strings.Contains(out, "no such file") {
		t.Errorf("exit code %d, %s", code, out)
	}
	if code, out := inProcess(t, nil, "recount", "--database", "mysql://bot:hunter2@host/db"); code != exitUsage || strings.Contains(out, "hunter2") {
		t.Errorf("exit code %d, %s", code, out)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the file that was missing was made")
	}
}
