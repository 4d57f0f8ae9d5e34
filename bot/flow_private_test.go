package bot_test

import (
	"testing"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
)

// TestPrivateGamesOfAPersonAreBounded: whoever has enough private games running is led
// to the last of them, in whatever channel they ask for one more.
func TestPrivateGamesOfAPersonAreBounded(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for range match.MostPrivate {
		w.PlayPrivately(t, w.Ada)
	}
	side := w.Side("side")
	refusal := w.Refused(t, w.Ada.Command(t, side, "tictactoe play", sandbox.Opt("private", true)), "too many private games going", "Show private game")
	board := w.Answer(t, w.Ada.Click(t, refusal, "Show private game"))
	w.Resign(t, w.Ada, board)
	w.PlayPrivately(t, w.Ada)
	w.PlayPrivately(t, w.Bob)
}

// manyPrivate lets a person have more private games than the bot allows.
var manyPrivate = bottest.Bot(func(o *bot.Options) { o.MostPrivate = 1000 })
