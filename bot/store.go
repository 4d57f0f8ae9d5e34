package bot

import (
	"context"
	"time"

	"tictactoe/store"
)

// Store is what the bot needs of a backend; package store says what it promises.
type Store interface {
	Apply(ctx context.Context, c store.Change) error
	Note(n store.Note)

	Match(ctx context.Context, id store.MatchID) (store.Match, error)
	ActiveMatches(ctx context.Context, channel store.ChannelID) ([]store.Match, error)
	PrivateMatches(ctx context.Context, channel store.ChannelID, user store.UserID) ([]store.Match, error)
	GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error)
	DueMatches(ctx context.Context, uptime time.Duration, limit int) ([]store.Match, error)
	UndrawnMatches(ctx context.Context, after store.MatchID, limit int, since time.Time) ([]store.Match, error)
	ClockedMatches(ctx context.Context, after store.MatchID, limit int) ([]store.Match, error)

	Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error)
	OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error)
	OpenChallenges(ctx context.Context, after store.ChallengeID, limit int) ([]store.Challenge, error)
	DueChallenges(ctx context.Context, uptime time.Duration, limit int) ([]store.Challenge, error)

	NextDeadline(ctx context.Context) (at time.Duration, ok bool, err error)
	Uptime(ctx context.Context) (time.Duration, error)
	SaveUptime(ctx context.Context, uptime time.Duration) error
	Purge(ctx context.Context, claims, challenges time.Time) error
}
