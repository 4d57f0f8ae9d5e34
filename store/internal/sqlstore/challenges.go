package sqlstore

import (
	"context"
	"time"

	"tictactoe/store"
)

var (
	challengeByID   = query(challenges.selectWhere("id = ?1"))
	challengeShown  = query("SELECT version, message, drawn, '', 0 FROM challenges WHERE id = ?1")
	openChallenge   = query(challenges.selectWhere(pending + " AND guild = ?1 AND low_user = ?2 AND high_user = ?3"))
	guildChallenges = query(challenges.selectWhere(pending + " AND guild = ?1 AND id > ?2 ORDER BY id LIMIT ?3"))
	dueChallenges   = query(challenges.selectWhere(pending + " AND domain = ?1 AND deadline > 0 AND deadline <= ?2 ORDER BY deadline LIMIT ?3"))
)

// Challenge implements [store.Store].
func (s *Store) Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	return readOne(ctx, s, challenges, challengeByID, int64(id))
}

// ChallengeVersion implements [store.Store].
func (s *Store) ChallengeVersion(ctx context.Context, id store.ChallengeID) (store.Shown, error) {
	return s.shown(ctx, challengeShown, int64(id))
}

// OpenChallenge implements [store.Store].
func (s *Store) OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error) {
	low, high := pair(a, b)
	return readOne(ctx, s, challenges, openChallenge, string(guild), low, high)
}

// GuildChallenges implements [store.Store].
func (s *Store) GuildChallenges(ctx context.Context, guild store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, challenges.scan, guildChallenges, string(guild), int64(after), max(limit, 0))
}

// DueChallenges implements [store.Store].
func (s *Store) DueChallenges(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, challenges.scan, dueChallenges, int64(d), int64(uptime), max(limit, 0))
}
