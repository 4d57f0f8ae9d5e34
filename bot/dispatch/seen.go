package dispatch

import (
	"time"

	"tictactoe/bot/internal/recent"
)

// seenIDs remembers the interactions of the last minutes, so that one delivered
// twice is recognised without asking the store.
type seenIDs struct{ known recent.Lately[string] }

const (
	seenTurn = 5 * time.Minute
	seenMost = 50_000
)

// first reports whether the id has not been seen lately, and remembers it.
func (s *seenIDs) first(id string, now time.Time) bool {
	return !s.known.Again(id, now, 2*seenTurn, seenMost)
}
