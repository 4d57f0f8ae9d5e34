package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// memory is a backend that keeps everything in memory, in the form of the model. It
// shows that the contract can be met without a database, and that the suite asks for
// no more than the contract.
type memory struct {
	disk *disk

	waiting []store.Delivery
	closed  bool
}

// disk is what a memory leaves behind when it is closed.
type disk struct {
	mu       sync.Mutex
	kept     model
	claimed  map[store.InteractionID]time.Time
	owners   [store.Domains]*memory      // of the clock domains; nil for nobody
	players  map[*memory]store.DomainSet // what stores want; nothing for one whose leases are over
	sessions map[store.Session]store.Session
}

func newDisk() *disk {
	return &disk{kept: newModel(), claimed: map[store.InteractionID]time.Time{}, players: map[*memory]store.DomainSet{}, sessions: map[store.Session]store.Session{}}
}

func TestStore(t *testing.T) {
	Run(t,
		func(*testing.T) store.Store {
			return &memory{disk: newDisk()}
		},
		func(t *testing.T, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return &memory{disk: s.(*memory).disk}
		})
}

func TestShared(t *testing.T) {
	RunShared(t, func(*testing.T) Database { return newDisk() })
}

func (k *disk) Open(*testing.T) store.Store { return &memory{disk: k} }

func (k *disk) Lapse(_ *testing.T, s store.Store) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.players[s.(*memory)] = 0
}

// use calls f with everything that is kept, while nobody else does.
func (s *memory) use(ctx context.Context, f func(o *model) error) error {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	switch {
	case s.closed:
		return store.ErrClosed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return f(&s.disk.kept)
}

// write is use for what is committed.
func (s *memory) write(ctx context.Context, f func(o *model) error) error {
	return s.use(ctx, func(o *model) error {
		next := o.clone()
		for _, d := range s.waiting {
			next.deliver(d)
		}
		if err := f(&next); err != nil {
			return err
		}
		*o, s.waiting = next, nil
		return nil
	})
}

func (s *memory) Apply(ctx context.Context, c store.Change) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(o *model) error {
		next, err := o.apply(c)
		if err == nil {
			*o = next
		}
		if err == nil && c.Interaction != "" {
			s.disk.claimed[c.Interaction] = time.Now()
		}
		return err
	})
}

func (s *memory) Deliver(d store.Delivery) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if d.Valid() && !s.closed {
		s.waiting = append(s.waiting, d)
	}
}

// find returns the record, as the caller's own.
func find[ID comparable, T any](ctx context.Context, s *memory, id ID, in func(*model) map[ID]T) (found T, err error) {
	err = s.use(ctx, func(o *model) error {
		var ok bool
		if found, ok = in(o)[id]; !ok {
			return fmt.Errorf("%v: %w", id, store.ErrNotFound)
		}
		return nil
	})
	return found, err
}

// some returns the matches that are chosen, in order.
func (s *memory) some(ctx context.Context, limit int, choose func(store.Match) bool, order func(a, b store.Match) int) (list []store.Match, err error) {
	err = s.use(ctx, func(o *model) error {
		list = o.list(choose, order)
		list = list[:min(len(list), max(limit, 0))]
		for i := range list {
			list[i].Moves = slices.Clone(list[i].Moves)
		}
		return nil
	})
	return list, err
}

func (s *memory) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	m, err := find(ctx, s, id, func(o *model) map[store.MatchID]store.Match { return o.matches })
	m.Moves = slices.Clone(m.Moves)
	return m, err
}

func (s *memory) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	m, err := s.Match(ctx, id)
	return store.Shown{Version: m.Version, Message: m.Message, Drawn: m.Drawn, Notice: m.Notice, Moves: len(m.Moves)}, err
}

const unlimited = 1 << 30

func (s *memory) MessageMatch(ctx context.Context, message store.MessageID) (store.Match, error) {
	list, err := s.some(ctx, 1, func(m store.Match) bool { return m.Message == message && message != "" },
		func(a, b store.Match) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID)) })
	if err == nil && len(list) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Match{}, err
	}
	return list[0], nil
}

func isActive(m store.Match) bool { return m.State == store.Active }

func (s *memory) ActiveMatches(ctx context.Context, channel store.ChannelID) ([]store.Match, error) {
	return s.some(ctx, unlimited,
		func(m store.Match) bool { return isActive(m) && m.Place > 0 && m.Channel == channel },
		func(a, b store.Match) int { return cmp.Compare(a.Place, b.Place) })
}

func (s *memory) PrivateMatches(ctx context.Context, channel store.ChannelID, user store.UserID, limit int) ([]store.Match, error) {
	return s.some(ctx, limit,
		func(m store.Match) bool {
			return isActive(m) && m.Place == 0 && m.Seat(user) != 0 && (channel == "" || m.Channel == channel)
		},
		func(a, b store.Match) int { return b.Created.Compare(a.Created) })
}

func (s *memory) SeatedMatches(ctx context.Context, guild store.GuildID, user store.UserID, limit int) ([]store.Match, error) {
	return s.some(ctx, limit, func(m store.Match) bool {
		return seated(m) && m.Guild == guild && m.Seat(user) != engine.None
	}, byID)
}

func (s *memory) GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error) {
	return s.some(ctx, limit, func(m store.Match) bool { return isActive(m) && m.Guild == guild && m.ID > after }, byID)
}

func (s *memory) DueMatches(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return s.some(ctx, limit,
		func(m store.Match) bool { return m.Guild.Domain() == d && m.Deadline > 0 && m.Deadline <= uptime },
		func(a, b store.Match) int { return cmp.Compare(a.Deadline, b.Deadline) })
}

func (s *memory) DueReminders(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return s.some(ctx, limit,
		func(m store.Match) bool { return m.Guild.Domain() == d && m.Remind > 0 && m.Remind <= uptime },
		func(a, b store.Match) int { return cmp.Compare(a.Remind, b.Remind) })
}

// behind returns the matches behind the cursor.
func (s *memory) behind(ctx context.Context, since time.Time, after store.Cursor, limit int, choose func(store.Match) bool) ([]store.Match, error) {
	order := func(a, b store.Match) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(b.ID, a.ID)) }
	return s.some(ctx, limit, func(m store.Match) bool {
		return choose(m) && !m.Updated.Before(since) &&
			(after == store.Cursor{} || order(store.Match{ID: after.ID, Updated: after.Updated}, m) < 0)
	}, order)
}

func (s *memory) UndrawnMatches(ctx context.Context, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	return s.behind(ctx, since, after, limit, func(m store.Match) bool { return m.Message != "" && m.Drawn < m.Version })
}

func (s *memory) Challenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	return find(ctx, s, id, func(o *model) map[store.ChallengeID]store.Challenge { return o.challenges })
}

func (s *memory) ChallengeVersion(ctx context.Context, id store.ChallengeID) (store.Shown, error) {
	c, err := s.Challenge(ctx, id)
	return store.Shown{Version: c.Version, Message: c.Message, Drawn: c.Drawn}, err
}

// someOpen returns the open challenges that are chosen, in order.
func (s *memory) someOpen(ctx context.Context, limit int, choose func(store.Challenge) bool, order func(a, b store.Challenge) int) (list []store.Challenge, err error) {
	err = s.use(ctx, func(o *model) error {
		for _, c := range o.challenges {
			if c.State == store.Open && choose(c) {
				list = append(list, c)
			}
		}
		slices.SortFunc(list, order)
		list = list[:min(len(list), max(limit, 0))]
		return nil
	})
	return list, err
}

func byChallengeID(a, b store.Challenge) int { return cmp.Compare(a.ID, b.ID) }

func (s *memory) OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error) {
	list, err := s.someOpen(ctx, 1, func(c store.Challenge) bool {
		return c.Guild == guild && samePair(c, store.Challenge{Challenger: a, Opponent: b})
	}, byChallengeID)
	if err == nil && len(list) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Challenge{}, err
	}
	return list[0], nil
}

func (s *memory) GuildChallenges(ctx context.Context, guild store.GuildID, after store.ChallengeID, limit int) ([]store.Challenge, error) {
	return s.someOpen(ctx, limit, func(c store.Challenge) bool { return c.ID > after && c.Guild == guild }, byChallengeID)
}

func (s *memory) DueChallenges(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Challenge, error) {
	return s.someOpen(ctx, limit,
		func(c store.Challenge) bool { return c.Guild.Domain() == d && c.Deadline > 0 && c.Deadline <= uptime },
		func(a, b store.Challenge) int { return cmp.Compare(a.Deadline, b.Deadline) })
}

func (s *memory) GuildSettings(ctx context.Context, guild store.GuildID) (g store.GuildSettings, err error) {
	err = s.use(ctx, func(o *model) error {
		g = o.guilds[guild]
		g.Guild = guild
		return nil
	})
	return g, err
}

func (s *memory) Person(ctx context.Context, user store.UserID) (p store.Person, err error) {
	err = s.use(ctx, func(o *model) error {
		p = o.people[user]
		p.User = user
		return nil
	})
	return p, err
}

func (s *memory) Post(ctx context.Context, key string) (p store.Post, err error) {
	err = s.use(ctx, func(o *model) error {
		p = o.posts[key]
		p.Key = key
		return nil
	})
	return p, err
}

func (s *memory) Blocks(ctx context.Context, user store.UserID) (list []store.Block, err error) {
	err = s.use(ctx, func(o *model) error {
		list = o.blocksOf(user)
		return nil
	})
	return list, err
}

func (s *memory) Blocked(ctx context.Context, c store.Consent) (blocked bool, err error) {
	err = s.use(ctx, func(o *model) error {
		blocked = o.blocked(c)
		return nil
	})
	return blocked, err
}

func (s *memory) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (at time.Time, err error) {
	err = s.use(ctx, func(o *model) error {
		at = o.declined(challenger, opponent, until)
		return nil
	})
	return at, err
}

func (s *memory) PuzzleTry(ctx context.Context, user store.UserID, day int64) (try store.PuzzleTry, err error) {
	err = s.use(ctx, func(o *model) error {
		var ok bool
		if try, ok = o.tries[tryKey{user, day}]; !ok {
			try = store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen}
		}
		try.Moves = slices.Clone(try.Moves)
		return nil
	})
	return try, err
}

func (s *memory) Puzzler(ctx context.Context, user store.UserID) (p store.Puzzler, err error) {
	err = s.use(ctx, func(o *model) error {
		p = o.puzzlers[user]
		p.User = user
		return nil
	})
	return p, err
}

func (s *memory) DuePuzzles(ctx context.Context, now time.Time, limit int) (due []store.GuildSettings, err error) {
	err = s.use(ctx, func(o *model) error {
		for _, g := range o.guilds {
			if at := g.Puzzle.Due; !at.IsZero() && (!at.After(now) || at.After(now.Add(store.PostsAhead))) {
				due = append(due, g)
			}
		}
		slices.SortFunc(due, func(a, b store.GuildSettings) int { return a.Puzzle.Due.Compare(b.Puzzle.Due) })
		due = due[:min(len(due), max(limit, 0))]
		return nil
	})
	return due, err
}

func (s *memory) PuzzleStreaks(ctx context.Context, guild store.GuildID, on []store.Lasting, offset, limit int) (rows []store.StreakStanding, total int, err error) {
	err = s.use(ctx, func(o *model) error {
		rows = o.streaks(guild, on)
		total = min(len(rows), store.MostListed+1)
		rows = rows[:min(len(rows), store.MostListed)]
		rows = rows[min(max(offset, 0), len(rows)):]
		if rows = rows[:min(max(limit, 0), len(rows))]; len(rows) == 0 {
			rows = nil
		}
		return nil
	})
	return rows, total, err
}

func (s *memory) PuzzleStreak(ctx context.Context, guild store.GuildID, on []store.Lasting, user store.UserID) (row store.StreakStanding, err error) {
	err = s.use(ctx, func(o *model) error {
		for _, r := range o.streaks(guild, on) {
			if r.User == user {
				row = r
				return nil
			}
		}
		return store.ErrNotFound
	})
	return row, err
}

func (s *memory) PuzzleSolvers(ctx context.Context, guild store.GuildID, day int64) (n int, err error) {
	err = s.use(ctx, func(o *model) error {
		n = o.solvers(guild, day)
		return nil
	})
	return n, err
}

func (s *memory) Result(ctx context.Context, id store.MatchID) (r store.Result, err error) {
	err = s.use(ctx, func(o *model) error {
		var ok bool
		if r, ok = o.ledger.of(id); !ok {
			return store.ErrNotFound
		}
		return nil
	})
	return r, err
}

func (s *memory) LastResults(ctx context.Context, user store.UserID, limit int) (list []store.Result, err error) {
	err = s.use(ctx, func(o *model) error {
		list = slices.DeleteFunc(o.ledger.lastOf(user), func(r store.Result) bool { return o.matches[r.Match].Version == 0 })
		list = list[:min(len(list), max(limit, 0))]
		return nil
	})
	return list, err
}

func (s *memory) PastMatches(ctx context.Context, limit int) (list []store.Match, err error) {
	err = s.use(ctx, func(o *model) error {
		list = o.pastMatches()
		list = list[:min(len(list), max(limit, 0))]
		return nil
	})
	return list, err
}

func (s *memory) Profile(ctx context.Context, user, viewer store.UserID, guild store.GuildID) (p store.Profile, err error) {
	err = s.use(ctx, func(o *model) error {
		p = o.ledger.profile(user, viewer, guild)
		return nil
	})
	return p, err
}

func (s *memory) Standings(ctx context.Context, guild store.GuildID, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	err = s.use(ctx, func(o *model) error {
		rows = o.ledger.standings(guild, p)
		total = min(len(rows), store.MostListed+1)
		rows = rows[min(max(offset, 0), len(rows)):]
		if rows = rows[:min(max(limit, 0), len(rows))]; len(rows) == 0 {
			rows = nil
		}
		return nil
	})
	return rows, total, err
}

func (s *memory) Standing(ctx context.Context, guild store.GuildID, p store.Period, user store.UserID) (row store.Standing, err error) {
	err = s.use(ctx, func(o *model) error {
		for _, r := range o.ledger.standings(guild, p) {
			if r.User == user {
				row = r
				row.Rank = min(row.Rank, store.MostRanked+1)
				return nil
			}
		}
		return store.ErrNotFound
	})
	return row, err
}

func (s *memory) Recount(ctx context.Context) (int, error) {
	return 0, s.Check(ctx) // no sums are kept
}

func (s *memory) NextDeadlines(ctx context.Context) (next store.Uptimes, err error) {
	err = s.use(ctx, func(o *model) error {
		next = o.nextDeadlines()
		return nil
	})
	return next, err
}

func (s *memory) Uptime(ctx context.Context) (u store.Uptimes, err error) {
	err = s.use(ctx, func(o *model) error {
		u = o.uptime
		return nil
	})
	return u, err
}

func (s *memory) Lease(ctx context.Context, want store.Wanted, u store.Uptimes) (l store.Leases, err error) {
	l.Length = time.Hour
	err = s.write(ctx, func(o *model) error {
		k := s.disk
		if delete(k.players, s); want.Domains != 0 {
			k.players[s] = want.Domains
		}
		playing := 0
		for other, domains := range k.players {
			if domains != 0 {
				playing++
			}
			if other != s {
				l.Waiting |= domains
			}
		}
		share := store.Domains
		if want.Shared {
			share = (store.Domains + playing - 1) / max(playing, 1)
		}
		mine := 0
		for d := range k.owners {
			if k.owners[d] == s {
				o.saveUptime(store.Domain(d), u[d])
				if !want.Domains.Has(store.Domain(d)) || mine == share {
					k.owners[d] = nil
				} else {
					mine++
				}
			}
		}
		for d, owner := range k.owners {
			if want.Domains.Has(store.Domain(d)) && owner != s && k.players[owner] == 0 && mine < share {
				k.owners[d] = s
				mine++
			}
		}
		for d, owner := range k.owners {
			switch {
			case owner == s:
				l.Owned = l.Owned.With(store.Domain(d))
			case k.players[owner] != 0:
				l.Elsewhere = l.Elsewhere.With(store.Domain(d))
			}
		}
		l.Uptimes = o.uptime
		return nil
	})
	return l, err
}

func (s *memory) KeepSession(ctx context.Context, k store.Session) error {
	return s.write(ctx, func(o *model) error {
		id := k
		id.Token, id.ID, id.URL, id.Sequence = "", "", "", 0
		s.disk.sessions[id] = k
		return nil
	})
}

func (s *memory) TakeSession(ctx context.Context, of store.Session) (kept store.Session, err error) {
	err = s.write(ctx, func(o *model) error {
		id := of
		id.Token, id.ID, id.URL, id.Sequence = "", "", "", 0
		var ok bool
		if kept, ok = s.disk.sessions[id]; !ok || kept.Token != of.Token {
			return store.ErrNotFound
		}
		delete(s.disk.sessions, id)
		return nil
	})
	return kept, err
}

func (s *memory) Claimed(ctx context.Context, id store.InteractionID) (claimed bool, err error) {
	err = s.use(ctx, func(o *model) error {
		claimed = o.claims[id]
		return nil
	})
	return claimed, err
}

func (s *memory) Purge(ctx context.Context, claims, challenges time.Time, limit int) (deleted int, err error) {
	err = s.write(ctx, func(o *model) error {
		n := 0
		for id, at := range s.disk.claimed {
			if n < limit && at.Before(claims) {
				delete(s.disk.claimed, id)
				delete(o.claims, id)
				n++
			}
		}
		deleted, n = n, 0
		for key, p := range o.posts {
			if n < limit && p.At.Before(claims) {
				delete(o.posts, key)
				n++
			}
		}
		deleted += n
		n = 0
		for id, c := range o.challenges {
			if n < limit && c.State != store.Open && c.Updated.Before(challenges) {
				delete(o.challenges, id)
				n++
			}
		}
		deleted += n
		return nil
	})
	return deleted, err
}

func (s *memory) Check(ctx context.Context) error {
	return s.write(ctx, func(*model) error { return nil })
}

func (s *memory) Failed() <-chan struct{} { return nil }

func (s *memory) Err() error { return nil }

func (s *memory) Close() error {
	if err := s.Check(context.Background()); err != nil {
		return nil // closed already
	}
	_, _ = s.Lease(context.Background(), store.Wanted{}, store.Uptimes{})
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.closed = true
	return nil
}

func (s *memory) Erasures(ctx context.Context, limit int) (list []store.Erasure, err error) {
	err = s.use(ctx, func(o *model) error {
		for _, e := range o.erasures {
			list = append(list, e)
		}
		slices.SortFunc(list, func(a, b store.Erasure) int { return a.Begun.Compare(b.Begun) })
		list = list[:min(len(list), max(limit, 0))]
		return nil
	})
	return list, err
}

func (s *memory) Erasing(ctx context.Context, user store.UserID) (is bool, err error) {
	err = s.use(ctx, func(o *model) error {
		_, is = o.erasures[user]
		return nil
	})
	return is, err
}

func (s *memory) Erase(ctx context.Context, e store.Erasure, _ int) (step store.ErasureStep, err error) {
	err = s.write(ctx, func(o *model) error {
		step = o.erase(e)
		return nil
	})
	return step, err
}

func (s *memory) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	if err := seen.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(o *model) error {
		o.see(seen)
		return nil
	})
}

func (s *memory) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	return s.write(ctx, func(o *model) error {
		o.miss(app, guild, at)
		return nil
	})
}

func (s *memory) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	return s.write(ctx, func(o *model) error {
		o.presences[presenceKey{app, guild}] = presence{missed: time.UnixMilli(math.MaxInt64), gone: time.UnixMilli(1)}
		return nil
	})
}

func (s *memory) UnusedGuilds(ctx context.Context, app store.ApplicationID, now time.Time, limit int) (list []store.GuildID, err error) {
	err = s.use(ctx, func(o *model) error {
		for k, p := range o.presences {
			if k.app == app && now.Sub(p.seen) >= store.UnusedFor && p.gone.IsZero() && (p.missed.IsZero() || now.Sub(p.missed) >= store.AsksApart) {
				list = append(list, k.guild)
			}
		}
		slices.SortFunc(list, func(a, b store.GuildID) int {
			return cmp.Or(o.presences[presenceKey{app, a}].seen.Compare(o.presences[presenceKey{app, b}].seen), cmp.Compare(a, b))
		})
		if list = list[:min(len(list), max(limit, 0))]; len(list) == 0 {
			list = nil
		}
		return nil
	})
	return list, err
}

func (s *memory) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) (list []store.Departure, err error) {
	err = s.use(ctx, func(o *model) error {
		for k, p := range o.presences {
			if k.app == app && !p.gone.IsZero() && !p.gone.After(before) {
				list = append(list, store.Departure{Application: app, Guild: k.guild, Gone: p.gone})
			}
		}
		slices.SortFunc(list, func(a, b store.Departure) int { return cmp.Compare(a.Guild, b.Guild) })
		list = list[:min(len(list), max(limit, 0))]
		return nil
	})
	return list, err
}

func (s *memory) EraseGuild(ctx context.Context, d store.Departure, _ int) (step store.ErasureStep, err error) {
	err = s.write(ctx, func(o *model) error {
		step = o.eraseGuild(d)
		return nil
	})
	return step, err
}

// Kept gives what columns hold, and the model has none.
func (s *memory) Kept(context.Context, store.UserID, int, []any, int) ([][]any, error) {
	return nil, errors.ErrUnsupported
}

func (s *memory) OpenMatches(ctx context.Context, user store.UserID, limit int) ([]store.Match, error) {
	return s.some(ctx, limit, func(m store.Match) bool { return isActive(m) && m.Seat(user) != engine.None }, byID)
}

func (s *memory) ChallengesOf(ctx context.Context, user store.UserID, limit int) ([]store.Challenge, error) {
	return s.someOpen(ctx, limit, func(c store.Challenge) bool { return user != "" && (c.Challenger == user || c.Opponent == user) }, byChallengeID)
}
