package bot_test

import (
	"testing"

	"tictactoe/bot/bottest/script"
)

// TestScripts plays the flows that are written as text.
func TestScripts(t *testing.T) {
	t.Parallel()
	script.Run(t, "testdata/script")
}
