package bot

import (
	"cmp"
	"sync"
	"time"

	"tictactoe/bot/discord"
)

const (
	// answerTime is how long Discord waits for the first answer, by its documentation
	// (Receiving and Responding to Interactions).
	answerTime = 3 * time.Second
	// answerMargin is kept for the way back.
	answerMargin = 150 * time.Millisecond
	// implausible is how old an interaction can look at most and still be judged by
	// its age: Discord replays minutes, not days. Beyond it the id holds no time.
	implausible = time.Hour
	// noTime is how far an id's time can be from Discord's and still be a time. Clocks
	// are wrong by hours, and by a year where somebody mistyped it.
	noTime = 2 * 365 * 24 * time.Hour
	// delayWindow is for how long the smallest delay is remembered.
	delayWindow = 10 * time.Minute
	// dateSlack is by how much the clocks of Discord's servers may differ.
	dateSlack = time.Second
	// rightClock is how long the fastest interaction can seem to have taken by a system
	// clock that is right.
	rightClock = time.Second
	// stillArrived is over how long ids of one and the same millisecond have to arrive
	// to be known to only count up.
	stillArrived = 250 * time.Millisecond
)

// share returns as large a part of the time that Discord waits for the first answer as d is
// of the real one's.
func (b *Bot) share(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (float64(b.opts.AnswerTime) / float64(answerTime)))
}

// answerDeadline says how long an interaction can still be answered, by the time in
// its id. Moments of ours are readings of a clock that nobody sets, from any start, so
// that a system clock that is wrong silences nobody. The age of an interaction is how
// much longer it took than the fastest one lately. What is replayed before any has
// been seen is judged by the date that Discord gives its HTTP answers. Ids that hold
// no time are not judged.
type answerDeadline struct {
	// wait is how long Discord waits for the first answer; 0 is answerTime.
	wait time.Duration
	// date returns when an HTTP answer came and what date it had. It may be nil.
	date func() (at time.Duration, date time.Time, ok bool)

	mu                sync.Mutex
	any               bool          // an interaction was judged
	current, previous time.Duration // the smallest delays of this window and of the last
	window            time.Duration // when this one began
	first             *arrival
	moves             bool // not all ids are of the same millisecond
}

// arrival is when an interaction was made, by its id, and when it came.
type arrival struct{ made, at time.Duration }

// mostAge is how much sooner than it was received an interaction counts as made, at most: no
// older one can be answered.
const mostAge = answerTime

// whole is how long there is to answer an interaction that comes at once.
func (d *answerDeadline) whole() time.Duration { return cmp.Or(d.wait, answerTime) - answerMargin }

// age returns how old an interaction was when it came that leaves so long to answer it. What
// the fastest one took counts too, where the system's clock agrees with the times in ids.
func (d *answerDeadline) age(in *discord.Interaction, left time.Duration) time.Duration {
	age := max(0, d.whole()-left)
	if made, ok := discord.Made(in.ID); ok {
		took := discord.SinceEpoch(in.Received) - made
		if fastest := took - age; fastest >= 0 && fastest < rightClock {
			age = took
		}
	}
	return min(age, mostAge)
}

// left returns how long there is to answer an interaction that came at a moment, and
// whether it is too late already. replayed says that it may have been sent again after
// a cut.
func (d *answerDeadline) left(id string, at time.Duration, replayed bool) (left time.Duration, late bool) {
	whole := d.whole()
	made, ok := discord.Made(id)
	if !ok {
		return whole, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delay := at - made // from two clocks: it only tells something beside another one
	usual, dated := d.datedLocked()
	if dated && (delay-usual).Abs() > noTime || d.standsStillLocked(arrival{made, at}) {
		return whole, false
	}
	if d.any || !replayed || !dated {
		usual = d.smallestLocked(delay, at)
	}
	age := max(0, delay-usual)
	if age > implausible {
		return whole, false
	}
	return whole - age, age >= whole
}

// datedLocked returns the delay that an interaction has at most which is made and
// arrives at once, by the date of an HTTP answer: nobody is late by mistake. The date
// is cut to the second, and the answer has taken time to come.
func (d *answerDeadline) datedLocked() (most time.Duration, ok bool) {
	if d.date == nil {
		return 0, false
	}
	at, date, ok := d.date()
	return at - discord.SinceEpoch(date) + dateSlack, ok
}

// standsStillLocked reports whether the time in all ids so far stands still while they
// come one after the other. A clock does not do that, however wrong it is.
func (d *answerDeadline) standsStillLocked(a arrival) bool {
	if d.first == nil {
		d.first = &a
	}
	d.moves = d.moves || a.made != d.first.made
	return !d.moves && a.at-d.first.at >= stillArrived
}

// smallestLocked notes a delay and returns the smallest one of the last windows.
func (d *answerDeadline) smallestLocked(delay, at time.Duration) time.Duration {
	switch {
	case !d.any:
		d.current, d.previous, d.window, d.any = delay, delay, at, true
	case at-d.window > delayWindow:
		d.previous, d.current, d.window = d.current, delay, at
	default:
		d.current = min(d.current, delay)
	}
	return min(d.current, d.previous)
}
