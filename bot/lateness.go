package bot

import (
	"strconv"
	"sync"
	"time"
)

const (
	// answerTime is how long Discord waits for the first answer.
	answerTime = 3 * time.Second
	// answerMargin is kept for the way back.
	answerMargin = 150 * time.Millisecond
	// discordEpoch is where the time in a snowflake starts, in Unix milliseconds.
	discordEpoch = 1420070400000
	// implausible is how old an interaction can look at most and still be judged by
	// its age: Discord replays minutes, not days. Beyond it the id holds no time.
	implausible = time.Hour
	// noTime is how far an id's time can be from Discord's and still be a time. Clocks
	// are wrong by hours, and by a year where somebody mistyped it.
	noTime = 2 * 365 * 24 * time.Hour
	// latenessWindow is for how long the smallest delay is remembered.
	latenessWindow = 10 * time.Minute
	// dateSlack is by how much the clocks of Discord's servers may differ.
	dateSlack = time.Second
	// stillArrived is over how long ids of one and the same millisecond have to arrive
	// to be known to only count up.
	stillArrived = 250 * time.Millisecond
)

// lateness judges how old an interaction is by the time in its id, against the
// smallest delay seen lately, so that a system clock that is wrong silences
// nobody. What is replayed before any delay has been seen is judged against the
// date that Discord gives its HTTP answers. Ids that hold no time are not judged.
type lateness struct {
	// date returns the moment an HTTP answer came and what date it had. It may be nil.
	date func() (at, date time.Time, ok bool)

	mu                sync.Mutex
	current, previous time.Duration // smallest delay in this window and the last
	started           time.Time
	any               bool
	first             time.Time // when the first interaction came
	made, arrived     span      // of all interactions
}

// deadline returns until when an answer may be sent, and whether it is too late
// for one already. replayed says that the interaction may have been sent again
// after a cut.
func (l *lateness) deadline(id string, received time.Time, replayed bool) (_ time.Time, late bool) {
	full := received.Add(answerTime - answerMargin)
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return full, false
	}
	made := time.UnixMilli(int64(n>>22) + discordEpoch) //nolint:gosec // 42 bits
	l.mu.Lock()
	defer l.mu.Unlock()
	delay := l.arrivalLocked(received).Sub(made)
	usual, dated := l.datedLocked()
	if dated && (delay-usual).Abs() > noTime {
		return full, false
	}
	if l.standsStillLocked(made, received) {
		return full, false
	}
	if l.any || !replayed || !dated {
		usual = l.smallestLocked(delay, received)
	}
	over := max(0, delay-usual)
	if over > implausible {
		return full, false
	}
	return full.Add(-over), over >= answerTime-answerMargin
}

// arrivalLocked returns the moment by a clock that was set at the first interaction
// and has run evenly since: a system clock that is set right meanwhile makes nobody
// late.
func (l *lateness) arrivalLocked(received time.Time) time.Time {
	if l.first.IsZero() {
		l.first = received
	}
	return l.first.Add(received.Sub(l.first)) // by the monotonic clock where there is one
}

// datedLocked returns the delay that an interaction has at most which is made and
// arrives at once, by the date of an HTTP answer: nobody is late by mistake. The date
// is cut to the second, and the answer has taken time to come.
func (l *lateness) datedLocked() (most time.Duration, ok bool) {
	if l.date == nil {
		return 0, false
	}
	at, date, ok := l.date()
	if !ok {
		return 0, false
	}
	return l.arrivalLocked(at).Sub(date) + dateSlack, true
}

// standsStillLocked notes when an interaction was made and came, and reports whether
// the time in all ids so far stands still while they come one after the other. A
// clock does not do that, however wrong it is.
func (l *lateness) standsStillLocked(made, received time.Time) bool {
	l.made.include(made)
	l.arrived.include(received)
	return l.made.length() == 0 && l.arrived.length() >= stillArrived
}

// smallestLocked notes a delay and returns the smallest one of the last windows.
func (l *lateness) smallestLocked(delay time.Duration, now time.Time) time.Duration {
	switch {
	case !l.any:
		l.current, l.previous, l.started, l.any = delay, delay, now, true
	case now.Sub(l.started) > latenessWindow:
		l.previous, l.current, l.started = l.current, delay, now
	default:
		l.current = min(l.current, delay)
	}
	return min(l.current, l.previous)
}

// span is the time between the earliest and the latest of some moments.
type span struct{ from, to time.Time }

func (s *span) include(t time.Time) {
	if s.from.IsZero() || t.Before(s.from) {
		s.from = t
	}
	if s.to.IsZero() || t.After(s.to) {
		s.to = t
	}
}

func (s *span) length() time.Duration { return s.to.Sub(s.from) }

// recent remembers the interactions of the last minutes, so that one delivered
// twice is recognised without asking the store. It keeps two generations and is
// bounded by both time and number.
type recent struct {
	mu       sync.Mutex
	old, new map[string]struct{}
	turned   time.Time
}

const (
	recentTurn = 5 * time.Minute
	recentMost = 50_000
)

// first reports whether the id has not been seen lately, and remembers it.
func (r *recent) first(id string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.new == nil || now.Sub(r.turned) > recentTurn || len(r.new) >= recentMost {
		r.old, r.new, r.turned = r.new, make(map[string]struct{}), now
	}
	if _, ok := r.new[id]; ok {
		return false
	}
	if _, ok := r.old[id]; ok {
		return false
	}
	r.new[id] = struct{}{}
	return true
}
