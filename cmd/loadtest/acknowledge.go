package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

// acknowledgeCommand is the slash command of the acknowledging bot: it posts the
// board.
const acknowledgeCommand = "board"

// acknowledge is a bot that answers every click with the same board, and nothing
// else, until the context ends. It is what a plain discordgo session costs: the
// handler gets the interaction that the session decoded and answers through it.
func acknowledge(ctx context.Context, s *discordgo.Session, board *discordgo.InteractionResponseData) error {
	// It is not to be slower than it must: Discord is asked for no events beside
	// interactions.
	s.Identify.Intents = discordgo.IntentsNone
	s.StateEnabled = false
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		answer := discordgo.InteractionResponse{Type: discordgo.InteractionResponseUpdateMessage, Data: board}
		if i.Type == discordgo.InteractionApplicationCommand {
			answer.Type = discordgo.InteractionResponseChannelMessageWithSource
		}
		if err := s.InteractionRespond(i.Interaction, &answer); err != nil && ctx.Err() == nil {
			fmt.Println("not acknowledged:", err)
		}
	})
	if err := s.Open(); err != nil {
		return err
	}
	<-ctx.Done()
	return s.Close()
}

// restSession returns a plain session whose requests go to another base, behind the
// registration of acknowledgeCommand, and nothing else. A connection is kept for everybody
// who waits.
func restSession(apiURL, token string) (*discordgo.Session, error) {
	base, _ := url.Parse(apiURL)          // the local Discord's
	s, _ := discordgo.New("Bot " + token) // it has no way to fail for a token
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, idleConnections
	s.Client = &http.Client{Transport: redirect{base, transport}, Timeout: 20 * time.Second}
	self, err := s.User("@me")
	if err != nil {
		return nil, err
	}
	commands := []*discordgo.ApplicationCommand{{Name: acknowledgeCommand, Description: "Posts the board."}}
	_, err = s.ApplicationCommandBulkOverwrite(self.ID, "", commands)
	return s, err
}

// decodeBoard turns the data of an answer into discordgo's.
func decodeBoard(data []byte) (*discordgo.InteractionResponseData, error) {
	var in struct {
		Mentions discordgo.MessageAllowedMentions `json:"allowed_mentions"`
	}
	var shown discordgo.Message // unlike an answer it can be decoded
	if err := errors.Join(json.Unmarshal(data, &in), json.Unmarshal(data, &shown)); err != nil {
		return nil, err
	}
	return &discordgo.InteractionResponseData{
		Components: shown.Components, AllowedMentions: &in.Mentions,
		Flags: shown.Flags | discordgo.MessageFlagsIsComponentsV2, // an edit leaves it out; a new message needs it
	}, nil
}

// redirect sends discordgo's requests, whose address is fixed, to another base.
type redirect struct {
	base *url.URL
	next http.RoundTripper
}

func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	u := *req.URL
	u.Scheme, u.Host, u.RawPath = r.base.Scheme, r.base.Host, ""
	u.Path = r.base.Path + strings.TrimPrefix(u.Path, "/api/v"+discordgo.APIVersion)
	there := *req // its header is shared, and nobody changes it
	there.URL, there.Host = &u, ""
	return r.next.RoundTrip(&there)
}
