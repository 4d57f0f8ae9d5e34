package kit

import (
	"context"
	"errors"
	"sync"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

const (
	// namesTurn is half of the time for which a display name is remembered at most, in
	// memory and nowhere else.
	namesTurn = 5 * time.Minute
	namesMost = 5_000
	// namesWait is how long of the time for an answer a page of standings waits for names.
	// What has not come by then is a mention.
	namesWait = time.Second
)

// memberKey names a member of a guild.
type memberKey struct {
	guild store.GuildID
	user  store.UserID
}

// Membership is what is known of a person in a guild.
type Membership struct {
	Name string // empty where it is not known
	Gone bool   // for certain
}

// Members asks for the people of a page, all at once. On doubt somebody is a member
// without a name, and so is everybody in no guild.
func (b *Kit) Members(ctx context.Context, guild store.GuildID, users []store.UserID) []Membership {
	half, done := WithHalf(ctx) // others may be asked for behind them
	defer done()
	ctx, cancel := context.WithTimeout(half, discord.Share(namesWait, b.Times.AnswerTime))
	defer cancel()
	all := make([]Membership, len(users))
	if guild == "" {
		return all
	}
	b.ForgetNames()
	var asked sync.WaitGroup
	for i, user := range users {
		key := memberKey{guild, user}
		if name, ok := b.names.Get(key); ok || user == "" {
			all[i].Name = name
			continue
		}
		asked.Go(func() {
			m, err := b.API.Member(ctx, string(guild), string(user))
			switch {
			case err == nil:
				all[i].Name = m.DisplayName()
				b.names.Put(key, all[i].Name, b.Now(), namesTurn, namesMost)
			case errors.Is(err, rest.ErrUnknownMember):
				all[i].Gone = true
			}
		})
	}
	asked.Wait()
	return all
}

// NamesIn returns under which names the guild knows the users. Who has none is not known.
func (b *Kit) NamesIn(ctx context.Context, guild store.GuildID, users ...store.UserID) map[store.UserID]string {
	named := map[store.UserID]string{}
	known := b.Members(ctx, guild, users)
	for i, user := range users {
		named[user] = known[i].Name
	}
	return named
}

// ForgetNames forgets names that were asked for a while ago.
func (b *Kit) ForgetNames() { b.names.Forget(b.Now(), namesTurn, namesMost) }
