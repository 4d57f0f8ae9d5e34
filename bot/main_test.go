package bot_test

import (
	"os"
	"testing"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store/postgres/postgrestest"
)

func TestMain(m *testing.M) {
	waittest.Together()
	os.Exit(postgrestest.Run(m))
}
