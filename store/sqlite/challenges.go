package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tictactoe/store"
)

// challengeColumns are the columns of a challenge in the order of scanChallenge.
// The pair is derived and never read.
const challengeColumns = `id, guild, channel, message, challenger, opponent, m, n, k, first,
	clock, locale, guild_locale, state, match, deadline, version, created, updated`

const insertChallengeText = `INSERT INTO challenges (` + challengeColumns + `, low_user, high_user) VALUES (
	:id, :guild, :channel, :message, :challenger, :opponent, :m, :n, :k, :first,
	:clock, :locale, :guild_locale, :state, :match, :deadline, 1, :created, :updated, :low_user, :high_user)`

const updateChallengeText = `UPDATE challenges SET
	guild = :guild, channel = :channel, challenger = :challenger, opponent = :opponent,
	low_user = :low_user, high_user = :high_user, m = :m, n = :n, k = :k, first = :first,
	clock = :clock, locale = :locale, guild_locale = :guild_locale,
	state = :state, match = :match, deadline = :deadline,
	version = version + 1, updated = :updated
	WHERE id = :id AND version = :version`

// challengeArgs are the arguments of the two statements.
func challengeArgs(c store.Challenge) []any {
	low, high := pair(c.Challenger, c.Opponent)
	return []any{
		sql.Named("id", int64(c.ID)), sql.Named("version", c.Version),
		sql.Named("guild", string(c.Guild)), sql.Named("channel", string(c.Channel)), sql.Named("message", string(c.Message)),
		sql.Named("challenger", string(c.Challenger)), sql.Named("opponent", string(c.Opponent)),
		sql.Named("low_user", low), sql.Named("high_user", high),
		sql.Named("m", c.Rules.M), sql.Named("n", c.Rules.N), sql.Named("k", c.Rules.K),
		sql.Named("first", uint8(c.First)), sql.Named("clock", int64(c.Clock)),
		sql.Named("locale", c.Locale), sql.Named("guild_locale", c.GuildLocale),
		sql.Named("state", uint8(c.State)), sql.Named("match", int64(c.Match)), sql.Named("deadline", int64(c.Deadline)),
		sql.Named("created", c.Created.UnixMilli()), sql.Named("updated", c.Updated.UnixMilli()),
	}
}

// pair returns the two in the order in which their pair is stored.
func pair(a, b store.UserID) (low, high string) {
	return string(min(a, b)), string(max(a, b))
}

// putChallenge creates the challenge or stores it over its version.
func (s *writeStatements) putChallenge(c store.Challenge) error {
	ctx := context.Background()
	stmt := s.updateChallenge
	if c.Version == 0 {
		stmt = s.insertChallenge
	}
	result, err := stmt.ExecContext(ctx, challengeArgs(c)...)
	switch {
	case isUniqueViolation(err):
		// Either the record exists or the pair has an open one; the table has no
		// other unique index.
		if _, err := version(ctx, s.challengeVersion, int64(c.ID)); c.Version == 0 && err == nil {
			return fmt.Errorf("%w: challenge %d exists", store.ErrConflict, c.ID)
		}
		return fmt.Errorf("%w: challenge %d", store.ErrPairTaken, c.ID)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	stored, err := version(ctx, s.challengeVersion, int64(c.ID))
	if err != nil {
		return fmt.Errorf("challenge %d: %w", c.ID, err)
	}
	return fmt.Errorf("%w: challenge %d has version %d, not %d", store.ErrConflict, c.ID, stored, c.Version)
}

func scanChallenge(r row) (store.Challenge, error) {
	var c store.Challenge
	var created, updated int64
	err := r.Scan(&c.ID, &c.Guild, &c.Channel, &c.Message, &c.Challenger, &c.Opponent,
		&c.Rules.M, &c.Rules.N, &c.Rules.K, &c.First, &c.Clock, &c.Locale, &c.GuildLocale,
		&c.State, &c.Match, &c.Deadline, &c.Version, &created, &updated)
	c.Created, c.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	return c, err
}

// overChallenge lays the pending notes over the challenge.
func (b *notebook) overChallenge(c *store.Challenge) {
	c.Message = b.over(noteKey{challenge: c.ID}, shown{message: c.Message}).message
}

// Challenge returns the challenge, or [store.ErrNotFound].
func (s *Store) Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	all, err := s.queryChallenges(ctx, func(r *readStatements) *sql.Stmt { return r.challenge }, int64(id))
	switch {
	case err != nil:
		return store.Challenge{}, err
	case len(all) == 0:
		return store.Challenge{}, fmt.Errorf("challenge %d: %w", id, store.ErrNotFound)
	default:
		return all[0], nil
	}
}

// OpenChallenge returns the open challenge between the two in the guild, whoever
// of them made it, or [store.ErrNotFound]. With an empty b it is the open table
// of a.
func (s *Store) OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error) {
	low, high := pair(a, b)
	all, err := s.queryChallenges(ctx, func(r *readStatements) *sql.Stmt { return r.openChallenge }, string(guild), low, high)
	switch {
	case err != nil:
		return store.Challenge{}, err
	case len(all) == 0:
		return store.Challenge{}, fmt.Errorf("open challenge: %w", store.ErrNotFound)
	default:
		return all[0], nil
	}
}

// OpenChallenges returns the open challenges with greater ids than after, in the
// order of their ids, at most limit of them.
func (s *Store) OpenChallenges(ctx context.Context, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return s.queryChallenges(ctx, func(r *readStatements) *sql.Stmt { return r.openChallenges }, int64(after), max(limit, 0))
}

// GuildChallenges returns the guild's open challenges with greater ids than
// after, in the order of their ids, at most limit of them.
func (s *Store) GuildChallenges(ctx context.Context, guild store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return s.queryChallenges(ctx, func(r *readStatements) *sql.Stmt { return r.guildChallenges }, string(guild), int64(after), max(limit, 0))
}

// DueChallenges returns the open challenges whose deadline is not after the
// up-time, the oldest deadline first, at most limit of them.
func (s *Store) DueChallenges(ctx context.Context, uptime time.Duration, limit int) ([]store.Challenge, error) {
	return s.queryChallenges(ctx, func(r *readStatements) *sql.Stmt { return r.dueChallenges }, int64(uptime), max(limit, 0))
}

// queryChallenges runs the statement and lays the pending notes over the result.
func (s *Store) queryChallenges(ctx context.Context, which func(*readStatements) *sql.Stmt, args ...any) ([]store.Challenge, error) {
	return queryAll(ctx, s, which, scanChallenge, s.writer.notes.overChallenge, args...)
}
