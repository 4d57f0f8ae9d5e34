package kit

import (
	"cmp"
	"context"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// Request is an interaction on its way through the bot: what it is about as the store
// knows it, and what its guild and its person have set. It is made once and passed
// down. What a guild or a person may decide is asked of it, and not of the options of
// the process.
type Request struct {
	*dispatch.Call
	InteractionID store.InteractionID
	GuildID       store.GuildID // empty in direct messages
	ChannelID     store.ChannelID
	UserID        store.UserID
	TargetID      store.UserID    // whom a user command is about
	ClickedID     store.MessageID // the message that a button sits on
	Button        customid.ID     // of that button
	Counted       time.Time       // as a start; zero if it is none

	Began Moment // what the clocks showed when it came
	Spent store.Spent

	Settings    store.GuildSettings
	Person      store.Person
	UsualClock  time.Duration // for a move, where nobody has set one
	UsualPlaces int           // of a channel, where the guild has set nothing
	Unread      error         // why the settings could not be read
}

// NewRequest returns the request of a call, whose settings are not read yet.
func NewRequest(in *dispatch.Call) *Request {
	return &Request{
		Call:          in,
		InteractionID: store.InteractionID(in.ID),
		GuildID:       store.GuildID(in.Guild), ChannelID: store.ChannelID(in.Channel),
		UserID: store.UserID(in.User), TargetID: store.UserID(in.Target),
		ClickedID: store.MessageID(in.Message.ID),
	}
}

// Read reads the settings. Where that fails the request still has a language, but no
// time for a move.
func (in *Request) Read(ctx context.Context, s *Settings) {
	in.UsualClock, in.UsualPlaces = s.UsualClock, s.UsualPlaces
	guild := in.GuildID
	if in.BotAbsent {
		guild = "" // nobody could set anything there
	}
	if in.Settings, in.Unread = s.Guild(ctx, guild); in.Unread == nil {
		in.Person, in.Unread = s.Person(ctx, in.UserID)
	}
}

// Language is the language in which the person is spoken to.
func (in *Request) Language() string { return cmp.Or(in.Person.Locale, in.Locale) }

// GuildLanguage is the guild's language.
func (in *Request) GuildLanguage() string { return cmp.Or(in.Settings.Locale, in.GuildLocale) }

// BoardLanguage is the language of the person's boards: what the guild has set, or else
// the person's own.
func (in *Request) BoardLanguage() string { return cmp.Or(in.Settings.Locale, in.Language()) }

// PrivateLanguage is the language of a board that only the person sees: what they have chosen,
// or else that of their other boards.
func (in *Request) PrivateLanguage() string { return cmp.Or(in.Person.Locale, in.BoardLanguage()) }

// ClockFor is the time for a move in a match that the person starts, 0 for none: what they
// chose for it, by its value; else what they have set, else the guild.
func (in *Request) ClockFor(chosen string) (time.Duration, error) {
	if chosen != "" {
		return match.ClockOf(chosen)
	}
	return in.Person.Clock.Or(in.Settings.Clock.Or(in.UsualClock)), in.Unread
}

// UsualChoice is what somebody plays in the guild who chooses nothing.
func (in *Request) UsualChoice() match.Choice { return match.Usual(in.Settings) }

// GamesElsewhere reports whether the guild wants games in another channel than this.
func (in *Request) GamesElsewhere() bool { return in.Near(in.Settings.Games) != in.ChannelID }

// Near returns this channel where it is the given one or a thread of it, and else that one; this
// one where none is given.
func (in *Request) Near(games store.ChannelID) store.ChannelID {
	if games == "" || games == store.ChannelID(in.Parent) {
		return in.ChannelID
	}
	return games
}

// Value is what somebody has chosen in a select, empty for nothing, and for several where none
// takes them.
func (in *Request) Value() string {
	if len(in.Values) != 1 {
		return ""
	}
	return in.Values[0]
}

// Gives reports whether somebody has given an option to the command.
func (in *Request) Gives(option string) bool { _, ok := in.Options[option]; return ok }

// Option returns an option of the command, empty where it was left out, and an error where it was
// given in a form that cannot be read. Discord checks options only in its client.
func (in *Request) Option(name string) (string, error) {
	text, _ := in.Text(name)
	if text == "" && in.Gives(name) {
		return "", match.ErrBadOption
	}
	return text, nil
}

// MostPlaces is how many public matches the channel has at once.
func (in *Request) MostPlaces() (int, error) {
	return cmp.Or(in.Settings.Places, in.UsualPlaces), in.Unread
}

// TokenOnly says of a match whether the bot's own token reaches its message, as far as the
// interaction tells: one that comes from elsewhere tells nothing.
func (in *Request) TokenOnly(m store.Match) bool {
	if in.ChannelID != m.Where() {
		return m.TokenOnly
	}
	return in.BotAbsent
}

// MemberOf is the guild whose members the bot may ask for: none where it is no member itself.
func (in *Request) MemberOf() store.GuildID {
	if in.BotAbsent {
		return ""
	}
	return in.GuildID
}

// IsAt reports whether the interaction comes from where something stands: from its guild, or
// from its channel where that is in none.
func (in *Request) IsAt(guild store.GuildID, channel store.ChannelID) bool {
	return in.GuildID == guild && (guild != "" || in.ChannelID == channel)
}

// InPlace answers a question where it stands, if only its reader sees it.
func (in *Request) InPlace(m discord.Message) Response {
	if !in.Message.Ephemeral() {
		return Reply(m)
	}
	return Update(m)
}

// IsBot reports whether the user is the bot itself.
func IsBot(in *Request, user store.UserID) bool {
	return user != "" && string(user) == in.Application
}

// Refusal is the error of a handler that says more than its reason.
type Refusal = view.Refusal

// Problem is the error of a change that leaves all as it is, as the panel says that is shown then.
type Problem view.Note

func (p Problem) Error() string { return "bot: nothing is set: " + string(p) }

// Lacking returns which of the permissions the application lacks where Discord has refused
// something that takes them all: they may have been taken away since the interaction.
func Lacking(in *Request, bits uint64) uint64 { return cmp.Or(in.AppLacks(bits), bits) }
