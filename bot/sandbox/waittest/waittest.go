// Package waittest holds how tests wait for what runs beside them.
//
// A limit on how long something may take depends on the machine. So limits are
// stretched by the factor in the environment variable TEST_TIME_FACTOR, a number of
// at least 1; without it they are as written. Only tests that are about time itself
// measure without the factor, and those inject a clock.
package waittest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"testing"
	"time"

	"tictactoe/bot/sandbox/timefactor"
)

// Variable is the environment variable that stretches all limits.
const Variable = timefactor.Variable

// patience is the limit of waits for what must happen. A passing test does not use
// it up.
const patience = 15 * time.Second

// Limit returns d times the factor.
func Limit(d time.Duration) time.Duration { return timefactor.Limit(d) }

// Patience returns the limit for what must happen sooner or later.
func Patience() time.Duration { return Limit(patience) }

// Until waits until ok holds, and fails the test if it does not within Patience.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(Patience())
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(time.Millisecond) // polls; nothing depends on its length
	}
}

// Within returns a context that ends after Limit(d), and with the test.
func Within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Limit(d))
	t.Cleanup(cancel)
	return ctx
}

// Together lets three parallel tests per processor run at a time, where go test lets one:
// tests that play flows mostly wait. The flag -parallel has the last word. A TestMain calls
// it before it runs the tests.
func Together() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err) // every test binary has the flag
	}
}

// Main runs the tests of a package and exits, parallel ones [Together]. It fails the package if its tests leave
// goroutines behind. Some end by themselves a little later, such as those of
// connections just closed. While fuzzing it does not look: the fuzzer has its own.
func Main(m *testing.M) {
	Together()
	before := runtime.NumGoroutine()
	code := m.Run()
	if f := flag.Lookup("test.fuzz"); f != nil && f.Value.String() != "" {
		os.Exit(code)
	}
	for deadline := time.Now().Add(Patience()); code == 0 && runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			fmt.Fprintf(os.Stderr, "goroutines: %d before the tests, %d after\n", before, runtime.NumGoroutine())
			_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1) // it is failing already
			code = 1
			break
		}
		time.Sleep(10 * time.Millisecond) // polls; nothing depends on its length
	}
	os.Exit(code)
}
