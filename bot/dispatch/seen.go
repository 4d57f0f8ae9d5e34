package dispatch

import (
	"sync"
	"time"

	"tictactoe/bot/internal/recent"
)

// seenIDs remembers the interactions of the last minutes, so that one delivered
// twice is recognised without asking the store.
type seenIDs struct {
	mu    sync.Mutex
	known recent.Map[string, struct{}]
}

const (
	seenTurn = 5 * time.Minute
	seenMost = 50_000
)

// first reports whether the id has not been seen lately, and remembers it.
func (s *seenIDs) first(id string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Turn(now, seenTurn, seenMost)
	if _, ok := s.known.Get(id); ok {
		return false
	}
	s.known.Put(id, struct{}{})
	return true
}
