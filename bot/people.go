package bot

import (
	"context"
	"sync"

	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// people are what people decide for themselves, and what is kept about them.
type people struct {
	kit    *kit
	change *changer
	store  peopleStore
	api    peopleAPI
	// endAll ends what a person has under way, up to a number, and shows it to the others.
	endAll func(ctx context.Context, user store.UserID) ([]tracker.Ref, error)

	erasing    sync.Mutex // held by who goes on with erasures
	exporting  exporting
	exportMost int // bytes
}

// peopleAPI is how a file takes the place of words.
type peopleAPI interface {
	EditByToken(ctx context.Context, token, messageID string, body any) (*rest.Message, error)
}
