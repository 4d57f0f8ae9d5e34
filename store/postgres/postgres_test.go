package postgres_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/storetest"
)

// patient lets a write take as long as a busy machine needs. Tests about what takes too
// long set another limit.
func patient() postgres.Option { return postgres.WithTimeout(waittest.Limit(5 * time.Second)) }

// openAt opens the database at the address and closes it when the test is over.
func openAt(t testing.TB, address string, opts ...postgres.Option) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, append([]postgres.Option{patient()}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return s
}

// suite runs storetest.
func suite(t *testing.T, open func(t *testing.T, address string) store.Store) {
	t.Parallel()
	postgrestest.Server(t)
	var mu sync.Mutex
	addresses := map[store.Store]string{}
	openNamed := func(t *testing.T, address string) store.Store {
		s := open(t, address)
		mu.Lock()
		defer mu.Unlock()
		addresses[s] = address
		return s
	}
	storetest.Run(t,
		func(t *testing.T) store.Store {
			return openNamed(t, postgrestest.Empty(t))
		},
		func(t *testing.T, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			address := addresses[s]
			mu.Unlock()
			return openNamed(t, address)
		})
}

func openOne(t *testing.T, address string) store.Store { return openAt(t, address) }

func TestStore(t *testing.T) { suite(t, openOne) }

// TestTwoStores has two stores on one database do everything in turn: neither knows more
// than what the database tells, and where many do the same thing at once they fight. One
// of them commits each change by itself, and has the database undo transactions that
// meet others, to be tried again, as engines do that know no other isolation.
func TestTwoStores(t *testing.T) {
	suite(t, func(t *testing.T, address string) store.Store {
		strict := postgrestest.With(t, address, "default_transaction_isolation", "serializable")
		return &pair{one: openAt(t, address), other: openAt(t, strict, postgres.WithMaxBatch(1))}
	})
}

// pair is two stores on one database which take turns.
type pair struct {
	one, other *postgres.Store
	turn       atomic.Int64
}

func (p *pair) next() *postgres.Store {
	if p.turn.Add(1)%2 == 0 {
		return p.other
	}
	return p.one
}

// writes returns the store that commits next: the one that has deliveries, if there are
// any, which go with the next commit.
func (p *pair) writes() *postgres.Store {
	if p.one.Deliveries() > 0 {
		return p.one
	}
	return p.next()
}

func (p *pair) Apply(ctx context.Context, c store.Change) error { return p.writes().Apply(ctx, c) }
func (p *pair) Deliver(d store.Delivery)                        { p.one.Deliver(d) }

func (p *pair) Check(ctx context.Context) error {
	return errors.Join(p.one.Check(ctx), p.other.Check(ctx))
}

func (p *pair) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	return p.writes().Purge(ctx, claims, challenges, limit)
}

func (p *pair) Lease(ctx context.Context, want store.Wanted, u store.Uptimes) (store.Leases, error) {
	return p.one.Lease(ctx, want, u)
}

func (p *pair) KeepQuirk(ctx context.Context, quirk string) error {
	return p.next().KeepQuirk(ctx, quirk)
}

func (p *pair) Quirks(ctx context.Context) ([]string, error) { return p.next().Quirks(ctx) }

func (p *pair) KeepSession(ctx context.Context, s store.Session) error {
	return p.next().KeepSession(ctx, s)
}

func (p *pair) TakeSession(ctx context.Context, of store.Session) (store.Session, error) {
	return p.next().TakeSession(ctx, of)
}

func (p *pair) Claimed(ctx context.Context, id store.InteractionID) (bool, error) {
	return p.next().Claimed(ctx, id)
}

func (p *pair) Failed() <-chan struct{} { return p.one.Failed() }
func (p *pair) Err() error              { return errors.Join(p.one.Err(), p.other.Err()) }
func (p *pair) Close() error            { return errors.Join(p.one.Close(), p.other.Close()) }

func (p *pair) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	return p.next().Match(ctx, id)
}

func (p *pair) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	return p.next().MatchVersion(ctx, id)
}

func (p *pair) MessageMatch(ctx context.Context, m store.MessageID) (store.Match, error) {
	return p.next().MessageMatch(ctx, m)
}

func (p *pair) ActiveMatches(ctx context.Context, c store.ChannelID) ([]store.Match, error) {
	return p.next().ActiveMatches(ctx, c)
}

func (p *pair) SeatedMatches(ctx context.Context, g store.GuildID, u store.UserID, limit int) ([]store.Match, error) {
	return p.next().SeatedMatches(ctx, g, u, limit)
}

func (p *pair) PrivateMatches(ctx context.Context, c store.ChannelID, u store.UserID, limit int) ([]store.Match, error) {
	return p.next().PrivateMatches(ctx, c, u, limit)
}

func (p *pair) GuildMatches(ctx context.Context, g store.GuildID, after store.MatchID, limit int) ([]store.Match, error) {
	return p.next().GuildMatches(ctx, g, after, limit)
}

func (p *pair) DueMatches(ctx context.Context, d store.Domain, at time.Duration, limit int) ([]store.Match, error) {
	return p.next().DueMatches(ctx, d, at, limit)
}

func (p *pair) DueReminders(ctx context.Context, d store.Domain, at time.Duration, limit int) ([]store.Match, error) {
	return p.next().DueReminders(ctx, d, at, limit)
}

func (p *pair) UndrawnMatches(ctx context.Context, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	return p.next().UndrawnMatches(ctx, since, after, limit)
}

func (p *pair) Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	return p.next().Challenge(ctx, id)
}

func (p *pair) ChallengeVersion(ctx context.Context, id store.ChallengeID) (store.Shown, error) {
	return p.next().ChallengeVersion(ctx, id)
}

func (p *pair) OpenChallenge(ctx context.Context, g store.GuildID, a, b store.UserID) (store.Challenge, error) {
	return p.next().OpenChallenge(ctx, g, a, b)
}

func (p *pair) GuildChallenges(ctx context.Context, g store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return p.next().GuildChallenges(ctx, g, after, limit)
}

func (p *pair) DueChallenges(ctx context.Context, d store.Domain, at time.Duration, limit int) ([]store.Challenge, error) {
	return p.next().DueChallenges(ctx, d, at, limit)
}

func (p *pair) GuildSettings(ctx context.Context, g store.GuildID) (store.GuildSettings, error) {
	return p.next().GuildSettings(ctx, g)
}

func (p *pair) Person(ctx context.Context, u store.UserID) (store.Person, error) {
	return p.next().Person(ctx, u)
}

func (p *pair) Post(ctx context.Context, key string) (store.Post, error) {
	return p.next().Post(ctx, key)
}

func (p *pair) Blocks(ctx context.Context, u store.UserID) ([]store.Block, error) {
	return p.next().Blocks(ctx, u)
}

func (p *pair) Blocked(ctx context.Context, c store.Consent) (bool, error) {
	return p.next().Blocked(ctx, c)
}

func (p *pair) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (time.Time, error) {
	return p.next().Declined(ctx, challenger, opponent, until)
}

func (p *pair) PuzzleTry(ctx context.Context, u store.UserID, day int64) (store.PuzzleTry, error) {
	return p.next().PuzzleTry(ctx, u, day)
}

func (p *pair) Puzzler(ctx context.Context, u store.UserID) (store.Puzzler, error) {
	return p.next().Puzzler(ctx, u)
}

func (p *pair) PuzzleDay(ctx context.Context, g store.GuildID, day int64) (store.PuzzleDay, error) {
	return p.next().PuzzleDay(ctx, g, day)
}

func (p *pair) Lobbies(ctx context.Context, from store.ChannelID, limit int) ([]store.Lobby, error) {
	return p.next().Lobbies(ctx, from, limit)
}

func (p *pair) SetLobby(ctx context.Context, old, l store.Lobby) error {
	return p.writes().SetLobby(ctx, old, l)
}

func (p *pair) Crown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, error) {
	return p.next().Crown(ctx, guild, channel)
}

func (p *pair) ChannelResults(ctx context.Context, guild store.GuildID, channel store.ChannelID, user store.UserID, today int64) ([]store.Result, error) {
	return p.next().ChannelResults(ctx, guild, channel, user, today)
}

func (p *pair) CrownChallenge(ctx context.Context, channel store.ChannelID) (store.Challenge, error) {
	return p.next().CrownChallenge(ctx, channel)
}

func (p *pair) DuePuzzles(ctx context.Context, now time.Time, limit int) ([]store.GuildSettings, error) {
	return p.next().DuePuzzles(ctx, now, limit)
}

func (p *pair) PuzzleStreaks(ctx context.Context, g store.GuildID, on []store.Lasting, offset, limit int) ([]store.Standing, int, error) {
	return p.next().PuzzleStreaks(ctx, g, on, offset, limit)
}

func (p *pair) PuzzleStreak(ctx context.Context, g store.GuildID, on []store.Lasting, u store.UserID) (store.Standing, error) {
	return p.next().PuzzleStreak(ctx, g, on, u)
}

func (p *pair) Result(ctx context.Context, id store.MatchID) (store.Result, error) {
	return p.next().Result(ctx, id)
}

func (p *pair) LastResults(ctx context.Context, u store.UserID, limit int) ([]store.Result, error) {
	return p.next().LastResults(ctx, u, limit)
}

func (p *pair) PastMatches(ctx context.Context, limit int) ([]store.Match, error) {
	return p.next().PastMatches(ctx, limit)
}

func (p *pair) Profile(ctx context.Context, user, viewer store.UserID, g store.GuildID) (store.Profile, error) {
	return p.next().Profile(ctx, user, viewer, g)
}

func (p *pair) Standings(ctx context.Context, g store.GuildID, at store.Period, offset, limit int) ([]store.Standing, int, error) {
	return p.next().Standings(ctx, g, at, offset, limit)
}

func (p *pair) Standing(ctx context.Context, g store.GuildID, at store.Period, u store.UserID) (store.Standing, error) {
	return p.next().Standing(ctx, g, at, u)
}

func (p *pair) Recount(ctx context.Context) (int, error) { return p.writes().Recount(ctx) }

func (p *pair) NextDeadlines(ctx context.Context) (store.Uptimes, error) {
	return p.next().NextDeadlines(ctx)
}

func (p *pair) Uptime(ctx context.Context) (store.Uptimes, error) { return p.next().Uptime(ctx) }

func (p *pair) Erasures(ctx context.Context, limit int) ([]store.Erasure, error) {
	return p.next().Erasures(ctx, limit)
}

func (p *pair) Erasing(ctx context.Context, u store.UserID) (bool, error) {
	return p.next().Erasing(ctx, u)
}

func (p *pair) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	return p.writes().Erase(ctx, e, limit)
}

func (p *pair) SeeGuilds(ctx context.Context, s store.Sighting) error {
	return p.writes().SeeGuilds(ctx, s)
}

func (p *pair) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	return p.writes().MissGuild(ctx, app, guild, at)
}

func (p *pair) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	return p.writes().ForgetGuild(ctx, app, guild)
}

func (p *pair) UnusedGuilds(ctx context.Context, app store.ApplicationID, now time.Time, limit int) ([]store.GuildID, error) {
	return p.next().UnusedGuilds(ctx, app, now, limit)
}

func (p *pair) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) ([]store.Departure, error) {
	return p.next().Departures(ctx, app, before, limit)
}

func (p *pair) EraseGuild(ctx context.Context, d store.Departure, limit int) (store.ErasureStep, error) {
	return p.writes().EraseGuild(ctx, d, limit)
}

func (p *pair) OpenMatches(ctx context.Context, u store.UserID, limit int) ([]store.Match, error) {
	return p.next().OpenMatches(ctx, u, limit)
}

func (p *pair) ChallengesOf(ctx context.Context, u store.UserID, limit int) ([]store.Challenge, error) {
	return p.next().ChallengesOf(ctx, u, limit)
}

func (p *pair) Kept(ctx context.Context, u store.UserID, part int, after []any, limit int) ([][]any, error) {
	return p.next().Kept(ctx, u, part, after, limit)
}
