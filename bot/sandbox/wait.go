package sandbox

import (
	"time"
)

// activity notes that a request begins or ends.
func (w *World) activity(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active += n
	w.activeAt = time.Now()
	w.notifyLocked()
}
