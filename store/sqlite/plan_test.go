package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tictactoe/store/sqlite"
)

// TestPlans has SQLite say how it carries out every statement: none may read a
// whole table, sort one, or build an index for it, so that no cost depends on how
// much is stored.
func TestPlans(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range sqlite.Statements() {
		verb, _, _ := strings.Cut(text, " ")
		switch verb {
		case "SAVEPOINT", "ROLLBACK", "RELEASE", "PRAGMA":
			continue
		}
		for _, step := range plan(t, db, text) {
			t.Logf("%.60s: %s", strings.Join(strings.Fields(text), " "), step)
			switch {
			case strings.HasPrefix(step, "SCAN") && !isBounded(step), strings.Contains(step, "AUTOMATIC"),
				strings.Contains(step, "TEMP B-TREE"):
				t.Errorf("%s\n\tis carried out with: %s", text, step)
			}
		}
	}
}

// isBounded reports whether a scan reads something that is small by itself: nothing
// but constants or arguments, a row for each clock domain, the days of a month,
// or the names of one player.
func isBounded(step string) bool {
	switch step {
	case "SCAN CONSTANT ROW", "SCAN uptime", "SCAN d", "SCAN fresh", "SCAN bits",
		"SCAN gap", "SCAN p", "SCAN px", "SCAN po", "SCAN erasures USING INDEX erasures_begun":
		return true
	default:
		return false
	}
}

// plan returns the steps in which SQLite would carry out the statement.
func plan(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	args := slices.Repeat([]any{1}, 60) // more than any statement has
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestUniqueIndexes checks what lets a violated index be told from the table
// alone: besides its key, a table has at most one.
func TestUniqueIndexes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path)
	for _, table := range []string{"matches", "challenges"} {
		var n int
		if queryRow(t, path, `SELECT count(*) FROM pragma_index_list('`+table+`') WHERE "unique"`, &n); n != 1 {
			t.Errorf("%s has %d unique indexes, want 1", table, n)
		}
	}
}

// TestMoveWritesFewIndexes asks SQLite which indexes the statement of a move writes:
// those by deadline, by reminder and by the time of the last change, and no others. The statement
// for any change writes nearly all.
func TestMoveWritesFewIndexes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var written []int // by each statement that updates matches by their version
	for _, text := range sqlite.Statements() {
		if !strings.HasPrefix(text, "UPDATE matches") || !strings.Contains(text, "version = version + 1") {
			continue
		}
		n := 0
		rows, err := db.QueryContext(t.Context(), "EXPLAIN "+text, slices.Repeat([]any{1}, 60)...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var addr, p1, p2, p3, p5 int
			var opcode string
			var p4, comment sql.NullString
			if err := rows.Scan(&addr, &opcode, &p1, &p2, &p3, &p4, &p5, &comment); err != nil {
				t.Fatal(err)
			}
			if opcode == "IdxInsert" {
				n++
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		written = append(written, n)
	}
	slices.Sort(written)
	if len(written) != 2 || written[0] != 4 || written[1] < 6 {
		t.Errorf("indexes written by a move and by any change: %v, want 4 and at least 6", written)
	}
}
