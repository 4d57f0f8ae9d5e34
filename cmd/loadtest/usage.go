package main

import "time"

// usage is what a process has used so far.
type usage struct {
	known          bool          // false where the system does not tell
	cpu            time.Duration // of all its threads, in the system's mode too
	resident, peak uint64        // bytes
}

// add adds what another process has used.
func (u *usage) add(o usage) {
	u.known = u.known && o.known
	u.cpu += o.cpu
	u.resident += o.resident
	u.peak += o.peak
}
