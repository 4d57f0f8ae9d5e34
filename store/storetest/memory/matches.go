package memory

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// stored returns a time as it is read.
func stored(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

func (k *snapshot) putMatch(m store.Match) error {
	old, exists := k.matches[m.ID]
	if err := versions(m.Version, old.Version); err != nil {
		return err
	}
	switch {
	case exists && (old.Guild != m.Guild || old.Channel != m.Channel || old.Thread != m.Thread || old.Place != m.Place || old.Rules != m.Rules || old.Given != m.Given || old.X != m.X || old.O != m.O ||
		len(old.Moves) > len(m.Moves) || !slices.Equal(old.Moves, m.Moves[:len(old.Moves)])),
		exists && old.State == store.Ended && (len(old.Moves) != len(m.Moves) || old.State != m.State ||
			old.EndReason != m.EndReason || old.Winner != m.Winner || old.EndedBy != m.EndedBy),
		old.Verdict.Kind != store.NotJudged && old.Verdict != m.Verdict:
		return store.ErrImmutable
	}
	beside := func(other store.Match) bool { return other.ID != m.ID && other.Channel == m.Channel }
	if m.Place > 0 && active(m) && has(maps.Values(k.matches), func(o store.Match) bool { return beside(o) && active(o) && o.Place == m.Place }) {
		return store.ErrPlaceTaken
	}
	if m.Seated() && has(maps.Values(k.matches), func(o store.Match) bool { return beside(o) && o.Seated() && sharePlayer(m, o) }) {
		return store.ErrSeatTaken
	}
	if exists {
		m.Message, m.Drawn, m.Notice, m.Created = old.Message, old.Drawn, old.Notice, old.Created
	}
	m.Version++
	m.Created, m.Updated, m.Moves = stored(m.Created), stored(m.Updated), slices.Clone(m.Moves)
	k.matches[m.ID] = m
	return nil
}

func active(m store.Match) bool { return m.State == store.Active }

// open reports whether the match keeps its people busy.
func open(m store.Match) bool { return active(m) || m.Seated() }

// sharePlayer reports whether a person plays both.
func sharePlayer(a, b store.Match) bool {
	return a.Seat(b.X.User) != engine.None || a.Seat(b.O.User) != engine.None
}

func (k *snapshot) putChallenge(c store.Challenge) error {
	old, exists := k.challenges[c.ID]
	if err := versions(c.Version, old.Version); err != nil {
		return err
	}
	if c.State == store.Open && has(maps.Values(k.challenges), func(o store.Challenge) bool {
		return o.State == store.Open && o.ID != c.ID &&
			(o.Guild == c.Guild && pair(o, c.Challenger, c.Opponent) || c.Crown != "" && o.Crown == c.Crown)
	}) {
		return store.ErrPairTaken
	}
	if exists {
		c.Message, c.Drawn, c.Created = old.Message, old.Drawn, old.Created
	}
	c.Version++
	c.Created, c.Updated = stored(c.Created), stored(c.Updated)
	k.challenges[c.ID] = c
	return nil
}

// pair reports whether the challenge is between the two.
func pair(c store.Challenge, a, b store.UserID) bool {
	return c.Challenger == a && c.Opponent == b || c.Challenger == b && c.Opponent == a
}

func (k *snapshot) deliver(d store.Delivery) {
	if m, ok := k.matches[d.Match]; ok {
		m.Message, m.Drawn = shownAfter(m.Message, m.Drawn, d)
		if d.Notice != "" || m.Notice == d.Removed {
			m.Notice = d.Notice
		}
		k.matches[d.Match] = m
	}
	if c, ok := k.challenges[d.Challenge]; ok {
		c.Message, c.Drawn = shownAfter(c.Message, c.Drawn, d)
		k.challenges[d.Challenge] = c
	}
}

func shownAfter(message store.MessageID, drawn int, d store.Delivery) (store.MessageID, int) {
	if d.Message == "" || d.Message == message {
		return message, max(drawn, d.Drawn)
	}
	return d.Message, d.Drawn
}

// matches returns the matches that are chosen, in order, as the caller's own.
func (s *Store) matches(ctx context.Context, limit int, choose func(store.Match) bool, order func(a, b store.Match) int) ([]store.Match, error) {
	k, err := s.read(ctx)
	all := list(maps.Values(k.matches), limit, choose, func(a, b store.Match) int { return cmp.Or(order(a, b), byID(a, b)) })
	for i := range all {
		all[i].Moves = slices.Clone(all[i].Moves)
	}
	return all, err
}

func byID(a, b store.Match) int { return cmp.Compare(a.ID, b.ID) }

// Match implements [store.Matches].
func (s *Store) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	return found(s.matches(ctx, 1, func(m store.Match) bool { return m.ID == id }, byID))
}

// MatchVersion implements [store.Matches].
func (s *Store) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	m, err := s.Match(ctx, id)
	return store.Shown{Version: m.Version, Message: m.Message, Drawn: m.Drawn, Notice: m.Notice, Moves: len(m.Moves)}, err
}

// MessageMatch implements [store.Matches].
func (s *Store) MessageMatch(ctx context.Context, message store.MessageID) (store.Match, error) {
	return found(s.matches(ctx, 1, func(m store.Match) bool { return m.Message == message && message != "" },
		func(a, b store.Match) int { return cmp.Or(b.Created.Compare(a.Created), byID(b, a)) }))
}

// ActiveMatches implements [store.Matches].
func (s *Store) ActiveMatches(ctx context.Context, channel store.ChannelID) ([]store.Match, error) {
	return s.matches(ctx, math.MaxInt, func(m store.Match) bool { return m.Seated() && m.Channel == channel },
		func(a, b store.Match) int { return cmp.Compare(a.Place, b.Place) })
}

// SeatedMatches implements [store.Matches].
func (s *Store) SeatedMatches(ctx context.Context, guild store.GuildID, user store.UserID, limit int) ([]store.Match, error) {
	return s.matches(ctx, limit, func(m store.Match) bool {
		return m.Seated() && m.Guild == guild && m.Seat(user) != engine.None
	}, byID)
}

// OpenMatches implements [store.Matches].
func (s *Store) OpenMatches(ctx context.Context, user store.UserID, limit int) ([]store.Match, error) {
	return s.matches(ctx, limit, func(m store.Match) bool { return open(m) && m.Seat(user) != engine.None }, byID)
}

// PrivateMatches implements [store.Matches].
func (s *Store) PrivateMatches(ctx context.Context, channel store.ChannelID, user store.UserID, limit int) ([]store.Match, error) {
	return s.matches(ctx, limit, func(m store.Match) bool {
		return active(m) && m.Place == 0 && m.Seat(user) != engine.None && (channel == "" || m.Channel == channel)
	}, func(a, b store.Match) int { return b.Created.Compare(a.Created) })
}

// GuildMatches implements [store.Matches].
func (s *Store) GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error) {
	return s.matches(ctx, limit, func(m store.Match) bool { return active(m) && m.Guild == guild && m.ID > after }, byID)
}

// DueMatches implements [store.Matches].
func (s *Store) DueMatches(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return s.matches(ctx, limit,
		func(m store.Match) bool { return m.Guild.Domain() == d && m.Deadline > 0 && m.Deadline <= uptime },
		func(a, b store.Match) int { return cmp.Compare(a.Deadline, b.Deadline) })
}

// DueReminders implements [store.Matches].
func (s *Store) DueReminders(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return s.matches(ctx, limit,
		func(m store.Match) bool { return m.Guild.Domain() == d && m.Remind > 0 && m.Remind <= uptime },
		func(a, b store.Match) int { return cmp.Compare(a.Remind, b.Remind) })
}

// UndrawnMatches implements [store.Matches].
func (s *Store) UndrawnMatches(ctx context.Context, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	latest := func(a, b store.Match) int { return cmp.Or(b.Updated.Compare(a.Updated), byID(b, a)) }
	return s.matches(ctx, limit, func(m store.Match) bool {
		return m.Message != "" && m.Drawn < m.Version && !m.Updated.Before(since) &&
			(after == store.Cursor{} || latest(store.Match{ID: after.ID, Updated: after.Updated}, m) < 0)
	}, latest)
}

// challenges returns the challenges that are chosen, in order and then by id.
func (s *Store) challenges(ctx context.Context, limit int, choose func(store.Challenge) bool, order func(a, b store.Challenge) int) ([]store.Challenge, error) {
	k, err := s.read(ctx)
	return list(maps.Values(k.challenges), limit, choose, func(a, b store.Challenge) int { return cmp.Or(order(a, b), cmp.Compare(a.ID, b.ID)) }), err
}

func byIDAlone(store.Challenge, store.Challenge) int { return 0 }

// Challenge implements [store.Challenges].
func (s *Store) Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	return found(s.challenges(ctx, 1, func(c store.Challenge) bool { return c.ID == id }, byIDAlone))
}

// ChallengeVersion implements [store.Challenges].
func (s *Store) ChallengeVersion(ctx context.Context, id store.ChallengeID) (store.Shown, error) {
	c, err := s.Challenge(ctx, id)
	return store.Shown{Version: c.Version, Message: c.Message, Drawn: c.Drawn}, err
}

// OpenChallenge implements [store.Challenges].
func (s *Store) OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error) {
	return found(s.challenges(ctx, 1, func(c store.Challenge) bool {
		return c.State == store.Open && c.Guild == guild && pair(c, a, b)
	}, byIDAlone))
}

// ChallengesOf implements [store.Challenges].
func (s *Store) ChallengesOf(ctx context.Context, user store.UserID, limit int) ([]store.Challenge, error) {
	return s.challenges(ctx, limit, func(c store.Challenge) bool {
		return c.State == store.Open && user != "" && (c.Challenger == user || c.Opponent == user)
	}, byIDAlone)
}

// GuildChallenges implements [store.Challenges].
func (s *Store) GuildChallenges(ctx context.Context, guild store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return s.challenges(ctx, limit, func(c store.Challenge) bool {
		return c.State == store.Open && c.ID > after && c.Guild == guild
	}, byIDAlone)
}

// DueChallenges implements [store.Challenges].
func (s *Store) DueChallenges(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Challenge, error) {
	return s.challenges(ctx, limit, func(c store.Challenge) bool {
		return c.State == store.Open && c.Guild.Domain() == d && c.Deadline > 0 && c.Deadline <= uptime
	}, func(a, b store.Challenge) int { return cmp.Compare(a.Deadline, b.Deadline) })
}
