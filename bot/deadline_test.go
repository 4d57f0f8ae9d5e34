package bot

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/match/matchtest"
)

// idMadeAt returns an interaction's id of that moment, as Discord makes them.
func idMadeAt(t time.Time) string {
	return strconv.FormatInt(discord.SinceEpoch(t).Milliseconds()<<22|0x2a, 10)
}

// ourClock is a clock that started at another moment than the tests' own, by which
// what Discord sends arrives.
type ourClock struct {
	d   *answerDeadline
	off time.Duration
}

// arrives hands in an interaction that Discord made at a moment and that took some
// time to come, and returns how long there is to answer it.
func (c ourClock) arrives(made, took time.Duration) (left time.Duration, late bool) {
	return c.d.left(idMadeAt(after(made)), made+took+c.off, false)
}

// wholeTime is for how long a fresh interaction can be answered.
const wholeTime = answerTime - answerMargin

func TestDeadlineByAnyClock(t *testing.T) {
	for _, off := range []time.Duration{0, 40 * time.Millisecond, 5 * time.Hour, -5 * time.Hour, 10 * time.Second, -10 * time.Second, 400 * 24 * time.Hour} {
		t.Run(off.String(), func(t *testing.T) {
			const network = 80 * time.Millisecond
			c := ourClock{&answerDeadline{}, off}
			for _, test := range []struct {
				name       string
				made, took time.Duration
				left       time.Duration
				late       bool
			}{
				{"the first", 0, network, wholeTime, false},
				{"as fast", time.Second, network, wholeTime, false},
				{"a second slower", 2 * time.Second, network + time.Second, wholeTime - time.Second, false},
				{"just in time", 3 * time.Second, network + wholeTime - time.Millisecond, time.Millisecond, false},
				{"just too late", 4 * time.Second, network + wholeTime, 0, true},
				{"replayed after a minute", 5 * time.Second, network + time.Minute, wholeTime - time.Minute, true},
				{"replayed after an hour", 6 * time.Second, network + time.Hour, wholeTime - time.Hour, true},
				{"older than anything that is replayed", -48 * time.Hour, 48*time.Hour + 7*time.Second, wholeTime, false},
				{"as fast again", 8 * time.Second, network, wholeTime, false},
				{"faster than ever", 9 * time.Second, network / 2, wholeTime, false},
				{"by the new measure", 10 * time.Second, network, wholeTime - network/2, false},
			} {
				left, late := c.arrives(test.made, test.took)
				if left != test.left || late != test.late {
					t.Errorf("%s: %v left, late %v; want %v, %v", test.name, left, late, test.left, test.late)
				}
			}
		})
	}
}

// The first thing after a start may be a replay: nothing is known to compare it
// with, and the next fresh one sets the measure.
func TestDeadlineStartsWithReplay(t *testing.T) {
	c := ourClock{&answerDeadline{}, 0}
	if left, late := c.arrives(0, time.Minute); left != wholeTime || late {
		t.Errorf("the first: %v left, late %v, want all of the time", left, late)
	}
	if left, late := c.arrives(2*time.Minute, 0); left != wholeTime || late {
		t.Errorf("a fresh one: %v left, late %v, want all of the time", left, late)
	}
	if _, late := c.arrives(2*time.Minute, time.Minute); !late {
		t.Error("a replay after it was taken for fresh")
	}
}

func TestDeadlineOfIDsWithoutTime(t *testing.T) {
	l := &answerDeadline{}
	c := ourClock{l, 0}
	c.arrives(0, 0)
	for _, id := range []string{"", "0", "1", "42", "-1", "1.5", "interaction", "99999999999999999999999", "18446744073709551615", " 1"} {
		if left, late := l.left(id, time.Minute, false); late || left != wholeTime {
			t.Errorf("%q: %v left, late %v, want all of the time", id, left, late)
		}
	}
}

// Clocks that come to differ while the bot runs are forgiven when the measure of before is
// forgotten, and at once if it jumps back.
func TestDeadlineForgetsItsMeasure(t *testing.T) {
	l := &answerDeadline{}
	right, fast := ourClock{l, 0}, ourClock{l, 10 * time.Second}
	right.arrives(0, 0)
	if _, late := right.arrives(delayWindow-time.Second, 10*time.Second); !late {
		t.Error("within the window ten seconds are late")
	}
	if _, late := right.arrives(delayWindow+time.Second, 10*time.Second); !late {
		t.Error("in the next window ten seconds are late still")
	}
	fast.arrives(2*delayWindow, 0)
	if left, late := fast.arrives(2*delayWindow+2*time.Minute, 0); late || left != wholeTime {
		t.Errorf("two windows later: %v left, late %v, want all of the time", left, late)
	}
	if left, late := right.arrives(2*delayWindow+3*time.Minute, 0); late || left != wholeTime {
		t.Errorf("set right again: %v left, late %v, want all of the time", left, late)
	}
}

// dated is the date of an HTTP answer, as it came at a moment of the tests' clock.
func dated(came, said time.Duration) func() (at time.Duration, date time.Time, ok bool) {
	return func() (time.Duration, time.Time, bool) { return came, after(said).Truncate(time.Second), true }
}

// TestDeadlineOfAReplayAtTheStart: nothing has come that a replay could be compared
// with, but Discord's date is known, and with it how wrong the system clock is.
func TestDeadlineOfAReplayAtTheStart(t *testing.T) {
	for _, off := range []time.Duration{0, 5 * time.Hour, -5 * time.Hour, 10 * time.Second, 400 * 24 * time.Hour} {
		for _, round := range []time.Duration{0, 300 * time.Millisecond, 4 * time.Second} {
			t.Run(fmt.Sprint(off, " ", round), func(t *testing.T) {
				// The answer's date was made half a second past the full one.
				l := &answerDeadline{date: dated(500*time.Millisecond+round+off, 500*time.Millisecond)}
				arrives := func(made, took time.Duration) (time.Duration, bool) {
					return l.left(idMadeAt(after(made)), made+took+off, true)
				}
				for s := 61; s > 51; s-- {
					if _, late := arrives(time.Minute-time.Duration(s)*time.Second, time.Duration(s)*time.Second); !late {
						t.Errorf("what is %d s old was taken for fresh", s)
					}
				}
				// Up to the time for an answer nothing is late by mistake, whatever the
				// date hides.
				for _, took := range []time.Duration{0, 80 * time.Millisecond, wholeTime - time.Millisecond} {
					if left, late := arrives(2*time.Minute, took); late || left < wholeTime-took {
						t.Errorf("%v old: %v left, late %v", took, left, late)
					}
				}
			})
		}
	}
}

// TestDeadlineIsSeenNotDated: ids whose clock is not that of the dates are judged
// against each other, and nobody is silenced.
func TestDeadlineIsSeenNotDated(t *testing.T) {
	for _, off := range []time.Duration{10 * time.Second, 10 * time.Minute, -10 * time.Minute, 5 * time.Hour, 400 * 24 * time.Hour} {
		c := ourClock{&answerDeadline{date: dated(0, 0)}, off}
		for s := range 60 {
			if left, late := c.arrives(time.Duration(s)*time.Second, 0); late || left != wholeTime {
				t.Fatalf("off by %v, number %d: %v left, late %v", off, s, left, late)
			}
		}
		if _, late := c.arrives(0, time.Minute); !late {
			t.Errorf("off by %v: what took a minute is not late", off)
		}
		// Replayed or not, what was seen says more than the date.
		if _, late := c.d.left(idMadeAt(after(time.Minute)), time.Minute+off, true); late {
			t.Errorf("off by %v: what was replayed at once is late", off)
		}
	}
}

// TestDeadlineOfIDsThatCount: ids that only count up hold no time, whether they start
// at some number or at the moment the server did.
func TestDeadlineOfIDsThatCount(t *testing.T) {
	began, _ := strconv.ParseUint(idMadeAt(matchtest.TestEpoch), 10, 64)
	for name, start := range map[string]uint64{"from a number": 1100000000000000000, "from the start": began} {
		for _, date := range []func() (at time.Duration, date time.Time, ok bool){nil, dated(0, 0)} {
			t.Run(fmt.Sprint(name, ", date known ", date != nil), func(t *testing.T) {
				l := &answerDeadline{date: date}
				for i := range 1000 {
					left, late := l.left(strconv.FormatUint(start+uint64(i), 10), time.Duration(i)*600*time.Millisecond, false)
					if late || left != wholeTime {
						t.Fatalf("number %d: %v left, late %v, want all of the time", i, left, late)
					}
				}
			})
		}
	}
}

// TestDeadlineOfIDsYearsAway: a number that moves now and then is no clock either
// when it is years from Discord's date.
func TestDeadlineOfIDsYearsAway(t *testing.T) {
	l := &answerDeadline{date: dated(0, 0)}
	for i := range 100 {
		if _, late := l.left(strconv.FormatUint(1100000000000000000+uint64(i)<<22, 10), time.Duration(i)*600*time.Millisecond, i%2 == 0); late {
			t.Fatalf("number %d is late", i)
		}
	}
	c := ourClock{l, 0}
	c.arrives(0, 0)
	if _, late := c.arrives(time.Second, time.Minute); !late {
		t.Error("ids that do hold time are not judged after them")
	}
}

func TestDeadlineTogether(t *testing.T) {
	c := ourClock{&answerDeadline{}, 0}
	var lateOnes atomic.Int64
	var work sync.WaitGroup
	for g := range 8 {
		work.Go(func() {
			for i := range 500 {
				if _, late := c.arrives(time.Duration(g*500+i)*time.Second, time.Duration(g)*time.Millisecond); late {
					lateOnes.Add(1)
				}
			}
		})
	}
	work.Wait()
	if n := lateOnes.Load(); n != 0 {
		t.Errorf("%d of 4000 interactions were taken for late", n)
	}
}

// TestAge: how long a click took counts from its id where the system's clock agrees with
// Discord's, and else from what the fastest one took; three seconds at most.
func TestAge(t *testing.T) {
	const fastest = 120 * time.Millisecond
	for off, hidden := range map[time.Duration]time.Duration{0: 0, -time.Hour: fastest, -time.Second: fastest, 5 * time.Second: fastest} {
		for _, took := range []time.Duration{fastest, 2500 * time.Millisecond, 3500 * time.Millisecond, time.Minute} {
			d := &answerDeadline{}
			d.left(idMadeAt(after(-time.Second)), off+fastest-time.Second, false)
			in := &discord.Interaction{ID: idMadeAt(after(0)), Received: after(off + took)}
			left, _ := d.left(in.ID, off+took, false)
			if got, want := d.age(in, left), min(took-hidden, 3*time.Second); got != want {
				t.Errorf("a clock that is off by %v, and %v on the way: %v, want %v", off, took, got, want)
			}
		}
	}
	d, in := &answerDeadline{}, &discord.Interaction{ID: "7", Received: after(0)}
	if left, _ := d.left(in.ID, 0, false); d.age(in, left) != 0 {
		t.Errorf("an id without a time: %v", d.age(in, left))
	}
}
