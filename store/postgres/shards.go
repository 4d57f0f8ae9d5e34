package postgres

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	takeTurnText = `INSERT INTO turns (bucket, owner, ends) VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
		ON CONFLICT (bucket) DO UPDATE SET owner = excluded.owner, ends = excluded.ends WHERE turns.ends <= clock_timestamp()`
	turnLeftText = "SELECT greatest(1, extract(epoch FROM ends - clock_timestamp()) * 1000)::bigint FROM turns WHERE bucket = $1"
	passTurnText = "UPDATE turns SET owner = '', ends = clock_timestamp() + $3::bigint * interval '1 millisecond' WHERE bucket = $1 AND owner = $2"
)

// TakeTurn takes the turn of a bucket in which sessions with the Gateway may be started, for a
// time by the database's clock, and returns a name to pass it on by; or how long another's turn
// lasts yet. So several processes start them one after the other. Nothing of it is durable: who
// loses power says everything anew.
func (s *Store) TakeTurn(ctx context.Context, bucket int, within time.Duration) (name string, wait time.Duration, err error) {
	mine := rand.Text()
	err = s.loosely(ctx, func(tx pgx.Tx) error {
		name, wait = "", 0
		tag, err := tx.Exec(ctx, takeTurnText, bucket, mine, within.Milliseconds())
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 1 {
			name = mine
			return nil
		}
		var left int64
		err = tx.QueryRow(ctx, turnLeftText, bucket).Scan(&left)
		wait = time.Duration(left) * time.Millisecond
		return err
	})
	return name, wait, err
}

// PassTurn lets the next one take the turn after a time. A turn that has ended is left alone.
func (s *Store) PassTurn(ctx context.Context, bucket int, name string, after time.Duration) error {
	return s.loosely(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, passTurnText, bucket, name, after.Milliseconds())
		return err
	})
}
