// Package kit is what every feature of the bot works with: the request and the response, the
// words, the clocks, settings that were read, links, names and room to think. It knows no
// feature.
package bot

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// kit is what every feature works with. Its methods may be called concurrently.
type kit struct {
	log   *slog.Logger
	now   func() time.Time
	after func(d time.Duration, f func())
	dice  func() *rand.Rand
	newID func() int64
	times Timing

	connected func() bool
	served    func() store.DomainSet

	api      kitAPI
	texts    *view.Catalogue
	tracker  *tracker.Tracker
	uptime   *uptime
	settings *settings
	names    names
	stats    dispatch.Stats

	commandIDs atomic.Pointer[map[string]string] // by name
	marks      atomic.Pointer[view.OwnMarks]     // the application's own; nil while it has none

	work *dispatch.Work
}

// kitAPI is what features have in common of Discord: messages behind an answer, and names.
type kitAPI interface {
	CreateMessage(ctx context.Context, channelID string, body any) (*rest.Message, error)
	FollowUp(ctx context.Context, token string, body any) (*rest.Message, error)
	Member(ctx context.Context, guildID, userID string) (*rest.Member, error)
}

// view returns the views in a language, at this moment.
func (b *kit) view(locale string) view.View {
	return view.View{
		Words: b.texts.In(locale), Now: b.now(), Uptime: b.uptime.of,
		Command: b.mentionCommand, OwnMarks: b.ownMarks(), NoHintsSince: b.noHintsSince,
	}
}

// viewFor returns the views for whoever has sent the interaction.
func (b *kit) viewFor(in *request) view.View {
	v := b.view(in.locale())
	v.Usual = in.usualChoice()
	return v
}

// linkTo returns the address of the message that shows the record, else of the
// channel.
func (b *kit) linkTo(guild store.GuildID, channel store.ChannelID, r tracker.Ref, stored store.MessageID) string {
	return discord.MessageLink(guild, channel, b.tracker.Where(r, stored))
}

// up returns the up-time by which the deadlines of a guild are kept.
func (b *kit) up(guild store.GuildID) time.Duration { return b.uptime.of(guild) }
