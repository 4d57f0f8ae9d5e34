package match

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/store"
)

// TestPuzzleStreaks solves the puzzles of days, counted from a Monday, and looks at the
// streak on the day after the last.
func TestPuzzleStreaks(t *testing.T) {
	const monday = 20786 + 1
	for name, test := range map[string]struct {
		days              []int64
		streak, best, now int
	}{
		"one":                       {[]int64{0}, 1, 1, 1},
		"three in a row":            {[]int64{0, 1, 2}, 3, 3, 3},
		"one missed":                {[]int64{0, 2}, 2, 2, 2},
		"two missed":                {[]int64{0, 1, 4}, 1, 2, 1},
		"the seventh day after":     {[]int64{0, 2, 3, 4, 5, 6, 7, 9}, 8, 8, 8},
		"the sixth day after":       {[]int64{0, 2, 3, 4, 5, 6, 8}, 1, 6, 1},
		"yesterday's behind":        {[]int64{0, 2, 1}, 3, 3, 3},
		"yesterday's makes it good": {[]int64{0, 2, 1, 3, 5}, 5, 5, 5},
		"begun again, then before":  {[]int64{0, 5, 4}, 2, 2, 2},
	} {
		p := store.Puzzler{User: "1"}
		last := int64(0)
		for n, day := range test.days {
			p = PuzzleSolved(p, store.PuzzleTry{Day: monday + day, Wrong: 1})
			last = max(last, day)
			if err := p.Validate(); err != nil || p.Solved != n+1 {
				t.Errorf("%s: after day %d %+v, %v", name, day, p, err)
			}
		}
		if p.Tries != 2*p.Streak {
			t.Errorf("%s: %d tries for %d days that took two each", name, p.Tries, p.Streak)
		}
		if now := PuzzleStreak(p, monday+last+1); p.Streak != test.streak || p.Best != test.best || now != test.now {
			t.Errorf("%s: streak %d, best %d, now %d, want %d, %d, %d", name, p.Streak, p.Best, now, test.streak, test.best, test.now)
		}
	}
	p := PuzzleSolved(store.Puzzler{User: "1"}, store.PuzzleTry{Day: monday})
	for after, want := range []int{1, 1, 1, 0, 0} {
		if got := PuzzleStreak(p, monday+int64(after)); got != want {
			t.Errorf("%d days after it was solved the streak is %d, want %d", after, got, want)
		}
	}
}

// TestPuzzleStreakAfterAClockWasAhead: what was stored by a clock that was ahead counts for
// nothing once it is right again, but for what was solved; a day can be ahead by one, which
// is yesterday's puzzle solved behind today's.
func TestPuzzleStreakAfterAClockWasAhead(t *testing.T) {
	const today = 20786
	ahead := store.Puzzler{User: "1", Solved: 8, Streak: 5, Tries: 9, Best: 7, Last: today + 30, Excused: today + 28}
	if got := PuzzleStreak(ahead, today); got != 0 {
		t.Errorf("the streak is %d", got)
	}
	p := PuzzleSolved(ahead, store.PuzzleTry{Day: today})
	if want := (store.Puzzler{User: "1", Solved: 9, Streak: 1, Tries: 1, Best: 7, Last: today}); p != want {
		t.Errorf("solved today: %+v, want %+v", p, want)
	}
	if p = PuzzleSolved(p, store.PuzzleTry{Day: today + 1}); p.Streak != 2 || PuzzleStreak(p, today+1) != 2 {
		t.Errorf("solved the next day: %+v", p)
	}
}

// TestLasting: of every streak it says what is said of it alone, once.
func TestLasting(t *testing.T) {
	const today = 20786
	all := Lasting(today)
	for last := int64(today - 9); last <= today+3; last++ {
		for excused := last - 20; excused <= last; excused++ {
			for _, p := range []store.Puzzler{{Streak: 1, Last: last, Excused: excused}, {Streak: 1, Last: last}} {
				n := 0
				for _, on := range all {
					if on.Covers(p) {
						n++
					}
				}
				if now := PuzzleStreak(p, today); n != now {
					t.Errorf("solved %d days ago, forgiven on day %d: the streak is %d, and %d say that it goes on", today-last, p.Excused, now, n)
				}
			}
		}
	}
}

// TestPuzzleTakes: a puzzle can be played on its day by UTC, and for an hour after it by
// who has begun it, over a leap day too.
func TestPuzzleTakes(t *testing.T) {
	leap := time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC)
	day := store.DayOf(leap)
	for at, want := range map[time.Time][2]bool{ // begun, and not
		leap.Add(-time.Second):           {false, false},
		leap:                             {true, true},
		leap.Add(24*time.Hour - 1):       {true, true},
		leap.Add(24 * time.Hour):         {true, false},
		leap.Add(25*time.Hour - 1):       {true, false},
		leap.Add(25 * time.Hour):         {false, false},
		leap.AddDate(1, 0, 0):            {false, false},
		leap.In(time.FixedZone("", 9e3)): {true, true},
	} {
		begun := store.PuzzleTry{Day: day, State: store.PuzzleOpen, Version: 1}
		fresh := store.PuzzleTry{Day: day, State: store.PuzzleOpen}
		if got := [2]bool{PuzzleTakes(begun, at), PuzzleTakes(fresh, at)}; got != want {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
	if got, want := PuzzleEnds(day), time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("the leap day ends %v, want %v", got, want)
	}
}

// TestPuzzlePostAfter: the next post comes within a day and within the hour that the guild
// wants, always at the same moment of it; guilds do not come all at once.
func TestPuzzlePostAfter(t *testing.T) {
	day := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	moments := map[time.Duration]bool{}
	for i := range 500 {
		guild := store.GuildID(fmt.Sprint(uint64(803511102246789123) + uint64(i)<<22))
		for _, hour := range []int{0, 7, 23} {
			from := day.Add(time.Duration(hour) * time.Hour)
			first := PuzzlePostAfter(guild, hour, day.Add(-time.Nanosecond))
			if hour > 0 && !first.Equal(PuzzlePostAfter(guild, hour, day)) {
				t.Fatalf("%s: at %v, or at %v", guild, first, PuzzlePostAfter(guild, hour, day))
			}
			at := first.Sub(day.Add(-24*time.Hour)) % (24 * time.Hour)
			if at < from.Sub(day) || at >= from.Sub(day)+time.Hour {
				t.Fatalf("%s wants hour %d and gets it at %v", guild, hour, first)
			}
			if next := PuzzlePostAfter(guild, hour, first); !next.Equal(first.Add(24 * time.Hour)) {
				t.Fatalf("%s: behind %v comes %v", guild, first, next)
			}
			if again := PuzzlePostAfter(guild, hour, first.Add(-time.Nanosecond)); !again.Equal(first) {
				t.Fatalf("%s: just before %v comes %v", guild, first, again)
			}
			if hour == 7 {
				moments[at] = true
			}
		}
	}
	if len(moments) < 400 {
		t.Errorf("500 guilds come in %d moments of an hour", len(moments))
	}
	if at := PuzzlePostAfter("no number", 7, day); !at.Equal(day.Add(7 * time.Hour)) {
		t.Errorf("without a number it comes at %v", at)
	}
}

// TestCountPuzzleDay: a guild's streak counts days on which two solved the puzzle, one after
// the other; a week in which nobody looked is counted from the first post on.
func TestCountPuzzleDay(t *testing.T) {
	solved := func(n int) store.PuzzleDay { return store.PuzzleDay{Tried: n > 0, Solved: n} }
	p := store.PuzzlePost{}
	for i, step := range []struct {
		day          int64
		went         store.PuzzleDay
		streak, idle int
	}{
		{100, solved(0), 0, 0}, // before the first post
		{101, solved(2), 1, 0},
		{102, solved(5), 2, 0},
		{103, solved(1), 0, 0},
		{104, solved(3), 1, 0},
		{105, store.PuzzleDay{Tried: true}, 0, 0},
		{106, solved(0), 0, 1},
		{107, solved(0), 0, 2},
		{108, solved(2), 1, 0},
		{111, solved(2), 1, 0}, // what lies between is not known
	} {
		if p = CountPuzzleDay(p, step.day, step.went); p.Counted != step.day || p.Streak != step.streak || p.Idle != step.idle {
			t.Errorf("step %d: %+v, want a streak of %d and %d idle days", i, p, step.streak, step.idle)
		}
	}
}
