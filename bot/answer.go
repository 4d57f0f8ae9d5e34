package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/games"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// Acknowledge sends the response, the only place where that happens, and sees to
// what must follow.
func (b app) Acknowledge(ctx context.Context, in *kit.Request, r kit.Response, send dispatch.Send) {
	switch {
	case r.Kind == 0:
	case r.Kind == rest.CallbackMessage && !r.Message.Ephemeral && in.PostsItself():
		r = b.aside(ctx, in, r, send)
	case r.Shows.Ref != tracker.Ref{}:
		if ply, ok := customid.PlyOf(in.Message.Marker); ok {
			b.kit.Tracker.Seen(r.Shows.Ref, in.ClickedID, kit.Step(ply))
		}
		unlisted := false
		unseen, seen := context.WithCancel(ctx)
		defer seen()
		shows := r.Shows
		shows.In, shows.Kind, shows.Private, shows.Blind, shows.Seen = in.Interaction, r.Kind, r.Message.Ephemeral, send.Blind, seen
		b.kit.Tracker.Show(ctx, shows, func(kind rest.CallbackType) (store.MessageID, error) {
			id, err := send.Seen(ctx, unseen, dispatch.Response{Kind: kind, Message: r.Message})
			unlisted = err == nil && kind == rest.CallbackMessage && !in.Hidden && r.Message.By(in.User).Unlisted(in.Known()...)
			return store.MessageID(id), err
		})
		if unlisted {
			b.kit.Tracker.RedrawAgain(shows.Ref)
		}
	default:
		r = r.AndThen(b.found(in))
		id, err := send.Answer(ctx, dispatch.Response{Kind: r.Kind, Message: r.Message})
		if in.Hidden {
			err = games.ErrHidden
		}
		if r.Posted != nil {
			r = r.AndThen(func(ctx context.Context) { r.Posted(ctx, store.MessageID(id), err) })
		}
		if r.Kind == rest.CallbackUpdate && errors.Is(err, rest.ErrUnknownMessage) {
			// The clicked message has just been deleted: what would have stood in its
			// place comes as a private message.
			r.Message.Ephemeral = true
			_, _ = send.Answer(ctx, dispatch.Response{Kind: rest.CallbackMessage, Message: r.Message})
		}
	}
	// Somebody has come to a message that may name old times.
	b.kit.RedrawTimes(tracker.Ref{Match: in.Button.Match, Challenge: in.Button.Challenge})
	for _, ref := range r.Redraw {
		b.kit.Tracker.Redraw(ref)
	}
	if in.Hidden {
		r = r.AndThen(b.games.Hidden(r))
	}
	b.kit.Work.Go(r.Then)
}

// found has it stored where a board stands that somebody has clicked on, where nobody knew:
// the process that has posted it may have ended a moment later.
func (b app) found(in *kit.Request) func(context.Context) {
	board := kit.MatchRef(in.Button.Match)
	if _, ok := customid.PlyOf(in.Message.Marker); !ok || in.Button.Match == 0 || in.Message.Lacks || in.Message.Ephemeral() {
		return nil
	}
	return func(ctx context.Context) {
		if b.kit.Tracker.Where(board, "") == in.ClickedID {
			return
		}
		stored, err := records(b).Stored(ctx, board)
		if err != nil {
			b.kit.Log.Info("board not found yet", "error", err)
			return
		}
		if known := b.kit.Tracker.Where(board, stored.Message); known != "" && !discord.Older(known, in.ClickedID) {
			return
		}
		b.kit.Tracker.Posted(board, tracker.Copy{Channel: in.ChannelID, ID: in.ClickedID, TokenOnly: in.BotAbsent}, 0, time.Time{})
		b.kit.Tracker.Redraw(board)
	}
}
