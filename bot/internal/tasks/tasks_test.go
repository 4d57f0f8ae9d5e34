package tasks_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/internal/tasks"
)

// run is a task that takes so long.
func run(t *testing.T, g *tasks.Group, d time.Duration) {
	t.Helper()
	if !g.Begin() {
		t.Error("a task was refused")
		return
	}
	go func() {
		defer g.End()
		time.Sleep(d) // on the bubble's clock
	}()
}

// waited returns how long Wait takes, and its result.
func waited(ctx context.Context, g *tasks.Group) (time.Duration, error) {
	start := time.Now()
	err := g.Wait(ctx)
	return time.Since(start), err
}

func TestWaitEndsWithTheLastTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g tasks.Group
		if took, err := waited(t.Context(), &g); took != 0 || err != nil {
			t.Errorf("without tasks: got %v, %v, want 0, nil", took, err)
		}
		run(t, &g, time.Second)
		run(t, &g, 3*time.Second)
		// One that begins while somebody waits is waited for as well.
		time.AfterFunc(2*time.Second, func() { run(t, &g, 5*time.Second) })
		if got, want := g.Running(), 2; got != want {
			t.Errorf("running: got %d, want %d", got, want)
		}
		second := make(chan time.Duration)
		go func() { took, _ := waited(t.Context(), &g); second <- took }()
		if took, err := waited(t.Context(), &g); took != 7*time.Second || err != nil {
			t.Errorf("got %v, %v, want 7s, nil", took, err)
		}
		if took := <-second; took != 7*time.Second {
			t.Errorf("another one who waits: got %v, want 7s", took)
		}
		// The group can be used again.
		run(t, &g, time.Second)
		if took, err := waited(t.Context(), &g); took != time.Second || err != nil {
			t.Errorf("again: got %v, %v, want 1s, nil", took, err)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g tasks.Group
		run(t, &g, 3*time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if took, err := waited(ctx, &g); took != time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, %v, want 1s and the end of the context", took, err)
		}
		if took, err := waited(t.Context(), &g); took != 2*time.Second || err != nil {
			t.Errorf("afterwards: got %v, %v, want 2s, nil", took, err)
		}
	})
}

// After Close, work that is coming to its end may begin some more; then nothing may.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g tasks.Group
		run(t, &g, 2*time.Second)
		g.Close()
		time.AfterFunc(time.Second, func() { run(t, &g, 3*time.Second) })
		if took, err := waited(t.Context(), &g); took != 4*time.Second || err != nil {
			t.Errorf("got %v, %v, want 4s, nil", took, err)
		}
		if g.Begin() {
			t.Error("a task began after the end")
		}
	})
	var idle tasks.Group
	idle.Close()
	if idle.Begin() {
		t.Error("a task began in a group that was closed without one")
	}
}

func TestEndWithoutBeginPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	new(tasks.Group).End()
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		gone, end := context.WithCancel(t.Context())
		end()
		for name, c := range map[string]struct {
			ctx     context.Context
			d, took time.Duration
			want    error
		}{
			"to its end":             {t.Context(), 5 * time.Second, 5 * time.Second, nil},
			"nothing":                {t.Context(), 0, 0, nil},
			"less than nothing":      {t.Context(), -time.Second, 0, nil},
			"a context that is over": {gone, time.Hour, 0, context.Canceled},
			"nothing, and over":      {gone, 0, 0, context.Canceled},
		} {
			start := time.Now()
			if err := tasks.Sleep(c.ctx, c.d); !errors.Is(err, c.want) || time.Since(start) != c.took {
				t.Errorf("%s: got %v after %v, want %v after %v", name, err, time.Since(start), c.want, c.took)
			}
		}
		if err := tasks.Sleep(short, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a context that ends: got %v", err)
		}
	})
}

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		time.AfterFunc(2*time.Second, func() { close(done) })
		if tasks.Within(done, time.Second) {
			t.Error("it was not done within a second")
		}
		if !tasks.Within(done, time.Hour) {
			t.Error("it was done within an hour")
		}
	})
}
