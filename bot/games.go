package bot

import (
	"context"
	"sync"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// games are matches and the ways to them.
type games struct {
	kit    *kit
	change *changer
	think  *thinker
	store  gamesStore
	api    gamesAPI

	// settle has stored for good what the store was told of messages: now, or else soon.
	settle func(ctx context.Context) error

	judged    judged
	reopened  recent.Lately[store.ChannelID] // threads
	byToken   tokenLines
	looking   sync.Map      // the ids of matches in threads whose time has come
	reminding chan struct{} // holds one for each reminder on its way
}

// gamesAPI is what games need of Discord.
type gamesAPI interface {
	FollowUp(ctx context.Context, token string, body any) (*rest.Message, error)
	DeleteByToken(ctx context.Context, token, messageID string) error
	CreateMessage(ctx context.Context, channelID string, body any) (*rest.Message, error)
	CreateThread(ctx context.Context, channelID string, t rest.NewThread) (*rest.Channel, error)
	Channel(ctx context.Context, channelID string) (*rest.Channel, error)
	OpenThread(ctx context.Context, threadID string) error
	DeleteMessage(ctx context.Context, channelID, messageID string) error
}
