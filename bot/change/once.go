package change

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

const (
	// sharedFor is for how long what somebody has posted is not posted again in a channel.
	sharedFor = 10 * time.Minute
	// sharing is for how long a post is waited for of which nobody knows what became.
	sharing = time.Minute
	// unnamed is a message that stands and whose id Discord has not told, as in an answer by
	// HTTP.
	unnamed = store.MessageID("-")
)

// Once has a message posted for everybody in the channel, unless the same thing was posted
// there a moment ago, by whomever: then whoever asks is led to it. Nobody has posted what
// they may not send themselves. Tries are stored with it.
func (b *Changer) Once(ctx context.Context, in *kit.Request, msg discord.Message, tries []store.PuzzleTry, thing ...string) (kit.Response, error) {
	if in.GuildID != "" && !in.May(in.ToSend()) {
		return kit.Response{}, match.ErrMayNotSend
	}
	key := sha256.Sum256([]byte(strings.Join(append(thing, string(in.ChannelID)), " ")))
	var p store.Post
	err := b.Do(ctx, in, func() (_ store.Change, err error) {
		if p, err = b.Store.Post(ctx, hex.EncodeToString(key[:])); err != nil {
			return store.Change{}, err
		}
		now := b.Kit.Now()
		// It stands, or is on its way.
		if age := now.Sub(p.At); age > -clocksDiffer && (age < sharing || age < sharedFor && p.Message != "") {
			r := &kit.Refusal{Reason: match.ErrShared}
			if p.Message != "" && p.Message != unnamed {
				r.Link = discord.MessageLink(in.GuildID, in.ChannelID, p.Message)
			}
			return store.Change{}, r
		}
		p.At, p.Message = now, ""
		return store.Change{Posts: []store.Post{p}, Tries: tries}, nil
	})
	if err != nil {
		return kit.Response{}, err
	}
	p.Version++
	r := kit.Reply(msg)
	r.Posted = func(ctx context.Context, id store.MessageID, err error) {
		switch p.Message = id; {
		case err != nil:
			p.At = time.Unix(0, 0) // the next may post it
		case id == "":
			p.Message = unnamed
		}
		if _, err := b.Quietly(ctx, store.Change{Posts: []store.Post{p}}); err != nil {
			b.Kit.Log.Warn("where something was posted is not noted", "error", err)
		}
	}
	return r, nil
}
