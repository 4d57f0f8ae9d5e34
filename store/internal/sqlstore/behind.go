package sqlstore

import (
	"cmp"
	"sync"

	"tictactoe/store"
)

// MostWaiting is how many deliveries may wait to be stored. Each takes some 150
// bytes. They are stored several times a second, so that there are as many only
// while nothing can be stored at all; what is dropped then costs a redraw.
const MostWaiting = 16384

// Ref names what a delivery is about; one of the two is 0.
type Ref struct {
	Match     store.MatchID
	Challenge store.ChallengeID
}

// Begun are deliveries that go with a transaction, by what they are about, in the order of the
// calls.
type Begun map[Ref][]store.Delivery

// Waiting are deliveries that are not committed yet, and that reads do not look at. The zero
// value has none. Its methods are safe for concurrent use.
type Waiting struct {
	mu      sync.Mutex
	waiting Begun
	number  int // of them
}

// Add takes the delivery, or drops it when too many are waiting.
func (w *Waiting) Add(d store.Delivery) {
	if !d.Valid() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = Begun{}
	}
	r := Ref{d.Match, d.Challenge}
	before := w.waiting[r]
	if n := len(before); n > 0 && d.Removed == "" && (d.Message == "" || d.Message == before[n-1].Message) {
		last := &before[n-1] // what it and a later one about the same message amount to
		last.Drawn, last.Notice = max(last.Drawn, d.Drawn), cmp.Or(d.Notice, last.Notice)
		return
	}
	if w.number < MostWaiting {
		w.waiting[r] = append(before, d)
		w.number++
	}
}

// Begin takes what is waiting, to be committed. It is not to be changed.
func (w *Waiting) Begin() Begun {
	w.mu.Lock()
	defer w.mu.Unlock()
	begun := w.waiting
	w.waiting, w.number = Begun{}, 0
	return begun
}

// Finish says whether what Begin took was committed. Otherwise it waits again,
// before what has come since.
func (w *Waiting) Finish(begun Begun, committed bool) {
	if committed || len(begun) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for r, older := range begun {
		w.waiting[r] = append(older[:len(older):len(older)], w.waiting[r]...)
		w.number += len(older)
	}
}

// Count returns how many deliveries are waiting.
func (w *Waiting) Count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.number
}
