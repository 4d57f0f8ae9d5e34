package memory

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tictactoe/store"
)

// Crown implements [store.Crowns].
func (s *Store) Crown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, error) {
	k, err := s.read(ctx)
	return get(k.crowns, channel, store.Crown{Guild: guild, Channel: channel}), err
}

// ChannelResults implements [store.Crowns].
func (s *Store) ChannelResults(ctx context.Context, guild store.GuildID, channel store.ChannelID, user store.UserID, today int64) ([]store.Result, error) {
	k, err := s.read(ctx)
	return list(slices.Values(k.results), math.MaxInt, func(r store.Result) bool {
		m, kept := k.matches[r.Match]
		ago := today - store.DayOf(r.Ended)
		return kept && m.Channel == channel && !m.Private() && r.Guild == guild && r.Why == store.Counts && r.X.IsUser() && r.O.IsUser() &&
			user != "" && (r.X.User == user || r.O.User == user) && ago >= 0 && ago < store.CrownDays
	}, func(a, b store.Result) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.Match, b.Match)) }), err
}

// CrownChallenge implements [store.Crowns].
func (s *Store) CrownChallenge(ctx context.Context, channel store.ChannelID) (store.Challenge, error) {
	return found(s.challenges(ctx, 1, func(c store.Challenge) bool { return c.Crown == channel && channel != "" },
		func(a, b store.Challenge) int { return b.Created.Compare(a.Created) }))
}
