package bot

import (
	"context"
	"time"

	"tictactoe/bot/view"
	"tictactoe/store"
)

// guilds are what counts in a guild, and who leads there.
type guilds struct {
	kit    *kit
	change *changer
	store  guildsStore

	// lastIncident returns when something last failed in the guild, and its number.
	lastIncident func(guild store.GuildID, now time.Time) (at time.Time, number string)
	// forget erases what is kept about guilds whose managers want that.
	forget func(ctx context.Context)
	// streaks reads a page of the streaks of puzzles that go on in the guild.
	streaks func(ctx context.Context, in *request, page int) (view.PuzzleStreaks, error)
}
