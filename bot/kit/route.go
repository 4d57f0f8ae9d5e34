package kit

import (
	"context"

	"tictactoe/bot/customid"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
)

// Routes are rows of the routing table.
type Routes = dispatch.Routes[Key, *Request, Response]

// Handler is what happens on one of them.
type Handler = func(ctx context.Context, in *Request) (Response, error)

// OnPrivate is the handler of a button that stands on private messages alone: a click on any
// other message is made up.
func OnPrivate(handle Handler) Handler {
	return func(ctx context.Context, in *Request) (Response, error) {
		if !in.Message.Ephemeral() {
			return Response{}, match.ErrUnknownRecord
		}
		return handle(ctx, in)
	}
}

// Noted is the handler of a button that says no to a question: the note takes its place.
func (b *Kit) Noted(n view.Note) Handler {
	return func(_ context.Context, in *Request) (Response, error) {
		return in.InPlace(b.View(in.Language()).Note(n)), nil
	}
}

// Key is what the bot reacts to. Commands go by their subcommand, with the name of
// the admins' command before it, or by the name of their entry in a member's menu. Buttons go
// by the action of their custom ID, which package customid lists with what else such an ID
// carries.
type Key struct {
	Command string
	Button  customid.Action
}

// Command returns the key of a command.
func Command(name string) Key { return Key{Command: name} }

// Button returns the key of the buttons with an action.
func Button(a customid.Action) Key { return Key{Button: a} }
