package page

import (
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
)

// TestCrowdTakesTurns: a table begins with a command that it can send, and presses what it sees
// once it has looked.
func TestCrowdTakesTurns(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = c })
	srv.AllowUnanswered()
	crowd := &crowd{srv: srv}
	table, s := crowd.seat(0), srv.Session()
	turn := func(when, want string) {
		t.Helper()
		before, got := len(srv.World().Calls()), ""
		crowd.turn(table)
		for _, call := range srv.World().Calls()[before:] {
			got += call.Info().Name
		}
		if got != want {
			t.Errorf("%s: the table sends %q, want %q", when, got, want)
		}
	}
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	button := func(label, id string) []discordgo.MessageComponent {
		return []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			discordgo.Button{Label: label, CustomID: id, Style: discordgo.PrimaryButton},
		}}}
	}
	turn("nothing is offered", "")
	text := &discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionString, Name: "text", Description: "d", Required: true}
	must(s.ApplicationCommandBulkOverwrite(srv.AppID(), "", []*discordgo.ApplicationCommand{
		{Name: "who", Type: discordgo.UserApplicationCommand},
		{Name: "write", Description: "d", Options: []*discordgo.ApplicationCommandOption{text}},
		{Name: "play", Description: "d"},
	}))
	turn("a command that asks for nothing is offered", "/play")

	m, err := s.ChannelMessageSendComplex(table.channel.ID(), &discordgo.MessageSend{Components: button("Again", "again")})
	must(m, err)
	turn("a button stands out", `click on button "again"`)
	call := srv.World().Calls()[0]
	must(nil, s.InteractionRespond(&discordgo.Interaction{ID: call.ID(), Token: call.InteractionToken()}, &discordgo.InteractionResponse{
		Type: discordgo.InteractionResponseChannelMessageWithSource,
		Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral, Components: button(blankLabel, "private")},
	}))
	turn("a private message follows", `click on button "again"`)
	must(s.ChannelMessageEdit(m.ChannelID, m.ID, "anew"))
	turn("the message was just edited", "")
	c.Advance(crowdLook)
	turn("they have looked", `click on button "again"`)

	stopped := false
	crowd.end = func() { stopped = true }
	crowd.start() // which plays already
	crowd.stop()
	if !stopped {
		t.Error("a crowd that is started twice is not the one that was")
	}
}
