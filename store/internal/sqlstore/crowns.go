package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tictactoe/store"
)

// crowns is the table of kings of channels.
var crowns = newTable("crowns", func(c *store.Crown, column columns) {
	column("channel", key, textAt(&c.Channel))
	column("guild", changes, textAt(&c.Guild))
	column("user_id", changes, textAt(&c.User))
	column("match", changes, numberAt(&c.Match))
	column("wins", changes, numberAt(&c.Wins))
	column("since", changes, since{&c.Since, 1})
	column("last", changes, since{&c.Last, 1})
	column("version", version, numberAt(&c.Version))
})

var (
	crownOf = query(crowns.selectWhere("channel = ?1"))
	// No person has many: they are capped by the day.
	channelResults = query(countedIn("x_user", "o_user") + " UNION ALL " + countedIn("o_user", "x_user"))
	crownChallenge = query(challenges.selectWhere("crown = ?1 AND crown <> '' ORDER BY created DESC LIMIT 1"))
)

// countedIn gives the results that count of somebody in the seat, with people, in a guild and
// one of its channels.
func countedIn(seat, other string) string {
	var days []string
	for i := range store.CrownDays {
		days = append(days, fmt.Sprintf("CAST(?4 AS bigint) - %d", i))
	}
	return results.selectWhere(fmt.Sprintf("guild = ?1 AND day IN (%[1]s) AND %[2]s = ?3 AND %[2]s <> '' AND %[3]s <> '' AND why = 0", strings.Join(days, ", "), seat, other) +
		" AND (SELECT channel FROM matches WHERE matches.id = results.match AND place > 0) = ?2")
}

// Crown implements [store.Store].
func (s *Store) Crown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, error) {
	return readOr(ctx, s, crowns, store.Crown{Guild: guild, Channel: channel}, crownOf, string(channel))
}

// ChannelResults implements [store.Store].
func (s *Store) ChannelResults(ctx context.Context, guild store.GuildID, channel store.ChannelID, user store.UserID, today int64) ([]store.Result, error) {
	all, err := readAll(ctx, s, results.scan, channelResults, string(guild), string(channel), string(user), today)
	slices.SortFunc(all, func(a, b store.Result) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.Match, b.Match)) })
	return all, err
}

// CrownChallenge implements [store.Store].
func (s *Store) CrownChallenge(ctx context.Context, channel store.ChannelID) (store.Challenge, error) {
	return readOne(ctx, s, challenges, crownChallenge, string(channel))
}
