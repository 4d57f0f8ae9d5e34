package service

import (
	"context"
	"slices"
	"sync"
	"time"

	"tictactoe/bot/internal/tasks"
	"tictactoe/store"
)

// beside is what a process knows of others that share the Gateway with it, on a store by
// which several can. It is told again and again, see share.
type beside struct {
	store store.Sharder // nil: no other process plays on the database

	mu     sync.Mutex
	known  map[store.Shard]bool // that others have connected
	until  time.Time            // by the system's clock; nothing is known after it
	said   []store.Shard        // what the others were told last
	next   time.Time            // when they are to be told again
	failed bool
}

// served returns the clock domains whose shards are connected, by this process, which has
// this layout, and by others.
func (b *beside) served(l *layout) (served store.DomainSet) {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.known
	if time.Now().After(b.until) {
		known = nil
	}
	here := map[store.Shard]bool{}
	counts := []int{}
	if l != nil {
		counts = append(counts, l.count)
		for _, one := range l.sessions {
			if one.ready() {
				here[store.Shard{ID: one.shard, Count: l.count}] = true
			}
		}
	}
	for s := range known {
		if !slices.Contains(counts, s.Count) {
			counts = append(counts, s.Count)
		}
	}
	for _, count := range counts {
		served |= domains(count, func(shard int) bool {
			s := store.Shard{ID: shard, Count: count}
			return here[s] || known[s]
		})
	}
	return served
}

// besideParts says how often others are told in the time that what was said holds.
const besideParts = 4

// changeEvery is how often a process looks whether there is something to tell.
const changeEvery = 50 * time.Millisecond

// share tells other processes which shards this one has connected, and learns of theirs,
// until the context ends; then it takes back what it said.
func (s *Service) share(ctx context.Context) {
	if s.beside.store == nil {
		return
	}
	for tasks.Sleep(ctx, changeEvery) == nil {
		mine := s.connected()
		s.beside.mu.Lock()
		due := !time.Now().Before(s.beside.next) || !slices.Equal(mine, s.beside.said) && !s.beside.failed
		s.beside.mu.Unlock()
		if due {
			s.tell(ctx, mine)
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	_, _ = s.beside.store.Shards(ending, nil) // otherwise it lapses
}

// connected returns the shards that this process has connected.
func (s *Service) connected() (mine []store.Shard) {
	l := s.split()
	for _, one := range l.all() {
		if one.ready() {
			mine = append(mine, store.Shard{ID: one.shard, Count: l.count})
		}
	}
	return mine
}

// retryShare is when a store that could not be asked is asked again.
const retryShare = time.Second

// tell says which shards are connected here, and takes note of what it learns.
func (s *Service) tell(ctx context.Context, mine []store.Shard) {
	asked := time.Now()
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	seen, err := s.beside.store.Shards(asking, mine)
	b := &s.beside
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		if !b.failed && ctx.Err() == nil {
			s.log.Error("other processes cannot be told which shards are connected", "error", err)
		}
		b.failed, b.next = true, asked.Add(retryShare)
		return
	}
	b.failed, b.said, b.next = false, mine, asked.Add(seen.Length/besideParts)
	// What others said may have been about to lapse.
	b.until = asked.Add(seen.Length / 2)
	b.known = map[store.Shard]bool{}
	for _, sh := range seen.Elsewhere {
		b.known[sh] = true
	}
}
