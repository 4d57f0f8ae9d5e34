package rest

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// Limits bound the routes that carry the bot token. Zero fields take defaults.
type Limits struct {
	// Waiting is how many calls may wait for one bucket; one more is refused with
	// ErrRateLimited at once. Default 64.
	Waiting int
	// PerSecond is how many requests may start within any second, over all
	// buckets. Discord's global limit is 50; default 45.
	PerSecond int
	// Invalid is how many answers of 401, 403 and unshared 429 Discord takes within
	// ten minutes before it shuts the address out: 10,000, the default. From half
	// of it on, bot routes slow down; shortly below it only first answers are sent.
	Invalid int
}

// limiter makes calls on bot routes wait their turn, as Discord's documentation
// specifies under "Rate Limits": per bucket and top-level resource, and globally.
// It learns buckets from answers; a bucket that is not known yet admits one call
// at a time.
type limiter struct {
	waiting int

	mu      sync.Mutex
	ids     map[string]string  // route to Discord's bucket id; as many as there are routes
	buckets map[string]*bucket // by id, or by route until that is known, and resource
	paused  time.Time          // end of a global 429
	starts  []time.Time        // ring of the latest starts; as long as a second may hold
	next    int                // oldest of starts
	swept   time.Time
}

// bucket is one rate limit. All fields are guarded by limiter.mu.
type bucket struct {
	key       string // in limiter.buckets
	state     bucketState
	remaining int       // starts left until reset, as last heard
	limit     int       // starts after reset
	reset     time.Time // end of the window
	blocked   time.Time // end of a 429
	inFlight  int
	used      time.Time

	waiting int           // calls
	front   chan struct{} // holds one while one of them is the first, who looks for the rest
	changed chan struct{} // closed when the first has to look again; nil if nobody does
	into    *bucket       // that it turned out to be
}

type bucketState int

const (
	unheard bucketState = iota // no answer yet
	open                       // answers carry no limit
	limited
)

var (
	errQueueFull = errors.New("too many requests wait already")
	errTooLong   = errors.New("the wait is longer than the time left")
)

func newLimiter(l Limits) *limiter {
	return &limiter{
		waiting: cmp.Or(l.Waiting, 64),
		ids:     map[string]string{},
		buckets: map[string]*bucket{},
		starts:  make([]time.Time, cmp.Or(l.PerSecond, 45)),
	}
}

// acquire waits for a turn. On success the caller owes one call of release with
// the bucket it gets; the duration of a refusal is what there was to wait.
func (l *limiter) acquire(ctx context.Context, route, resource string) (*bucket, time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.sweepLocked(now)
	b := l.bucketLocked(route, resource)
	b.used = now
	wait, free := l.waitLocked(b, now)
	deadline, ok := ctx.Deadline()
	switch {
	case free && b.waiting == 0:
	case b.waiting >= l.waiting:
		return nil, wait, errQueueFull
	case ok && now.Add(wait).After(deadline):
		return nil, wait, errTooLong
	default:
		b.waiting++
		err := l.queueLocked(ctx, b)
		b = b.filed()
		b.waiting--
		if err != nil {
			return nil, 0, err
		}
	}
	b.inFlight++
	l.starts[l.next] = time.Now()
	l.next = (l.next + 1) % len(l.starts)
	return b, 0, nil
}

// queueLocked returns when a call of b is the first of those that wait and may start, or
// with the error of the context. The limiter is not locked meanwhile.
func (l *limiter) queueLocked(ctx context.Context, b *bucket) error {
	front := b.front
	l.mu.Unlock()
	select {
	case front <- struct{}{}:
		defer func() { <-front }()
	case <-ctx.Done():
	}
	l.mu.Lock()
	for ctx.Err() == nil {
		b = b.filed()
		wait, free := l.waitLocked(b, time.Now())
		if free {
			return nil
		}
		var again <-chan time.Time
		if wait > 0 {
			again = time.After(wait)
		}
		if b.changed == nil {
			b.changed = make(chan struct{})
		}
		changed := b.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-again:
		case <-ctx.Done():
		}
		l.mu.Lock()
	}
	return ctx.Err()
}

// filed returns the bucket that b turned out to be, usually itself.
func (b *bucket) filed() *bucket {
	for b.into != nil {
		b = b.into
	}
	return b
}

// wake has the first call that waits look again.
func (b *bucket) wake() {
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// verdict is what an answer said about the limits.
type verdict struct {
	bucket    string // Discord's id, "" if not said
	limit     int
	remaining int
	reset     time.Duration // time left in the window; 0 if the answer named no limit
	blocked   time.Duration // of a 429
	global    bool          // the 429 is for all routes
}

// release ends a turn. got is nil when no answer came.
func (l *limiter) release(b *bucket, route, resource string, got *verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b.inFlight--
	b = b.filed()
	b.used = now
	if got != nil {
		b = l.adoptLocked(b, route, resource, got.bucket)
		b.learn(*got, now)
		if got.global {
			l.paused = later(l.paused, now.Add(got.blocked))
		}
	}
	b.wake()
}

// learn takes over what an answer said. Answers may arrive in another order than
// they were made: within a window the smaller remainder is the later one.
func (b *bucket) learn(v verdict, now time.Time) {
	if v.blocked > 0 && !v.global {
		b.blocked = later(b.blocked, now.Add(v.blocked))
	}
	if v.reset <= 0 {
		if b.state == unheard && v.blocked == 0 {
			b.state = open
		}
		return
	}
	if b.state != limited || !now.Before(b.reset) || v.remaining < b.remaining {
		b.remaining = v.remaining
	}
	b.state, b.limit, b.reset = limited, max(v.limit, 1), now.Add(v.reset)
}

// adoptLocked files b under the id that Discord gave it, which several routes may
// share, and returns the bucket to go on with.
func (l *limiter) adoptLocked(b *bucket, route, resource, id string) *bucket {
	if id == "" {
		return b
	}
	l.ids[route] = id
	key := l.keyLocked(route, resource)
	shared, ok := l.buckets[key]
	if shared == b {
		return b
	}
	if l.buckets[b.key] == b {
		delete(l.buckets, b.key)
	}
	if !ok {
		b.key, l.buckets[key] = key, b
		return b
	}
	shared.waiting += b.waiting
	b.waiting, b.into = 0, shared
	b.wake()
	return shared
}

func (l *limiter) keyLocked(route, resource string) string {
	if id, ok := l.ids[route]; ok {
		return "id " + id + " " + resource
	}
	return "route " + route + " " + resource
}

func (l *limiter) bucketLocked(route, resource string) *bucket {
	key := l.keyLocked(route, resource)
	b, ok := l.buckets[key]
	if !ok {
		b = &bucket{key: key, front: make(chan struct{}, 1)}
		l.buckets[key] = b
	}
	return b
}

// waitLocked reports whether a call of b may start now, and if not, after what
// time to look again; 0 means when another call ends.
func (l *limiter) waitLocked(b *bucket, now time.Time) (wait time.Duration, free bool) {
	until := later(l.paused, b.blocked)
	until = later(until, l.starts[l.next].Add(time.Second))
	if now.Before(until) {
		return until.Sub(now), false
	}
	switch {
	case b.state == open:
		return 0, true
	case b.state == unheard:
		return 0, b.inFlight == 0
	case !now.Before(b.reset):
		return 0, b.inFlight < b.limit
	case b.inFlight < b.remaining:
		return 0, true
	}
	return b.reset.Sub(now), false
}

// idleTime is how long a bucket that nobody uses is remembered.
const idleTime = time.Minute

// sweepLocked forgets buckets that are idle and whose window is over.
func (l *limiter) sweepLocked(now time.Time) {
	if now.Sub(l.swept) < idleTime {
		return
	}
	l.swept = now
	for key, b := range l.buckets {
		if b.inFlight == 0 && b.waiting == 0 && now.Sub(later(b.used, later(b.reset, b.blocked))) >= idleTime {
			delete(l.buckets, key)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
