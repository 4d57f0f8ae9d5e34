package bot

import (
	"context"
	"sync"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// check is the command that tells who manages a guild what the bot may do in the channel,
// and how it fares. The store is asked to save something for it, as for /readyz.
func (b admins) check(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch {
	case in.GuildID == "":
		return kit.Response{}, match.ErrDirectMessage
	case !in.May(discord.PermissionManageGuild):
		return kit.Response{}, match.ErrNotManager
	}
	c := view.Check{
		May: in.AppMay, Thread: in.Parent != "", Text: in.TextChannel,
		Connected: b.kit.Served().Has(in.GuildID.Domain()), Saves: b.store.Check(ctx) == nil,
	}
	if in.CommandsOnly() {
		c.Invite = InviteLink(in.Application)
	}
	c.Failed, c.Incident = b.lastIncident(in.GuildID, b.kit.Now())
	return kit.Reply(b.kit.View(in.Language()).Settings().Check(c)), nil
}

// incidents remember what last failed in each guild, for a while.
type incidents struct {
	mu    sync.Mutex
	known recent.Map[store.GuildID, failure]
}

// failure is something that failed, by the number that somebody was told.
type failure struct {
	at     time.Time
	number string
}

const (
	incidentsTurn = 12 * time.Hour
	incidentsMost = 1_000
)

// note takes note of an incident.
func (i *incidents) note(guild store.GuildID, number string, now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.known.Turn(now, incidentsTurn, incidentsMost)
	i.known.Put(guild, failure{now, number})
}

// last returns when something last failed in the guild, and under which number.
func (i *incidents) last(guild store.GuildID, now time.Time) (at time.Time, number string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.known.Turn(now, incidentsTurn, incidentsMost)
	f, _ := i.known.Get(guild)
	if now.Sub(f.at) > incidentsTurn { // a generation goes when it is twice as old
		return time.Time{}, ""
	}
	return f.at, f.number
}
