// Package recent remembers what happened lately, bounded by both time and number, and what
// was answered lately.
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
// may, and forgets all where nobody has asked for longer than two lives. Call it before Put.
func (m *Map[K, V]) Turn(now time.Time, life time.Duration, most int) {
	if now.Sub(m.turned) > 2*life {
		m.new, m.old = nil, nil
	}
	if m.new == nil || now.Sub(m.turned) > life || len(m.new) >= most {
		m.old, m.new, m.turned = m.new, make(map[K]V), now
	}
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

// Shared is a Map with its lock: it is safe for concurrent use. The zero value is empty.
type Shared[K comparable, V any] struct {
	mu  sync.Mutex
	all Map[K, V]
}

// Forget forgets what nobody has put for longer than life or two.
func (s *Shared[K, V]) Forget(now time.Time, life time.Duration, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Turn(now, life, most)
}

// Get returns what was put for the key.
func (s *Shared[K, V]) Get(k K) (V, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Get(k)
}

// Put forgets, and keeps the value.
func (s *Shared[K, V]) Put(k K, v V, now time.Time, life time.Duration, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Turn(now, life, most)
	s.all.Put(k, v)
}

// Take returns what was put for the key, once.
func (s *Shared[K, V]) Take(k K) (v V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok = s.all.Get(k)
	s.all.Drop(k)
	return v, ok
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
