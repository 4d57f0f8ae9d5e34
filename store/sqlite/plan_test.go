package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tictactoe/store/internal/sqlstore"
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
	wantIndexed(t, db)
}

// TestPlansOfALargeLedger: nor may they once SQLite knows that there are 100,000 results of
// a few thousand people, most of them in one guild.
func TestPlansOfALargeLedger(t *testing.T) {
	path := emptyAt(t)
	execSQL(t, path,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
		INSERT INTO results (match, guild, epoch, ended, day, month, m, n, k, mark_limit, x_user, x_opponent, o_user, o_opponent,
			winner, end_reason, plies, hinted, from_position, why, x_points, o_points, x_honours, o_honours, bot_win)
		SELECT i, CASE WHEN i % 3 > 0 THEN '1' ELSE CAST(i % 400 AS TEXT) END, 0, i * 1000000, i / 86, 202401 + i / 10000, 3, 3, 3, 0,
			CAST(i % 5003 AS TEXT), '', CASE WHEN i % 2 = 0 THEN CAST(i % 4999 AS TEXT) ELSE '' END, CASE WHEN i % 2 = 0 THEN '' ELSE 'easy' END,
			i % 3, 10, 5, 0, 0, 0, 3, 1, 0, 0, i % 2 FROM n`,
		`INSERT INTO standings SELECT guild, 0, month, x_user, sum(x_points), count(*), 0, 0 FROM results GROUP BY guild, month, x_user`,
		`INSERT INTO standings SELECT guild, 0, 0, user_id, sum(points), sum(won), 0, 0 FROM standings GROUP BY guild, user_id`,
		`INSERT INTO records SELECT x_user, o_opponent, 3, 3, 3, 0, count(*), 0, 0 FROM results GROUP BY x_user, o_opponent`,
		`INSERT INTO pairs SELECT x_user, o_user, guild, count(*), 0, 0 FROM results WHERE o_user <> '' GROUP BY x_user, o_user, guild`,
		`INSERT INTO streaks SELECT x_user, 1, 3 FROM results GROUP BY x_user`,
		`INSERT INTO honours SELECT x_user, 1, 3 FROM results GROUP BY x_user`,
		`INSERT INTO puzzle_tries (user_id, day, guild, state, wrong, moves, lost, cell_names, as_list, version) SELECT x_user, day, min(guild), 20, 0, x'', 0, 0, 0, 1 FROM results GROUP BY x_user, day`,
		`INSERT INTO puzzlers (user_id, solved, streak, tries, best, last, excused, version) SELECT user_id, count(*), 1, 1, 1, max(day), 0, 1 FROM puzzle_tries GROUP BY user_id`,
		`INSERT INTO puzzle_standings (guild, user_id, day, last, excused, streak, tries) SELECT guild, user_id, max(day), max(day), 0, 1, 1 FROM puzzle_tries GROUP BY guild, user_id`,
		`ANALYZE`)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	wantIndexed(t, db)
}

// TestErasureReadsItsBatchAlone: a step of an erasure finds the results that it is about, and
// reads those. By the index of a person's results it would read all of them each time.
func TestErasureReadsItsBatchAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	batches := 0
	for _, part := range sqlstore.PersonParts {
		for _, q := range part.Queries {
			text := q.SQLite
			if !strings.Contains(text, "batch") {
				continue
			}
			batches++
			steps := plan(t, db, text)
			if slices.ContainsFunc(steps, func(s string) bool { return strings.HasPrefix(s, "SEARCH results USING INDEX") }) ||
				!slices.Contains(steps, "MATERIALIZE batch") {
				t.Errorf("%s\n\tis carried out with: %s", text, strings.Join(steps, "; "))
			}
		}
	}
	if batches < 10 {
		t.Errorf("only %d statements are about a batch", batches)
	}
}

// wantIndexed wants every statement to be carried out by indexes.
func wantIndexed(t *testing.T, db *sql.DB) {
	t.Helper()
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
// the names of one player, or as many rows as a limit lets through.
func isBounded(step string) bool {
	switch step {
	case "SCAN CONSTANT ROW", "SCAN uptime", "SCAN d", "SCAN fresh", "SCAN bits", "SCAN quirks",
		"SCAN gap", "SCAN p", "SCAN px", "SCAN po", "SCAN higher", "SCAN longer", "SCAN quicker", "SCAN erasures USING INDEX erasures_begun":
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
// alone: besides its key, a table has at most one, or those of challenges, which mean the same.
func TestUniqueIndexes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path)
	for table, want := range map[string]int{"matches": 1, "challenges": 2} {
		var n int
		if queryRow(t, path, `SELECT count(*) FROM pragma_index_list('`+table+`') WHERE "unique"`, &n); n != want {
			t.Errorf("%s has %d unique indexes, want %d", table, n, want)
		}
	}
}

// TestMoveWritesFewIndexes asks SQLite which indexes the statement of a move writes:
// those whose columns a move changes, and no others. The statement for any change writes
// nearly all.
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
	if len(written) != 2 || written[0] != 3 || written[1] < 6 {
		t.Errorf("indexes written by a move and by any change: %v, want 3 and at least 6", written)
	}
}
