package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// PuzzleTry implements [store.Store].
func (s *Store) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	t, err := readOne(ctx, s, table.Tries, tryText, string(user), day)
	if errors.Is(err, store.ErrNotFound) {
		return store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen}, nil
	}
	return t, err
}

// Puzzler implements [store.Store].
func (s *Store) Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error) {
	p, err := readOne(ctx, s, table.Puzzlers, puzzlerText, string(user))
	if errors.Is(err, store.ErrNotFound) {
		return store.Puzzler{User: user}, nil
	}
	return p, err
}

// PuzzleSolvers implements [store.Store].
func (s *Store) PuzzleSolvers(ctx context.Context, guild store.GuildID, day int64) (n int, err error) {
	err = s.read(ctx, solversText, []any{string(guild), day}, func(rows pgx.Rows) error {
		for rows.Next() {
			if err := rows.Scan(&n); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// DuePuzzles implements [store.Store].
func (s *Store) DuePuzzles(ctx context.Context, now time.Time, limit int) ([]store.GuildSettings, error) {
	return readAll(ctx, s, table.Guilds, duePuzzlesText, now.Unix(), max(limit, 0))
}

// PuzzleStreaks implements [store.Store].
func (s *Store) PuzzleStreaks(ctx context.Context, guild store.GuildID, since int64, limit int) ([]store.Puzzler, error) {
	return readAll(ctx, s, table.Puzzlers, puzzleStreaksText, string(guild), since, max(limit, 0))
}
