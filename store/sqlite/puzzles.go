package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/internal/streaks"
)

// putPuzzles stores how people stand with puzzles.
func (s *writeStatements) putPuzzles(c store.Change) error {
	for _, t := range c.Tries {
		name := fmt.Sprintf("puzzle %d of %s", t.Day, t.User)
		if err := s.try.put(name, t.Version, sqlstore.Tries.Args(&t), string(t.User), t.Day); err != nil {
			return err
		}
		if args, ok := sqlstore.SolvedIn(t); ok {
			if _, err := s.placeSolver.ExecContext(context.Background(), args...); err != nil {
				return err
			}
		}
	}
	for _, p := range c.Puzzlers {
		if err := s.puzzler.put("puzzler "+string(p.User), p.Version, sqlstore.Puzzlers.Args(&p), string(p.User)); err != nil {
			return err
		}
		if _, err := s.moveSolver.ExecContext(context.Background(), sqlstore.MoveSolverArgs(p)...); err != nil {
			return err
		}
	}
	return nil
}

// PuzzleTry implements [store.Store].
func (s *Store) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	t, err := readOne(ctx, s, sqlstore.Tries, func(r *readStatements) *sql.Stmt { return r.try }, string(user), day)
	if errors.Is(err, store.ErrNotFound) {
		return store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen}, nil
	}
	return t, err
}

// Puzzler implements [store.Store].
func (s *Store) Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error) {
	p, err := readOne(ctx, s, sqlstore.Puzzlers, func(r *readStatements) *sql.Stmt { return r.puzzler }, string(user))
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
	return readAll(ctx, s, sqlstore.Guilds, func(r *readStatements) *sql.Stmt { return r.duePuzzles }, now.Unix(), now.Add(store.PostsAhead).Unix(), max(limit, 0))
}

// PuzzleStreaks implements [store.Store].
func (s *Store) PuzzleStreaks(ctx context.Context, guild store.GuildID, on []store.Lasting, offset, limit int) ([]store.StreakStanding, int, error) {
	return streaks.Page(ctx, streakReader{s}, guild, on, offset, limit)
}

// PuzzleStreak implements [store.Store].
func (s *Store) PuzzleStreak(ctx context.Context, guild store.GuildID, on []store.Lasting, user store.UserID) (store.StreakStanding, error) {
	return streaks.Of(ctx, streakReader{s}, guild, on, user)
}

// streakReader implements [streaks.Reader].
type streakReader struct{ *Store }

func (s streakReader) Best(ctx context.Context, d streaks.Days, limit int) (all []store.StreakStanding, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.bestStreaks }, append(d.Args(), limit), func(r sqlstore.Row) error {
		row, err := sqlstore.ScanStreak(r)
		all = append(all, row)
		return err
	})
	return all, err
}

func (s streakReader) Better(ctx context.Context, d streaks.Days, streak, tries, limit int) (n int, err error) {
	err = s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.betterStreaks }, append(d.Args(), streak, tries, limit), &n)
	return n, err
}

func (s streakReader) Here(ctx context.Context, guild store.GuildID, user store.UserID) (h streaks.Here, err error) {
	err = s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.streakHere }, []any{string(guild), string(user)},
		&h.Day, &h.Last, &h.Excused, &h.Streak, &h.Tries)
	return h, err
}
