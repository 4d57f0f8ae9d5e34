package rest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// turns starts n calls of one bucket and returns when each got its turn. A call
// takes the time took, and is answered with what answer makes of its number.
func turns(t *testing.T, l *limiter, route, resource string, n int, took time.Duration, answer func(i int) *verdict) []time.Duration {
	t.Helper()
	start := time.Now()
	at := make(chan time.Duration, n)
	var calls sync.WaitGroup
	defer calls.Wait()
	for i := range n {
		calls.Go(func() {
			b, _, err := l.acquire(t.Context(), route, resource)
			if err != nil {
				t.Error(err)
			}
			at <- time.Since(start)
			time.Sleep(took) // on the bubble's clock
			l.release(b, route, resource, answer(i))
		})
		synctest.Wait()
	}
	var got []time.Duration
	for range n {
		got = append(got, <-at)
	}
	return got
}

func TestLimiterSpendsWhatIsLeftAndWaitsForReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		var answered atomic.Int64
		got := turns(t, l, "r", "1", 6, 0, func(int) *verdict {
			n := int(answered.Add(1)) - 1
			return &verdict{bucket: "b", limit: 3, remaining: 2 - n%3, reset: 5 * time.Second}
		})
		for i, want := range []time.Duration{0, 0, 0, 5 * time.Second, 5 * time.Second, 5 * time.Second} {
			if got[i] != want {
				t.Errorf("turn %d: got %v, want %v", i, got[i], want)
			}
		}
	})
}

// Until a bucket is known one call at a time finds out about it.
func TestLimiterFeelsItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		got := turns(t, l, "r", "1", 3, time.Second, func(int) *verdict {
			return &verdict{bucket: "b", limit: 10, remaining: 9, reset: 10 * time.Second}
		})
		for i, want := range []time.Duration{0, time.Second, time.Second} {
			if got[i] != want {
				t.Errorf("turn %d: got %v, want %v", i, got[i], want)
			}
		}
	})
}

// A route of which Discord tells no limit has none: from its first answer on nobody waits.
func TestLimiterLetsGoWhatHasNoLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		got := turns(t, l, "r", "1", 4, time.Second, func(int) *verdict { return &verdict{} })
		for i, want := range []time.Duration{0, time.Second, time.Second, time.Second} {
			if got[i] != want {
				t.Errorf("turn %d: got %v, want %v", i, got[i], want)
			}
		}
	})
}

// A bucket that must wait does not hold up another one.
func TestLimiterKeepsBucketsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		turns(t, l, "r", "1", 1, 0, func(int) *verdict {
			return &verdict{bucket: "b", limit: 1, remaining: 0, reset: time.Hour}
		})
		got := turns(t, l, "r", "2", 1, 0, func(int) *verdict { return nil })
		if got[0] != 0 {
			t.Errorf("other resource: waited %v", got[0])
		}
	})
}

// Two routes that Discord puts into one bucket share what is left.
func TestLimiterMergesRoutesOfOneBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		empty := func(int) *verdict {
			return &verdict{bucket: "same", limit: 1, remaining: 0, reset: 3 * time.Second}
		}
		turns(t, l, "a", "1", 1, 0, empty)
		turns(t, l, "b", "1", 1, 0, empty) // learns that it is the same
		if got := turns(t, l, "a", "1", 1, 0, empty); got[0] != 3*time.Second {
			t.Errorf("waited %v, want 3s", got[0])
		}
		if n, _ := l.size(); n != 1 {
			t.Errorf("buckets: got %d, want 1", n)
		}
	})
}

// TestLimiterKeepsWhatTheFirstAnswersSay: what an answer says holds for the bucket under which
// it is filed, though that answer was the one that told which that is.
func TestLimiterKeepsWhatTheFirstAnswersSay(t *testing.T) {
	said := func(blocked time.Duration) *verdict {
		return &verdict{bucket: "b", limit: 5, remaining: 4, reset: time.Second, blocked: blocked}
	}
	wait := func(t *testing.T, l *limiter, route, resource string) time.Duration {
		return turns(t, l, route, resource, 1, 0, func(int) *verdict { return nil })[0]
	}
	t.Run("two resources at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(Limits{})
			first, _, err := l.acquire(t.Context(), "r", "1")
			second, _, other := l.acquire(t.Context(), "r", "2")
			if err != nil || other != nil {
				t.Fatal(err, other)
			}
			l.release(first, "r", "1", said(0))
			l.release(second, "r", "2", said(10*time.Second))
			if got := wait(t, l, "r", "2"); got != 10*time.Second {
				t.Errorf("waited %v, want 10s", got)
			}
		})
	})
	t.Run("two routes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(Limits{})
			turns(t, l, "one", "1", 1, 0, func(int) *verdict { return said(0) })
			turns(t, l, "two", "1", 1, 0, func(int) *verdict { return said(10 * time.Second) })
			if got := wait(t, l, "two", "1"); got != 10*time.Second {
				t.Errorf("waited %v, want 10s", got)
			}
		})
	})
}

// TestLimiterMergesQueues: calls that wait for a route whose bucket turns out to be that of
// another route go on waiting there, get their turns, and can leave.
func TestLimiterMergesQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		said := func(left int) *verdict {
			return &verdict{bucket: "shared", limit: 2, remaining: left, reset: 5 * time.Second}
		}
		turns(t, l, "one", "1", 1, 0, func(int) *verdict { return said(0) })
		leaves, cancel := context.WithCancel(t.Context())
		first, _, err := l.acquire(t.Context(), "two", "1") // it is not known yet whose that is
		if err != nil {
			t.Fatal(err)
		}
		left := make(chan error, 1)
		go func() {
			_, _, err := l.acquire(leaves, "two", "1")
			left <- err
		}()
		synctest.Wait()
		start, got := time.Now(), make(chan time.Duration, 2)
		for range 2 {
			go func() {
				b, _, err := l.acquire(t.Context(), "two", "1")
				if err != nil {
					t.Error(err)
				}
				got <- time.Since(start)
				l.release(b, "two", "1", said(1))
			}()
			synctest.Wait()
		}
		l.release(first, "two", "1", said(0))
		synctest.Wait()
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("who waited in the queue and left: %v", err)
		}
		for range 2 {
			if at := <-got; at != 5*time.Second {
				t.Errorf("a turn after %v, want it when the bucket's window is over", at)
			}
		}
		if _, n := l.size(); n != 0 {
			t.Errorf("%d calls still count as waiting", n)
		}
	})
}

// TestLimiterKeepsTheOrder: calls of a bucket get their turns in the order in which they came,
// also those that waited for it under the name of a route.
func TestLimiterKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		said := &verdict{bucket: "b", limit: 1, remaining: 0, reset: time.Second}
		first, _, err := l.acquire(t.Context(), "r", "1")
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		call := func(i int) {
			b, _, err := l.acquire(t.Context(), "r", "1")
			if err != nil {
				t.Error(err)
			}
			order = append(order, i) // one at a time, as the bucket's limit is
			l.release(b, "r", "1", said)
		}
		var calls sync.WaitGroup
		for i := range 10 {
			calls.Go(func() { call(i) })
			synctest.Wait()
		}
		l.release(first, "r", "1", &verdict{bucket: "b", limit: 1, remaining: 1, reset: time.Second})
		call(10) // comes while there is room, and others wait
		calls.Wait()
		if len(order) != 11 || !slices.IsSorted(order) {
			t.Errorf("turns: got %v, want them in order", order)
		}
	})
}

func TestLimiterHeedsA429(t *testing.T) {
	for name, c := range map[string]struct {
		global bool
		other  time.Duration // wait of another bucket
	}{"of the bucket": {false, 0}, "global": {true, 7 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(Limits{})
				turns(t, l, "a", "1", 1, 0, func(int) *verdict { return &verdict{blocked: 7 * time.Second, global: c.global} })
				if got := turns(t, l, "z", "9", 1, 0, func(int) *verdict { return nil }); got[0] != c.other {
					t.Errorf("another bucket: waited %v, want %v", got[0], c.other)
				}
				start := time.Now()
				turns(t, l, "a", "1", 1, 0, func(int) *verdict { return nil })
				if got := time.Since(start) + c.other; got != 7*time.Second {
					t.Errorf("the bucket: waited %v, want 7s", got)
				}
			})
		})
	}
}

func TestLimiterKeepsTheGlobalPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{PerSecond: 10})
		start := time.Now()
		var at []time.Duration
		for i := range 35 {
			resource := strconv.Itoa(i)
			b, _, err := l.acquire(t.Context(), "r", resource)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Since(start))
			l.release(b, "r", resource, &verdict{})
		}
		for i := 10; i < len(at); i++ {
			if at[i]-at[i-10] < time.Second {
				t.Errorf("calls %d to %d started within %v", i-10, i, at[i]-at[i-10])
			}
		}
		if last := at[34]; last != 3*time.Second {
			t.Errorf("35 calls at 10 a second: the last started after %v, want 3s", last)
		}
	})
}

func TestLimiterBoundsItsQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{Waiting: 2})
		first, _, err := l.acquire(t.Context(), "r", "1")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 2)
		for range 2 {
			go func() {
				b, _, err := l.acquire(t.Context(), "r", "1")
				if err == nil {
					l.release(b, "r", "1", &verdict{})
				}
				done <- err
			}()
		}
		synctest.Wait()
		if _, _, err := l.acquire(t.Context(), "r", "1"); !errors.Is(err, errQueueFull) {
			t.Errorf("third waiter: got %v, want errQueueFull", err)
		}
		if _, n := l.size(); n != 2 {
			t.Errorf("waiting: got %d, want 2", n)
		}
		l.release(first, "r", "1", &verdict{})
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// A wait that cannot end in time is refused before it begins; one that is
// cancelled leaves the queue, and the turn goes to the next.
func TestLimiterHeedsContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{})
		turns(t, l, "r", "1", 1, 0, func(int) *verdict {
			return &verdict{limit: 1, remaining: 0, reset: 10 * time.Second}
		})
		short, cancelShort := context.WithTimeout(t.Context(), 9*time.Second)
		defer cancelShort()
		start := time.Now()
		if _, wait, err := l.acquire(short, "r", "1"); !errors.Is(err, errTooLong) || wait != 10*time.Second {
			t.Errorf("got %v, %v, want 10s, errTooLong", wait, err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("the refusal took %v", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() { _, _, err := l.acquire(ctx, "r", "1"); gone <- err }()
		synctest.Wait()
		next := make(chan time.Duration)
		go func() {
			b, _, err := l.acquire(t.Context(), "r", "1")
			if err != nil {
				t.Error(err)
			}
			l.release(b, "r", "1", nil)
			next <- time.Since(start)
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: got %v", err)
		}
		if got := <-next; got != 10*time.Second {
			t.Errorf("the one behind: waited %v, want 10s", got)
		}
	})
}

func TestLimiterForgetsIdleBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{PerSecond: 100_000})
		for i := range 1000 {
			resource := strconv.Itoa(i)
			b, _, err := l.acquire(t.Context(), "r", resource)
			if err != nil {
				t.Fatal(err)
			}
			l.release(b, "r", resource, &verdict{bucket: "b", limit: 5, remaining: 4, reset: time.Second})
		}
		if n, _ := l.size(); n != 1000 {
			t.Fatalf("buckets: got %d, want 1000", n)
		}
		time.Sleep(2 * time.Minute) // on the bubble's clock
		b, _, err := l.acquire(t.Context(), "r", "x")
		if err != nil {
			t.Fatal(err)
		}
		l.release(b, "r", "x", nil)
		if n, _ := l.size(); n != 1 {
			t.Errorf("buckets after two idle minutes: got %d, want 1", n)
		}
	})
}

func TestInvalidRequestsSlowDownAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newInvalidCounter(Limits{})
		add := func(n int) {
			for range n {
				c.note(1)
			}
		}
		add(4999)
		if got := c.pause(); got != 0 {
			t.Errorf("pause at 4999: got %v, want 0", got)
		}
		add(3001)
		if got, want := c.pause(), 300*time.Millisecond; got != want {
			t.Errorf("pause at 8000: got %v, want %v", got, want)
		}
		add(1500)
		if c.allow(false) == nil || c.allow(true) != nil {
			t.Error("at 9500: want bot routes refused and answers allowed")
		}
		add(400)
		if c.allow(true) == nil {
			t.Error("at 9900: want answers refused")
		}
		time.Sleep(invalidWindow + invalidSlot) // on the bubble's clock
		if got := c.note(0); got != 0 || c.allow(false) != nil {
			t.Errorf("after the window: got %d, want 0", got)
		}
	})
}
