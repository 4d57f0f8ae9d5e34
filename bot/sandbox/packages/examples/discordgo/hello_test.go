// Package discordgo_test is a bot in discordgo and its test, with people who use it.
package discordgo_test

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
)

// answer is the bot.
func answer(s *discordgo.Session, in *discordgo.InteractionCreate) {
	r := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{
		Content: "Hello " + in.Member.User.Mention() + "!",
		Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			discordgo.Button{Label: "Again", CustomID: "again"},
		}}},
	}}
	if in.Type == discordgo.InteractionMessageComponent {
		r.Type, r.Data.Content = discordgo.InteractionResponseUpdateMessage, "Hello again, "+in.Member.User.Mention()+"!"
	}
	_ = s.InteractionRespond(in.Interaction, r) // the server fails the test of what is not answered
}

func TestGreetsAgain(t *testing.T) {
	srv := sandbox.NewServer(t)
	session := srv.Session()
	session.AddHandler(answer)
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if _, err := session.ApplicationCommandCreate(srv.AppID(), "", &discordgo.ApplicationCommand{Name: "hello", Description: "Says hello"}); err != nil {
		t.Fatal(err)
	}

	ada, ben, general := srv.User("Ada"), srv.User("Ben", sandbox.Locale("de")), srv.Guild().Channel("general")
	hello := ada.Command(t, general, "hello")
	if want := "Hello " + ada.Mention() + "!"; hello.Text() != want {
		t.Errorf("got %q, want %q", hello.Text(), want)
	}
	if again, want := ben.Click(t, hello.Message, "Again"), "Hello again, "+ben.Mention()+"!"; again.Text() != want {
		t.Errorf("got %q, want %q", again.Text(), want)
	}
}
