// Package recent remembers what happened lately, bounded by both time and number.
package recent

import (
	"sync"
	"time"
)

// Map keeps what was put lately: since the last turn, and between that and the one before.
// The zero value is empty. Whoever shares one locks it.
type Map[K comparable, V any] struct {
	old, new map[K]V
	turned   time.Time
}

// Turn begins a generation when the newest one is older than life, or holds as many as it
// may. Call it before Put.
func (m *Map[K, V]) Turn(now time.Time, life time.Duration, most int) {
	if m.new == nil || now.Sub(m.turned) > life || len(m.new) >= most {
		m.old, m.new, m.turned = m.new, make(map[K]V), now
	}
}

// TurnAll is Turn, and forgets all where nobody has asked for longer than two lives.
func (m *Map[K, V]) TurnAll(now time.Time, life time.Duration, most int) {
	if now.Sub(m.turned) > 2*life {
		*m = Map[K, V]{}
	}
	m.Turn(now, life, most)
}

// Get returns what was put for the key.
func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	if v, ok = m.new[k]; !ok {
		v, ok = m.old[k]
	}
	return v, ok
}

// Put keeps the value.
func (m *Map[K, V]) Put(k K, v V) { m.new[k] = v }

// Drop forgets the key.
func (m *Map[K, V]) Drop(k K) {
	delete(m.new, k)
	delete(m.old, k)
}

// Lately remembers what was done lately, so that it is not done again. The zero value is
// ready, and safe for concurrent use.
type Lately[K comparable] struct {
	mu   sync.Mutex
	done Map[K, time.Time]
}

// Again reports whether the same was done within the time, and otherwise remembers that it
// is done now. It remembers at least as many as most.
func (l *Lately[K]) Again(what K, now time.Time, within time.Duration, most int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done.Turn(now, within, most)
	if at, ok := l.done.Get(what); ok && now.Sub(at) < within {
		return true
	}
	l.done.Put(what, now)
	return false
}
