package bot

import (
	"sync"
	"time"
)

// seenIDs remembers the interactions of the last minutes, so that one delivered
// twice is recognised without asking the store.
type seenIDs struct {
	mu    sync.Mutex
	known generations[string, struct{}]
}

const (
	seenTurn = 5 * time.Minute
	seenMost = 50_000
)

// first reports whether the id has not been seen lately, and remembers it.
func (s *seenIDs) first(id string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.turn(now, seenTurn, seenMost)
	if _, ok := s.known.get(id); ok {
		return false
	}
	s.known.new[id] = struct{}{}
	return true
}

// lately remembers what was done lately, so that it is not done again.
type lately[K comparable] struct {
	mu   sync.Mutex
	done generations[K, time.Time]
}

// again reports whether the same was done within the time, and otherwise remembers that it
// is done now.
func (l *lately[K]) again(what K, now time.Time, within time.Duration, most int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done.turn(now, within, most)
	if at, ok := l.done.get(what); ok && now.Sub(at) < within {
		return true
	}
	l.done.new[what] = now
	return false
}

// generations keeps what was put lately, bounded by both time and number: what was put
// since the last turn, and what was put between that and the one before.
type generations[K comparable, V any] struct {
	old, new map[K]V
	turned   time.Time
}

// turn begins a generation when the newest one is as old or as large as it may be.
func (g *generations[K, V]) turn(now time.Time, life time.Duration, most int) {
	if g.new == nil || now.Sub(g.turned) > life || len(g.new) >= most {
		g.old, g.new, g.turned = g.new, make(map[K]V), now
	}
}

func (g *generations[K, V]) get(k K) (v V, ok bool) {
	if v, ok = g.new[k]; !ok {
		v, ok = g.old[k]
	}
	return v, ok
}

func (g *generations[K, V]) drop(k K) {
	delete(g.new, k)
	delete(g.old, k)
}
