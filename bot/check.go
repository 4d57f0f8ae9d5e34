package bot

import (
	"time"

	"tictactoe/store"
)

// failure is something that failed, by the number that somebody was told.
type failure struct {
	at     time.Time
	number string
}

const (
	incidentsTurn = 12 * time.Hour
	incidentsMost = 1_000
)

// lastIncident returns when something last failed in the guild, and under which number.
func (b *Bot) lastIncident(guild store.GuildID, now time.Time) (at time.Time, number string) {
	f, _ := b.incidents.Get(guild)
	if now.Sub(f.at) > incidentsTurn { // a generation goes when it is twice as old
		return time.Time{}, ""
	}
	return f.at, f.number
}
