package bot_test

import (
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// TestReviewByLink: whoever has the link of a game that stood in a channel of the server is
// walked through it, wherever they ask there, and over a restart. Private games are their
// players' alone, and nothing is told of what cannot be shown.
func TestReviewByLink(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	guild, channel := w.Discord.Guild().ID(), w.Channel.ID()
	over(t, w, 1, func(m *store.Match) { m.Message = "71" })
	link := discord.MessageLink(guild, channel, "71")
	over(t, w, 2, func(m *store.Match) { m.Place, m.O, m.Message = 0, store.Player{Opponent: "hard"}, "72" })
	over(t, w, 3, func(m *store.Match) { m.Guild, m.Channel, m.Message = "", "9", "73" })
	running := w.Challenge(t, w.Ada, w.Cleo)
	mine := w.Discord.Guild().Channel("mine")
	away := w.Discord.World().AddGuild("Away")
	dan := w.Discord.User("Dan")
	w.Bob.Join(away)
	dan.Join(away)
	there := away.Channel("general")
	const none = "I can't find a finished game there."
	for _, test := range []struct {
		who   *sandbox.User
		where *sandbox.Channel
		link  string
		says  string
	}{
		{w.Cleo, mine, link, "move 2 of 5"},
		{w.Cleo, mine, "71", "move 2 of 5"},
		{w.Cleo, mine, channel + "-71", "move 2 of 5"},
		{w.Bob, mine, link, "**Gave away the draw:**"},
		{w.Bob, there, link, "move 2 of 5"}, // a player may anywhere
		{dan, there, link, none},
		{w.Cleo, w.Cleo.DM(), link, none},
		{w.Cleo, mine, discord.MessageLink(guild, mine.ID(), "71"), none},
		{w.Cleo, mine, discord.MessageLink(away.ID(), channel, "71"), none},
		{w.Cleo, mine, "72", none},
		{w.Ada, mine, "72", "of 5"},
		{w.Cleo, w.Cleo.DM(), "73", none},
		{w.Ada, w.Ada.DM(), discord.MessageLink("", "9", "73"), "of 5"},
		{w.Cleo, mine, discord.MessageLink(guild, channel, running.ID()), "isn't over yet"},
		{w.Cleo, mine, "1234567890", none},
		{w.Cleo, mine, "our game of yesterday", none},
		{w.Cleo, mine, " ", none},
	} {
		w.Refused(t, test.who.Command(t, test.where, "tictactoe review", sandbox.Opt("game", test.link)), test.says)
	}
	refused := w.Refused(t, w.Cleo.Command(t, mine, "tictactoe review", sandbox.Opt("game", "x")), none, "Last games")
	w.Refused(t, w.Cleo.Click(t, refused, "Last games"), "You haven't finished a game yet.")

	walk := w.Refused(t, w.Cleo.Command(t, mine, "tictactoe review", sandbox.Opt("game", link)), "move 2 of 5")
	w.Restart(t)
	w.Cleo.Click(t, walk, "⏭")
	bottest.WantText(t, walk, "wins!**")
	w.Cleo.Click(t, walk, "Share")
}
