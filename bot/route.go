package bot

import (
	"context"

	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
)

// suggestions is the key of options that ask for some: none of ours does.
var suggestions = kit.Key{Command: "suggestions"}

// newRoutes joins the routes of all rooms.
func newRoutes(b *Bot) (kit.Routes, error) {
	return dispatch.Join(b.games.Routes(), b.puzzles.Routes(), b.people.Routes(), b.guilds.Routes(), kit.Routes{
		kit.Command("help"): {Handle: b.help},
		suggestions:         {Handle: suggestNothing},
	})
}

func suggestNothing(context.Context, *kit.Request) (kit.Response, error) {
	return kit.Response{Kind: rest.CallbackAutocomplete}, nil
}
