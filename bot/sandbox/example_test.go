package sandbox_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
)

// A program starts a server, points a bot at it and lets people act. A test uses
// NewServer instead, and the actors' methods that take its testing.TB.
func Example() {
	srv, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()

	// The bot: an unmodified discordgo session.
	bot := srv.Session()
	bot.AddHandler(func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "Hello, " + in.Member.User.Mention() + "!"},
		})
	})
	if err := bot.Open(); err != nil {
		log.Fatal(err)
	}
	defer bot.Close()
	hello := &discordgo.ApplicationCommand{Name: "hello", Description: "Greet me."}
	if _, err := bot.ApplicationCommandCreate(srv.AppID(), "", hello); err != nil {
		log.Fatal(err)
	}

	// A person who uses it, and somebody who watches.
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	events, cancel := srv.World().Subscribe("")
	defer cancel()
	if _, err := ada.Do(sandbox.SlashCommand{Channel: general, Path: "hello"}); err != nil {
		log.Fatal(err)
	}
	for e := range events {
		if e.Kind == sandbox.EventMessageCreated {
			fmt.Println(e.Message.Text() == "Hello, "+ada.Mention()+"!", "pings Ada:", e.Message.Pinged[0] == ada.ID())
			break
		}
	}
	// Output: true pings Ada: true
}

// Without package testing, waiting takes a context: for the first answer, or until the
// bot has done all that it was asked.
func ExampleServer_Settled() {
	srv, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	bot := srv.Session()
	bot.AddHandler(func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseDeferredChannelMessageWithSource,
		})
		done := "Brewed."
		_, _ = s.InteractionResponseEdit(in.Interaction, &discordgo.WebhookEdit{Content: &done})
	})
	if err := bot.Open(); err != nil {
		log.Fatal(err)
	}
	defer bot.Close()
	tea := &discordgo.ApplicationCommand{Name: "tea", Description: "Make some."}
	if _, err := bot.ApplicationCommandCreate(srv.AppID(), "", tea); err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	call, err := srv.User("Ada").Do(sandbox.SlashCommand{Channel: srv.Guild().Channel("general"), Path: "tea"})
	if err != nil {
		log.Fatal(err)
	}
	reply, err := call.Answer(ctx) // the bot may still be thinking
	if err != nil {
		log.Fatal(err)
	}
	if err := srv.Settled(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Text())
	// Output: Brewed.
}
