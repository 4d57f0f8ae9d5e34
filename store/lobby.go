package store

import (
	"context"
	"fmt"
	"time"
)

// Lobby is the message of a channel that is kept up to date with what goes on in its guild.
type Lobby struct {
	Channel ChannelID // which has one
	Guild   GuildID
	Message MessageID
	Locale  string    // the guild's, as Discord has told it
	Shows   string    // a hash of what it shows, empty while that is not known
	Drawn   time.Time // when drawing it was begun last, to the millisecond
}

// Lobbies are those messages.
type Lobbies interface {
	// Lobbies returns lobbies by channel, from the given one on.
	Lobbies(ctx context.Context, from ChannelID, limit int) ([]Lobby, error)
	// SetLobby stores the lobby in the place of another one of its channel, and deletes that
	// if it has no message itself. It returns [ErrConflict] where the message is another one
	// by now, or was drawn meanwhile. In the place of the zero value it stores it over
	// whatever there is.
	SetLobby(ctx context.Context, old, l Lobby) error
}

// Validate is for a lobby what [Match.Validate] is for a match.
func (l Lobby) Validate() error {
	if l.Channel == "" || l.Guild == "" {
		return fmt.Errorf("%w: lobby in channel %q of guild %q", ErrInvalid, l.Channel, l.Guild)
	}
	return invalid(texts(string(l.Channel), string(l.Guild), string(l.Message), l.Locale, l.Shows), "lobby")
}
