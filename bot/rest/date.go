package rest

import (
	"net/http"
	"sync"
	"time"
)

// dateLife is for how long the date of an answer stands for Discord's clock.
const dateLife = 10 * time.Minute

// dates keeps the Date header that was the least behind when it came: answers take
// time, and the header is cut to the second.
type dates struct {
	mu       sync.Mutex
	at, date time.Time
}

func (d *dates) note(at time.Time, h http.Header) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// What has passed here is read from the monotonic clock, which nobody sets.
	passed := at.Sub(d.at)
	if d.at.IsZero() || passed > dateLife || passed < date.Sub(d.date) {
		d.at, d.date = at, date
	}
}

// Date returns the date of an answer of the last minutes and the moment at which it
// had come, of all those the pair that lies closest together, as far as that can be
// known by a clock that is off; not ok before the first answer that has one. Safe for
// concurrent use.
func (c *Client) Date() (at, date time.Time, ok bool) {
	c.dates.mu.Lock()
	defer c.dates.mu.Unlock()
	return c.dates.at, c.dates.date, !c.dates.at.IsZero()
}
