package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/sqlite"
)

// BenchmarkApply stores a move of a match and claims an interaction, for some numbers of
// callers at the same time, with every commit flushed. The baselines commit one change at
// a time, and keep the same in an SQLite file.
func BenchmarkApply(b *testing.B) {
	flushed := func(b *testing.B) string {
		return postgrestest.With(b, postgrestest.URL(b), "synchronous_commit", "on")
	}
	for _, way := range []struct {
		name string
		open func(*testing.B) (store.Store, error)
	}{
		{"together", func(b *testing.B) (store.Store, error) { return postgres.Open(b.Context(), flushed(b)) }},
		{"one-by-one", func(b *testing.B) (store.Store, error) {
			return postgres.Open(b.Context(), flushed(b), postgres.WithMaxBatch(1))
		}},
		{"sqlite", func(b *testing.B) (store.Store, error) {
			return sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"))
		}},
	} {
		for _, callers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/callers=%d", way.name, callers), func(b *testing.B) {
				s, err := way.open(b)
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				applyAll(b, s, callers)
			})
		}
	}
}

// BenchmarkBatch stores a batch of moves, each of them in its own match, where none is
// refused and where one has an interaction that is claimed already.
func BenchmarkBatch(b *testing.B) {
	const size = 32
	for name, claimed := range map[string]bool{"plain": false, "claimed": true} {
		b.Run(name, func(b *testing.B) {
			s := openAt(b, postgrestest.With(b, postgrestest.URL(b), "synchronous_commit", "on"))
			var changes []store.Change
			for i := range size {
				m := newMatch(store.MatchID(i + 1))
				m.Channel = store.ChannelID(fmt.Sprint(m.ID))
				c := store.Change{Interaction: store.InteractionID(fmt.Sprint(m.ID)), Matches: []store.Match{m}}
				if err := s.Apply(b.Context(), c); err != nil {
					b.Fatal(err)
				}
				c.Matches[0].Moves = []engine.Cell{4, 0}
				changes = append(changes, c)
			}
			id := size
			for b.Loop() {
				for i := range changes {
					changes[i].Matches[0].Version++
					if id++; i > 0 || !claimed {
						changes[i].Interaction = store.InteractionID(fmt.Sprint(id))
					}
				}
				for i, err := range s.Write(changes...) {
					if is := i == 0 && claimed; is != errors.Is(err, store.ErrClaimed) || !is && err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func applyAll(b *testing.B, s store.Store, callers int) {
	var id atomic.Int64
	work, outcomes := make(chan struct{}), make(chan error)
	for range callers {
		m := newMatch(store.MatchID(id.Add(1)))
		m.Channel = store.ChannelID(fmt.Sprint(m.ID))
		if err := s.Apply(b.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			b.Fatal(err)
		}
		m.Version, m.Moves = 1, []engine.Cell{4, 0}
		go func() {
			var err error
			for range work {
				c := store.Change{Interaction: store.InteractionID(fmt.Sprint(id.Add(1))), Matches: []store.Match{m}}
				if err == nil {
					err = s.Apply(context.Background(), c)
				}
				m.Version++
			}
			outcomes <- err
		}()
	}
	b.ReportAllocs()
	for b.Loop() {
		work <- struct{}{}
	}
	close(work)
	for range callers {
		if err := <-outcomes; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
}
