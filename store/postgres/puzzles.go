package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/internal/streaks"
)

// PuzzleTry implements [store.Store].
func (s *Store) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	t, err := readOne(ctx, s, sqlstore.Tries, tryText, string(user), day)
	if errors.Is(err, store.ErrNotFound) {
		return store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen}, nil
	}
	return t, err
}

// Puzzler implements [store.Store].
func (s *Store) Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error) {
	p, err := readOne(ctx, s, sqlstore.Puzzlers, puzzlerText, string(user))
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
	return readAll(ctx, s, sqlstore.Guilds, duePuzzlesText, now.Unix(), now.Add(store.PostsAhead).Unix(), max(limit, 0))
}

// PuzzleStreaks implements [store.Store].
func (s *Store) PuzzleStreaks(ctx context.Context, guild store.GuildID, on []store.Lasting, offset, limit int) ([]store.StreakStanding, int, error) {
	return streaks.Page(ctx, streakReader{s}, guild, on, offset, limit)
}

// PuzzleStreak implements [store.Store].
func (s *Store) PuzzleStreak(ctx context.Context, guild store.GuildID, on []store.Lasting, user store.UserID) (store.StreakStanding, error) {
	return streaks.Of(ctx, streakReader{s}, guild, on, user)
}

// The statements about streaks in guilds.
var (
	placeSolverText   = sqlstore.Postgres.Text(sqlstore.PlaceSolver)
	moveSolverText    = sqlstore.Postgres.Text(sqlstore.MoveSolver)
	bestStreaksText   = sqlstore.Postgres.Text(sqlstore.BestStreaks)
	betterStreaksText = sqlstore.Postgres.Text(sqlstore.BetterStreaks)
	streakHereText    = sqlstore.Postgres.Text(sqlstore.StreakHere)
)

// places adds what notes where the puzzle was solved.
func (p *pipeline) places(t store.PuzzleTry) {
	if args, ok := sqlstore.SolvedIn(t); ok {
		p.addAny(placeSolverText, args...)
	}
}

// moves adds what brings rows of streaks up to date.
func (p *pipeline) moves(of store.Puzzler) { p.addAny(moveSolverText, sqlstore.MoveSolverArgs(of)...) }

// streakReader implements [streaks.Reader].
type streakReader struct{ *Store }

func (s streakReader) Best(ctx context.Context, d streaks.Days, limit int) ([]store.StreakStanding, error) {
	return readEach(ctx, s.Store, sqlstore.ScanStreak, bestStreaksText, append(d.Args(), limit)...)
}

func (s streakReader) Better(ctx context.Context, d streaks.Days, streak, tries, limit int) (n int, err error) {
	err = s.readRow(ctx, betterStreaksText, append(d.Args(), streak, tries, limit), &n)
	return n, err
}

func (s streakReader) Here(ctx context.Context, guild store.GuildID, user store.UserID) (h streaks.Here, err error) {
	err = s.readRow(ctx, streakHereText, []any{string(guild), string(user)}, &h.Day, &h.Last, &h.Excused, &h.Streak, &h.Tries)
	return h, err
}
