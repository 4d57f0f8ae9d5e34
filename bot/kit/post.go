package kit

import (
	"context"
	"errors"
	"net/http"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// TryFor is how long after its claim a message that nobody clicked for is tried: as long as
// Discord is sure to know the nonce by which it tells a repetition.
const TryFor = 2 * time.Minute

// tryAgain is how long such a message whose fate is not known waits for its next try.
var tryAgain = []time.Duration{time.Second, 5 * time.Second, 20 * time.Second, 45 * time.Second}

// TryAgain has such a message tried again that was so often already, and reports whether there
// is time for that.
func (b *Kit) TryAgain(tries *int, until time.Time, try func()) bool {
	if *tries == len(tryAgain) || !b.Now().Add(tryAgain[*tries]).Before(until) {
		return false
	}
	*tries++
	b.After(tryAgain[*tries-1], try)
	return true
}

// PostsItself reports whether what everybody is to see of this interaction is posted by the
// bot's own right. An answer to a button on a private message is shown as a reply to that,
// which nobody but whoever clicked can load.
func (in *Request) PostsItself() bool {
	if in.Kind != discord.KindComponent || !in.Message.Ephemeral() || in.GuildID == "" || in.BotAbsent {
		return false
	}
	return in.AppMay(in.ToSend() | discord.PermissionViewChannel)
}

// ToSend is the permission that messages take where the interaction comes from.
func (in *Request) ToSend() uint64 {
	if in.Parent != "" {
		return discord.PermissionSendInThreads
	}
	return discord.PermissionSendMessages
}

// PostFor posts a message for everybody behind a click on a private one. Where the bot may
// not, or could not in time, the message follows the interaction, once that is acknowledged:
// byToken says so. It returns where the message stands.
func (b *Kit) PostFor(ctx context.Context, in *Request, msg discord.Message, nonce string, acknowledged bool) (id store.MessageID, byToken bool, err error) {
	msg = msg.By(in.User)
	posted := msg
	posted.Nonce = nonce
	id, err = b.Post(ctx, in.ChannelID, posted)
	if acknowledged && notTaken(err) {
		byToken = true
		id, err = b.Follow(ctx, in.Token, msg)
	}
	return id, byToken, err
}

// Post posts a message in a channel by the bot's own right, and returns where it stands.
func (b *Kit) Post(ctx context.Context, channel store.ChannelID, msg discord.Message) (store.MessageID, error) {
	return idOf(b.API.CreateMessage(ctx, string(channel), msg.Create()))
}

// Follow posts a message behind the interaction of the token, and returns where it stands.
func (b *Kit) Follow(ctx context.Context, token string, msg discord.Message) (store.MessageID, error) {
	return idOf(b.API.FollowUp(ctx, token, msg.Create()))
}

func idOf(made *rest.Message, err error) (store.MessageID, error) {
	if err != nil {
		return "", err
	}
	return store.MessageID(made.ID), nil
}

// Public has a message for everybody follow the answer of an interaction.
func (b *Kit) Public(ctx context.Context, in *Request, msg discord.Message) (store.MessageID, error) {
	if in.PostsItself() {
		id, _, err := b.PostFor(ctx, in, msg, "n"+in.ID, true)
		return id, err
	}
	return b.Follow(ctx, in.Token, msg)
}

// notTaken reports whether a message was certainly not posted, in a way that leaves the other
// one: the bot may not write there, or too much is written there.
func notTaken(err error) bool {
	if failed := (*rest.Error)(nil); errors.As(err, &failed) && failed.Status == http.StatusForbidden {
		return true
	}
	return rest.Forbidden(err) || errors.Is(err, rest.ErrRateLimited)
}
