package bot

import (
	"context"

	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
)

// routes are rows of the routing table.
type routes = dispatch.Routes[kit.Key, *kit.Request, kit.Response]

// suggestions is the key of options that ask for some: none of ours does.
var suggestions = kit.Key{Command: "suggestions"}

// newRoutes joins the routes of all rooms.
func newRoutes(b *Bot) (routes, error) {
	return dispatch.Join(b.games.routes(), b.puzzles.routes(), b.people.routes(), b.guilds.routes(), routes{
		kit.Command("help"): {Handle: b.help},
		suggestions:         {Handle: suggestNothing},
	})
}

func suggestNothing(context.Context, *kit.Request) (kit.Response, error) {
	return kit.Response{Kind: rest.CallbackAutocomplete}, nil
}
