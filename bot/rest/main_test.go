package rest_test

import (
	"testing"

	"tictactoe/bot/sandbox/waittest"
)

func TestMain(m *testing.M) { waittest.Main(m) }
