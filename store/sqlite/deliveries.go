package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"tictactoe/store"
	"tictactoe/store/internal/behind"
	"tictactoe/store/internal/sqlstore"
)

// deliver stores the deliveries about one record, within the transaction. One that
// does not exist is left out.
func (s *writeStatements) deliver(r behind.Record, all []store.Delivery) error {
	ctx := context.Background()
	read, write, id := s.matchShown, s.deliverMatch, int64(r.Match)
	if r.Challenge != 0 {
		read, write, id = s.challengeShown, s.deliverChallenge, int64(r.Challenge)
	}
	var v store.Shown
	err := read.QueryRowContext(ctx, id).Scan(sqlstore.NumberAt(&v.Version), sqlstore.TextAt(&v.Message), sqlstore.NumberAt(&v.Drawn), sqlstore.TextAt(&v.Notice), sqlstore.NumberAt(&v.Moves))
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	after := v
	for _, d := range all {
		after = behind.Delivered(after, d)
	}
	if after == v {
		return nil
	}
	_, err = write.ExecContext(ctx, id, string(after.Message), after.Drawn, string(after.Notice))
	return err
}
