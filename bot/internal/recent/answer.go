package recent

import (
	"context"
	"time"
)

// Answers returns a function that asks for all who call it at about the same time: while
// one asks, the others wait for that or for the end of their context, and what was answered
// is everybody's for so long. An error is nobody's but the one's who got it.
func Answers[T any](life time.Duration, ask func(context.Context) (T, error)) func(context.Context) (T, error) {
	var (
		asking = make(chan struct{}, 1) // holds one while somebody asks
		last   T
		until  time.Time // last is an answer
	)
	return func(ctx context.Context) (answer T, err error) {
		select {
		case asking <- struct{}{}:
			defer func() { <-asking }()
		case <-ctx.Done():
			return answer, ctx.Err()
		}
		if time.Now().Before(until) {
			return last, nil
		}
		if answer, err = ask(ctx); err == nil {
			last, until = answer, time.Now().Add(life)
		}
		return answer, err
	}
}
