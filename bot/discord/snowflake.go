package discord

import (
	"strconv"
	"time"
)

// epoch is where the time in a snowflake starts (Discord's documentation, Snowflakes).
var epoch = time.UnixMilli(1420070400000)

// SinceEpoch returns the time from Discord's epoch until t.
func SinceEpoch(t time.Time) time.Duration { return t.Sub(epoch) }

// Made returns when a snowflake was made, from Discord's epoch on, to the millisecond.
// ok is false for what is no snowflake.
func Made(id string) (since time.Duration, ok bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	return time.Duration(n>>22) * time.Millisecond, err == nil
}

// Older reports whether id a is older than b. Ids are decimal numbers of
// any length without leading zeros.
func Older[S ~string](a, b S) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}
