package bot_test

import (
	"os"
	"testing"

	"tictactoe/bot/sandbox/waittest"
)

func TestMain(m *testing.M) {
	waittest.Together()
	os.Exit(m.Run())
}
