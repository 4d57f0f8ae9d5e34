package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/sqlstore"
)

// ErrNotEmpty says that a database has something in it already.
var ErrNotEmpty = errors.New("postgres: the database is not empty")

// Import copies all that the source gives into an empty database, reads it again and
// compares every row, and commits only then. While another process plays on the database
// it fails with [store.ErrBusy]. step is called with the number of rows that were
// copied or compared since it was called last. It returns how many rows each table has.
func Import(ctx context.Context, address string, from sqlstore.Source, step func(rows int)) (counts map[string]int, err error) {
	s, err := Open(ctx, address)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, s.Close()) }()
	config := s.writer.config.Copy()
	delete(config.RuntimeParams, "idle_in_transaction_session_timeout") // reading the source takes its time
	config.RuntimeParams["tcp_keepalives_idle"] = "10"                  // of a machine that is gone the server lets go soon
	config.RuntimeParams["tcp_keepalives_interval"] = "1"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is left in it
	counts = map[string]int{}
	return counts, pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := beAlone(ctx, tx); err != nil {
			return err
		}
		if err := wantNoPlayers(ctx, tx); err != nil {
			return err
		}
		if err := wantEmpty(ctx, tx); err != nil {
			return err
		}
		for _, t := range sqlstore.Tables {
			n, err := copyTable(ctx, tx, from, t, step)
			if err != nil {
				return fmt.Errorf("postgres: table %s: %w", t.Name, err)
			}
			counts[t.Name] = n
		}
		// Results are numbered on from the last.
		_, err := tx.Exec(ctx, "SELECT setval(pg_get_serial_sequence('results', 'seq'), max(seq)) FROM results HAVING max(seq) > 0")
		return err
	})
}

// wantEmpty returns ErrNotEmpty if anything was ever stored, and removes the up-times,
// which are all 0, the note that there are no matches from before the ledger, and the
// key.
func wantEmpty(ctx context.Context, tx pgx.Tx) error {
	for _, t := range sqlstore.Tables {
		text := "SELECT count(*) FROM " + t.Name
		switch t.Name {
		case "uptime":
			text += " WHERE elapsed > 0"
		case "ledger":
			text += " WHERE past < 9223372036854775807"
		case "secrets":
			continue
		}
		var n int
		if err := tx.QueryRow(ctx, text).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: its table %s has %d rows", ErrNotEmpty, t.Name, n)
		}
	}
	for _, name := range [...]string{"uptime", "ledger", "secrets"} {
		if _, err := tx.Exec(ctx, "DELETE FROM "+name); err != nil {
			return err
		}
	}
	return nil
}

// copyTable copies a table and compares what has arrived.
func copyTable(ctx context.Context, tx pgx.Tx, from sqlstore.Source, t sqlstore.Rows, step func(int)) (n int, err error) {
	next, stop := iter.Pull2(from.Each(t))
	defer stop()
	copied, err := tx.CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, err, more := next()
		if !more || err != nil {
			return nil, err
		}
		step(1)
		return row, nil
	}))
	if err != nil {
		return 0, err
	}
	stop()
	rows, err := tx.Query(ctx, "SELECT "+strings.Join(t.Columns, ", ")+" FROM "+t.Name+" ORDER BY "+t.Key)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for want, err := range from.Each(t) {
		if err != nil {
			return 0, err
		}
		if !rows.Next() {
			return 0, errors.Join(fmt.Errorf("only %d of more rows have arrived", n), rows.Err())
		}
		got, err := rows.Values()
		if err != nil {
			return 0, err
		}
		t.Normal(got)
		if err := t.Compare(want, got); err != nil {
			return 0, err
		}
		n++
		step(1)
	}
	if rows.Next() || int64(n) != copied {
		return 0, fmt.Errorf("%d rows were sent, and there are others than those %d", copied, n)
	}
	return n, rows.Err()
}
