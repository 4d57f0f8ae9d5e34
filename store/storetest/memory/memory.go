// Package memory is a [store.Store] without a database: the contract in the plainest form
// that is right, with which package storetest compares backends. It finds things by looking
// at all of them, counts every sum anew, and copies everything for each change.
package memory

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"tictactoe/store"
)

// Store keeps its records until it is forgotten. The zero value is empty.
type Store struct {
	mu      sync.Mutex
	now     snapshot
	waiting []store.Delivery
	closed  bool
}

var _ store.Store = (*Store)(nil)

// snapshot is all that is kept at one moment. Nobody changes one that others may read.
type snapshot struct {
	matches    map[store.MatchID]store.Match
	challenges map[store.ChallengeID]store.Challenge
	guilds     map[store.GuildID]store.GuildSettings
	people     map[store.UserID]store.Person
	tries      map[onDay]store.PuzzleTry
	puzzlers   map[store.UserID]store.Puzzler
	solved     map[member]int64 // the last day, by whoever has solved one in a guild
	posts      map[string]store.Post
	lobbies    map[store.ChannelID]store.Lobby
	crowns     map[store.ChannelID]store.Crown
	claims     map[store.InteractionID]time.Time
	blocks     map[store.Block]store.Block // by what they are without their times

	results []store.Result // in the order in which they were written
	epochs  map[store.GuildID]int
	absent  map[member]bool

	erasures  map[store.UserID]store.Erasure // that have begun, by whom they erase
	former    map[store.UserID]onDay         // whose a pseudonym is
	presences map[store.Departure]presence   // by guild and application

	uptime   store.Uptimes
	sessions map[store.Session]store.Session
	quirks   map[string]bool
}

// onDay is somebody on a day: who has a try, or was erased.
type onDay struct {
	user store.UserID
	day  int64
}

// member is somebody in a guild.
type member struct {
	guild store.GuildID
	user  store.UserID
}

// Reopened returns a store with what the store left, which is closed.
func (s *Store) Reopened() *Store { return &Store{now: s.now} }

// clone returns a snapshot that can be changed by itself.
func (k snapshot) clone() snapshot {
	k.matches, k.challenges, k.guilds, k.people = clone(k.matches), clone(k.challenges), clone(k.guilds), clone(k.people)
	k.tries, k.puzzlers, k.solved, k.posts = clone(k.tries), clone(k.puzzlers), clone(k.solved), clone(k.posts)
	k.claims, k.blocks, k.epochs, k.absent = clone(k.claims), clone(k.blocks), clone(k.epochs), clone(k.absent)
	k.erasures, k.former, k.presences = clone(k.erasures), clone(k.former), clone(k.presences)
	k.lobbies, k.crowns = clone(k.lobbies), clone(k.crowns)
	k.sessions, k.quirks, k.results = clone(k.sessions), clone(k.quirks), slices.Clone(k.results)
	return k
}

func clone[M ~map[K]V, K comparable, V any](m M) M {
	c := make(M, len(m))
	maps.Copy(c, m)
	return c
}

// read returns what is kept, and nothing with an error.
func (s *Store) read(ctx context.Context) (snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.look(ctx)
}

// look is read for who has the lock.
func (s *Store) look(ctx context.Context) (snapshot, error) {
	switch {
	case s.closed:
		return snapshot{}, store.ErrClosed
	case ctx.Err() != nil:
		return snapshot{}, ctx.Err()
	}
	return s.now, nil
}

// write stores what the function changes, behind the deliveries that are waiting. With an
// error it stores nothing.
func (s *Store) write(ctx context.Context, change func(*snapshot) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := s.look(ctx)
	if err != nil {
		return err
	}
	next := now.clone()
	for _, d := range s.waiting {
		next.deliver(d)
	}
	if err := change(&next); err != nil {
		return err
	}
	s.now, s.waiting = next, nil
	return nil
}

// change is write for what is never refused.
func change(ctx context.Context, s *Store, do func(*snapshot)) error {
	return s.write(ctx, func(k *snapshot) error {
		do(k)
		return nil
	})
}

// first returns so many of the list.
func first[T any](list []T, limit int) []T {
	if list = list[:min(len(list), max(limit, 0))]; len(list) == 0 {
		return nil
	}
	return list
}

// list returns up to limit of the records that are chosen, in order.
func list[R any](records iter.Seq[R], limit int, choose func(R) bool, order func(a, b R) int) []R {
	all := slices.DeleteFunc(slices.Collect(records), func(r R) bool { return !choose(r) })
	slices.SortStableFunc(all, order)
	return first(all, limit)
}

// has reports whether one of the records is chosen.
func has[R any](records iter.Seq[R], choose func(R) bool) bool {
	return slices.ContainsFunc(slices.Collect(records), choose)
}

// page returns so many of the list from the offset on.
func page[T any](list []T, offset, limit int) []T {
	return first(list[min(max(offset, 0), len(list)):], limit)
}

// found returns the first of the list, or ErrNotFound.
func found[T any](list []T, err error) (one T, _ error) {
	if len(list) == 0 || err != nil {
		return one, cmp.Or(err, store.ErrNotFound)
	}
	return list[0], nil
}

// get returns the record that is kept under the key, or what none is.
func get[K comparable, R any](records map[K]R, key K, none R) R {
	if r, ok := records[key]; ok {
		return r
	}
	return none
}

// versions returns the sentinel that a record is refused with whose stored version is
// another one, 0 for none.
func versions(version, stored int) error {
	switch stored {
	case version:
		return nil
	case 0:
		return store.ErrNotFound
	default:
		return store.ErrConflict
	}
}

// into returns what stores a record over the version that it has, given where its key and its
// version are.
func into[K comparable, R any](records map[K]R, of func(*R) (K, *int)) func(R) error {
	return func(record R) error {
		key, version := of(&record)
		old := records[key]
		_, stored := of(&old)
		err := versions(*version, *stored)
		if err == nil {
			*version++
			records[key] = record
		}
		return err
	}
}

// Apply implements [store.Store].
func (s *Store) Apply(ctx context.Context, c store.Change) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(k *snapshot) error { return k.apply(c) })
}

// apply stores the change, or returns the sentinel that it is refused with.
func (k *snapshot) apply(c store.Change) error {
	if _, ok := k.claims[c.Interaction]; ok {
		return store.ErrClaimed
	}
	if c.Interaction != "" {
		k.claims[c.Interaction] = time.Now()
	}
	if slices.ContainsFunc(c.Consents, k.blocked) {
		return store.ErrBlocked
	}
	for _, user := range c.Named() {
		if _, ok := k.erasures[user]; ok {
			return store.ErrErasing
		}
	}
	for _, e := range c.Erasures {
		if _, ok := k.erasures[e.User]; !ok {
			k.erasures[e.User] = e
			k.former[e.Pseudonym] = onDay{e.User, store.DayOf(e.Begun)}
		}
	}
	k.putBlocks(c.Blocks)
	k.putResults(c)
	return cmp.Or(
		putAll(c.Matches, k.putMatch),
		putAll(c.Challenges, k.putChallenge),
		putAll(c.Guilds, into(k.guilds, func(g *store.GuildSettings) (store.GuildID, *int) { return g.Guild, &g.Version })),
		putAll(c.People, into(k.people, func(p *store.Person) (store.UserID, *int) { return p.User, &p.Version })),
		putAll(c.Tries, k.putTry),
		putAll(c.Puzzlers, into(k.puzzlers, func(p *store.Puzzler) (store.UserID, *int) { return p.User, &p.Version })),
		putAll(c.Posts, into(k.posts, func(p *store.Post) (string, *int) { return p.Key, &p.Version })),
		putAll(c.Crowns, into(k.crowns, func(c *store.Crown) (store.ChannelID, *int) { return c.Channel, &c.Version })),
	)
}

// putAll stores the records, up to the first that is refused.
func putAll[R any](records []R, put func(R) error) error {
	for _, r := range records {
		if err := put(r); err != nil {
			return err
		}
	}
	return nil
}

// Deliver implements [store.Store].
func (s *Store) Deliver(d store.Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.Valid() && !s.closed {
		s.waiting = append(s.waiting, d)
	}
}

// NextDeadlines implements [store.Clocks].
func (s *Store) NextDeadlines(ctx context.Context) (next store.Uptimes, err error) {
	k, err := s.read(ctx)
	look := func(d store.Domain, at time.Duration) {
		if at > 0 && (next[d] == 0 || at < next[d]) {
			next[d] = at
		}
	}
	for _, m := range k.matches {
		look(m.Guild.Domain(), m.Deadline)
		look(m.Guild.Domain(), m.Remind)
	}
	for _, c := range k.challenges {
		if c.State == store.Open {
			look(c.Guild.Domain(), c.Deadline)
		}
	}
	return next, err
}

// Uptime implements [store.Clocks].
func (s *Store) Uptime(ctx context.Context) (store.Uptimes, error) {
	k, err := s.read(ctx)
	return k.uptime, err
}

// Lease implements [store.Clocks]: only one process can play on a memory.
func (s *Store) Lease(ctx context.Context, _ store.Wanted, u store.Uptimes) (l store.Leases, err error) {
	err = change(ctx, s, func(k *snapshot) {
		for d, at := range u {
			k.uptime[d] = max(k.uptime[d], at)
		}
		l = store.Leases{Owned: store.AllDomains, Uptimes: k.uptime}
	})
	return l, err
}

// shardOf is what one session is kept for.
func shardOf(s store.Session) store.Session {
	return store.Session{Application: s.Application, Shard: s.Shard, Count: s.Count}
}

// KeepSession implements [store.Clocks].
func (s *Store) KeepSession(ctx context.Context, kept store.Session) error {
	return change(ctx, s, func(k *snapshot) { k.sessions[shardOf(kept)] = kept })
}

// TakeSession implements [store.Clocks].
func (s *Store) TakeSession(ctx context.Context, of store.Session) (kept store.Session, err error) {
	err = s.write(ctx, func(k *snapshot) error {
		var ok bool
		if kept, ok = k.sessions[shardOf(of)]; !ok || kept.Token != of.Token {
			return store.ErrNotFound
		}
		delete(k.sessions, shardOf(of))
		return nil
	})
	return kept, err
}

// KeepQuirk implements [store.Clocks].
func (s *Store) KeepQuirk(ctx context.Context, quirk string) error {
	return change(ctx, s, func(k *snapshot) { k.quirks[quirk] = true })
}

// Quirks implements [store.Clocks].
func (s *Store) Quirks(ctx context.Context) ([]string, error) {
	k, err := s.read(ctx)
	return slices.Sorted(maps.Keys(k.quirks)), err
}

// Claimed implements [store.Store].
func (s *Store) Claimed(ctx context.Context, id store.InteractionID) (bool, error) {
	k, err := s.read(ctx)
	_, claimed := k.claims[id]
	return claimed, err
}

// Purge implements [store.Privacy].
func (s *Store) Purge(ctx context.Context, claims, challenges time.Time, limit int) (deleted int, err error) {
	err = change(ctx, s, func(k *snapshot) {
		today := store.DayOf(time.Now().Add(-store.FormerStays))
		deleted = purge(k.claims, limit, func(at time.Time) bool { return at.Before(claims) }) +
			purge(k.posts, limit, func(p store.Post) bool { return p.At.Before(claims) }) +
			purge(k.challenges, limit, func(c store.Challenge) bool { return c.State != store.Open && c.Updated.Before(challenges) }) +
			purge(k.former, limit, func(f onDay) bool { return f.day < today })
	})
	return deleted, err
}

// purge deletes up to limit records that are old, and returns how many.
func purge[K comparable, R any](records map[K]R, limit int, old func(R) bool) (deleted int) {
	for key, r := range records {
		if deleted < limit && old(r) {
			delete(records, key)
			deleted++
		}
	}
	return deleted
}

// Check implements [store.Store].
func (s *Store) Check(ctx context.Context) error {
	return change(ctx, s, func(*snapshot) {})
}

// Failed implements [store.Store].
func (s *Store) Failed() <-chan struct{} { return nil }

// Err implements [store.Store].
func (s *Store) Err() error { return nil }

// Close implements [store.Store].
func (s *Store) Close() error {
	_ = s.Check(context.Background()) // which fails where it is closed already
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// Kept gives what columns hold, and there are none.
func (s *Store) Kept(context.Context, store.UserID, int, []any, int) ([][]any, error) {
	return nil, errors.ErrUnsupported
}
