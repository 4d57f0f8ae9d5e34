package bot

import (
	"context"
	"errors"

	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
)

// aside acknowledges an interaction without words, and has its message posted in the channel
// before anything else that follows. The token of the interaction is not remembered: it
// names another message, and the bot's own reaches this one for ever.
func (b app) aside(ctx context.Context, in *kit.Request, r kit.Response, send dispatch.Send) kit.Response {
	done := b.kit.Tracker.Posting(r.Shows.Ref)
	_, err := send.Answer(ctx, dispatch.Response{Kind: rest.CallbackDeferUpdate})
	if err != nil && !in.Stores && !errors.Is(err, rest.ErrAlreadyAcknowledged) {
		b.kit.Tracker.NotPosted(r.Shows.Ref)
		done()
		return r // nothing has come of it, and whoever clicked is told so by Discord
	}
	r.Then = kit.InTurn(func(ctx context.Context) {
		b.postAside(ctx, in, r, err == nil)
		done()
	}, r.Then)
	return r
}

// postAside posts the message of a response. Whoever else handles the same interaction posts
// it under the same nonce, of which comes one message.
func (b app) postAside(ctx context.Context, in *kit.Request, r kit.Response, acknowledged bool) {
	made := b.kit.Now()
	sent, byToken, err := b.kit.PostFor(ctx, in, r.Message, in.ID, acknowledged)
	if r.Posted != nil {
		r.Posted(ctx, sent, err)
	}
	if err != nil {
		b.kit.Stats.Failed.Add(1)
		b.kit.Log.Warn("message behind a private one not posted", "interaction", in.InteractionID, "error", err)
		b.kit.Tracker.NotPosted(r.Shows.Ref)
		return
	}
	if r.Shows.Ref == (tracker.Ref{}) {
		return
	}
	stands := tracker.Copy{Channel: in.ChannelID, ID: sent}
	known := "" // to every client
	if byToken {
		stands, known = stands.By(in.Token, in.Received), in.User
	}
	b.kit.Tracker.Posted(r.Shows.Ref, stands, r.Shows.Version, made)
	if r.Message.By(in.User).Unlisted(known) {
		b.kit.Tracker.RedrawAgain(r.Shows.Ref)
		return
	}
	b.kit.Tracker.Redraw(r.Shows.Ref)
}
