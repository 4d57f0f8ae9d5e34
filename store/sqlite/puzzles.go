package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// putPuzzles stores how people stand with puzzles.
func (s *writeStatements) putPuzzles(c store.Change) error {
	for _, t := range c.Tries {
		name := fmt.Sprintf("puzzle %d of %s", t.Day, t.User)
		if err := s.try.put(name, t.Version, table.Tries.Args(&t), string(t.User), t.Day); err != nil {
			return err
		}
	}
	for _, p := range c.Puzzlers {
		if err := s.puzzler.put("puzzler "+string(p.User), p.Version, table.Puzzlers.Args(&p), string(p.User)); err != nil {
			return err
		}
	}
	return nil
}

// PuzzleTry implements [store.Store].
func (s *Store) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	t, err := readOne(ctx, s, table.Tries, func(r *readStatements) *sql.Stmt { return r.try }, string(user), day)
	if errors.Is(err, store.ErrNotFound) {
		return store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen}, nil
	}
	return t, err
}

// Puzzler implements [store.Store].
func (s *Store) Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error) {
	p, err := readOne(ctx, s, table.Puzzlers, func(r *readStatements) *sql.Stmt { return r.puzzler }, string(user))
	if errors.Is(err, store.ErrNotFound) {
		return store.Puzzler{User: user}, nil
	}
	return p, err
}

// PuzzleSolvers implements [store.Store].
func (s *Store) PuzzleSolvers(ctx context.Context, guild store.GuildID, day int64) (n int, err error) {
	err = s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.solvers }, []any{string(guild), day}, &n)
	return n, err
}

// DuePuzzles implements [store.Store].
func (s *Store) DuePuzzles(ctx context.Context, now time.Time, limit int) ([]store.GuildSettings, error) {
	return readAll(ctx, s, table.Guilds, func(r *readStatements) *sql.Stmt { return r.duePuzzles }, now.Unix(), max(limit, 0))
}

// PuzzleStreaks implements [store.Store].
func (s *Store) PuzzleStreaks(ctx context.Context, guild store.GuildID, since int64, limit int) ([]store.Puzzler, error) {
	return readAll(ctx, s, table.Puzzlers, func(r *readStatements) *sql.Stmt { return r.streaks }, string(guild), since, max(limit, 0))
}
