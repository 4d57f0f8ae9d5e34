package bot

import (
	"cmp"
	"context"
	"tictactoe/bot/dispatch"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// request is an interaction on its way through the bot: what it is about as the store
// knows it, and what its guild and its person have set. It is made once and passed
// down. What a guild or a person may decide is asked of it, and not of the options of
// the process.
type request struct {
	*dispatch.Call
	id      store.InteractionID
	guild   store.GuildID // empty in direct messages
	channel store.ChannelID
	user    store.UserID
	target  store.UserID    // whom a user command is about
	clicked store.MessageID // the message that a button sits on
	button  customid.ID     // of that button
	counted time.Time       // as a start; zero if it is none

	began moment // what the clocks showed when it came
	spent store.Spent

	settings store.GuildSettings
	person   store.Person
	usual    time.Duration // for a move, where nobody has set one
	places   int           // of a channel, where the guild has set nothing
	unread   error         // why the settings could not be read
}

// newRequest returns the request of a call, whose settings are not read yet.
func newRequest(in *dispatch.Call) *request {
	return &request{
		Call:  in,
		id:    store.InteractionID(in.ID),
		guild: store.GuildID(in.Guild), channel: store.ChannelID(in.Channel),
		user: store.UserID(in.User), target: store.UserID(in.Target),
		clicked: store.MessageID(in.Message.ID),
	}
}

// read reads the settings. Where that fails the request still has a language, but no
// time for a move.
func (in *request) read(ctx context.Context, s *settings) {
	in.usual, in.places = s.clock, s.places
	guild := in.guild
	if in.BotAbsent {
		guild = "" // nobody could set anything there
	}
	if in.settings, in.unread = s.guild(ctx, guild); in.unread == nil {
		in.person, in.unread = s.person(ctx, in.user)
	}
}

// locale is the language in which the person is spoken to.
func (in *request) locale() string { return cmp.Or(in.person.Locale, in.Locale) }

// guildLocale is the guild's language.
func (in *request) guildLocale() string { return cmp.Or(in.settings.Locale, in.GuildLocale) }

// boardLocale is the language of the person's boards: what the guild has set, or else
// the person's own.
func (in *request) boardLocale() string { return cmp.Or(in.settings.Locale, in.locale()) }

// clock is the time for a move in a match that the person starts, 0 for none: what they
// chose for it, by its value; else what they have set, else the guild.
func (in *request) clock(chosen string) (time.Duration, error) {
	if chosen != "" {
		return match.ClockOf(chosen)
	}
	return in.person.Clock.Or(in.settings.Clock.Or(in.usual)), in.unread
}

// usualChoice is what somebody plays in the guild who chooses nothing.
func (in *request) usualChoice() match.Choice { return match.Usual(in.settings) }

// gives reports whether somebody has given an option to the command.
func (in *request) gives(option string) bool { _, ok := in.Options[option]; return ok }

// mostPlaces is how many public matches the channel has at once.
func (in *request) mostPlaces() (int, error) {
	return cmp.Or(in.settings.Places, in.places), in.unread
}

// tokenOnly says of a match whether the bot's own token reaches its message, as far as the
// interaction tells: one that comes from elsewhere tells nothing.
func (in *request) tokenOnly(m store.Match) bool {
	if in.channel != m.Where() {
		return m.TokenOnly
	}
	return in.BotAbsent
}

// memberOf is the guild whose members the bot may ask for: none where it is no member itself.
func (in *request) memberOf() store.GuildID {
	if in.BotAbsent {
		return ""
	}
	return in.guild
}

// isAt reports whether the interaction comes from where something stands: from its guild, or
// from its channel where that is in none.
func (in *request) isAt(guild store.GuildID, channel store.ChannelID) bool {
	return in.guild == guild && (guild != "" || in.channel == channel)
}

// inPlace answers a question where it stands, if only its reader sees it.
func (in *request) inPlace(m discord.Message) response {
	if in.Message.Ephemeral() {
		return update(m)
	}
	return reply(m)
}
