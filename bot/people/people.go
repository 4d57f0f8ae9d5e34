// Package people is what people decide for themselves, and what is kept about them: settings,
// blocks, a copy of their data, and its erasure.
package people

import (
	"context"
	"sync"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// People are what people decide for themselves, and what is kept about them.
type People struct {
	Kit    *kit.Kit
	Change *change.Changer
	Store  peopleStore
	// EndAll ends what a person has under way, up to a number, and shows it to the others.
	EndAll func(ctx context.Context, user store.UserID) ([]tracker.Ref, error)

	erasing    sync.Mutex      // held by who goes on with erasures
	exporting  sync.Mutex      // held by who makes a copy: however many people want one, memory holds one file
	Exports    *change.Limiter // counts them: one a minute
	ExportMost int             // bytes
}

// peopleStore is what people need of the store.
type peopleStore interface {
	store.People
	store.Privacy
	OpenChallenge(ctx context.Context, guild store.GuildID, a, b store.UserID) (store.Challenge, error)
}

// Routes are what people decide about themselves.
func (b *People) Routes() kit.Routes {
	preference := preferences{b}
	return kit.Routes{
		kit.Command("preferences"):          {Handle: preference.show},
		kit.Button(customid.Preference):     {Handle: kit.OnPrivate(preference.set), Stores: true},
		kit.Button(customid.PreferencesTab): {Handle: preference.turn},
		kit.Button(customid.PlaysBy):        {Handle: kit.OnPrivate(preference.set), Stores: true},
		kit.Button(customid.OwnMark):        {Handle: kit.OnPrivate(preference.set), Stores: true},
		kit.Button(customid.Language):       {Handle: kit.OnPrivate(preference.set), Stores: true},
		kit.Button(customid.PuzzleRecap):    {Handle: kit.OnPrivate(preference.recap), Stores: true},
		kit.Button(customid.ChallengesFrom): {Handle: kit.OnPrivate(preference.takeFrom), Stores: true},
		kit.Button(customid.BlockChosen):    {Handle: kit.OnPrivate(preference.block), Stores: true},
		kit.Button(customid.BlockPage):      {Handle: preference.turn},
		kit.Button(customid.UnblockListed):  {Handle: kit.OnPrivate(preference.unblock), Stores: true},

		kit.Button(customid.Block):   {Handle: b.blockInWords, Stores: true},
		kit.Button(customid.Unblock): {Handle: b.blockInWords, Stores: true},

		kit.Button(customid.Export): {Handle: kit.OnPrivate(exports{b}.begin), Stores: true},

		kit.Button(customid.EraseAsk):     {Handle: erasures{b}.ask},
		kit.Button(customid.Erase):        {Handle: kit.OnPrivate(erasures{b}.begin), Stores: true},
		kit.Button(customid.EraseNothing): {Handle: b.Kit.Noted(view.NothingErased)},
	}
}
