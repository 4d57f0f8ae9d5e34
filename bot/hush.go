package bot

import (
	"errors"
	"sync"
	"time"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// hushed remembers what people were told lately about taps that change nothing. Each
// refusal is a message below the board: said again and again they push it out of sight.
type hushed struct {
	mu   sync.Mutex
	told generations[refused, time.Time]
}

// refused is what somebody was told, about which match.
type refused struct {
	user  store.UserID
	match store.MatchID
	words string
}

const (
	// hushTime is how long the same words are not said to the same person again.
	hushTime = 5 * time.Second
	hushMost = 10_000
)

// again reports whether the same was told within hushTime, and otherwise remembers that it
// is told now.
func (h *hushed) again(what refused, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told.turn(now, hushTime, hushMost)
	if at, ok := h.told.get(what); ok && now.Sub(at) < hushTime {
		return true
	}
	h.told.new[what] = now
	return false
}

// changesNothing reports whether a refusal is of a tap that is wrong for the moment only:
// the board itself says as much.
func changesNothing(reason error) bool {
	return errors.Is(reason, match.ErrTaken) || errors.Is(reason, match.ErrNotYourTurn)
}
