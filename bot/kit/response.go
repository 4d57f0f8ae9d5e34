package kit

import (
	"context"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// Response is what a handler wants done with its interaction. It becomes the one
// acknowledgement.
type Response struct {
	Kind    rest.CallbackType // 0 for no answer at all: somebody else gives it
	Message discord.Message   // for new messages and updates

	// Shows says which record the message shows and at what version, so that the
	// tracker knows what stands there; how it is sent is added then. The zero value shows none.
	Shows tracker.Showing

	// Posted is told where a message for everybody stands, or why it does not; empty where
	// Discord does not tell.
	Posted func(ctx context.Context, id store.MessageID, err error)

	// Redraw lists records whose messages have to follow, and then is done after
	// the acknowledgement, whether or not it arrived.
	Redraw []tracker.Ref
	Then   func(ctx context.Context)
}

// Reply answers with a new message.
func Reply(m discord.Message) Response { return Response{Kind: rest.CallbackMessage, Message: m} }

// Update answers by turning the clicked message into m.
func Update(m discord.Message) Response { return Response{Kind: rest.CallbackUpdate, Message: m} }

// AndThen has f follow too, after what follows already. nil follows nothing.
func (r Response) AndThen(f func(context.Context)) Response {
	r.Then = InTurn(r.Then, f)
	return r
}

// AndRedraw has the message of a record follow too.
func (r Response) AndRedraw(ref tracker.Ref) Response {
	r.Redraw = append(r.Redraw, ref)
	return r
}

// Step is how far a match has come at a ply, which its pictures show: the first is of a
// match without moves.
func Step(ply int) int { return ply + 1 }

// StepOf returns how far the match has come.
func StepOf(m store.Match) int { return Step(len(m.Moves)) }

// InTurn does the one thing and then the other; either may be missing.
func InTurn(first, second func(context.Context)) func(context.Context) {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(ctx context.Context) {
		first(ctx)
		second(ctx)
	}
}
