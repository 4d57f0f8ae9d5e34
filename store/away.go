package store

import (
	"maps"
	"time"
)

const (
	// AwayFrom is how long nobody must have been able to play for the bot to have been
	// away: less is a restart.
	AwayFrom = 5 * time.Minute
	// AwayMost is the longest time for which it was. What seems longer is a clock that was
	// wrong, a copy of the database from long ago or a bot that was given up, and makes
	// nothing good.
	AwayMost = 31 * 24 * time.Hour
	// AwayForgiven is for how long of a day the bot can be away before whoever misses that
	// day is forgiven.
	AwayForgiven = 2 * time.Hour
)

// Away is when nobody could play because the bot was not there.
type Away struct {
	Seen time.Time               // until when it was there, as far as that was noted; zero for never
	Days map[int64]time.Duration // for how long it was away, by days since 1970, in UTC
}

// Forgives reports whether the bot was away for so long on the day that nobody is to blame
// who missed it.
func (a Away) Forgives(day int64) bool { return a.Days[day] > AwayForgiven }

// Until returns what it will be once it is noted that the bot has been there since the
// moment, which a process that is back may not have done yet.
func (a Away) Until(from time.Time) Away {
	gap := from.Sub(a.Seen)
	if a.Seen.IsZero() || gap < AwayFrom || gap > AwayMost {
		return a
	}
	days := maps.Clone(a.Days)
	if days == nil {
		days = map[int64]time.Duration{}
	}
	for at := a.Seen; at.Before(from); {
		day := DayOf(at)
		next := time.Unix((day+1)*24*60*60, 0)
		if next.After(from) {
			next = from
		}
		days[day] += next.Sub(at)
		at = next
	}
	return Away{Seen: from, Days: days}
}
