package memory

import (
	"cmp"
	"context"
	"maps"
	"math"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// Erasures implements [store.Privacy].
func (s *Store) Erasures(ctx context.Context, limit int) ([]store.Erasure, error) {
	k, err := s.read(ctx)
	return list(maps.Values(k.erasures), limit, func(store.Erasure) bool { return true }, func(a, b store.Erasure) int { return a.Begun.Compare(b.Begun) }), err
}

// Erasing implements [store.Privacy].
func (s *Store) Erasing(ctx context.Context, user store.UserID) (bool, error) {
	k, err := s.read(ctx)
	_, is := k.erasures[user]
	return is, err
}

// Erase implements [store.Privacy], all at once.
func (s *Store) Erase(ctx context.Context, e store.Erasure, _ int) (step store.ErasureStep, err error) {
	err = change(ctx, s, func(k *snapshot) { step = k.erase(e) })
	return step, err
}

func (k *snapshot) erase(e store.Erasure) store.ErasureStep {
	if k.erasures[e.User] != e {
		return store.ErasureDone
	}
	if has(maps.Values(k.matches), func(m store.Match) bool { return open(m) && m.Seat(e.User) != engine.None }) ||
		has(maps.Values(k.challenges), func(c store.Challenge) bool {
			return c.State == store.Open && (c.Challenger == e.User || c.Opponent == e.User)
		}) {
		return store.ErasureWaits
	}
	rename := func(users ...*store.UserID) (is bool) {
		for _, u := range users {
			if *u == e.User {
				*u, is = e.Pseudonym, true
			}
		}
		return is
	}
	for id, m := range k.matches {
		if mark := m.Seat(e.User); mark != engine.None && (m.Winner == engine.None || m.Winner == mark) {
			m.Gain = store.Gain{}
		}
		seat := rename(&m.X.User, &m.O.User)
		if seat && m.Guild == "" {
			m.Channel, m.Message, m.Thread, m.Notice = store.ChannelID(e.Pseudonym), "", "", ""
		}
		if stopped := rename(&m.EndedBy); seat || stopped {
			m.Version++
			m.Drawn++
			k.matches[id] = m
		}
	}
	for id, c := range k.challenges {
		if c.Opponent == e.User {
			c.OpponentLocale = ""
		}
		if rename(&c.Challenger, &c.Opponent) {
			if c.Guild == "" {
				c.Channel, c.Message = store.ChannelID(e.Pseudonym), ""
			}
			c.Version++
			c.Drawn++
			k.challenges[id] = c
		}
	}
	for i := range k.results {
		if r := &k.results[i]; rename(&r.X.User, &r.O.User) && r.Guild != "" {
			k.absent[member{r.Guild, e.Pseudonym}] = true
		}
	}
	maps.DeleteFunc(k.absent, func(m member, _ bool) bool { return m.user == e.User })
	maps.DeleteFunc(k.blocks, func(b, _ store.Block) bool { return b.User == e.User })
	for key, b := range clone(k.blocks) {
		if b.From == e.User {
			delete(k.blocks, key)
			b.From = hashed(b.From)
			k.putBlock(b)
		}
	}
	maps.DeleteFunc(k.tries, func(t onDay, _ store.PuzzleTry) bool { return t.user == e.User })
	maps.DeleteFunc(k.solved, func(m member, _ int64) bool { return m.user == e.User })
	maps.DeleteFunc(k.crowns, func(_ store.ChannelID, c store.Crown) bool { return c.User == e.User })
	delete(k.puzzlers, e.User)
	delete(k.people, e.User)
	delete(k.erasures, e.User)
	return store.ErasureDone
}

// presence is what is known of the bot of an application in a guild.
type presence struct {
	store.Departure // without a time where it is not gone
	seen, missed    time.Time
}

// SeeGuilds implements [store.Privacy].
func (s *Store) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	if err := seen.Validate(); err != nil {
		return err
	}
	return change(ctx, s, func(k *snapshot) {
		for _, g := range seen.Guilds {
			key := store.Departure{Application: seen.Application, Guild: g}
			p := get(k.presences, key, presence{Departure: key})
			if p.missed.IsZero() || !seen.At.Before(p.missed) {
				p.missed, p.Gone = time.Time{}, time.Time{}
			}
			if seen.At.After(p.seen) {
				p.seen = seen.At
			}
			k.presences[key] = p
		}
	})
}

// MissGuild implements [store.Privacy].
func (s *Store) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	return change(ctx, s, func(k *snapshot) {
		key := store.Departure{Application: app, Guild: guild}
		switch p, known := k.presences[key]; {
		case !known, !p.seen.Before(at), !p.Gone.IsZero():
		case p.missed.IsZero():
			p.missed = at
			k.presences[key] = p
		case at.Sub(p.missed) >= store.AsksApart:
			p.Gone = at
			k.presences[key] = p
		}
	})
}

// ForgetGuild implements [store.Privacy].
func (s *Store) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	key := store.Departure{Application: app, Guild: guild}
	wanted := presence{Departure: key, missed: time.UnixMilli(math.MaxInt64)}
	wanted.Gone = time.UnixMilli(store.WantedGone)
	return change(ctx, s, func(k *snapshot) { k.presences[key] = wanted })
}

// UnusedGuilds implements [store.Privacy].
func (s *Store) UnusedGuilds(ctx context.Context, app store.ApplicationID, now time.Time, limit int) (guilds []store.GuildID, err error) {
	k, err := s.read(ctx)
	for _, p := range list(maps.Values(k.presences), limit, func(p presence) bool {
		return p.Application == app && now.Sub(p.seen) >= store.UnusedFor && p.Gone.IsZero() && (p.missed.IsZero() || now.Sub(p.missed) >= store.AsksApart)
	}, func(a, b presence) int { return cmp.Or(a.seen.Compare(b.seen), cmp.Compare(a.Guild, b.Guild)) }) {
		guilds = append(guilds, p.Guild)
	}
	return guilds, err
}

// Departures implements [store.Privacy].
func (s *Store) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) (all []store.Departure, err error) {
	k, err := s.read(ctx)
	for _, p := range list(maps.Values(k.presences), limit,
		func(p presence) bool { return p.Application == app && !p.Gone.IsZero() && !p.Gone.After(before) },
		func(a, b presence) int { return cmp.Compare(a.Guild, b.Guild) }) {
		all = append(all, p.Departure)
	}
	return all, err
}

// EraseGuild implements [store.Privacy], all at once.
func (s *Store) EraseGuild(ctx context.Context, d store.Departure, _ int) (step store.ErasureStep, err error) {
	err = change(ctx, s, func(k *snapshot) { step = k.eraseGuild(d) })
	return step, err
}

func (k *snapshot) eraseGuild(d store.Departure) store.ErasureStep {
	key := store.Departure{Application: d.Application, Guild: d.Guild}
	if p := k.presences[key]; p.Gone.IsZero() || !p.Gone.Equal(d.Gone) {
		return store.ErasureDone
	}
	if has(maps.Values(k.matches), func(m store.Match) bool { return m.Guild == d.Guild && open(m) && !m.TokenOnly }) ||
		has(maps.Values(k.challenges), func(c store.Challenge) bool {
			return c.Guild == d.Guild && c.State == store.Open && !c.TokenOnly
		}) {
		return store.ErasureWaits
	}
	for i := range k.results {
		if r := &k.results[i]; r.Guild == d.Guild {
			r.Guild, r.Epoch, r.PointsX, r.PointsO, r.BotWin = "", 0, 0, 0, false
			if r.Why == store.Counts {
				r.Why = store.OutsideGuilds
			}
		}
	}
	for key, t := range k.tries {
		if t.Guild == d.Guild {
			t.Guild = ""
			k.tries[key] = t
		}
	}
	maps.DeleteFunc(k.solved, func(m member, _ int64) bool { return m.guild == d.Guild })
	maps.DeleteFunc(k.matches, func(_ store.MatchID, m store.Match) bool { return m.Guild == d.Guild && !m.TokenOnly })
	maps.DeleteFunc(k.absent, func(m member, _ bool) bool { return m.guild == d.Guild })
	maps.DeleteFunc(k.lobbies, func(_ store.ChannelID, l store.Lobby) bool { return l.Guild == d.Guild })
	maps.DeleteFunc(k.crowns, func(_ store.ChannelID, c store.Crown) bool { return c.Guild == d.Guild })
	delete(k.epochs, d.Guild)
	delete(k.guilds, d.Guild)
	delete(k.presences, key)
	return store.ErasureDone
}
