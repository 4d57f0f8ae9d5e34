package sqlstore

import "context"

// Failure is what a store has met that it cannot recover from.
type Failure struct {
	met context.Context // ends with it
	// Fail says why the store has failed, if it has not before.
	Fail context.CancelCauseFunc
}

// NewFailure returns that of a store that has met nothing.
func NewFailure() *Failure {
	met, fail := context.WithCancelCause(context.Background())
	return &Failure{met, fail}
}

// Failed is [store.Store.Failed].
func (f *Failure) Failed() <-chan struct{} { return f.met.Done() }

// Err is [store.Store.Err].
func (f *Failure) Err() error { return context.Cause(f.met) }
