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
	// latenessWindow is for how long the smallest delay is remembered.
	latenessWindow = 10 * time.Minute
)

// lateness judges how old an interaction is by the time in its id, against the
// smallest delay seen lately, so that a system clock that is wrong silences
// nobody.
type lateness struct {
	mu                sync.Mutex
	current, previous time.Duration // smallest delay in this window and the last
	started           time.Time
	any               bool
	first             time.Time // when the first interaction came
}

// deadline returns until when an answer may be sent, and whether it is too late
// for one already.
func (l *lateness) deadline(id string, received time.Time) (_ time.Time, late bool) {
	full := received.Add(answerTime - answerMargin)
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return full, false
	}
	delay := l.arrival(received).Sub(time.UnixMilli(int64(n>>22) + discordEpoch)) //nolint:gosec // 42 bits
	over := delay - l.smallest(delay, received)
	if over > implausible {
		return full, false
	}
	return full.Add(-over), over >= answerTime-answerMargin
}

// arrival returns the moment by a clock that was set at the first interaction and
// has run evenly since: a system clock that is set right meanwhile makes nobody late.
func (l *lateness) arrival(received time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first.IsZero() {
		l.first = received
	}
	return l.first.Add(received.Sub(l.first)) // by the monotonic clock where there is one
}

// smallest notes a delay and returns the smallest one of the last windows.
func (l *lateness) smallest(delay time.Duration, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
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
