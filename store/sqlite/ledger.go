package sqlite

import (
	"context"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// putResult writes the result and adds it to the sums, within the transaction and
// before the match is stored, unless it is not this change that ends the match.
func (s *writeStatements) putResult(e store.Ending) error {
	ctx := context.Background()
	result, err := s.insertResult.ExecContext(ctx, sqlstore.EndingArgs(e, s.key)...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for _, add := range s.addResult {
		if _, err := add.ExecContext(ctx, int64(e.Match)); err != nil {
			return err
		}
	}
	if e.Why != store.BeforeLedger {
		_, err = s.backAgain.ExecContext(ctx, string(e.Guild), string(e.X.User), string(e.O.User))
	}
	return err
}

// putLedger stores what else a change says about results.
func (s *writeStatements) putLedger(c store.Change) error {
	ctx := context.Background()
	if c.PastTo > 0 {
		if _, err := s.pastTo.ExecContext(ctx, int64(c.PastTo)); err != nil {
			return err
		}
	}
	for _, e := range c.Epochs {
		if _, err := s.beginEpoch.ExecContext(ctx, string(e.Guild), e.At.UnixMilli(), string(e.By)); err != nil {
			return err
		}
	}
	for _, a := range c.Absences {
		var err error
		if a.Gone {
			_, err = s.leave.ExecContext(ctx, string(a.Guild), string(a.User))
		} else {
			_, err = s.backAgain.ExecContext(ctx, string(a.Guild), string(a.User), "")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
