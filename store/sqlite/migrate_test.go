package sqlite_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"tictactoe/store/sqlite"
)

// steps returns migrations: numbered files with these statements.
func steps(statements ...string) fs.FS {
	files := fstest.MapFS{}
	for i, s := range statements {
		files[fmt.Sprintf("migrations/%05d_step.sql", i+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + s)}
	}
	return files
}

// TestMigrationFiles checks what lets the steps be repeated for another backend:
// numbers without gaps, each with a name in words.
func TestMigrationFiles(t *testing.T) {
	files, err := os.ReadDir("migrations")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^(\d{5})_[a-z]+(_[a-z]+)*\.sql$`)
	for i, f := range files {
		got := form.FindStringSubmatch(f.Name())
		if got == nil || got[1] != fmt.Sprintf("%05d", i+1) {
			t.Errorf("migration %d is called %s", i+1, f.Name())
		}
	}
}

// TestMigrationInterrupted has a step fail in its middle: the schema is the old
// one, and the new one once the step can be finished.
func TestMigrationInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	first := "CREATE TABLE a (v INTEGER); INSERT INTO a VALUES (1);"
	if err := sqlite.MigrateFile(t.Context(), path, steps(first)); err != nil {
		t.Fatal(err)
	}
	err := sqlite.MigrateFile(t.Context(), path, steps(first, "CREATE TABLE b (v INTEGER); UPDATE a SET v = 2; INSERT INTO none VALUES (1);"))
	if err == nil || !strings.Contains(err.Error(), "version:2") {
		t.Errorf("migration with a broken step 2 = %v, want an error that names it", err)
	}
	var v, tables int
	queryRow(t, path, "SELECT v FROM a", &v)
	queryRow(t, path, "SELECT count(*) FROM sqlite_schema WHERE name = 'b'", &tables)
	if v != 1 || tables != 0 {
		t.Errorf("after the interrupted step: a.v = %d, %d tables b, want 1, 0", v, tables)
	}
	if err := sqlite.MigrateFile(t.Context(), path, steps(first, "CREATE TABLE b (v INTEGER); UPDATE a SET v = 2;")); err != nil {
		t.Fatal(err)
	}
	queryRow(t, path, "SELECT v FROM a", &v)
	if v != 2 {
		t.Errorf("after the step was finished: a.v = %d, want 2", v)
	}
}

// TestMigrationOnce has many apply the same steps at once. A step that could be
// repeated without an error is applied once all the same.
func TestMigrationOnce(t *testing.T) {
	first := "CREATE TABLE IF NOT EXISTS a (v INTEGER); INSERT INTO a SELECT 0 WHERE NOT EXISTS (SELECT * FROM a);"
	all := []string{first}
	for range 4 {
		all = append(all, "UPDATE a SET v = v + 1;")
	}
	for range 3 {
		path := filepath.Join(t.TempDir(), "t.db")
		if err := sqlite.MigrateFile(t.Context(), path, steps(first)); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				if err := sqlite.MigrateFile(t.Context(), path, steps(all...)); err != nil {
					t.Errorf("migrate: %v", err)
				}
			})
		}
		wg.Wait()
		var v int
		if queryRow(t, path, "SELECT v FROM a", &v); v != 4 {
			t.Errorf("four steps that add 1 were applied by 6: got %d, want 4", v)
		}
	}
}
