package rest

import (
	"cmp"
	"errors"
	"sync"
	"time"
)

const (
	invalidWindow = 10 * time.Minute
	invalidSlots  = 20
	invalidSlot   = invalidWindow / invalidSlots
)

// invalidCounter counts the answers that Discord holds against an address, over a
// sliding window of ten minutes.
type invalidCounter struct {
	budget int

	mu    sync.Mutex
	slots [invalidSlots]int
	last  int64 // number of the newest slot
}

var errInvalidBudget = errors.New("too many refused requests within ten minutes")

func newInvalidCounter(l Limits) *invalidCounter {
	return &invalidCounter{budget: cmp.Or(l.Invalid, 10_000)}
}

// note counts so many more, and returns how many there were within the window.
func (c *invalidCounter) note(more int) (total int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now().UnixNano() / int64(invalidSlot)
	for c.last = max(c.last, now-invalidSlots); c.last < now; {
		c.last++
		c.slots[c.last%invalidSlots] = 0
	}
	c.slots[c.last%invalidSlots] += more
	for _, n := range c.slots {
		total += n
	}
	return total
}

// allow reports whether a request may still be sent. The last hundredth of the
// budget is left unspent, the twentieth before that is for answers to people.
func (c *invalidCounter) allow(answer bool) error {
	ceiling := c.budget - c.budget/20
	if answer {
		ceiling = c.budget - c.budget/100
	}
	if c.note(0) >= ceiling {
		return errInvalidBudget
	}
	return nil
}

// pause is how long a bot route should hold back: nothing for the first half of
// the budget, then so long that the rest lasts for the window.
func (c *invalidCounter) pause() time.Duration {
	n := c.note(0)
	if n < c.budget/2 || n >= c.budget {
		return 0
	}
	return invalidWindow / time.Duration(c.budget-n)
}
