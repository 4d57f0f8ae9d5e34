package store

import (
	"context"
	"fmt"
	"time"
)

// Crown is that of a channel, and who wears it.
type Crown struct {
	Channel ChannelID
	Guild   GuildID
	User    UserID    // the king; empty while it is free
	Match   MatchID   // whose message shows the crown: the last one that the king has won
	Wins    int       // of the king in a row, up to the last game that counts
	Since   time.Time // when the match ended that made the king
	Last    time.Time // when the king's last game that counts ended there

	Version int // as in Match
}

// Crowns are read here; a [Change] writes them.
type Crowns interface {
	// Crown returns the crown of the channel. Of one that never had a king it returns a free
	// one without a Version, which is no error.
	Crown(ctx context.Context, guild GuildID, channel ChannelID) (Crown, error)
	// ChannelResults returns those results of the last [CrownDays] days up to today, as
	// [DayOf] counts them, that count in the guild and are of the user's public matches with
	// other people in the channel, the earliest first.
	ChannelResults(ctx context.Context, guild GuildID, channel ChannelID, user UserID, today int64) ([]Result, error)
}

// CrownDays is of how many days, today included, there are results of a channel: as many as
// lie in part within a week.
const CrownDays = 8

// Validate is for a crown what [Match.Validate] is for a match.
func (c Crown) Validate() error {
	if c.Channel == "" || c.Guild == "" || c.Wins < 0 || c.Match < 0 || c.Version < 0 || c.User == "" && (c.Match != 0 || c.Wins != 0) {
		return fmt.Errorf("%w: crown %+v", ErrInvalid, c)
	}
	return invalid(texts(string(c.Channel), string(c.Guild), string(c.User)), "crown")
}
