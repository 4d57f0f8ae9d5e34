package postgres

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
)

var _ store.Sharder = (*Store)(nil)

// shardParts is by how much sooner than leases of clocks what is said of shards lapses:
// clocks run on for so long where a process was killed that had a shard for itself.
const shardParts = 2

const (
	lapsedShardsText = "DELETE FROM shards WHERE process = $1 OR ends < now() - interval '1 minute'"
	sayShardsText    = `INSERT INTO shards (process, count, shard, ends)
		SELECT $1, s.count, s.shard, now() + $2::bigint * interval '1 millisecond' FROM unnest($3::bigint[], $4::bigint[]) AS s (count, shard)`
	otherShardsText = "SELECT DISTINCT count, shard FROM shards WHERE process <> $1 AND ends > now()"

	takeTurnText = `INSERT INTO turns (bucket, owner, ends) VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
		ON CONFLICT (bucket) DO UPDATE SET owner = excluded.owner, ends = excluded.ends WHERE turns.ends <= clock_timestamp()`
	turnLeftText = "SELECT greatest(1, extract(epoch FROM ends - clock_timestamp()) * 1000)::bigint FROM turns WHERE bucket = $1"
	passTurnText = "UPDATE turns SET owner = '', ends = clock_timestamp() + $3::bigint * interval '1 millisecond' WHERE bucket = $1 AND owner = $2"
)

// Shards implements [store.Sharder].
func (s *Store) Shards(ctx context.Context, mine []store.Shard) (seen store.Shards, err error) {
	counts, ids := make([]int64, len(mine)), make([]int64, len(mine))
	for i, m := range mine {
		counts[i], ids[i] = int64(m.Count), int64(m.ID)
	}
	length := s.opts.domainLease / shardParts
	owner := ownerOf(s.writer.id)
	err = s.loosely(ctx, func(tx pgx.Tx) error {
		seen = store.Shards{Length: length}
		if _, err := tx.Exec(ctx, lapsedShardsText, owner); err != nil {
			return err
		}
		if len(mine) > 0 {
			if _, err := tx.Exec(ctx, sayShardsText, owner, length.Milliseconds(), counts, ids); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, otherShardsText, owner)
		if err != nil {
			return err
		}
		seen.Elsewhere, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (sh store.Shard, err error) {
			return sh, row.Scan(&sh.Count, &sh.ID)
		})
		return err
	})
	return seen, err
}

// TakeTurn implements [store.Sharder].
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

// PassTurn implements [store.Sharder].
func (s *Store) PassTurn(ctx context.Context, bucket int, name string, after time.Duration) error {
	return s.loosely(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, passTurnText, bucket, name, after.Milliseconds())
		return err
	})
}
