package kit_test

import (
	"testing"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/sandbox/waittest"
)

// TestNobodyWaitsForWhatGoesOnBehind: while somebody thinks behind an answer there is room for
// as many others as ever.
func TestNobodyWaitsForWhatGoesOnBehind(t *testing.T) {
	think := kit.NewThinker(nil)
	ctx := waittest.Within(t, 5*time.Second)
	_, err := kit.Searching(ctx, think.Behind, func() (int, error) {
		return kit.Searching(ctx, think, func() (int, error) { return 1, nil })
	})
	if err != nil {
		t.Error(err)
	}
}
