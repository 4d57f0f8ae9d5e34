package gateway

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/internal/tasks"
)

// Identifies paces the starts of sessions under one bot token: Discord takes
// max_concurrency of them per five seconds, one for each shard id modulo
// max_concurrency, as specified in its documentation. Whoever has the turn of such a
// bucket keeps it until its session has started, so that no two come closer than that,
// however long connecting takes. Going over the daily number makes Discord reset the
// token, which is why supervisors stop short of it. Safe for concurrent use.
type Identifies struct {
	every  time.Duration
	shared Turns // nil: no other process uses the token

	started atomic.Int64 // sessions

	mu      sync.Mutex
	buckets map[int]*bucket
}

// bucket is shard ids whose sessions start one after the other.
type bucket struct {
	turn chan struct{} // holds one while somebody has the turn
	next time.Time     // from when on the next session may start; for whoever has the turn
}

// Turns lets several processes take turns. A process that dies loses its turn. A store has them
// if more than one process may play on its database.
type Turns interface {
	// TakeTurn takes the turn of a bucket for a time, and returns by which name it is
	// passed on; or how long to wait while another process has it.
	TakeTurn(ctx context.Context, bucket int, within time.Duration) (name string, wait time.Duration, err error)
	// PassTurn lets others take the turn after a time.
	PassTurn(ctx context.Context, bucket int, name string, after time.Duration) error
}

const (
	// turnTime is longer than it takes to connect: so long others wait for a process
	// that dies in its turn.
	turnTime = 30 * time.Second
	// turnPoll is how often a turn that another process has is asked for.
	turnPoll = time.Second
	// turnAsk bounds one question for a turn.
	turnAsk = 5 * time.Second
)

// NewIdentifies returns a pacer for one bot token, with Discord's five seconds
// and a little more for the unevenness of networks.
func NewIdentifies() *Identifies { return NewIdentifiesEvery(5250 * time.Millisecond) }

// NewIdentifiesEvery is NewIdentifies with another pace, for a local Discord.
func NewIdentifiesEvery(every time.Duration) *Identifies {
	return &Identifies{every: every, buckets: map[int]*bucket{}}
}

// Share has the pacer take turns with those of other processes. While they cannot be
// asked it goes by itself: at worst Discord refuses a session, which is tried again. Call
// it before the pacer is used.
func (i *Identifies) Share(t Turns) { i.shared = t }

// permit is the right to start one session.
type permit struct {
	from   *Identifies
	key    int
	bucket *bucket
	name   string // of the turn among processes; empty without one
	waited bool   // it was not to be had at once
	over   bool   // it was used or given back
}

// wait returns when shard may identify. The permit must be used or given back.
func (i *Identifies) wait(ctx context.Context, shard, maxConcurrency int) (*permit, error) {
	key := shard % max(maxConcurrency, 1)
	i.mu.Lock()
	b := i.buckets[key]
	if b == nil {
		b = &bucket{turn: make(chan struct{}, 1)}
		i.buckets[key] = b
	}
	i.mu.Unlock()
	p := &permit{from: i, key: key, bucket: b}
	select {
	case b.turn <- struct{}{}:
	default:
		p.waited = true
		select {
		case b.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	left := time.Until(b.next)
	p.waited = p.waited || left > 0
	err := tasks.Sleep(ctx, left)
	if err == nil {
		err = p.take(ctx)
	}
	if err != nil {
		<-b.turn
		return nil, err
	}
	return p, nil
}

// take waits for the turn among processes. It fails only when the context ends.
func (p *permit) take(ctx context.Context) error {
	if p.from.shared == nil {
		return nil
	}
	for {
		asking, cancel := context.WithTimeout(ctx, turnAsk)
		name, wait, err := p.from.shared.TakeTurn(asking, p.key, turnTime)
		cancel()
		if ctx.Err() != nil {
			p.pass(name, 0)
			return ctx.Err()
		}
		if err != nil || wait <= 0 {
			p.name = name
			return nil
		}
		p.waited = true
		if err := tasks.Sleep(ctx, min(wait, turnPoll)); err != nil {
			return err
		}
	}
}

// pass lets other processes take their turn, without waiting for it: the caller is in the
// middle of a connection.
func (p *permit) pass(name string, after time.Duration) {
	if name == "" {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), turnAsk)
		defer cancel()
		_ = p.from.shared.PassTurn(ctx, p.key, name, after) // otherwise it ends by itself
	}()
}

// use starts the clock for the next session at the moment of this one.
func (p *permit) use() {
	p.from.started.Add(1)
	p.bucket.next = time.Now().Add(p.from.every)
	p.end(p.from.every)
}

// giveBack returns a permit, unless it was used.
func (p *permit) giveBack() {
	if !p.over {
		p.end(0)
	}
}

// end lets the next one have the turn, and other processes after a time.
func (p *permit) end(after time.Duration) {
	p.over = true
	<-p.bucket.turn
	p.pass(p.name, after)
}
