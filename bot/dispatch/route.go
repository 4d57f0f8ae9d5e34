package dispatch

import (
	"context"
	"errors"
	"fmt"
)

// Route is what happens on a command or on a button. R is what its handler gets of a call,
// and P what it answers.
type Route[R, P any] struct {
	Handle func(ctx context.Context, in R) (P, error)
	// Stores says that it would store something: people are told when that may not
	// have happened.
	Stores bool
}

// Routes are what a bot reacts to, by keys of its choice.
type Routes[K comparable, R, P any] map[K]Route[R, P]

// ErrTwoRoutes: two features want the same key.
var ErrTwoRoutes = errors.New("dispatch: two routes of one key")

// Join returns the routes of all features.
func Join[K comparable, R, P any](features ...Routes[K, R, P]) (Routes[K, R, P], error) {
	all := Routes[K, R, P]{}
	for _, routes := range features {
		for key, route := range routes {
			if _, ok := all[key]; ok {
				return nil, fmt.Errorf("%w: %v", ErrTwoRoutes, key)
			}
			all[key] = route
		}
	}
	return all, nil
}
