package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

var recordCases = []testCase{
	{"TimeResolution", "times are kept to the millisecond in UTC, from whatever zone they came, before 1970 and zero too", func(t *testing.T, f *fixture) {
		far := time.FixedZone("far", -9*3600)
		for i, at := range []time.Time{
			noon.Add(1_999_999), noon.In(far), time.Date(1969, 12, 31, 23, 59, 59, 1_500_000, time.UTC), {},
		} {
			m := put(t, f, with(match(store.MatchID(i+1), "1", 0), func(m *store.Match) { m.Created, m.Updated = at, at }))
			is := time.UnixMilli(at.UnixMilli()).UTC()
			f.wantMatch(t, with(m, func(m *store.Match) { m.Created, m.Updated = is, is }))
			wantEqual(t, "where Created is", time.UTC.String())(sure(f.Match(t.Context(), m.ID)).Created.Location().String(), nil)
		}
	}},
	{"Texts", "ids are opaque texts, compared byte by byte: leading zeros, case and scripts make a difference", func(t *testing.T, f *fixture) {
		for i, channel := range []store.ChannelID{
			"1", "01", "1.0", "1e0", " 1", "1 ", "a", "A", "ß", "ss", "é", "e\u0301", "日本", "🎲", "\u202e", "'; DROP TABLE matches; --", "%", "_",
		} {
			m := put(t, f, match(store.MatchID(i+1), channel, 1))
			wantEqual(t, "ActiveMatches", []store.Match{m})(f.ActiveMatches(t.Context(), channel))
		}
		long := with(match(99, "2", 1), func(m *store.Match) { m.Locale = strings.Repeat("ü", store.MaxText/2) })
		f.wantMatch(t, put(t, f, long))
	}},
	{"Invalid", "a record that breaks its own rules is refused and nothing of its change is stored", invalidRecords},
	{"InOrder", "the records of a change are stored in order, so that one can take the place that another leaves, and a record can be stored twice", func(t *testing.T, f *fixture) {
		old := put(t, f, match(1, "1", 1))
		next := match(2, "1", 1)
		again := with(later(next), func(m *store.Match) { m.Moves = []engine.Cell{8} })
		f.refuses(t, changeOf(next, ended(old)), store.ErrPlaceTaken)
		f.apply(t, changeOf(ended(old), next, again))
		wantEqual(t, "ActiveMatches", []store.Match{later(again)})(f.ActiveMatches(t.Context(), "1"))
	}},
	{"CallersRecord", "the records of the caller are neither changed nor kept", func(t *testing.T, f *fixture) {
		m := with(match(1, "1", 1), func(m *store.Match) { m.Moves = []engine.Cell{4, 0} })
		want := with(put(t, f, m), func(m *store.Match) { m.Moves = slices.Clone(m.Moves) })
		wantEqual(t, "version of the caller's record", 0)(m.Version, nil)
		m.Moves[0] = 7
		f.wantMatch(t, want)
		sure(f.Match(t.Context(), 1)).Moves[0] = 7
		f.wantMatch(t, want)
	}},
	{"EndedContext", "a context that has ended stores nothing and is the error", func(t *testing.T, f *fixture) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := f.Apply(ctx, changeOf(match(1, "1", 1)))
		if !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrPending) {
			t.Errorf("Apply with an ended context = %v, want %v and not pending", err, context.Canceled)
		}
		f.wantNoMatch(t, 1)
		wantError(t, "Match with an ended context", context.Canceled, failure(f.Match(ctx, 1)))
		put(t, f, match(1, "1", 1)) // and everything works as before
		for range 20 {
			f.wantMatch(t, later(match(1, "1", 1)))
		}
	}},
	{"Closed", "a closed store says so, and closing it again is harmless", func(t *testing.T, f *fixture) {
		put(t, f, match(1, "1", 1))
		for range 2 {
			must(t, f.Close())
		}
		f.Deliver(store.Delivery{Match: 1, Drawn: 1})
		f.refuses(t, store.Change{}, store.ErrClosed)
		ctx := t.Context()
		for what, err := range map[string]error{
			"Lease":       failure(f.Lease(ctx, everything, store.Uptimes{})),
			"KeepSession": f.KeepSession(ctx, store.Session{Count: 1}),
			"TakeSession": failure(f.TakeSession(ctx, store.Session{Count: 1})),
			"KeepQuirk":   f.KeepQuirk(ctx, "late"),
			"Quirks":      failure(f.Quirks(ctx)),
			"Purge":       failure(f.Purge(ctx, noon, noon, 1)),
			"Check":       f.Check(ctx),
		} {
			wantError(t, what+" after Close", store.ErrClosed, err)
		}
		f.look(t)
		f.reopen(t)
	}},
}

// invalidRecords breaks one record of each kind. What can be wrong with each is tested beside
// its rules, in package store.
func invalidRecords(t *testing.T, f *fixture) {
	for what, c := range map[string]store.Change{
		"match":       {Matches: []store.Match{{}}},
		"challenge":   {Challenges: []store.Challenge{{}}},
		"guild":       changeOf(store.GuildSettings{}),
		"person":      changeOf(store.Person{}),
		"try":         changeOf(store.PuzzleTry{}),
		"puzzler":     {Puzzlers: []store.Puzzler{{}}},
		"post":        {Posts: []store.Post{{}}},
		"crown":       changeOf(store.Crown{}),
		"award":       {Awards: []store.Award{{X: -1}}},
		"past match":  {Past: []store.Match{match(3, "3", 1)}},
		"past":        {PastTo: -1},
		"epoch":       {Epochs: []store.Epoch{{}}},
		"absence":     {Absences: []store.Absence{{}}},
		"consent":     changeOf(store.Consent{}),
		"block":       changeOf(store.Block{}),
		"erasure":     changeOf(store.Erasure{}),
		"two domains": changeOf(store.GuildSettings{Guild: in(home + 1)}),
	} {
		c.Interaction, c.Matches = "1", slices.Insert(c.Matches, 0, match(2, "2", 1))
		wantError(t, what, store.ErrInvalid, f.Apply(t.Context(), c))
	}
	f.refuses(t, store.Change{Interaction: "\x00"}, store.ErrInvalid)
	f.apply(t, store.Change{Interaction: "1"}) // which was not claimed
}
