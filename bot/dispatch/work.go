package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"tictactoe/bot/internal/tasks"
)

// Work is what goes on behind answers. Its methods may be called concurrently.
type Work struct {
	Base context.Context // ends when all is cut short

	log    *slog.Logger
	time   time.Duration
	end    context.CancelFunc
	group  tasks.Group
	panics atomic.Int64
}

// NewWork returns work of which each piece has some time. What the context carries stays;
// its end ends nothing.
func NewWork(ctx context.Context, log *slog.Logger, each time.Duration) *Work {
	w := &Work{log: log, time: each}
	w.Base, w.end = context.WithCancel(context.WithoutCancel(ctx))
	return w
}

// Go runs f on its own, if there is one; Close waits for it. Once the work is closed it does
// nothing.
func (w *Work) Go(f func(ctx context.Context)) {
	if f == nil || !w.group.Begin() {
		return
	}
	go func() {
		defer w.group.End()
		defer func() {
			if p := recover(); p != nil {
				_ = w.Caught("background work failed", p)
			}
		}()
		deepen(0)
		ctx, cancel := context.WithTimeout(w.Base, w.time)
		defer cancel()
		f(ctx)
	}()
}

// Caught counts and logs a panic that was recovered from where nobody waits for
// words, and returns it as an error.
func (w *Work) Caught(what string, p any) error {
	w.panics.Add(1)
	w.log.Error(what, slog.Any("panic", p), "stack", string(debug.Stack()))
	return fmt.Errorf("panic: %v", p)
}

// Panics returns how many were caught.
func (w *Work) Panics() int64 { return w.panics.Load() }

// Wait returns when nothing goes on, or with the error of the context.
func (w *Work) Wait(ctx context.Context) error { return w.group.Wait(ctx) }

// Close lets what was begun finish, within the context, and then ends the rest.
func (w *Work) Close(ctx context.Context) error {
	w.group.Close()
	err := w.group.Wait(ctx)
	w.end()
	_ = w.group.Wait(context.Background()) // what is cut short ends soon
	return err
}
