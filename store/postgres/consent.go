package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// The statements about who takes challenges from whom.
var (
	blockText    = table.Postgres.Text(table.Block)
	unblockText  = table.Postgres.Text(table.Unblock)
	blocksText   = table.Postgres.Text(table.Blocks)
	blockedText  = table.Postgres.Text(table.Blocked)
	declinedText = table.Postgres.Text(table.Declined)
)

// consents adds what refuses the change where a block is in the way.
func (p *pipeline) consents(c store.Change, k table.Key) {
	for _, consent := range c.Consents {
		p.want(0, fmt.Errorf("%w: %s from %s", store.ErrBlocked, consent.To, consent.By), blockedText, table.BlockedArgs(consent, k)...)
	}
}

// blocks adds what stores the blocks of the change, and removes those that are lifted.
func (p *pipeline) blocks(c store.Change, k table.Key) {
	for _, b := range c.Blocks {
		if b.Lifted {
			p.addAny(unblockText, table.UnblockArgs(b, k)...)
		} else {
			p.addAny(blockText, string(b.User), string(b.From), string(b.Guild), b.Since.UnixMilli())
		}
	}
}

// Blocks implements [store.Store].
func (s *Store) Blocks(ctx context.Context, user store.UserID) ([]store.Block, error) {
	return readEach(ctx, s, table.ScanBlock, blocksText, string(user))
}

// Blocked implements [store.Store].
func (s *Store) Blocked(ctx context.Context, c store.Consent) (bool, error) {
	var since int64
	err := s.readRow(ctx, blockedText, table.BlockedArgs(c, s.key), &since)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Declined implements [store.Store].
func (s *Store) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (time.Time, error) {
	var at int64
	err := s.readRow(ctx, declinedText, table.DeclinedArgs(challenger, opponent, until, s.key), &at)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return time.Time{}, err
	}
	return time.UnixMilli(at).UTC(), nil
}
