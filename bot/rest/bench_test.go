package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
)

// BenchmarkUpdate answers a click with a new picture of a board: by this package, by
// a plain http.Client that posts the same bytes, and by the library. Client and server
// share the process.
func BenchmarkUpdate(b *testing.B) {
	data, err := os.ReadFile("testdata/update.json")
	if err != nil {
		b.Fatal(err)
	}
	address, _ := quickDiscord(b)
	path := "/interactions/1/" + interactionToken + "/callback"

	b.Run("rest", func(b *testing.B) {
		c := rest.New(rest.Options{BaseURL: address, Token: botToken})
		b.Cleanup(c.Close)
		cb := rest.Callback{Type: rest.CallbackUpdate, Data: json.RawMessage(data)}
		b.ReportAllocs()
		for b.Loop() {
			ctx, cancel := context.WithTimeout(context.Background(), 2500*time.Millisecond)
			if _, err := c.Respond(ctx, "1", interactionToken, cb); err != nil {
				b.Fatal(err)
			}
			cancel()
		}
	})
	b.Run("http", func(b *testing.B) {
		body := append(append([]byte(`{"type":7,"data":`), data...), '}')
		b.ReportAllocs()
		for b.Loop() {
			ctx, cancel := context.WithTimeout(context.Background(), 2500*time.Millisecond)
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+path, bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			cancel()
		}
	})
	b.Run("library", func(b *testing.B) {
		session, err := discordgo.New("Bot " + botToken)
		if err != nil {
			b.Fatal(err)
		}
		session.Client = &http.Client{Transport: libraryAt(address)}
		in := &discordgo.Interaction{ID: "1", Token: interactionToken, AppID: appID}
		resp := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseUpdateMessage, Data: libraryBoard(b, data)}
		b.ReportAllocs()
		for b.Loop() {
			if err := session.InteractionRespond(in, resp); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// libraryBoard is the message as the library's types have it.
func libraryBoard(b *testing.B, data []byte) *discordgo.InteractionResponseData {
	b.Helper()
	var m discordgo.Message
	if err := json.Unmarshal(data, &m); err != nil {
		b.Fatal(err)
	}
	if len(m.Components) == 0 {
		b.Fatal("no components")
	}
	return &discordgo.InteractionResponseData{Components: m.Components, Flags: m.Flags, AllowedMentions: &discordgo.MessageAllowedMentions{}}
}
