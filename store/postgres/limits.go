package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
)

var _ store.Limiter = (*Store)(nil)

// errRefused undoes what was counted.
var errRefused = errors.New("postgres: over a limit")

// What is counted under a key is one row, so that whoever counts waits for who does so at
// the same time. Nothing is flushed for it.
const (
	looselyText = "SET LOCAL synchronous_commit = off"
	// What counts of a row: $1 is its key, $2 the window in milliseconds.
	nowText    = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
	recentText = "(SELECT coalesce(jsonb_object_agg(c.key, c.value), '{}') FROM jsonb_each(l.counted) AS c WHERE c.value::bigint > " + nowText + " - $2::bigint)"
	countText  = `INSERT INTO limits AS l (key, counted, until)
		VALUES ($1, jsonb_build_object($3::text, ` + nowText + `), clock_timestamp() + $2::bigint * interval '1 millisecond')
		ON CONFLICT (key) DO UPDATE SET counted = ` + recentText + ` || excluded.counted, until = excluded.until
		WHERE l.counted ? $3::text OR (SELECT count(*) FROM jsonb_each(l.counted) AS c WHERE c.value::bigint > ` + nowText + ` - $2::bigint) < $4::bigint`
	waitText = `SELECT coalesce((SELECT c.value::bigint FROM jsonb_each(l.counted) AS c ORDER BY c.value::bigint DESC OFFSET $3::bigint - 1 LIMIT 1)
		+ $2::bigint - ` + nowText + `, 0) FROM limits AS l WHERE key = $1`
	uncountText = "UPDATE limits SET counted = counted - $2::text WHERE key = $1"
)

// Count implements [store.Limiter].
func (s *Store) Count(ctx context.Context, name string, limits []store.Limit) (wait time.Duration, err error) {
	err = s.loosely(ctx, func(tx pgx.Tx) error {
		wait = 0
		for _, l := range limits {
			tag, err := tx.Exec(ctx, countText, l.Key, l.Within.Milliseconds(), name, l.Most)
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 1 {
				continue
			}
			var left int64
			if err := tx.QueryRow(ctx, waitText, l.Key, l.Within.Milliseconds(), l.Most).Scan(&left); err != nil {
				return err
			}
			wait = max(wait, time.Duration(max(left, 1))*time.Millisecond)
		}
		if wait > 0 {
			return errRefused
		}
		return nil
	})
	if errors.Is(err, errRefused) {
		err = nil
	}
	return wait, err
}

// Uncount implements [store.Limiter].
func (s *Store) Uncount(ctx context.Context, name string, limits []store.Limit) error {
	return s.loosely(ctx, func(tx pgx.Tx) error {
		for _, l := range limits {
			if _, err := tx.Exec(ctx, uncountText, l.Key, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// loosely carries out a transaction whose commit need not survive the loss of power.
func (s *Store) loosely(ctx context.Context, f func(pgx.Tx) error) error {
	return s.attempt(ctx, s.opts.timeout, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, looselyText); err != nil {
				return err
			}
			return f(tx)
		})
	})
}
