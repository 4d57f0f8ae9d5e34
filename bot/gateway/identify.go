package gateway

import (
	"context"
	"sync"
	"time"

	"tictactoe/bot/internal/tasks"
)

// Identifies paces the starts of sessions under one bot token: Discord takes
// max_concurrency of them per five seconds, one for each shard id modulo
// max_concurrency, as specified in its documentation. Going over the daily number
// makes Discord reset the token, which is why supervisors stop short of it. Safe
// for concurrent use.
type Identifies struct {
	every time.Duration

	mu   sync.Mutex
	used int               // sessions started
	next map[int]time.Time // by key: when the next session may start
}

// NewIdentifies returns a pacer for one bot token, with Discord's five seconds
// and a little more for the unevenness of networks.
func NewIdentifies() *Identifies { return NewIdentifiesEvery(5250 * time.Millisecond) }

// NewIdentifiesEvery is NewIdentifies with another pace, for a local Discord.
func NewIdentifiesEvery(every time.Duration) *Identifies {
	return &Identifies{every: every, next: map[int]time.Time{}}
}

// permit is the right to start one session.
type permit struct {
	from *Identifies
	key  int
	at   time.Time
}

// wait returns when shard may identify. The permit must be used or given back.
func (i *Identifies) wait(ctx context.Context, shard, maxConcurrency int) (*permit, error) {
	p := i.reserve(shard%max(maxConcurrency, 1), time.Now())
	if err := tasks.Sleep(ctx, time.Until(p.at)); err != nil {
		p.giveBack()
		return nil, err
	}
	return p, nil
}

func (i *Identifies) reserve(key int, now time.Time) *permit {
	i.mu.Lock()
	defer i.mu.Unlock()
	at := i.next[key]
	if at.Before(now) {
		at = now
	}
	i.next[key] = at.Add(i.every)
	return &permit{from: i, key: key, at: at}
}

// use starts the clock for the next session at the moment of this one.
func (p *permit) use() {
	i := p.from
	i.mu.Lock()
	defer i.mu.Unlock()
	i.used++
	if earliest := time.Now().Add(i.every); i.next[p.key].Before(earliest) {
		i.next[p.key] = earliest
	}
}

// started is how many sessions were started so far.
func (i *Identifies) started() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.used
}

// giveBack returns a permit that was not used, if nobody reserved after it.
func (p *permit) giveBack() {
	i := p.from
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.next[p.key].Equal(p.at.Add(i.every)) {
		i.next[p.key] = p.at
	}
}
