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

func (c *invalidCounter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advanceLocked()
	c.slots[c.last%invalidSlots]++
}

func (c *invalidCounter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advanceLocked()
	total := 0
	for _, n := range c.slots {
		total += n
	}
	return total
}

func (c *invalidCounter) advanceLocked() {
	now := time.Now().UnixNano() / int64(invalidSlot)
	if now-c.last >= invalidSlots {
		c.slots = [invalidSlots]int{}
		c.last = now
	}
	for c.last < now {
		c.last++
		c.slots[c.last%invalidSlots] = 0
	}
}

// allow reports whether a request may still be sent. The last hundredth of the
// budget is left unspent, the twentieth before that is for answers to people.
func (c *invalidCounter) allow(answer bool) error {
	ceiling := c.budget - c.budget/20
	if answer {
		ceiling = c.budget - c.budget/100
	}
	if c.count() >= ceiling {
		return errInvalidBudget
	}
	return nil
}

// pause is how long a bot route should hold back: nothing for the first half of
// the budget, then so long that the rest lasts for the window.
func (c *invalidCounter) pause() time.Duration {
	n := c.count()
	if n < c.budget/2 || n >= c.budget {
		return 0
	}
	return invalidWindow / time.Duration(c.budget-n)
}
