package rest

import (
	"math"
	"net/http"
	"sync"
	"time"
)

// dates knows by how much Discord's clock is ahead of ours, as that would run if nobody set
// it. An answer's date is made between the request and the answer, and cut to the second:
// each gives bounds, and all of them together soon leave hardly more than an answer takes.
type dates struct {
	began time.Time // what is sent and what comes counts from here

	mu          sync.Mutex
	least, most time.Duration
}

func newDates(now time.Time) *dates {
	return &dates{began: now, least: math.MinInt64, most: math.MaxInt64}
}

func (d *dates) note(sent, came time.Duration, h http.Header) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	ahead := date.Sub(d.began)
	least, most := ahead-came, ahead+time.Second-sent
	if least <= d.most && most >= d.least { // else the machine has slept, or a date was wrong
		least, most = max(least, d.least), min(most, d.most)
	}
	d.least, d.most = least, most
}

// at returns Discord's time when our clock, which may have been set, shows now.
func (d *dates) at(passed time.Duration, now time.Time) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	run := d.began.Round(0).Add(passed)
	if ahead := now.Sub(run); ahead >= d.least && ahead <= d.most {
		return now
	}
	return run.Add(d.least)
}

// DiscordTime returns what Discord's clock showed at a moment that was read with its
// monotonic part: what ours does, as long as the dates of Discord's answers allow that it is
// right; else the earliest that they allow, which is behind by a second and an answer's time at
// most, and less with each answer. Safe for concurrent use.
func (c *Client) DiscordTime(at time.Time) time.Time {
	return c.dates.at(at.Sub(c.dates.began), at.Round(0))
}
