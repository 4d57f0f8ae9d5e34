package sandbox

import (
	"strconv"
	"time"
)

// discordEpoch is the first millisecond of 2015, from which Discord counts.
const discordEpoch = 1420070400000

// snowflakes issues unique, increasing identifiers that carry their time in
// bits 63 to 22, as specified by Discord's documentation. The Server's lock
// guards it.
type snowflakes struct {
	last uint64
}

// next returns an identifier for the moment now; it is later than every one
// issued before even when the clock stands still or steps back.
func (f *snowflakes) next(now time.Time) string {
	id := uint64(now.UnixMilli()-discordEpoch) << 22
	if id <= f.last {
		id = f.last + 1
	}
	f.last = id
	return strconv.FormatUint(id, 10)
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

// isSnowflake reports whether s could be an identifier: a decimal number that
// fits 64 bits and is not zero.
func isSnowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && n != 0
}
