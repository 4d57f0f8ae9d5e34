package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// putChallenge creates the challenge or stores it over its version.
func (s *writeStatements) putChallenge(c store.Challenge) error {
	ctx := context.Background()
	stmt := s.updateChallenge
	if c.Version == 0 {
		stmt = s.insertChallenge
	}
	result, err := stmt.ExecContext(ctx, sqlstore.Challenges.Args(&c)...)
	switch {
	case isUniqueViolation(err):
		// Either the record exists or the pair has an open one; the table has no
		// other unique index.
		if _, err := storedVersion(ctx, s.challengeVersion, int64(c.ID)); c.Version == 0 && err == nil {
			return fmt.Errorf("%w: challenge %d exists", store.ErrConflict, c.ID)
		}
		return fmt.Errorf("%w: challenge %d", store.ErrPairTaken, c.ID)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	stored, err := storedVersion(ctx, s.challengeVersion, int64(c.ID))
	if err != nil {
		return fmt.Errorf("challenge %d: %w", c.ID, err)
	}
	return fmt.Errorf("%w: challenge %d has version %d, not %d", store.ErrConflict, c.ID, stored, c.Version)
}

// Challenge implements [store.Store].
func (s *Store) Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	return readOne(ctx, s, sqlstore.Challenges, func(r *readStatements) *sql.Stmt { return r.challenge }, int64(id))
}

// ChallengeVersion implements [store.Store].
func (s *Store) ChallengeVersion(ctx context.Context, id store.ChallengeID) (store.Shown, error) {
	return s.shown(ctx, func(r *readStatements) *sql.Stmt { return r.challengeShown }, int64(id))
}

// OpenChallenge implements [store.Store].
func (s *Store) OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error) {
	low, high := sqlstore.Pair(a, b)
	return readOne(ctx, s, sqlstore.Challenges, func(r *readStatements) *sql.Stmt { return r.openChallenge }, string(guild), low, high)
}

// GuildChallenges implements [store.Store].
func (s *Store) GuildChallenges(ctx context.Context, guild store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, sqlstore.Challenges, func(r *readStatements) *sql.Stmt { return r.guildChallenges }, string(guild), int64(after), max(limit, 0))
}

// DueChallenges implements [store.Store].
func (s *Store) DueChallenges(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, sqlstore.Challenges, func(r *readStatements) *sql.Stmt { return r.dueChallenges }, int64(d), int64(uptime), max(limit, 0))
}
