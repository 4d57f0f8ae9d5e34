package storetest

import (
	"fmt"
	"testing"

	"tictactoe/store"
)

var sessionCases = []testCase{
	{"Sessions", "a session is kept for its shard, application and token, the last one each, and only one gets it", func(t *testing.T, f *fixture) {
		kept := store.Session{Application: "7", Shard: 1, Count: 2, Token: "hash", ID: "old", URL: "wss://old", Sequence: 3}
		for _, id := range []string{"older", "old", "session"} {
			kept.ID, kept.URL, kept.Sequence = id, "wss://"+id, len(id)
			must(t, f.KeepSession(t.Context(), kept))
		}
		of := store.Session{Application: "7", Shard: 1, Count: 2, Token: "hash"}
		for _, other := range []store.Session{
			{Application: "8", Shard: 1, Count: 2, Token: "hash"},
			{Application: "7", Count: 2, Token: "hash"},
			{Application: "7", Shard: 1, Count: 4, Token: "hash"},
			{Application: "7", Shard: 1, Count: 2, Token: "another"},
		} {
			wantNone(t, fmt.Sprintf("TakeSession(%+v)", other))(f.TakeSession(t.Context(), other))
		}
		f.reopen(t)
		wantEqual(t, "TakeSession", kept)(f.TakeSession(t.Context(), of))
		wantNone(t, "TakeSession again")(f.TakeSession(t.Context(), of))
	}},
	{"RaceSessions", "of many who ask for a session at the same time one gets it", func(t *testing.T, f *fixture) {
		of := store.Session{Application: "7", Count: 1, Token: "hash", ID: "session"}
		must(t, f.KeepSession(t.Context(), of))
		wantOne(t, Race(func(int) error { return failure(f.TakeSession(t.Context(), of)) }), store.ErrNotFound)
	}},
}
