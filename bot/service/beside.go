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
	agreed store.Agreement
	said   []store.Shard // what the others were told last
	next   time.Time     // when they are to be told again
	failed bool
}

// served returns the clock domains whose shards are connected, by this process, which has
// these, and by others.
func (b *beside) served(layouts []*layout) (served store.DomainSet) {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.known
	if time.Now().After(b.until) {
		known = nil
	}
	here := map[store.Shard]bool{}
	counts := []int{}
	for _, l := range layouts {
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
			_, _ = s.tell(ctx, mine)
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	_, _ = s.beside.store.Shards(ending, nil) // otherwise it lapses
}

// connected returns the shards that this process has connected.
func (s *Service) connected() (mine []store.Shard) {
	for _, l := range s.split() {
		for _, one := range l.sessions {
			if sh := (store.Shard{ID: one.shard, Count: l.count}); one.ready() && !slices.Contains(mine, sh) {
				mine = append(mine, sh)
			}
		}
	}
	return mine
}

// retryShare is when a store that could not be asked is asked again.
const retryShare = time.Second

// tell says which shards are connected here, and takes note of what it learns.
func (s *Service) tell(ctx context.Context, mine []store.Shard) (store.Shards, error) {
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
		return seen, err
	}
	b.failed, b.said, b.next = false, mine, asked.Add(seen.Length/besideParts)
	// What others said may have been about to lapse.
	b.until = asked.Add(seen.Length / 2)
	b.known = map[store.Shard]bool{}
	for _, sh := range seen.Elsewhere {
		b.known[sh] = true
	}
	b.note(seen.Agreed)
	return seen, nil
}

// note takes note of what is agreed, for b.mu is held.
func (b *beside) note(a store.Agreement) {
	if a.Generation > b.agreed.Generation {
		b.agreed = a
	}
}

// agreement returns what the processes were last known to agree on.
func (b *beside) agreement() store.Agreement {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.agreed
}

// agree moves all processes to a number of shards, and returns to which they move: another
// one may have been quicker, and then it is enough if that is one of which enough says so.
// Where they cannot be asked the process moves alone.
func (s *Service) agree(ctx context.Context, count int, enough func(int) bool) int {
	if s.beside.store == nil {
		return count
	}
	for range 3 {
		asking, cancel := context.WithTimeout(ctx, askTime)
		now, err := s.beside.store.AgreeShards(asking, s.beside.agreement(), count)
		cancel()
		if err != nil {
			s.log.Error("the number of shards was not agreed with other processes", "error", err)
			return count
		}
		s.beside.mu.Lock()
		s.beside.note(now)
		s.beside.mu.Unlock()
		if enough(now.Count) {
			return now.Count
		}
	}
	return count
}

// start returns how many shards to open at the start where Discord recommends so many:
// as many as processes that are connected have, unless those are too few.
func (s *Service) start(ctx context.Context, recommended int) int {
	if s.beside.store == nil {
		return recommended
	}
	seen, err := s.tell(ctx, nil)
	switch {
	case err != nil:
		return recommended
	case len(seen.Elsewhere) > 0 && seen.Agreed.Count >= recommended:
		return seen.Agreed.Count
	}
	return s.agree(ctx, recommended, func(count int) bool { return count >= recommended })
}
