package page_test

import (
	"os"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
	"tictactoe/bot/sandbox/waittest"
)

func TestMain(m *testing.M) {
	waittest.Together()
	os.Exit(pagetest.Run(m))
}
