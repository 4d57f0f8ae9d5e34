package gateway_test

import (
	"testing"

	"tictactoe/bot/waittest"
)

func TestMain(m *testing.M) { waittest.Main(m) }
