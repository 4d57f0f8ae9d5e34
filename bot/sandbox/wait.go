package sandbox

import (
	"time"
)

// activity notes that a request begins or ends.
func (w *World) activity(n int) {
	defer w.hold()()
	w.active += n
	w.activeAt = time.Now()
	w.notifyLocked()
}
