package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// The statements about who takes challenges from whom.
var (
	blockText    = sqlstore.Postgres.Text(sqlstore.Block)
	unblockText  = sqlstore.Postgres.Text(sqlstore.Unblock)
	blocksText   = sqlstore.Postgres.Text(sqlstore.Blocks)
	blockedText  = sqlstore.Postgres.Text(sqlstore.Blocked)
	declinedText = sqlstore.Postgres.Text(sqlstore.Declined)
)

// consents adds what refuses the change where a block is in the way.
func (p *pipeline) consents(c store.Change, k sqlstore.Key) {
	for _, consent := range c.Consents {
		p.want(0, fmt.Errorf("%w: %s from %s", store.ErrBlocked, consent.To, consent.By), blockedText, sqlstore.BlockedArgs(consent, k)...)
	}
}

// blocks adds what stores the blocks of the change, and removes those that are lifted.
func (p *pipeline) blocks(c store.Change, k sqlstore.Key) {
	for _, b := range c.Blocks {
		if b.Lifted {
			p.addAny(unblockText, sqlstore.UnblockArgs(b, k)...)
		} else {
			p.addAny(blockText, string(b.User), string(b.From), string(b.Guild), b.Since.UnixMilli())
		}
	}
}

// Blocks implements [store.Store].
func (s *Store) Blocks(ctx context.Context, user store.UserID) ([]store.Block, error) {
	return readEach(ctx, s, sqlstore.ScanBlock, blocksText, string(user))
}

// Blocked implements [store.Store].
func (s *Store) Blocked(ctx context.Context, c store.Consent) (bool, error) {
	var since int64
	err := s.readRow(ctx, blockedText, sqlstore.BlockedArgs(c, s.key), &since)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Declined implements [store.Store].
func (s *Store) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (time.Time, error) {
	var at int64
	err := s.readRow(ctx, declinedText, sqlstore.DeclinedArgs(challenger, opponent, until, s.key), &at)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return time.Time{}, err
	}
	return time.UnixMilli(at).UTC(), nil
}
