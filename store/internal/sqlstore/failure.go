package sqlstore

import "sync"

// Failure is what a store has met that it cannot recover from.
type Failure struct {
	failed chan struct{}
	once   sync.Once
	why    error // set before failed is closed
}

// NewFailure returns that of a store that has met nothing.
func NewFailure() *Failure { return &Failure{failed: make(chan struct{})} }

// Fail says why the store has failed, if it has not before.
func (f *Failure) Fail(why error) {
	f.once.Do(func() {
		f.why = why
		close(f.failed)
	})
}

// Failed is [store.Store.Failed].
func (f *Failure) Failed() <-chan struct{} { return f.failed }

// Err is [store.Store.Err].
func (f *Failure) Err() error {
	select {
	case <-f.failed:
		return f.why
	default:
		return nil
	}
}
