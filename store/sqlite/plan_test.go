package sqlite_test

import (
	"database/sql"
	"path/filepath"
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
		case "SAVEPOINT", "ROLLBACK", "RELEASE":
			continue
		}
		for _, step := range plan(t, db, text) {
			t.Logf("%.60s: %s", strings.Join(strings.Fields(text), " "), step)
			switch {
			case strings.HasPrefix(step, "SCAN") && !isBounded(step), strings.Contains(step, "AUTOMATIC"),
				strings.Contains(step, "TEMP B-TREE") && !strings.Contains(text, "created DESC"):
				t.Errorf("%s\n\tis carried out with: %s", text, step)
			}
		}
	}
}

// isBounded reports whether a scan reads something that is small by itself:
// nothing but constants, or the active matches or open challenges in their own
// indexes, which Stats counts.
func isBounded(step string) bool {
	return step == "SCAN CONSTANT ROW" ||
		step == "SCAN matches USING COVERING INDEX matches_guild" ||
		step == "SCAN challenges USING COVERING INDEX challenges_open"
}

// plan returns the steps in which SQLite would carry out the statement.
func plan(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	var args []any
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != ':' && r != '_' && (r < 'a' || r > 'z') }) {
		if rest, ok := strings.CutPrefix(name, ":"); ok {
			args = append(args, sql.Named(rest, 1))
		}
	}
	if len(args) == 0 {
		args = []any{1, 1, 1, 1}
	}
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
