package tasks

import (
	"context"
	"time"
)

// Sleep waits for d. It returns the error of a context that ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if Within(ctx.Done(), d) {
		return ctx.Err()
	}
	return nil
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
