package gateway_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot/gateway"
)

// BenchmarkClick measures the way of a click from the server's socket to the function
// that gets it, with a packet that the local Discord sent for a click on a board: once
// through the relay and its session, once through a plain session of the library.
func BenchmarkClick(b *testing.B) {
	b.Run("relay", func(b *testing.B) {
		clicks(b, func(d *discord, arrived func()) {
			run(b, d, func(o *gateway.Options) {
				o.OnInteraction = func(json.RawMessage, time.Time) { arrived() }
			})
		})
	})
	b.Run("library", func(b *testing.B) {
		clicks(b, func(d *discord, arrived func()) {
			session, err := discordgo.New("Bot " + botToken)
			if err != nil {
				b.Fatal(err)
			}
			session.Identify.Intents = discordgo.IntentsNone
			session.ShouldReconnectOnError = false // it would also where its heartbeat meets Close, and never end
			session.Client = &http.Client{Transport: gatewayAt("ws" + strings.TrimPrefix(d.http.URL, "http"))}
			session.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) {
				if i.Message == nil {
					b.Error("no message")
				}
				arrived()
			})
			if err := session.Open(); err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = session.Close() })
		})
	})
}

// clicks sends the recorded click for as long as the benchmark runs, some ahead of
// what has arrived.
func clicks(b *testing.B, connect func(d *discord, arrived func())) {
	b.Helper()
	click, err := os.ReadFile("testdata/click.json")
	if err != nil {
		b.Fatal(err)
	}
	click = bytes.TrimSpace(click)
	peers := make(chan *peer, 1)
	d := newDiscord(b, func(_ int, p *peer) {
		p.connect()
		peers <- p
	})
	var pending sync.WaitGroup
	ahead := make(chan struct{}, 8)
	connect(d, func() { <-ahead; pending.Done() })
	p := <-peers
	b.ReportAllocs()
	for b.Loop() {
		ahead <- struct{}{}
		pending.Add(1)
		p.write.Lock()
		err := p.conn.WriteMessage(websocket.TextMessage, click)
		p.write.Unlock()
		if err != nil {
			b.Fatal(err)
		}
	}
	pending.Wait()
}

// gatewayAt answers the library's question where to connect.
type gatewayAt string

func (url gatewayAt) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"url":"` + string(url) + `"}`))}, nil
}
