package waittest

import (
	"flag"
	"runtime"
	"strconv"
	"testing"
	"time"

	"tictactoe/bot/sandbox/timefactor"
)

func TestLimitsAreStretched(t *testing.T) {
	before := timefactor.Factor
	t.Cleanup(func() { timefactor.Factor = before })
	timefactor.Factor = func() float64 { return 2.5 }
	if got, want := Limit(4*time.Second), 10*time.Second; got != want {
		t.Errorf("Limit: got %v, want %v", got, want)
	}
	if got, want := Patience(), 2*patience+patience/2; got != want {
		t.Errorf("Patience: got %v, want %v", got, want)
	}
	deadline, ok := Within(t, time.Hour).Deadline()
	if left := time.Until(deadline); !ok || left < 2*time.Hour || left > 150*time.Minute {
		t.Errorf("Within: %v left, want 2.5 hours", left)
	}
}

// A condition is asked for until it holds.
func TestUntil(t *testing.T) {
	n := 0
	Until(t, "the third time", func() bool { n++; return n == 3 })
	if n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
}

// Parallel tests are several a processor, unless somebody says how many.
func TestTogether(t *testing.T) {
	f := flag.Lookup("test.parallel")
	was := f.Value.String()
	t.Cleanup(func() { _ = f.Value.Set(was) })
	given := false
	flag.Visit(func(set *flag.Flag) { given = given || set == f })
	Together()
	want := strconv.Itoa(3 * runtime.GOMAXPROCS(0))
	if given {
		want = was
	}
	if got := f.Value.String(); got != want {
		t.Errorf("parallel tests: got %s, want %s", got, want)
	}
	if err := flag.Set("test.parallel", "1"); err != nil {
		t.Fatal(err)
	}
	if Together(); f.Value.String() != "1" {
		t.Errorf("parallel tests: got %s where 1 was asked for", f.Value)
	}
}
