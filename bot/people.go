package bot

import (
	"context"
	"sync"
	"tictactoe/bot/customid"

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

type peopleStore interface {
	store.People
	store.Privacy
	OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error)
}

// peopleAPI is how a file takes the place of words.
type peopleAPI interface {
	EditByToken(ctx context.Context, token, messageID string, body any) (*rest.Message, error)
}

// routes are what people decide about themselves.
func (b *people) routes() routes {
	preference := preferences{b}
	return routes{
		command("preferences"):          {Handle: preference.show},
		button(customid.Preference):     {Handle: preference.set, Stores: true},
		button(customid.ChallengesFrom): {Handle: preference.takeFrom, Stores: true},
		button(customid.BlockChosen):    {Handle: preference.block, Stores: true},
		button(customid.BlockPage):      {Handle: preference.turn},
		button(customid.UnblockListed):  {Handle: preference.unblock, Stores: true},

		button(customid.Block):   {Handle: consents{b}.block, Stores: true},
		button(customid.Unblock): {Handle: consents{b}.unblock, Stores: true},

		button(customid.Export): {Handle: exports{b}.begin, Stores: true},

		button(customid.EraseAsk):     {Handle: erasures{b}.ask},
		button(customid.Erase):        {Handle: erasures{b}.begin, Stores: true},
		button(customid.EraseNothing): {Handle: erasures{b}.keep},
	}
}
