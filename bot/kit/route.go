package kit

import (
	"tictactoe/bot/customid"
	"tictactoe/bot/dispatch"
)

// Routes are rows of the routing table.
type Routes = dispatch.Routes[Key, *Request, Response]

// Key is what the bot reacts to. Commands go by their subcommand, with the name of
// the admins' command before it, or by the name of their entry in a member's menu. Buttons go
// by the action of their custom ID, which package customid lists with what else such an ID
// carries. All options that ask for suggestions have one key.
type Key struct {
	Command     string
	Button      customid.Action
	Suggestions bool
}

// Command returns the key of a command.
func Command(name string) Key { return Key{Command: name} }

// Button returns the key of the buttons with an action.
func Button(a customid.Action) Key { return Key{Button: a} }
