package store

import (
	"context"
	"sync/atomic"
	"time"
)

// Spent adds up the time that reads and writes take which are made with one context. The
// zero value is ready; any number of goroutines may use it.
type Spent struct{ nanoseconds atomic.Int64 }

// Time returns what has been added up.
func (s *Spent) Time() time.Duration { return time.Duration(s.nanoseconds.Load()) }

type spentKey struct{}

// WithSpent returns a context whose reads and writes are added up.
func WithSpent(ctx context.Context, s *Spent) context.Context {
	return context.WithValue(ctx, spentKey{}, s)
}

// Spending begins to count time as spent; the function that it returns ends that. Backends
// call it in the few places through which all reads and writes go.
func Spending(ctx context.Context) (end func()) {
	s, ok := ctx.Value(spentKey{}).(*Spent)
	if !ok {
		return func() {}
	}
	began := time.Now()
	return func() { s.nanoseconds.Add(int64(time.Since(began))) }
}
