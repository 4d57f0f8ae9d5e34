package gateway

import (
	"context"
	"fmt"
	"sync"
)

// calls counts functions that run in the background, so that somebody can wait
// for the last one. A sync.WaitGroup cannot be waited for with a deadline, nor be
// used again while a waiter is still there.
type calls struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil if nobody waits
}

func (c *calls) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *calls) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	if c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

func (c *calls) running() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *calls) wait(ctx context.Context) error {
	c.mu.Lock()
	if c.n == 0 {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %d", ErrDraining, c.running())
	}
}
