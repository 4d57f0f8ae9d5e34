// Package storetest holds backends of package store to what they promise. A
// backend's test calls [Run]; whatever can be said of every backend is said here
// and only here, so that a fault found in one becomes a case for all.
//
// The package does not test what is particular to a backend: how it opens its
// database, how it survives a lost process, power or disk, and how fast it is.
package storetest

import (
	"context"
	"testing"
	"time"

	"tictactoe/store"
)

// Store is everything that a backend does. What the methods promise is said in
// package store and here:
//
//   - Apply answers with the first error that it meets: first what makes a record
//     invalid, then the claim, then the records in their order; for one record that
//     it exists already or has another version, then that it does not exist, then
//     that it would rewrite, then that a place or pair is taken.
//   - Lists are in the order that is named, and empty where there is nothing; at
//     most limit records are in them, none for a limit below 1.
//   - Reads show what this process has noted, whether it is stored yet or not.
type Store interface {
	// Apply stores a change; nil says that it is durable.
	Apply(context.Context, store.Change) error
	// Note remembers what was learned; it never waits.
	Note(store.Note)

	// Match and Challenge return a record, or store.ErrNotFound.
	Match(context.Context, store.MatchID) (store.Match, error)
	Challenge(context.Context, store.ChallengeID) (store.Challenge, error)

	// ActiveMatches: those that take the places of the channel, by place.
	ActiveMatches(context.Context, store.ChannelID) ([]store.Match, error)
	// PrivateMatches: the user's active private ones in the channel, newest first.
	PrivateMatches(context.Context, store.ChannelID, store.UserID) ([]store.Match, error)
	// GuildMatches: the active ones of the guild, by id, from behind after.
	GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error)
	// DueMatches: active and ended ones whose deadline is not after the up-time, the
	// oldest deadline first.
	DueMatches(ctx context.Context, uptime time.Duration, limit int) ([]store.Match, error)
	// UndrawnMatches: those with a version above the drawn one that were updated at
	// since or later, by id, from behind after. Fewer than limit may be returned
	// although there are more, none only when there are no more.
	UndrawnMatches(ctx context.Context, after store.MatchID, limit int, since time.Time) ([]store.Match, error)
	// ClockedMatches: active ones between two people with a clock, by id, from behind
	// after.
	ClockedMatches(ctx context.Context, after store.MatchID, limit int) ([]store.Match, error)

	// OpenChallenge returns the open challenge between the two, whoever of them made
	// it, or with an empty b the open table of a, or store.ErrNotFound.
	OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error)
	// OpenChallenges: all open ones, by id, from behind after.
	OpenChallenges(ctx context.Context, after store.ChallengeID, limit int) ([]store.Challenge, error)
	// GuildChallenges: the open ones of the guild, by id, from behind after.
	GuildChallenges(ctx context.Context, guild store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error)
	// DueChallenges: open ones whose deadline is not after the up-time, the oldest
	// deadline first.
	DueChallenges(ctx context.Context, uptime time.Duration, limit int) ([]store.Challenge, error)

	// NextDeadline returns the earliest deadline of a match or open challenge, and
	// whether there is one.
	NextDeadline(context.Context) (at time.Duration, ok bool, err error)
	// Uptime returns what SaveUptime stored; a smaller value than that changes
	// nothing.
	Uptime(context.Context) (time.Duration, error)
	SaveUptime(context.Context, time.Duration) error

	// Purge deletes claims made, and challenges closed, before the time.
	Purge(ctx context.Context, claims, challenges time.Time) error
	// Check stores something and returns why it could not.
	Check(context.Context) error
	Stats(context.Context) (store.Stats, error)

	// Close stores the pending notes. It may be called again; everything else
	// answers store.ErrClosed afterwards, and Note does nothing.
	Close() error
}

// testCase is one promise.
type testCase struct {
	name string
	// explanation says what is promised, and is printed when the case fails.
	explanation string
	run         func(*testing.T, *fixture)
}

// Run tests a backend, each case with a store of its own.
//
// open returns a new empty store, to be closed by a cleanup of t. reopen closes
// the store and returns one that has opened what it left.
func Run(t *testing.T, open func(t *testing.T) Store, reopen func(t *testing.T, s Store) Store) {
	for _, cases := range [][]testCase{
		recordCases, versionCases, guardCases, challengeCases, claimCases, queryCases, noteCases, uptimeCases, raceCases, modelCases,
	} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Cleanup(func() {
					if t.Failed() {
						t.Logf("what is promised: %s", c.explanation)
					}
				})
				c.run(t, &fixture{Store: open(t), open: open, reopenStore: reopen})
			})
		}
	}
}
