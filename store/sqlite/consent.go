package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// wantConsent returns [store.ErrBlocked] where a block is in the way.
func (s *writeStatements) wantConsent(c store.Consent) error {
	var since int64
	err := s.blocked.QueryRowContext(context.Background(), sqlstore.BlockedArgs(c, s.key)...).Scan(&since)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: %s from %s", store.ErrBlocked, c.To, c.By)
}

// putBlock stores the block, or removes it if it is lifted.
func (s *writeStatements) putBlock(b store.Block) (err error) {
	ctx := context.Background()
	if b.Lifted {
		_, err = s.unblock.ExecContext(ctx, sqlstore.UnblockArgs(b, s.key)...)
	} else {
		_, err = s.block.ExecContext(ctx, string(b.User), string(b.From), string(b.Guild), b.Since.UnixMilli())
	}
	return err
}
