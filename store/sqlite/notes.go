package sqlite

import (
	"sync"

	"tictactoe/store"
)

// maxNotes is how many records may have notes pending. Each takes some 100 bytes.
const maxNotes = 16384

// shown is the part of a record that notes change.
type shown struct {
	message store.MessageID
	drawn   int
	notice  store.MessageID
}

// pending is what the notes about one record amount to, however many there were.
type pending struct {
	message store.MessageID // empty leaves the message as it is
	same    int             // the version drawn, if the message stays the same
	other   int             // the version drawn, if the message becomes another one
	reset   bool            // the message has been another one in between
	notice  *store.MessageID
}

func pendingOf(n store.Note) pending {
	return pending{message: n.Message, same: n.Drawn, other: n.Drawn, notice: n.Notice}
}

// then returns what p and after it q amount to.
func (p pending) then(q pending) pending {
	if q.notice != nil {
		p.notice = q.notice
	}
	switch q.message {
	case "", p.message:
		p.same = max(p.same, q.same)
		if p.other = max(p.other, q.same); q.reset {
			p.other, p.reset = q.other, true
		}
	default:
		p.other = q.other
		p.reset = q.reset || p.message != ""
		p.message, p.same = q.message, max(p.same, q.same)
	}
	return p
}

// apply returns what the record shows after the notes.
func (p pending) apply(s shown) shown {
	switch {
	case p.message == "" || p.message == s.message && !p.reset:
		s.drawn = max(s.drawn, p.same)
	default:
		s.message, s.drawn = p.message, p.other
	}
	if p.notice != nil {
		s.notice = *p.notice
	}
	return s
}

// noteKey names the record that a note is about; one of the two is 0.
type noteKey struct {
	match     store.MatchID
	challenge store.ChallengeID
}

// notebook holds the notes that have not been committed. They are either
// waiting or, while a batch is being committed, in flight with it.
//
// A reader holds the gate from before it reads the database until it has laid the
// notes over what it read. Notes change between waiting, in flight and committed
// only behind the gate, so that a reader sees each of them exactly once. Those in
// flight may have been committed already when the reader gets to the database,
// and are therefore laid over by value, which does no harm twice.
type notebook struct {
	gate sync.RWMutex

	mu      sync.Mutex // held for moments, never while the disk is used
	waiting map[noteKey]pending
	flight  map[noteKey]pending
	settled map[noteKey]shown // what is shown after those in flight, once that is known
	dropped uint64
}

// add takes the note, or drops it when too many are waiting.
func (b *notebook) add(n store.Note) {
	if !n.Valid() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := noteKey{n.Match, n.Challenge}
	if _, known := b.waiting[key]; !known && len(b.waiting) >= maxNotes {
		b.dropped++
		return
	}
	b.wait(key, pendingOf(n))
}

// wait adds p after what is waiting. The caller holds mu.
func (b *notebook) wait(key noteKey, p pending) {
	if b.waiting == nil {
		b.waiting = map[noteKey]pending{}
	}
	if before, ok := b.waiting[key]; ok {
		p = before.then(p)
	}
	b.waiting[key] = p
}

// takeOff sends what is waiting with a batch and returns it. It is not to be
// changed.
func (b *notebook) takeOff() map[noteKey]pending {
	if b.count() == 0 {
		return nil
	}
	b.gate.Lock()
	defer b.gate.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flight, b.waiting = b.waiting, nil
	return b.flight
}

// settle gives the values that the notes in flight will have once committed.
func (b *notebook) settle(values map[noteKey]shown) {
	b.gate.Lock()
	defer b.gate.Unlock()
	b.settled = values
}

// land ends the flight. Notes that were not committed wait again.
func (b *notebook) land(committed bool) {
	b.gate.Lock()
	defer b.gate.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !committed {
		later := b.waiting
		b.waiting = b.flight
		for key, p := range later {
			b.wait(key, p)
		}
	}
	b.flight, b.settled = nil, nil
}

// over returns what the record shows after the notes that are not committed yet.
// The caller has held the gate for reading since before it read s.
func (b *notebook) over(key noteKey, s shown) shown {
	if b.settled != nil {
		if v, ok := b.settled[key]; ok {
			s = v
		}
	} else if p, ok := b.flight[key]; ok {
		s = p.apply(s)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.waiting[key]; ok {
		s = p.apply(s)
	}
	return s
}

// count returns how many records have notes waiting.
func (b *notebook) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}

// droppedCount returns how many notes were dropped.
func (b *notebook) droppedCount() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped
}
