// Package feed tells those who listen of what happens, each of what is for them, and wakes
// those who wait for any change.
package feed

// Feed is events of one kind on their way to those who listen. Its owner keeps its methods
// from running at once.
type Feed[E any] struct {
	seq     int64
	open    map[*subscription[E]]struct{}
	changed chan struct{} // closed and renewed at every change
	closed  bool
}

type subscription[E any] struct {
	who    string
	events chan E
}

// buffer is how many events a reader may lag behind before it is dropped.
const buffer = 256

// New is a feed that nobody listens to yet.
func New[E any]() *Feed[E] {
	return &Feed[E]{open: map[*subscription[E]]struct{}{}, changed: make(chan struct{})}
}

// Changed is closed by the next change.
func (f *Feed[E]) Changed() <-chan struct{} { return f.changed }

// Seq is how many events there were.
func (f *Feed[E]) Seq() int64 { return f.seq }

// Wake wakes everybody who waits for a change.
func (f *Feed[E]) Wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// Subscribe returns what somebody is told from now on. The channel is closed by drop, which
// may be called more than once, when the feed closes, and when its reader lags more than 256
// events behind.
func (f *Feed[E]) Subscribe(who string) (events <-chan E, drop func()) {
	sub := &subscription[E]{who, make(chan E, buffer)}
	f.open[sub] = struct{}{}
	if f.closed {
		f.drop(sub)
	}
	return sub.events, func() { f.drop(sub) }
}

// Publish wakes everybody who waits and counts an event. If anybody listens, the event is
// made of its number, and then for each of them: false keeps it from them.
func (f *Feed[E]) Publish(event func(seq int64) func(who string) (E, bool)) {
	f.Wake()
	f.seq++
	if len(f.open) == 0 {
		return
	}
	of := event(f.seq)
	for sub := range f.open {
		e, ok := of(sub.who)
		if !ok {
			continue
		}
		select {
		case sub.events <- e:
		default:
			f.drop(sub)
		}
	}
}

func (f *Feed[E]) drop(sub *subscription[E]) {
	if _, ok := f.open[sub]; ok {
		delete(f.open, sub)
		close(sub.events)
	}
}

// Close ends all subscriptions, and wakes everybody who waits.
func (f *Feed[E]) Close() {
	f.closed = true
	for sub := range f.open {
		f.drop(sub)
	}
	f.Wake()
}
