package change

import (
	"time"

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
		if m.State == store.Ended && b.endsFirst(m) {
			ended = append(ended, m.EndReason)
		}
	}
	if begun > 0 || len(ended) > 0 {
		b.Observer.Committed(begun, ended)
	}
}

const (
	endingsTurn = 2 * time.Hour
	endingsMost = 50_000
)

// endsFirst reports whether the ended match has ended with this change, as far as that is
// remembered: its record changes once more when a rematch is offered, made, or lapses, and one
// whose rematch lapses behind a restart is counted again. What a match has given is stored
// behind its end.
func (b *Changer) endsFirst(m store.Match) bool {
	return !m.RematchX && !m.RematchO && m.Next == 0 && m.Gain == (store.Gain{}) &&
		!b.endings.Again(m.ID, m.Updated, endingsTurn, endingsMost)
}
