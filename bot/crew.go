package bot

import "sync"

// crew counts what works in the background. Unlike a sync.WaitGroup it may be given
// more to do while somebody waits for its end, as timers do, until all is done.
type crew struct {
	mu      sync.Mutex
	working int
	closing bool
	idle    chan struct{} // closed when nothing works and nothing may begin
}

func newCrew() *crew { return &crew{idle: make(chan struct{})} }

// begin reports whether work may begin; whoever did calls end.
func (c *crew) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing && c.working == 0 {
		return false
	}
	c.working++
	return true
}

func (c *crew) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working--
	if c.closing && c.working == 0 {
		close(c.idle)
	}
}

// close lets nothing begin any more once what works, and what that begins, has
// ended. The channel is closed then.
func (c *crew) close() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing && c.working == 0 {
		close(c.idle)
	}
	c.closing = true
	return c.idle
}
