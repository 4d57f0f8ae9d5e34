package match

import (
	"fmt"
	"slices"
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
		away              []int64 // for how much of the day is long enough
	}{
		"one":                       {[]int64{0}, 1, 1, 1, nil},
		"three in a row":            {[]int64{0, 1, 2}, 3, 3, 3, nil},
		"one missed":                {[]int64{0, 2}, 2, 2, 2, nil},
		"two missed":                {[]int64{0, 1, 4}, 1, 2, 1, nil},
		"the seventh day after":     {[]int64{0, 2, 3, 4, 5, 6, 7, 9}, 8, 8, 8, nil},
		"the sixth day after":       {[]int64{0, 2, 3, 4, 5, 6, 8}, 1, 6, 1, nil},
		"yesterday's behind":        {[]int64{0, 2, 1}, 3, 3, 3, nil},
		"yesterday's makes it good": {[]int64{0, 2, 1, 3, 5}, 5, 5, 5, nil},
		"begun again, then before":  {[]int64{0, 5, 4}, 2, 2, 2, nil},
		"away for one of two":       {[]int64{0, 3}, 2, 2, 2, []int64{1}},
		"away for the other":        {[]int64{0, 3}, 2, 2, 2, []int64{2}},
		"away for one of three":     {[]int64{0, 4}, 1, 1, 1, []int64{2}},
		"away for a month":          {[]int64{0, 32}, 2, 2, 2, days(1, 31)},
		"away forgives no day more": {[]int64{0, 2, 4, 6}, 1, 3, 1, []int64{1}},
		"a missed day, away, again": {[]int64{0, 10}, 2, 2, 2, days(2, 8)},
		"the same, a day less":      {[]int64{0, 8}, 1, 1, 1, days(2, 6)},
		"away yesterday":            {[]int64{0, 2, 1}, 3, 3, 3, []int64{1}},
		"solved all the same":       {[]int64{0, 1, 3}, 3, 3, 3, []int64{1}},
	} {
		p := store.Puzzler{User: "1"}
		away := store.Away{Days: map[int64]time.Duration{}}
		for day := range int64(40) {
			away.Days[monday+day] = store.AwayForgiven // which is not enough
			if slices.Contains(test.away, day) {
				away.Days[monday+day]++
			}
		}
		last := int64(0)
		for n, day := range test.days {
			p = PuzzleSolved(p, store.PuzzleTry{Day: monday + day, Wrong: 1}, away)
			last = max(last, day)
			if err := p.Validate(); err != nil || p.Solved != n+1 {
				t.Errorf("%s: after day %d %+v, %v", name, day, p, err)
			}
		}
		if p.Tries != 2*p.Streak {
			t.Errorf("%s: %d tries for %d days that took two each", name, p.Tries, p.Streak)
		}
		if now := PuzzleStreak(p, monday+last+1, away); p.Streak != test.streak || p.Best != test.best || now != test.now {
			t.Errorf("%s: streak %d, best %d, now %d, want %d, %d, %d", name, p.Streak, p.Best, now, test.streak, test.best, test.now)
		}
	}
	p := PuzzleSolved(store.Puzzler{User: "1"}, store.PuzzleTry{Day: monday}, store.Away{})
	for after, want := range []int{1, 1, 1, 0, 0} {
		if got := PuzzleStreak(p, monday+int64(after), store.Away{}); got != want {
			t.Errorf("%d days after it was solved the streak is %d, want %d", after, got, want)
		}
	}
}

// days returns those from one to another.
func days(first, last int64) (all []int64) {
	for day := first; day <= last; day++ {
		all = append(all, day)
	}
	return all
}

// TestLasting: of every streak it says what is said of it alone, once.
func TestLasting(t *testing.T) {
	const today = 20786
	for name, test := range map[string]struct {
		away []int64
		want int64 // the first day of which a streak can go on
	}{
		"never away":                      {nil, today - 2},
		"yesterday":                       {[]int64{today - 1}, today - 3},
		"the day before":                  {[]int64{today - 2}, today - 3},
		"a month":                         {days(today-31, today-1), today - 33},
		"a week, and missed on both ends": {days(today-8, today-2), today - 10},
		"a day less":                      {days(today-6, today-2), today - 7},
		"six days between two missed":     {days(today-7, today-2), today - 9},
		"two weeks with three missed":     {slices.Concat(days(today-14, today-9), days(today-7, today-2)), today - 16},
		"today":                           {[]int64{today}, today - 2},
		"long ago":                        {days(today-31, today-4), today - 2},
	} {
		away := store.Away{Days: map[int64]time.Duration{}}
		for _, day := range test.away {
			away.Days[day] = 24 * time.Hour
		}
		all := Lasting(today, away)
		if first := all[len(all)-1].First; first != test.want {
			t.Errorf("%s: from %d days ago on, want %d", name, today-first, today-test.want)
		}
		for last := test.want - 9; last <= today; last++ {
			for excused := last - 20; excused <= last; excused++ {
				for _, p := range []store.Puzzler{{Streak: 1, Last: last, Excused: excused}, {Streak: 1, Last: last}} {
					n := 0
					for _, on := range all {
						if on.Covers(p) {
							n++
						}
					}
					if now := PuzzleStreak(p, today, away); n != now {
						t.Errorf("%s: solved %d days ago, forgiven on day %d: the streak is %d, and %d say that it goes on", name, today-last, p.Excused, now, n)
					}
				}
			}
		}
	}
	if got := Lasting(1, store.Away{}); len(got) != 1 || got[0].First != 1 {
		t.Errorf("on the first day: %+v", got)
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
