package bot

import (
	"context"
	"errors"
	"net/http"

	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// postsItself reports whether what everybody is to see of this interaction is posted by the
// bot's own right. An answer to a button on a private message is shown as a reply to that,
// which nobody but whoever clicked can load.
func (in *request) postsItself() bool {
	if in.Kind != discord.KindComponent || !in.Message.Ephemeral() || in.guild == "" || in.BotAbsent {
		return false
	}
	need := uint64(discord.PermissionSendMessages)
	if in.Parent != "" {
		need = discord.PermissionSendInThreads
	}
	return in.AppMay(need | discord.PermissionViewChannel)
}

// aside acknowledges an interaction without words, and has its message posted in the channel
// before anything else that follows. The token of the interaction is not remembered: it
// names another message, and the bot's own reaches this one for ever.
func (b app) aside(ctx context.Context, in *request, r response, send dispatch.Send) response {
	done := b.kit.tracker.Posting(r.shows)
	_, err := send.Answer(ctx, dispatch.Response{Kind: rest.CallbackDeferUpdate})
	if err != nil && !in.Stores && !errors.Is(err, rest.ErrAlreadyAcknowledged) {
		b.kit.tracker.NotPosted(r.shows)
		done()
		return r // nothing has come of it, and whoever clicked is told so by Discord
	}
	then := r.then
	r.then = func(ctx context.Context) {
		b.postAside(ctx, in, r, err == nil)
		done()
		if then != nil {
			then(ctx)
		}
	}
	return r
}

// postAside posts the message of a response. Whoever else handles the same interaction posts
// it under the same nonce, of which comes one message.
func (b app) postAside(ctx context.Context, in *request, r response, acknowledged bool) {
	made := b.kit.now()
	sent, byToken, err := b.kit.postFor(ctx, in, r.msg, in.ID, acknowledged)
	if r.posted != nil {
		r.posted(ctx, sent, err)
	}
	if err != nil {
		b.kit.stats.Failed.Add(1)
		b.kit.log.Warn("message behind a private one not posted", "interaction", in.id, "error", err)
		b.kit.tracker.NotPosted(r.shows)
		return
	}
	if r.shows == (tracker.Ref{}) {
		return
	}
	stands := tracker.Copy{Channel: in.channel, ID: sent}
	if byToken {
		stands = stands.By(in.Token, in.Received)
	}
	b.kit.tracker.Posted(r.shows, stands, r.version, made)
	known := ""
	if byToken {
		known = in.User
	}
	if r.msg.By(in.User).Unlisted(known) {
		b.kit.tracker.RedrawAgain(r.shows)
		return
	}
	b.kit.tracker.Redraw(r.shows)
}

// postFor posts a message for everybody behind a click on a private one. Where the bot may
// not, or could not in time, the message follows the interaction, once that is acknowledged:
// byToken says so. It returns where the message stands.
func (b *kit) postFor(ctx context.Context, in *request, msg discord.Message, nonce string, acknowledged bool) (id store.MessageID, byToken bool, err error) {
	msg = msg.By(in.User)
	posted := msg
	posted.Nonce = nonce
	sent, err := b.api.CreateMessage(ctx, string(in.channel), posted.Create())
	if acknowledged && notTaken(err) {
		byToken = true
		sent, err = b.api.FollowUp(ctx, in.Token, msg.Create())
	}
	if err != nil {
		return "", byToken, err
	}
	return store.MessageID(sent.ID), byToken, nil
}

// public has a message for everybody follow the answer of an interaction.
func (b *kit) public(ctx context.Context, in *request, msg discord.Message) (store.MessageID, error) {
	if in.postsItself() {
		id, _, err := b.postFor(ctx, in, msg, "n"+in.ID, true)
		return id, err
	}
	sent, err := b.api.FollowUp(ctx, in.Token, msg.Create())
	if err != nil {
		return "", err
	}
	return store.MessageID(sent.ID), nil
}

// notTaken reports whether a message was certainly not posted, in a way that leaves the other
// one: the bot may not write there, or too much is written there.
func notTaken(err error) bool {
	if failed := (*rest.Error)(nil); errors.As(err, &failed) && failed.Status == http.StatusForbidden {
		return true
	}
	return rest.Forbidden(err) || errors.Is(err, rest.ErrRateLimited)
}
