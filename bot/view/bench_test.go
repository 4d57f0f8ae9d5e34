package view

import (
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/engine"
	"tictactoe/store"
)

// BenchmarkMatch makes the board that answers a click, halfway through a game
// between two people, and then what Discord is sent for it.
func BenchmarkMatch(b *testing.B) {
	m := store.Match{
		ID: 7123456789012345678, Guild: "1", Channel: "2", Rules: engine.Standard, Version: 5,
		X: store.Player{User: "123456789012345678"}, O: store.Player{User: "223456789012345678"},
		Moves: []engine.Cell{4, 0, 8, 2}, State: store.Active, Clock: 10 * time.Minute, Deadline: time.Hour,
		Locale: "en-US", Series: store.Score{X: 1, O: 2, Draws: 3},
	}
	v := testView(Load(), m.Locale)
	var msg discord.Message
	var err error
	b.Run("view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if msg, err = v.Board().Match(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			msg.Edit()
		}
	})
}
