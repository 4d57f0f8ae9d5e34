// Package timefactor stretches limits on how long tests may wait, on slow machines, by
// the number in the environment variable TEST_TIME_FACTOR. It is apart from package
// waittest, since programs have the local Discord in them, and not package testing.
package timefactor

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// Variable is the environment variable that stretches all limits.
const Variable = "TEST_TIME_FACTOR"

// Factor returns by what limits are multiplied. It panics if the environment does
// not hold a number of at least 1: a limit that is not the one asked for would make
// tests fail elsewhere, for no reason that can be seen.
var Factor = sync.OnceValue(func() float64 {
	f, err := parse(os.Getenv(Variable))
	if err != nil {
		panic(err)
	}
	return f
})

func parse(text string) (float64, error) {
	if text == "" {
		return 1, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 1 && f <= 1000) {
		return 0, fmt.Errorf("%s is %q, want a number from 1 to 1000", Variable, text)
	}
	return f, nil
}

// Limit returns d times the factor.
func Limit(d time.Duration) time.Duration { return time.Duration(float64(d) * Factor()) }
