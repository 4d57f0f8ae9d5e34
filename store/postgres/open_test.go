package postgres_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestSameSteps checks that the steps have the same numbers and names as SQLite's.
func TestSameSteps(t *testing.T) {
	names := func(folder string) string {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, f := range files {
			all = append(all, f.Name())
		}
		return strings.Join(all, " ")
	}
	if got, want := names("migrations"), names("../sqlite/migrations"); got != want {
		t.Errorf("steps are %s, those of SQLite %s", got, want)
	}
}

// TestStartTogether has several open an empty database in the same instant.
func TestStartTogether(t *testing.T) {
	t.Parallel()
	steps, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		address := postgrestest.URL(t)
		var wg sync.WaitGroup
		for i := range 5 {
			wg.Go(func() {
				s, err := postgres.Open(t.Context(), address, patient())
				if err != nil {
					t.Errorf("Open %d = %v", i, err)
					return
				}
				if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		var rows, versions, writers int
		postgrestest.Scan(t, address, "SELECT (SELECT count(*) FROM uptime), (SELECT count(*) FROM tictactoe_schema), (SELECT count(*) FROM writers)",
			&rows, &versions, &writers)
		if rows != store.Domains || versions != len(steps)+1 || writers != 0 {
			t.Errorf("%d domains, %d versions, %d writers left; want %d, %d (with 0), 0", rows, versions, writers, store.Domains, len(steps)+1)
		}
	}
}

// TestRefusals: what Open will not use is left as it is, and said in words that name no
// password.
func TestRefusals(t *testing.T) {
	t.Parallel()
	foreign := postgrestest.URL(t)
	postgrestest.Exec(t, foreign, "CREATE TABLE invoices (id int)")
	newer := postgrestest.URL(t)
	openAt(t, newer)
	postgrestest.Exec(t, newer, "INSERT INTO tictactoe_schema (version_id, is_applied) VALUES (999, true)")
	server := postgrestest.Server(t)
	none := "postgres://nobody:hunter2@127.0.0.1:1/games?sslmode=disable"
	for _, c := range []struct {
		name, address string
		want          error
		says          string
	}{
		{"another program's", foreign, store.ErrNotDatabase, "invoices"},
		{"a newer schema", newer, store.ErrNewerSchema, "999"},
		{"no such schema", postgrestest.With(t, server, "search_path", "missing"), store.ErrNotDatabase, "search_path"},
		{"no server", none, store.ErrUnreachable, "games on 127.0.0.1:1"},
		{"read only", postgrestest.With(t, postgrestest.URL(t), "default_transaction_read_only", "on"), store.ErrReadOnly, "read-only"},
	} {
		s, err := postgres.Open(t.Context(), c.address)
		if err == nil {
			_ = s.Close()
		}
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: Open() = %v, want %v that says %q", c.name, err, c.want, c.says)
		}
	}
	var tables int
	postgrestest.Scan(t, foreign, "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()", &tables)
	if tables != 1 {
		t.Errorf("the schema of another program has %d tables, want 1", tables)
	}
}

// TestReplacedDatabase: what the store has written is gone. It says so and does not go on
// over something else.
func TestReplacedDatabase(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]string{
		"an older copy": "UPDATE writers SET commits = commits - 1",
		"made anew":     "DELETE FROM writers",
		"dropped":       "DROP TABLE writers",
	} {
		address := postgrestest.URL(t)
		s := openAt(t, address)
		for range 3 {
			if err := s.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		postgrestest.Exec(t, address, replace)
		if err := s.Check(t.Context()); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Check() = %v, want %v", name, err, store.ErrDamaged)
		}
		select {
		case <-s.Failed():
		default:
			t.Errorf("%s: the store has not failed", name)
		}
		if _, err := s.Match(t.Context(), 1); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Match() = %v, want %v", name, err, store.ErrDamaged)
		}
	}
}

// TestPlans has PostgreSQL say how it would carry out every statement that reads: none
// may read a whole table or sort one, so that no cost depends on how much is stored.
func TestPlans(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	openAt(t, address)
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		// For the planner an empty table is best read whole.
		if _, err := conn.Exec(ctx, "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET plan_cache_mode = force_generic_plan"); err != nil {
			return err
		}
		for _, text := range postgres.Reads() {
			st, err := conn.Prepare(ctx, "read", text)
			if err != nil {
				return err
			}
			nulls := strings.TrimSuffix(strings.Repeat("NULL, ", len(st.ParamOIDs)), ", ")
			if nulls != "" {
				nulls = "(" + nulls + ")"
			}
			rows, err := conn.Query(ctx, "EXPLAIN EXECUTE read"+nulls, pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				return err
			}
			// Limits below it say that what is sorted is no more than what is wanted.
			sorts := strings.Count(strings.Join(plan, "\n"), "Limit") < 3
			for _, step := range plan {
				if sorts && strings.Contains(step, "Sort  ") || strings.Contains(step, "Seq Scan on matches") || strings.Contains(step, "Seq Scan on challenges") {
					t.Errorf("%s\nis carried out with\n%s", text, strings.Join(plan, "\n"))
					break
				}
			}
			if _, err := conn.Exec(ctx, "DEALLOCATE read"); err != nil {
				return err
			}
			if err := conn.DeallocateAll(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestThreadsOfBefore: a game in a thread that was found locked by an older version goes on,
// and falls due as any other; what was to be archived is left alone.
func TestThreadsOfBefore(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	if err := postgres.MigrateTo(t.Context(), address, 35); err != nil {
		t.Fatal(err)
	}
	postgrestest.Exec(t, address, `INSERT INTO matches (id, guild, domain, channel, thread, place, message, drawn, notice, m, n, k, mark_limit,
			x_user, x_opponent, o_user, o_opponent, moves, state, end_reason, winner, ended_by, clock, deadline, thread_due, locked,
			cell_names, series_x, series_o, series_d, rematch_x, rematch_o, next, verdict, verdict_ply, verdict_cell, locale, version, created, updated) VALUES
			(1, '5', 0, '2', '3', 1, '4', 2, '', 3, 3, 3, 0, '8', '', '9', '', '', 10, 0, 0, '', 600, 900, 700, true, false, 0, 0, 0, false, false, 0, 0, 0, 0, 'en-US', 2, 1000, 1000),
			(2, '5', 0, '2', '3', 1, '6', 2, '', 3, 3, 3, 0, '8', '', '7', '', '', 20, 30, 1, '', 600, 0, 800, false, false, 0, 0, 0, false, false, 0, 0, 0, 0, 'en-US', 2, 1000, 1000)`)
	s := openAt(t, address)
	first, err := s.Match(t.Context(), 1)
	first.Deadline++
	if err != nil || first.Thread != "3" || s.Apply(t.Context(), store.Change{Matches: []store.Match{first}}) != nil {
		t.Errorf("the running match is %+v, %v", first, err)
	}
	next, err := s.NextDeadlines(t.Context())
	if want := (store.Uptimes{0: first.Deadline}); next != want || err != nil {
		t.Errorf("NextDeadlines = %v, %v, want %v", next, err, want)
	}
}
