package main

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// How a flush is measured: like a log to which a few pages are appended.
const (
	flushes    = 200
	flushBytes = 16 << 10
)

// measureFlush measures how long the disk below the folder takes to make an
// append durable.
func measureFlush(dir string) (l Latency, err error) {
	f, err := os.Create(filepath.Join(dir, "flush")) //nolint:gosec // in the run's own folder
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	page := make([]byte, flushBytes)
	h := newHistogram()
	for range flushes {
		began := time.Now()
		_, err := f.Write(page)
		if err := errors.Join(err, f.Sync()); err != nil {
			return l, err
		}
		record(h, time.Since(began))
	}
	return latencies(h), nil
}

// newHistogram returns one for times from a microsecond to a minute, three digits
// exact.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(time.Minute/time.Microsecond), 3)
}

func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(max(1, d.Microseconds()), h.HighestTrackableValue())) // within bounds
}
