package storetest

import (
	"errors"
	"testing"

	"tictactoe/store"
)

var sessionCases = []testCase{
	{"Sessions", "a session is kept for its shard, application and token, the last one each, and only one gets it", func(t *testing.T, f *fixture) {
		kept := store.Session{Application: "7", Shard: 1, Count: 2, Token: "hash", ID: "old", URL: "wss://old", Sequence: 3}
		for _, id := range []string{"older", "old", "session"} {
			kept.ID, kept.URL, kept.Sequence = id, "wss://"+id, len(id)
			if err := f.KeepSession(t.Context(), kept); err != nil {
				t.Fatal(err)
			}
		}
		of := store.Session{Application: "7", Shard: 1, Count: 2, Token: "hash"}
		for _, change := range []func(*store.Session){
			func(s *store.Session) { s.Application = "8" }, func(s *store.Session) { s.Shard = 0 },
			func(s *store.Session) { s.Count = 4 }, func(s *store.Session) { s.Token = "another" },
		} {
			other := of
			change(&other)
			if got, err := f.TakeSession(t.Context(), other); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("TakeSession(%+v) = %+v, %v", other, got, err)
			}
		}
		f.reopen(t)
		wantEqual(t, "TakeSession", kept)(f.TakeSession(t.Context(), of))
		wantNone(t, "TakeSession again")(f.TakeSession(t.Context(), of))
	}},
	{"RaceSessions", "of many who ask for a session at the same time one gets it", func(t *testing.T, f *fixture) {
		of := store.Session{Application: "7", Count: 1, Token: "hash", ID: "session"}
		if err := f.KeepSession(t.Context(), of); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range Race(func(int) error {
			_, err := f.TakeSession(t.Context(), of)
			return err
		}) {
			switch {
			case err == nil:
				n++
			case !errors.Is(err, store.ErrNotFound):
				t.Error(err)
			}
		}
		if n != 1 {
			t.Errorf("%d got it", n)
		}
	}},
}
