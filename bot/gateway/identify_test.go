package gateway

import (
	"testing"
	"time"
)

func TestIdentifiesSpaceReservations(t *testing.T) {
	const every = time.Minute
	now := time.Now()
	i := NewIdentifiesEvery(every)
	a, b, other := i.reserve(0, now), i.reserve(0, now), i.reserve(1, now)
	for name, c := range map[string]struct{ got, want time.Time }{
		"first":       {a.at, now},
		"second":      {b.at, now.Add(every)},
		"another key": {other.at, now},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
	// The latest reservation can be returned; an earlier one is lost, since others
	// wait behind it.
	b.giveBack()
	if c := i.reserve(0, now); !c.at.Equal(now.Add(every)) {
		t.Errorf("after giving back: got %v, want %v", c.at, now.Add(every))
	}
	a.giveBack()
	if c := i.reserve(0, now); !c.at.Equal(now.Add(2 * every)) {
		t.Errorf("after giving back an earlier one: got %v, want %v", c.at, now.Add(2*every))
	}
}

func TestIdentifiesCountFromTheIdentifyItself(t *testing.T) {
	const every = time.Hour
	i := NewIdentifiesEvery(every)
	p := i.reserve(0, time.Now().Add(-every/2)) // reserved long ago, used now
	before := time.Now()
	p.use()
	if next := i.reserve(0, time.Now()); next.at.Before(before.Add(every)) {
		t.Errorf("next: got %v after the identify, want %v", next.at.Sub(before), every)
	}
}
