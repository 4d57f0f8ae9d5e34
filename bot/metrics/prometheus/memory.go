package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// memory holds what was scraped. It is a storage.Queryable.
type memory map[string]*series

type series struct {
	labels  labels.Labels
	samples []chunks.Sample
}

// scrape adds what was served at one time, in the plain format.
func (m memory) scrape(text string, at time.Time, added map[string]string) error {
	p := textparse.NewPromParser([]byte(text), labels.NewSymbolTable(), false)
	for {
		entry, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case entry != textparse.EntrySeries:
			continue
		}
		var l labels.Labels
		p.Labels(&l)
		b := labels.NewBuilder(l)
		for name, value := range added {
			b.Set(name, value)
		}
		l = b.Labels()
		s := m[l.String()]
		if s == nil {
			s = &series{labels: l}
			m[l.String()] = s
		}
		_, _, value := p.Series()
		s.samples = append(s.samples, sample{at.UnixMilli(), value})
	}
}

// Querier implements storage.Queryable.
func (m memory) Querier(int64, int64) (storage.Querier, error) { return querier{m}, nil }

// querier selects series. Nothing that is asked here wants the names and values of labels.
type querier struct{ memory }

func (q querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	set := &found{at: -1}
	for _, key := range slices.Sorted(maps.Keys(q.memory)) {
		s := q.memory[key]
		if !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(s.labels.Get(m.Name)) }) {
			set.all = append(set.all, storage.NewListSeries(s.labels, s.samples))
		}
	}
	return set
}

func (querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, errors.ErrUnsupported
}

func (querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, errors.ErrUnsupported
}

func (querier) Close() error { return nil }

// found is a storage.SeriesSet.
type found struct {
	all []storage.Series
	at  int
}

func (f *found) Next() bool                      { f.at++; return f.at < len(f.all) }
func (f *found) At() storage.Series              { return f.all[f.at] }
func (*found) Err() error                        { return nil }
func (*found) Warnings() annotations.Annotations { return nil }

// sample is a plain number.
type sample struct {
	t int64
	f float64
}

func (s sample) T() int64                    { return s.t }
func (sample) ST() int64                     { return 0 }
func (s sample) F() float64                  { return s.f }
func (sample) H() *histogram.Histogram       { return nil }
func (sample) FH() *histogram.FloatHistogram { return nil }
func (sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample         { return s }
