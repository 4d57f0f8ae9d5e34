package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"tictactoe/store/internal/sqlstore"
)

// Source gives the rows of a database that is exported.
type Source = sqlstore.Source

// Export calls f with all that a database file keeps, at one moment. The file stays as it is,
// and one that is missing is not made: an older schema is brought up to date in a copy, which
// takes as much room among the system's temporary files.
func Export(ctx context.Context, path string, f func(Source) error) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	folder, err := os.MkdirTemp("", "tictactoe-")
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is among what the system removes
	copied := filepath.Join(folder, "copy.db")
	o := options{busy: openPatience, steps: migrations}
	if err := snapshot(ctx, path, copied, o); err != nil {
		return fmt.Errorf("sqlite: database %s: %w", path, sentinel(err))
	}
	db, err := sql.Open("sqlite", dsn(copied, o, map[string]string{"_txlock": "immediate"}, "foreign_keys(1)"))
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	defer db.Close() //nolint:errcheck // nobody reads it any more
	db.SetMaxOpenConns(1)
	if err := applySteps(ctx, db, o.steps); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	if err := takeUp(ctx, db, info); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	return f(source{ctx, db})
}

// snapshot copies a database file of this program, which it does not change.
func snapshot(ctx context.Context, path, to string, o options) error {
	if err := look(ctx, path, o); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(path, o, unchanged(path)))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	return copyTo(ctx, db, to)
}

type source struct {
	ctx context.Context
	db  *sql.DB
}

func (s source) Total() (total int, err error) {
	for _, t := range sqlstore.Tables {
		if err := s.db.QueryRowContext(s.ctx, "SELECT count(*) + ? FROM "+t.Name, total).Scan(&total); err != nil { //nolint:gosec // a name of ours
			return 0, err
		}
	}
	return total, nil
}

func (s source) Each(t sqlstore.Rows) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		rows, err := s.db.QueryContext(s.ctx, "SELECT "+strings.Join(t.Columns, ", ")+" FROM "+t.Name+" ORDER BY "+t.Key) //nolint:gosec // names of ours
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close() //nolint:errcheck // rows.Err says it
		row, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
		for i := range row {
			into[i] = &row[i]
		}
		for rows.Next() {
			err := rows.Scan(into...)
			t.Normal(row)
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}
