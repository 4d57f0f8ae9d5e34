package kit

import (
	"context"
	"sync"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/store"
)

const (
	// SettingsTurn is half of the time for which settings are remembered at most: so
	// long it takes until what another process has set is known here.
	SettingsTurn = 30 * time.Second
	// sharedTurn is the same where other processes may play on the database.
	sharedTurn   = time.Second
	settingsMost = 5_000
)

// Settings reads what guilds and people have set, and remembers it for a while.
type Settings struct {
	store      settingsStore
	now        func() time.Time
	UsualClock time.Duration // for a move where nobody has set one; 0 is none

	turn        time.Duration
	UsualPlaces int // of a channel whose guild has set nothing

	mu     sync.Mutex
	guilds recent.Map[store.GuildID, store.GuildSettings]
	people recent.Map[store.UserID, store.Person]
	stored int // how often something was
}

type settingsStore interface {
	GuildSettings(ctx context.Context, guild store.GuildID) (store.GuildSettings, error)
	Person(ctx context.Context, user store.UserID) (store.Person, error)
}

// NewSettings returns settings of a database that no other process plays on. The clock is
// for a move where nobody has set one, and the places are of a channel whose guild has set
// nothing.
func NewSettings(db settingsStore, now func() time.Time, clock time.Duration, places int) *Settings {
	return &Settings{store: db, now: now, UsualClock: clock, UsualPlaces: places, turn: SettingsTurn}
}

// Share says that other processes may play on the database. Call it before anything else.
func (s *Settings) Share() { s.turn = sharedTurn }

// Guild returns the settings of a guild, those of none for the empty id.
func (s *Settings) Guild(ctx context.Context, id store.GuildID) (store.GuildSettings, error) {
	if id == "" {
		return store.GuildSettings{}, nil
	}
	return remembered(ctx, s, &s.guilds, id, s.store.GuildSettings)
}

// Person returns the settings of a person.
func (s *Settings) Person(ctx context.Context, id store.UserID) (store.Person, error) {
	return remembered(ctx, s, &s.people, id, s.store.Person)
}

// remembered returns what is remembered for the key, or reads it.
func remembered[K comparable, V any](ctx context.Context, s *Settings, g *recent.Map[K, V], k K, read func(context.Context, K) (V, error)) (V, error) {
	s.mu.Lock()
	g.Turn(s.now(), s.turn, settingsMost)
	v, ok := g.Get(k)
	before := s.stored
	s.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := read(ctx, k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.stored == before { // else it may be what was set before
		g.Put(k, v)
	}
	return v, err
}

// Forget drops what a change has set. It is called behind every change, whatever became
// of it.
func (s *Settings) Forget(c store.Change) {
	if len(c.Guilds)+len(c.People)+len(c.Erasures) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored++
	for _, g := range c.Guilds {
		s.guilds.Drop(g.Guild)
	}
	for _, p := range c.People {
		s.people.Drop(p.User)
	}
	for _, e := range c.Erasures {
		s.people.Drop(e.User)
	}
}
