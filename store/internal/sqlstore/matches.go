package sqlstore

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"tictactoe/store"
)

var (
	matchByID    = query(matches.selectWhere("id = ?1"))
	matchShown   = query("SELECT version, message, drawn, notice, length(moves) FROM matches WHERE id = ?1")
	messageMatch = query(matches.selectWhere("message = ?1 AND message <> '' ORDER BY created DESC, id DESC LIMIT 1"))
	// Public ones have seats.
	activeMatches = query(matches.selectWhere("id IN (SELECT match FROM seats WHERE channel = ?1) ORDER BY id"))
	guildMatches  = query(matches.selectWhere(activeMatch + " AND guild = ?1 AND id > ?2 ORDER BY id LIMIT ?3"))
	dueMatches    = query(matches.selectWhere("domain = ?1 AND deadline > 0 AND deadline <= ?2 ORDER BY deadline LIMIT ?3"))
	dueReminders  = query(matches.selectWhere("domain = ?1 AND remind > 0 AND remind <= ?2 ORDER BY remind LIMIT ?3"))

	// Those in which a user of the guild has a seat.
	seatedMatches = query(matches.selectWhere("id IN (SELECT match FROM seats WHERE guild = ?1 AND user_id = ?2" +
		" ORDER BY match LIMIT ?3) ORDER BY id"))

	// A user's, up to a limit, and those of them in a channel.
	privateMatches   = private("")
	privateMatchesIn = private(" AND channel = ?3")

	// Those behind a cursor.
	undrawnMatches = query(matches.selectWhere(undrawn + " AND updated >= ?1 AND (updated, id) < (?2, ?3) ORDER BY updated DESC, id DESC LIMIT ?4"))

	// An entry of an index for each.
	running = whole(queries("SELECT count(*) FROM matches INDEXED BY matches_guild WHERE "+activeMatch, "SELECT count(*) FROM matches WHERE "+activeMatch))
)

// private reads private matches of a user. A person has a seat by one of two columns, each of
// which has an index in that order.
func private(in string) *Query {
	return merged(" ORDER BY created DESC, id DESC LIMIT ?2", matches.selectWhere(privateX+in), matches.selectWhere(privateO+in))
}

// Match implements [store.Store].
func (s *Store) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	return readOne(ctx, s, matches, matchByID, int64(id))
}

// MatchVersion implements [store.Store].
func (s *Store) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	return s.shown(ctx, matchShown, int64(id))
}

// MessageMatch implements [store.Store].
func (s *Store) MessageMatch(ctx context.Context, message store.MessageID) (store.Match, error) {
	return readOne(ctx, s, matches, messageMatch, string(message))
}

// ActiveMatches implements [store.Store].
func (s *Store) ActiveMatches(ctx context.Context, channel store.ChannelID) ([]store.Match, error) {
	active, err := readAll(ctx, s, matches.scan, activeMatches, string(channel))
	slices.SortStableFunc(active, func(a, b store.Match) int { return cmp.Compare(a.Place, b.Place) })
	return active, err
}

// SeatedMatches implements [store.Store].
func (s *Store) SeatedMatches(ctx context.Context, guild store.GuildID, user store.UserID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, matches.scan, seatedMatches, string(guild), string(user), max(limit, 0))
}

// PrivateMatches implements [store.Store].
func (s *Store) PrivateMatches(ctx context.Context, channel store.ChannelID, user store.UserID, limit int) ([]store.Match, error) {
	if channel == "" {
		return readAll(ctx, s, matches.scan, privateMatches, string(user), max(limit, 0))
	}
	return readAll(ctx, s, matches.scan, privateMatchesIn, string(user), max(limit, 0), string(channel))
}

// GuildMatches implements [store.Store].
func (s *Store) GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, matches.scan, guildMatches, string(guild), int64(after), max(limit, 0))
}

// DueMatches implements [store.Store].
func (s *Store) DueMatches(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return readAll(ctx, s, matches.scan, dueMatches, int64(d), int64(uptime), max(limit, 0))
}

// DueReminders implements [store.Store].
func (s *Store) DueReminders(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return readAll(ctx, s, matches.scan, dueReminders, int64(d), int64(uptime), max(limit, 0))
}

// UndrawnMatches implements [store.Store].
func (s *Store) UndrawnMatches(ctx context.Context, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	updated, id := int64(math.MaxInt64), int64(math.MaxInt64)
	if after != (store.Cursor{}) {
		updated, id = after.Updated.UnixMilli(), int64(after.ID)
	}
	return readAll(ctx, s, matches.scan, undrawnMatches, since.UnixMilli(), updated, id, max(limit, 0))
}

// Running returns how many matches are being played. It reads an entry of an index for
// each: it is for figures, and not for the way of a click.
func (s *Store) Running(ctx context.Context) (n int, err error) {
	err = s.readRow(ctx, running, nil, &n)
	return n, err
}
