package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/big"
	"os"
	"reflect"
	"runtime"
	"testing"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
)

var smallBoard = engine.Rules{M: 4, N: 4, K: 3}

func playSample(t *testing.T, opts options) Sampled {
	t.Helper()
	s, err := sample(context.Background(), smallBoard, opts, &progress.Line{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSeedDecides plays the same games on one processor and on several, and others with
// another seed.
func TestSeedDecides(t *testing.T) {
	opts := options{Games: 10, Seed: 7}
	several := playSample(t, opts)
	before := runtime.GOMAXPROCS(1)
	one := playSample(t, opts)
	runtime.GOMAXPROCS(before)
	if !reflect.DeepEqual(one, several) {
		t.Error("the games depend on the number of processors")
	}
	if report, err := play(context.Background(), options{Boards: []engine.Rules{}}, &progress.Line{}); err != nil || report.Seed != 0 {
		t.Errorf("seed 0 is played as %d, %v", report.Seed, err)
	}
	opts.Seed++
	if reflect.DeepEqual(playSample(t, opts), several) {
		t.Error("another seed gives the same games")
	}
}

// cancelling cancels a context as soon as there is progress to tell of.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

func TestCancelledWhileSampling(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := sample(ctx, smallBoard, options{Games: 1000, Seed: 1}, progress.To(cancelling{cancel}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrors(t *testing.T) {
	report := Report{Seed: 1, Standard: playExact(t), Sampled: []Sampled{playSample(t, options{Games: 1, Seed: 1})}}
	for name, write := range map[string]func(io.Writer, Report) error{"tables": writeTables, "JSON": writeJSON} {
		if err := write(brokenWriter{}, report); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: got %v, want os.ErrClosed", name, err)
		}
		if err := write(&bytes.Buffer{}, report); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInterval(t *testing.T) {
	// Wilson's own score interval, worked out by hand.
	for _, tt := range []struct {
		win, draw, loss int64
		low, high       float64
	}{
		{0, 0, 0, 0, 1},
		{20, 0, 0, 0.8389, 1},
		{0, 0, 20, 0, 0.1611},
		{10, 0, 10, 0.2993, 0.7007},
		{0, 20, 0, 0.2993, 0.7007},
	} {
		low, high := Result{big.NewRat(tt.win, 1), big.NewRat(tt.draw, 1), big.NewRat(tt.loss, 1)}.Interval()
		if math.Abs(low-tt.low) > 1e-4 || math.Abs(high-tt.high) > 1e-4 {
			t.Errorf("%+v: got [%.4f, %.4f], want [%.4f, %.4f]", tt, low, high, tt.low, tt.high)
		}
	}
}
