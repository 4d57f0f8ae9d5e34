package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestRefusedLeaveTheirBatch: of changes that are written together each is refused for a
// reason of its own or stored, and those that nothing is in the way of are committed
// together. What a change that is refused has done before is in nobody's way.
func TestRefusedLeaveTheirBatch(t *testing.T) {
	t.Parallel()
	var commits []int
	s := openAt(t, postgrestest.URL(t), postgres.WithOnCommit(func(n int) { commits = append(commits, n) }))
	matchAt := func(id, channel int) store.Match {
		m := newMatch(store.MatchID(id))
		m.Channel = store.ChannelID(fmt.Sprint(channel))
		return m
	}
	change := func(interaction string, matches ...store.Match) store.Change {
		return store.Change{Interaction: store.InteractionID(interaction), Matches: matches}
	}
	for id := range 5 {
		if err := s.Apply(t.Context(), change(fmt.Sprint("first ", id), matchAt(id+1, id+1))); err != nil {
			t.Fatal(err)
		}
	}
	read := func(id int, edit func(*store.Match)) store.Match {
		t.Helper()
		m, err := s.Match(t.Context(), store.MatchID(id))
		if err != nil {
			t.Fatal(err)
		}
		edit(&m)
		return m
	}
	same := func(*store.Match) {}
	elsewhere := func(m *store.Match) { m.Channel = "99" }
	older := func(m *store.Match) { m.Version = 7 }
	seated := matchAt(60, 1)
	seated.Place = 2
	unknown := matchAt(70, 70)
	unknown.Version = 1
	block := store.Block{User: "8", From: "9", Guild: "1"}
	consent := store.Consent{To: "8", By: "9", Guild: "1"}
	if err := s.Apply(t.Context(), store.Change{Blocks: []store.Block{block}}); err != nil {
		t.Fatal(err)
	}

	cases := []struct {
		name string
		store.Change
		want error
	}{
		{"a move", change("a", read(1, same)), nil},
		{"an interaction that is claimed", change("first 1", read(3, same)), store.ErrClaimed},
		{"an interaction that another one of the batch claims", change("a", read(3, same)), store.ErrClaimed},
		{"another move", change("b", read(2, same)), nil},
		{"a version that is not stored", change("c", read(3, older)), store.ErrConflict},
		{"a version that another one of the batch counts", change("d", read(2, same)), store.ErrConflict},
		{"a match that exists", change("e", matchAt(4, 40)), store.ErrConflict},
		{"a match that does not", change("f", unknown), store.ErrNotFound},
		{"a rewrite", change("g", read(4, elsewhere)), store.ErrImmutable},
		{"a match in a place that is taken", change("h", matchAt(50, 1)), store.ErrPlaceTaken},
		{"a match of people who play there", change("i", seated), store.ErrSeatTaken},
		{"a new match, and a rewrite", change("j", matchAt(80, 80), read(4, elsewhere)), store.ErrImmutable},
		{"a match in the same place, of the same people", change("k", matchAt(81, 80)), nil},
		{"the interaction of one that is refused", change("j", matchAt(90, 90)), nil},
		{"what somebody blocks", store.Change{Interaction: "l", Consents: []store.Consent{consent}}, store.ErrBlocked},
		{"no interaction", change("", read(5, same)), nil},
	}
	changes := make([]store.Change, len(cases))
	for i, c := range cases {
		changes[i] = c.Change
	}
	commits = nil
	for i, err := range s.Write(changes...) {
		if !errors.Is(err, cases[i].want) {
			t.Errorf("%s: %v, want %v", cases[i].name, err, cases[i].want)
		}
	}
	// The rest but one, and those that others were in the way of.
	if want := []int{3, 1, 1}; !slices.Equal(commits, want) {
		t.Errorf("committed as %d, want %d", commits, want)
	}
	for id, want := range map[store.MatchID]int{1: 2, 2: 2, 3: 1, 4: 1, 5: 2, 50: 0, 60: 0, 70: 0, 80: 0, 81: 1, 90: 1} {
		m, err := s.Match(t.Context(), id)
		if m.Version != want || err != nil && (want != 0 || !errors.Is(err, store.ErrNotFound)) {
			t.Errorf("match %d has version %d, want %d (%v)", id, m.Version, want, err)
		}
	}
}
