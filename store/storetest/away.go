package storetest

import (
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/store"
)

// seen notes that people could play between the moments.
func (o *model) seen(from, until time.Time) {
	o.away = o.away.Until(from)
	if until.After(o.away.Seen) || o.away.Seen.After(until.Add(store.AwayFrom)) {
		o.away.Seen = until
	}
}

func (o *model) awaySince(day int64) store.Away {
	a := store.Away{Seen: o.away.Seen, Days: map[int64]time.Duration{}}
	maps.Copy(a.Days, o.away.Days)
	maps.DeleteFunc(a.Days, func(of int64, _ time.Duration) bool { return of < day })
	return a
}

// drawPresence returns a time in which people could play, before or after what was noted
// last.
func drawPresence(rt *rapid.T, last time.Time) (from, until time.Time) {
	if last.IsZero() {
		last = noon
	}
	from = last.Add(time.Duration(rapid.SampledFrom([]int{-90, -1, 0, 1, 4, 5, 6, 119, 121, 24 * 60, 50 * 60, 32 * 24 * 60}).Draw(rt, "minutes")) * time.Minute)
	return from, from.Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "for")) * time.Minute)
}

var awayCases = []testCase{
	{
		"Away", "the time between two notes that people could play is counted by days in UTC, over midnight and a leap day too, unless it is very short or very long",
		func(t *testing.T, f *fixture) {
			got, err := f.Away(t.Context(), 0)
			wantEqual(t, "Away of a new store", got, store.Away{Days: map[int64]time.Duration{}}, err)
			at := func(day, hour, minute int) time.Time { return time.Date(2024, 2, day, hour, minute, 0, 0, time.UTC) }
			leap := store.DayOf(noon) // the 29th
			want := store.Away{Days: map[int64]time.Duration{}}
			for _, step := range []struct {
				what        string
				from, until time.Time
				days        map[int64]time.Duration // that it adds
				seen        time.Time
			}{
				{"the first of all", at(28, 10, 0), at(28, 10, 0), nil, at(28, 10, 0)},
				{"still there", at(28, 10, 0), at(28, 12, 0), nil, at(28, 12, 0)},
				{"away for three hours", at(28, 15, 0), at(28, 15, 1), map[int64]time.Duration{leap - 1: 3 * time.Hour}, at(28, 15, 1)},
				{"another process, there all the time", at(28, 9, 0), at(28, 15, 0), nil, at(28, 15, 1)},
				{"a restart", at(28, 15, 5), at(28, 21, 0), nil, at(28, 21, 0)},
				{"once more on the same day", at(28, 22, 30), at(28, 22, 30), map[int64]time.Duration{leap - 1: 90 * time.Minute}, at(28, 22, 30)},
				{"over the leap day", at(30, 1, 0), at(30, 2, 0), map[int64]time.Duration{leap - 1: 90 * time.Minute, leap: 24 * time.Hour, leap + 1: time.Hour}, at(30, 2, 0)},
				{"a clock that is right again", at(30, 0, 30), at(30, 1, 0), nil, at(30, 1, 0)},
				{"up to midnight", at(31, 0, 0), at(31, 0, 0), map[int64]time.Duration{leap + 1: 23 * time.Hour}, at(31, 0, 0)},
				{"as long as may be", at(31+31, 0, 0), at(31+31, 0, 0), month(leap+2, 24*time.Hour), at(31+31, 0, 0)},
				{"and longer", at(31+31+31, 0, 1), at(31+31+31, 0, 2), nil, at(31+31+31, 0, 2)},
			} {
				if err := f.Seen(t.Context(), step.from, step.until); err != nil {
					t.Fatal(err)
				}
				for day, length := range step.days {
					want.Days[day] += length
				}
				want.Seen = step.seen
				got, err := f.Away(t.Context(), leap-1)
				wantEqual(t, step.what, got, want, err)
			}
			f.reopen(t)
			got, err = f.Away(t.Context(), leap-1)
			wantEqual(t, "Away of the reopened store", got, want, err)
			maps.DeleteFunc(want.Days, func(day int64, _ time.Duration) bool { return day < leap+1 })
			got, err = f.Away(t.Context(), leap+1)
			wantEqual(t, "Away since the day after", got, want, err)
		},
	},
	{
		"RaceAway", "a time away is counted once, however many note that they are back",
		func(t *testing.T, f *fixture) {
			if err := f.Seen(t.Context(), noon, noon); err != nil {
				t.Fatal(err)
			}
			for _, err := range race(func(i int) error {
				return f.Seen(t.Context(), noon.Add(3*time.Hour), noon.Add(3*time.Hour+time.Duration(i)*time.Second))
			}) {
				if err != nil {
					t.Error(err)
				}
			}
			got, err := f.Away(t.Context(), 0)
			wantEqual(t, "Days", got.Days, map[int64]time.Duration{store.DayOf(noon): 3 * time.Hour}, err)
		},
	},
}

// month returns as much for each of 31 days.
func month(first int64, length time.Duration) map[int64]time.Duration {
	days := map[int64]time.Duration{}
	for n := range int64(31) {
		days[first+n] = length
	}
	return days
}
