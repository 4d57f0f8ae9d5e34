package service

import (
	"context"
	"errors"
	"time"
)

// The reasons why a service is not healthy, in words for its operator.
var (
	ErrNotConnected = errors.New("not connected to Discord")
	ErrStopping     = errors.New("stopping")
	ErrNotWritable  = errors.New("the database cannot be written")
)

const (
	// healthShared is for how long the result of a check is everybody's: each check
	// flushes a write to the disk.
	healthShared = time.Second
	// healthTime bounds a check.
	healthTime = 2 * time.Second
)

// Health reports why the service cannot play now: ErrStopping, from the moment that it
// was told to end, ErrNotConnected or ErrNotWritable.
// It answers within some seconds. The store is written at most once a second for it,
// however often it is asked.
func (s *Service) Health(ctx context.Context) error {
	if s.leaving.Load() {
		return ErrStopping
	}
	if !s.Ready() {
		return ErrNotConnected
	}
	if writable, err := s.writable(ctx); !writable || err != nil {
		return ErrNotWritable
	}
	return nil
}

// checkStore returns whether the store can be written. The check is not the one's alone who
// has begun it: it goes on when their context ends.
func (s *Service) checkStore(ctx context.Context) (writable bool, _ error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healthTime)
	defer cancel()
	return s.opts.Store.Check(ctx) == nil, nil
}
