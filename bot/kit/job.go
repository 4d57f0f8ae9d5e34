package kit

import (
	"context"
	"time"
)

// Job is something that is done again and again, by the owner of the common clock domain alone
// unless by all processes.
type Job struct {
	ByAll bool
	Every time.Duration                   // at each look if zero
	Run   func(ctx context.Context) error // without waiting for what takes long
	// Left is what the log says of a run that failed, and Pause when the next one comes.
	Left  string
	Pause time.Duration
}

// Behind returns the run of a job that goes on behind answers, and fails by itself.
func (b *Kit) Behind(f func(context.Context)) func(context.Context) error {
	return func(context.Context) error { b.Work.Go(f); return nil }
}
