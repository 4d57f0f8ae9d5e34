// Package tasks keeps count of work that runs in the background, and waits.
//
// What the package will not do: it starts no goroutines, recovers from no panics
// and logs nothing. Whoever starts a task does that.
package tasks

import (
	"context"
	"fmt"
	"sync"
)

// Group counts tasks that run in the background, so that somebody can wait until
// none runs. Unlike a sync.WaitGroup it can be waited for with a deadline, and tasks
// may begin while somebody waits. The zero value is an open group without tasks. Its
// methods are safe for concurrent use.
type Group struct {
	mu      sync.Mutex
	running int
	closed  bool
	idle    chan struct{} // closed when running falls to 0; nil if nobody waits
}

// Begin counts a task and reports whether it may begin; for one that may, the caller
// owes a call of End. In a group that was closed a task may begin only while another
// one runs: work that is coming to its end may need some more.
func (g *Group) Begin() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed && g.running == 0 {
		return false
	}
	g.running++
	return true
}

// End says that a task is over. It panics if none was running.
func (g *Group) End() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running == 0 {
		panic("tasks: End without Begin")
	}
	g.running--
	if g.running == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

// Running returns how many tasks run.
func (g *Group) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running
}

// Close lets no task begin any more once none runs. It does not wait: see Wait.
func (g *Group) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// Wait returns nil as soon as no task runs, or how many do with the error of a context that
// ends before. After Close no task begins once Wait has returned nil; in an open group
// others may have begun already.
func (g *Group) Wait(ctx context.Context) error {
	g.mu.Lock()
	if g.running == 0 {
		g.mu.Unlock()
		return nil
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d unfinished: %w", g.Running(), ctx.Err())
	}
}
