package bot

import (
	"sync"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/store"
)

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
