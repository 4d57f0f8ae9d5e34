package bot

import (
	"sync"
	"time"
)

// uptime is the bot's own clock: it advances only while the bot is connected, so
// that nobody runs out of time while nobody can move. Deadlines are points on it.
type uptime struct {
	now       func() time.Time
	connected func() bool

	mu    sync.Mutex
	total time.Duration
	last  time.Time
}

// set starts the clock at what an earlier process has saved.
func (u *uptime) set(total time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.total, u.last = total, u.now()
}

// read returns the up-time so far.
func (u *uptime) read() time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.now()
	if u.connected() {
		u.total += max(0, now.Sub(u.last))
	}
	u.last = now
	return u.total
}
