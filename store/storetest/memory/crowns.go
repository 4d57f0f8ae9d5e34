package memory

import (
	"cmp"
	"context"
	"slices"

	"tictactoe/store"
)

// Crown implements [store.Crowns].
func (s *Store) Crown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, error) {
	k, err := s.read(ctx)
	if c, ok := k.crowns[channel]; ok || err != nil {
		return c, err
	}
	return store.Crown{Guild: guild, Channel: channel}, nil
}

// ChannelResults implements [store.Crowns].
func (s *Store) ChannelResults(ctx context.Context, guild store.GuildID, channel store.ChannelID, user store.UserID, today int64) (all []store.Result, err error) {
	k, err := s.read(ctx)
	for _, r := range k.results {
		m, kept := k.matches[r.Match]
		ago := today - store.DayOf(r.Ended)
		if kept && m.Channel == channel && !m.Private() && r.Guild == guild && r.Why == store.Counts && r.X.IsUser() && r.O.IsUser() &&
			user != "" && (r.X.User == user || r.O.User == user) && ago >= 0 && ago < store.CrownDays {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b store.Result) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.Match, b.Match)) })
	return all, err
}

// CrownChallenge implements [store.Crowns].
func (s *Store) CrownChallenge(ctx context.Context, channel store.ChannelID) (store.Challenge, error) {
	k, err := s.read(ctx)
	var all []store.Challenge
	for _, c := range k.challenges {
		if c.Crown == channel && channel != "" {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b store.Challenge) int { return b.Created.Compare(a.Created) })
	return found(all, err)
}
