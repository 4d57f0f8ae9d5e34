package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

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

// Blocks implements [store.Store].
func (s *Store) Blocks(ctx context.Context, user store.UserID) (all []store.Block, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.blocks }, []any{string(user)}, func(r sqlstore.Row) error {
		b, err := sqlstore.ScanBlock(r)
		all = append(all, b)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Blocked implements [store.Store].
func (s *Store) Blocked(ctx context.Context, c store.Consent) (bool, error) {
	var since int64
	err := s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.blocked }, sqlstore.BlockedArgs(c, s.db.key), &since)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Declined implements [store.Store].
func (s *Store) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (time.Time, error) {
	var at int64
	err := s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.declined }, sqlstore.DeclinedArgs(challenger, opponent, until, s.db.key), &at)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return time.Time{}, err
	}
	return time.UnixMilli(at).UTC(), nil
}
