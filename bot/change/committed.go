package change

import (
	"sync"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/store"
)

// committed tells of a change that was stored.
func (b *Changer) committed(c store.Change) {
	if b.Observer == nil {
		return
	}
	begun := 0
	var ended []store.EndReason
	for _, m := range c.Matches {
		if m.Version == 0 {
			begun++
		}
		if m.State == store.Ended && b.endings.first(m) {
			ended = append(ended, m.EndReason)
		}
	}
	if begun > 0 || len(ended) > 0 {
		b.Observer.Committed(begun, ended)
	}
}

// endings remember the matches that have ended lately: their records change once more
// when a rematch is offered, made, or lapses.
type endings struct {
	mu    sync.Mutex
	known recent.Map[store.MatchID, struct{}]
}

const (
	endingsTurn = time.Hour
	endingsMost = 50_000
)

// first reports whether the ended match has ended with this change, as far as that is
// remembered: one whose rematch lapses behind a restart is counted again. What a match has given
// is stored behind its end.
func (e *endings) first(m store.Match) bool {
	if m.RematchX || m.RematchO || m.Next != 0 || m.Gain != (store.Gain{}) {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known.Turn(m.Updated, endingsTurn, endingsMost)
	if _, ok := e.known.Get(m.ID); ok {
		return false
	}
	e.known.Put(m.ID, struct{}{})
	return true
}
