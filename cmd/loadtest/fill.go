package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// fillStep is how many games are stored with one change, which are those of a guild:
// a change has one clock domain.
const fillStep = 500

// fillStore makes a database with so many running games between people, each in a
// channel of its own.
func fillStore(ctx context.Context, path string, games int, line *progress.Line) (err error) {
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	now := time.Now()
	for from := 0; from < games; from += fillStep {
		var c store.Change
		for i := from; i < min(from+fillStep, games); i++ {
			c.Matches = append(c.Matches, filledMatch(i, now))
		}
		if err := db.Apply(ctx, c); err != nil {
			return err
		}
		line.Say("filling the store: %d %%", 100*from/games)
	}
	return nil
}

// filledMatch is a running game after two moves.
func filledMatch(i int, now time.Time) store.Match {
	return store.Match{
		ID: store.MatchID(i + 1), Guild: store.GuildID(fmt.Sprint(1_000_000_000_000_000_000 + i/fillStep<<22)),
		Channel: store.ChannelID(fmt.Sprint(1_100_000_000_000_000_000 + i)), Place: 1,
		Message: store.MessageID(fmt.Sprint(1_200_000_000_000_000_000 + i)), Drawn: 1,
		Rules: engine.Standard,
		X:     store.Player{User: store.UserID(fmt.Sprint(1_300_000_000_000_000_000 + i))},
		O:     store.Player{User: store.UserID(fmt.Sprint(1_400_000_000_000_000_000 + i))},
		Moves: []engine.Cell{engine.Cell(i % 9), engine.Cell((i + 1) % 9)}, State: store.Active, //nolint:gosec // below 9
		Clock: 10 * time.Minute, Deadline: 1000*time.Hour + time.Duration(i)*time.Second,
		Locale: "en-US", Created: now, Updated: now,
	}
}
