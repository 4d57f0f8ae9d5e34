package bot

import (
	"context"

	"tictactoe/bot/customid"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/rest"
)

// routes are rows of the routing table.
type routes = dispatch.Routes[key, *request, response]

// key is what the bot reacts to. Commands go by their subcommand, with the name of
// the admins' command before it, or by the name of their entry in a member's menu. Buttons go
// by the action of their custom ID, which package customid lists with what else such an ID
// carries.
type key struct {
	command string
	button  customid.Action
}

// command returns the key of a command.
func command(name string) key { return key{command: name} }

// button returns the key of the buttons with an action.
func button(a customid.Action) key { return key{button: a} }

// suggestions is the key of options that ask for some: none of ours does.
var suggestions = key{command: "suggestions"}

// newRoutes joins the routes of all rooms.
func newRoutes(b *Bot) (routes, error) {
	return dispatch.Join(b.games.routes(), b.puzzles.routes(), b.people.routes(), b.guilds.routes(), routes{
		command("help"): {Handle: b.help},
		suggestions:     {Handle: suggestNothing},
	})
}

func suggestNothing(context.Context, *request) (response, error) {
	return response{kind: rest.CallbackAutocomplete}, nil
}
