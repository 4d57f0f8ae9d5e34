package sqlite

import (
	"context"
	"time"
)

// Purge implements [store.Store].
func (s *Store) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	deleted, err := s.shared.Purge(ctx, claims, challenges, limit)
	if err != nil {
		return 0, err
	}
	return deleted, dropCopies(s.path, s.opts.now().Add(-copyStays))
}
