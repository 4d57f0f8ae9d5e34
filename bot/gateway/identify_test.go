package gateway

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

// begun waits for a permit in the background.
func begun(t *testing.T, i *Identifies, shard, maxConcurrency int) <-chan *permit {
	got := make(chan *permit, 1)
	go func() {
		if p, err := i.wait(t.Context(), shard, maxConcurrency); err == nil {
			got <- p
		}
	}()
	return got
}

// Of a bucket one session starts after the other, each a while after the start of the one
// before, and one that was not started is not waited for. Other buckets do not wait.
func TestIdentifiesTakeTurns(t *testing.T) {
	const every = 50 * time.Millisecond
	i := NewIdentifiesEvery(every)
	first := <-begun(t, i, 0, 2)
	second := begun(t, i, 2, 2)
	other := <-begun(t, i, 1, 2)
	if first.waited || other.waited {
		t.Error("who is first waits")
	}
	select {
	case <-second:
		t.Fatal("two have the turn")
	case <-time.After(2 * every): // it has waited for so long, and not for the pace
	}
	started := time.Now()
	first.use()
	p := <-second
	if took := time.Since(started); took < every || !p.waited {
		t.Errorf("the next may start %v after the start of the one before, want at least %v", took, every)
	}
	p.giveBack()
	(<-begun(t, i, 0, 2)).giveBack()
	if n := i.started.Load(); n != 1 {
		t.Errorf("%d were started, want 1", n)
	}
}

// Who stops waiting leaves the turn to others.
func TestIdentifiesWaitingEnds(t *testing.T) {
	i := NewIdentifiesEvery(time.Hour)
	first := <-begun(t, i, 0, 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := i.wait(ctx, 0, 1)
		ended <- err
	}()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	first.giveBack()
	p := <-begun(t, i, 0, 1)
	p.use()
	ctx, stop = context.WithCancel(t.Context())
	go func() {
		_, err := i.wait(ctx, 0, 1)
		ended <- err
	}()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v while it waits for the pace", err)
	}
}

// others are the processes with which a pacer takes turns.
type others struct {
	mu     sync.Mutex
	busy   int // how often another has the turn
	broken bool
	taken  []int           // buckets
	passed []time.Duration // after how long
}

func (o *others) TakeTurn(_ context.Context, bucket int, _ time.Duration) (string, time.Duration, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.broken:
		return "", 0, errors.New("not to be asked")
	case o.busy > 0:
		o.busy--
		return "", time.Millisecond, nil
	}
	o.taken = append(o.taken, bucket)
	return "turn", 0, nil
}

func (o *others) PassTurn(_ context.Context, _ int, name string, after time.Duration) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if name == "turn" {
		o.passed = append(o.passed, after)
	}
	return nil
}

// Several processes take turns: one waits for the other, passes its turn on when it has
// started, and goes by itself where they cannot be asked.
func TestIdentifiesTakeTurnsWithOthers(t *testing.T) {
	o := &others{busy: 2}
	i := NewIdentifiesEvery(time.Millisecond)
	i.Share(o)
	p := <-begun(t, i, 5, 4)
	if !p.waited || len(o.taken) != 1 || o.taken[0] != 1 {
		t.Errorf("it has waited: %t, and taken the turns of %v", p.waited, o.taken)
	}
	passed := func() int {
		o.mu.Lock()
		defer o.mu.Unlock()
		return len(o.passed)
	}
	p.use()
	waittest.Until(t, "the turn to be passed on", func() bool { return passed() == 1 })
	p = <-begun(t, i, 1, 4)
	p.giveBack()
	waittest.Until(t, "the turn to be given back", func() bool { return passed() == 2 })
	if o.passed[0] != time.Millisecond || o.passed[1] != 0 {
		t.Errorf("passed on after %v", o.passed)
	}
	o.broken = true
	(<-begun(t, i, 1, 4)).use()
}
