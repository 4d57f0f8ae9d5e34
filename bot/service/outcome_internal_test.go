package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestOutcome: an ended context is an orderly end, unless something was left unfinished, and
// the reason that fail was given comes first.
func TestOutcome(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	broken := errors.New("broken")
	failed, fail := context.WithCancelCause(t.Context())
	fail(failure{broken})
	undrawn := fmt.Errorf("%w: messages undrawn: %w", ErrUnfinished, context.Canceled)
	for name, c := range map[string]struct {
		ctx       context.Context
		err, want error
	}{
		"nothing":                {ended, nil, nil},
		"stopped at its start":   {ended, fmt.Errorf("asking: %w", context.Canceled), nil},
		"stopped too soon":       {ended, undrawn, ErrUnfinished},
		"too soon for two":       {ended, errors.Join(context.Canceled, undrawn), ErrUnfinished},
		"broken":                 {ended, broken, broken},
		"failed":                 {failed, context.Canceled, broken},
		"failed, and unfinished": {failed, undrawn, broken},
	} {
		if err := new(Service).outcome(c.ctx, c.err); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}
