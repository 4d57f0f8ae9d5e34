package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"tictactoe/store/internal/sqlstore"
)

// prepared are queries that were prepared when they were first run.
type prepared struct {
	on interface {
		PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
	}
	mu  sync.Mutex
	all map[*sqlstore.Query]*sql.Stmt
}

// get returns the statement of the query.
func (p *prepared) get(ctx context.Context, q *sqlstore.Query) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stmt := p.all[q]; stmt != nil {
		return stmt, nil
	}
	stmt, err := p.on.PrepareContext(ctx, unnamed(q.SQLite)) //nolint:sqlclosecheck // kept
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", q.SQLite, err)
	}
	if p.all == nil {
		p.all = map[*sqlstore.Query]*sql.Stmt{}
	}
	p.all[q] = stmt
	return stmt, nil
}

// unnamed returns the text with its arguments written as mere question marks if each stands
// in it once, in their order. A number is a name to SQLite, which the driver asks for with
// every argument that it binds.
func unnamed(text string) string {
	parts := strings.Split(text, "?")
	for i, part := range parts[1:] {
		rest, ok := strings.CutPrefix(part, strconv.Itoa(i+1))
		if !ok || rest != strings.TrimLeft(rest, "0123456789") {
			return text
		}
		parts[i+1] = rest
	}
	return strings.Join(parts, "?")
}

// close closes the statements. database/sql does that for those of a pool and not for those of a
// connection, and SQLite keeps a database open, and its log, until none is left.
func (p *prepared) close() (err error) {
	for _, stmt := range p.all {
		err = errors.Join(err, stmt.Close())
	}
	return err
}

// transaction is what the writer's connection does between BEGIN and COMMIT. It implements
// [sqlstore.Tx].
type transaction struct {
	prepared
	conn *sql.Conn
}

// Exec implements [sqlstore.Tx].
func (t *transaction) Exec(q *sqlstore.Query, args ...any) (int64, error) {
	if q.SQLite == "" {
		return 0, nil
	}
	stmt, err := t.get(context.Background(), q) //nolint:sqlclosecheck // it is kept
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Row implements [sqlstore.Tx].
func (t *transaction) Row(q *sqlstore.Query, args []any, into ...any) (bool, error) {
	stmt, err := t.get(context.Background(), q) //nolint:sqlclosecheck // it is kept
	if err != nil {
		return false, err
	}
	err = stmt.QueryRowContext(context.Background(), args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// run carries out the steps.
func (t *transaction) run(steps []sqlstore.Step) error {
	for _, step := range steps {
		if step.Put != nil {
			if err := t.put(step); err != nil {
				return err
			}
			continue
		}
		rows, err := t.count(step)
		switch {
		case err != nil:
			return err
		case step.Refusal != nil && rows != step.Want:
			return step.Refusal
		case step.Rows != nil:
			*step.Rows = rows
		}
		if rows > 0 {
			if err := t.run(step.Then); err != nil {
				return err
			}
		}
	}
	return nil
}

// count runs the step and returns how many rows it affects, or whether it finds one.
func (t *transaction) count(step sqlstore.Step) (int64, error) {
	if !step.Query.Reads {
		return t.Exec(step.Query, step.Args...)
	}
	var one any
	found, err := t.Row(step.Query, step.Args, &one)
	if !found {
		return 0, err
	}
	return 1, err
}

// put stores a record.
func (t *transaction) put(step sqlstore.Step) error {
	if step.Put.Quick != nil {
		if n, err := t.Exec(step.Put.Quick, step.Args...); err != nil || n > 0 {
			return err
		}
	}
	n, err := t.Exec(step.Query, step.Args...)
	switch {
	case isUniqueViolation(err) && step.Put.Taken != nil: // that of the key is none
		return step.Put.Exists()
	case err != nil || n > 0:
		return err
	}
	var stored int
	if _, err := t.Row(step.Put.Stored, step.Put.Key, &stored); err != nil {
		return err
	}
	return step.Put.Refusal(stored)
}
