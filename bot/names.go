package bot

import (
	"context"
	"errors"
	"sync"
	"tictactoe/bot/dispatch"
	"time"

	"tictactoe/bot/internal/recent"
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

// names are the names under which Discord shows members.
type names struct {
	mu    sync.Mutex
	known recent.Map[memberKey, string]
}

// membership is what is known of a person in a guild.
type membership struct {
	name string // empty where it is not known
	gone bool   // for certain
}

// members asks for the people of a page, all at once. On doubt somebody is a member
// without a name, and so is everybody in no guild.
func (b *kit) members(ctx context.Context, guild store.GuildID, users []store.UserID) []membership {
	ctx, cancel := context.WithTimeout(ctx, dispatch.Share(namesWait, b.times.AnswerTime))
	defer cancel()
	all := make([]membership, len(users))
	if guild == "" {
		return all
	}
	var asked sync.WaitGroup
	for i, user := range users {
		key := memberKey{guild, user}
		if name, ok := b.names.get(key, b.now()); ok || user == "" {
			all[i].name = name
			continue
		}
		asked.Go(func() {
			m, err := b.api.Member(ctx, string(guild), string(user))
			switch {
			case err == nil:
				all[i].name = m.DisplayName()
				b.names.put(key, all[i].name, b.now())
			case errors.Is(err, rest.ErrUnknownMember):
				all[i].gone = true
			}
		})
	}
	asked.Wait()
	return all
}

// namesOf returns under which names the guild knows the people of a match.
func (b *kit) namesOf(ctx context.Context, guild store.GuildID, m store.Match) map[store.UserID]string {
	return b.namesIn(ctx, guild, m.X.User, m.O.User)
}

// namesIn returns under which names the guild knows the users. Who has none is not known.
func (b *kit) namesIn(ctx context.Context, guild store.GuildID, users ...store.UserID) map[store.UserID]string {
	if guild == "" {
		return nil
	}
	named := map[store.UserID]string{}
	known := b.members(ctx, guild, users)
	for i, user := range users {
		named[user] = known[i].name
	}
	return named
}

func (n *names) get(k memberKey, now time.Time) (string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turn(now)
	return n.known.Get(k)
}

// forget forgets what nobody has asked for in a while.
func (n *names) forget(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turn(now)
}

// turn forgets what is too old, also where nobody has looked for long. It is locked.
func (n *names) turn(now time.Time) {
	n.known.TurnAll(now, namesTurn, namesMost)
}

func (n *names) put(k memberKey, name string, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turn(now)
	n.known.Put(k, name)
}
