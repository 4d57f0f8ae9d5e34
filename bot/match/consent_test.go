package match_test

import (
	"testing"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// TestTakesFrom: from whom somebody takes challenges follows from their blocks of all, here
// and everywhere; a block of one person stops that person alone.
func TestTakesFrom(t *testing.T) {
	eve, everywhere := store.Block{User: "1", From: "9"}, store.Block{User: "1"}
	here, away := store.Block{User: "1", Guild: "5"}, store.Block{User: "1", Guild: "6"}
	for _, tt := range []struct {
		blocks   []store.Block
		here, dm match.From
	}{
		{nil, match.FromAnybody, match.FromAnybody},
		{[]store.Block{eve}, match.FromAnybody, match.FromAnybody},
		{[]store.Block{here}, match.FromNobodyHere, match.FromAnybody},
		{[]store.Block{away, eve}, match.FromAnybody, match.FromAnybody},
		{[]store.Block{eve, here}, match.FromNobodyHere, match.FromAnybody},
		{[]store.Block{here, everywhere}, match.FromNobody, match.FromNobody},
	} {
		if got := match.TakesFrom(tt.blocks, "5"); got != tt.here {
			t.Errorf("%+v: %s in the server, want %s", tt.blocks, got, tt.here)
		}
		if got := match.TakesFrom(tt.blocks, ""); got != tt.dm {
			t.Errorf("%+v: %s in direct messages, want %s", tt.blocks, got, tt.dm)
		}
	}
}
