package tasks

import (
	"context"
	"time"
)

// Sleep waits for d, or for the end of the context, whose error it returns.
func Sleep(ctx context.Context, d time.Duration) error {
	Within(ctx.Done(), d)
	return ctx.Err()
}

// Within waits until done is closed, at most for d, and reports whether it was.
func Within(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
