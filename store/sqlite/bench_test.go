package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

func openB(b *testing.B, opts ...sqlite.Option) *sqlite.Store {
	b.Helper()
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"), opts...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

// BenchmarkApply stores a move of a match and claims an interaction, for some
// numbers of callers at the same time. The baseline commits one change at a time.
func BenchmarkApply(b *testing.B) {
	for _, way := range []struct {
		name string
		opts []sqlite.Option
	}{{"together", nil}, {"one-by-one", []sqlite.Option{sqlite.WithMaxBatch(1)}}} {
		for _, callers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/callers=%d", way.name, callers), func(b *testing.B) {
				var commits, changes atomic.Int64
				count := sqlite.WithOnCommit(func(n int) { commits.Add(1); changes.Add(int64(n)) })
				s := openB(b, append(way.opts, count)...)
				var id atomic.Int64
				work := make(chan struct{})
				outcomes := make(chan error)
				for range callers {
					m := newMatch(store.MatchID(id.Add(1)))
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
				beforeCommits, beforeChanges := commits.Load(), changes.Load()
				for b.Loop() {
					work <- struct{}{}
				}
				close(work)
				for range callers {
					if err := <-outcomes; err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(changes.Load()-beforeChanges)/float64(commits.Load()-beforeCommits), "changes/commit")
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
			})
		}
	}
}

// BenchmarkRead reads what a click reads, with few and with many matches stored.
func BenchmarkRead(b *testing.B) {
	for _, stored := range []int{100, 100_000} {
		s := openB(b)
		for from := 0; from < stored; from += 500 {
			var c store.Change
			for id := from + 1; id <= min(from+500, stored); id++ {
				m := newMatch(store.MatchID(id))
				m.Moves = []engine.Cell{4, 0, 8}
				if id%10 != 0 { // most are over
					m.State, m.EndReason, m.Winner = store.Ended, store.Resignation, engine.X
				}
				c.Matches = append(c.Matches, m)
			}
			if err := s.Apply(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
		read := func(name string, one func(id store.MatchID) error) {
			b.Run(fmt.Sprintf("%s/stored=%d", name, stored), func(b *testing.B) {
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					n++
					if err := one(store.MatchID(1 + n*7919%stored)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		read("Match", func(id store.MatchID) error {
			_, err := s.Match(b.Context(), id)
			return err
		})
		read("ActiveMatches", func(id store.MatchID) error {
			_, err := s.ActiveMatches(b.Context(), newMatch(id).Channel)
			return err
		})
		read("MatchVersion", func(id store.MatchID) error {
			_, err := s.MatchVersion(b.Context(), id)
			return err
		})
		read("NextDeadlines", func(store.MatchID) error {
			_, err := s.NextDeadlines(b.Context())
			return err
		})
	}
}
