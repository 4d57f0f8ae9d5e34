package rules

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// discordEpoch is the first millisecond of 2015, from which Discord counts.
const discordEpoch = 1420070400000

// Snowflakes issues unique, increasing identifiers that carry their time in
// bits 63 to 22, as specified by Discord's documentation. The caller keeps its
// method from running at once.
type Snowflakes struct {
	last uint64
}

// Next returns an identifier for the moment now; it is later than every one
// issued before even when the clock stands still or steps back.
func (f *Snowflakes) Next(now time.Time) string {
	id := uint64(now.UnixMilli()-discordEpoch) << 22 //nolint:gosec // after Discord's epoch
	if id <= f.last {
		id = f.last + 1
	}
	f.last = id
	return strconv.FormatUint(id, 10)
}

// Last returns the identifier that was issued last.
func (f *Snowflakes) Last() string { return strconv.FormatUint(f.last, 10) }

// GoOn makes identifiers go on behind another one; behind none they go on as they do.
func (f *Snowflakes) GoOn(from string) {
	if id, err := strconv.ParseUint(from, 10, 64); err == nil {
		f.last = id
	}
}

// SnowflakeTime returns the moment that a Discord identifier carries, to the
// millisecond, and the zero time for text that is not an identifier.
func SnowflakeTime(id string) time.Time {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch).UTC()
}

// IsSnowflake reports whether s could be an identifier: a decimal number that
// fits 63 bits and is not zero.
func IsSnowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 63)
	return err == nil && n != 0
}

// compareIDs compares snowflakes by age. They are decimal numbers without leading zeros.
func compareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// OlderID reports whether the first of two snowflakes is the older one.
func OlderID(a, b string) bool { return compareIDs(a, b) < 0 }

// SortByID sorts by snowflake, which is by age.
func SortByID[T any](list []T, id func(T) string) {
	slices.SortFunc(list, func(a, b T) int { return compareIDs(id(a), id(b)) })
}
