package sqlite

import (
	"context"
	"fmt"
	"os"
	"strings"

	"tictactoe/store/internal/table"
)

// Source gives the rows of a database, in the order of their keys and in their normal
// form. It may be asked for a table more than once. A row is valid until the next.
type Source interface {
	Count(table.Rows) (int, error)
	Each(t table.Rows, f func(row []any) error) error
}

// Export calls f with all that a database file keeps, at one moment. Meanwhile the file
// cannot be written, by any process. A file that is missing is not made.
func Export(ctx context.Context, path string, f func(Source) error) (err error) {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := s.Close(); err == nil {
			err = closeErr
		}
	}()
	var failed error // read only when the outcome is known
	err = s.writer.do(ctx, func(*writeStatements) error {
		failed = f(source{ctx, s})
		return nil
	})
	if err != nil {
		return err
	}
	return failed
}

// Total returns how many rows there are in all.
func Total(s Source) (total int, err error) {
	for _, t := range table.All() {
		n, err := s.Count(t)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

type source struct {
	ctx   context.Context
	store *Store
}

func (s source) Count(t table.Rows) (n int, err error) {
	err = s.store.db.conn.only.QueryRowContext(s.ctx, "SELECT count(*) FROM "+t.Name).Scan(&n) //nolint:gosec // a name of ours
	return n, err
}

func (s source) Each(t table.Rows, f func([]any) error) error {
	rows, err := s.store.db.conn.only.QueryContext(s.ctx, "SELECT "+strings.Join(t.Columns, ", ")+" FROM "+t.Name+" ORDER BY "+t.Key) //nolint:gosec // names of ours
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says it
	row, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		t.Normal(row)
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}
