package view

import (
	"time"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// View makes messages in one language at one moment. The moment is given both as
// wall time and as the up-time of each guild's clock domain, in which deadlines are
// kept.
type View struct {
	Words
	Now    time.Time
	Uptime func(store.GuildID) time.Duration
	// Names are those under which people appear in place of mentions, where everybody sees
	// a message that nobody asked for: whoever is mentioned there would be notified.
	Names map[store.UserID]string
	// Command returns how a subcommand is mentioned: as a link once its id is known.
	Command func(name string) string
	// OwnMarks are the application's own, where it has them.
	OwnMarks OwnMarks
	// Usual is the match against the program that somebody gets who chooses nothing; the
	// zero value is [match.DefaultChoice].
	Usual match.Choice
}

func (v View) usual() match.Choice {
	if v.Usual == (match.Choice{}) {
		return match.DefaultChoice
	}
	return v.Usual
}
