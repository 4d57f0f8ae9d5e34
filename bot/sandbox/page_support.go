package sandbox

import "slices"

// What the page needs to know beyond the exported API, read in one piece.

// callByID returns the interaction of that id, or nil.
func (s *Server) callByID(id string) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}

// history returns up to limit of the newest messages that u sees in ch before the
// message of that id (the newest of all for an empty one), oldest first, whether
// there are older ones, and the event count that they belong to.
func (s *Server) history(u *User, ch *Channel, before string, limit int) (page []Snapshot, more bool, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	page = []Snapshot{}
	for i := len(ch.messages) - 1; i >= 0; i-- {
		m := ch.messages[i]
		if m.deleted || !m.visibleTo(u) || before != "" && !olderID(m.id, before) {
			continue
		}
		if len(page) == limit {
			more = true
			break
		}
		snap := m.snapshot()
		snap.Writes = nil
		page = append(page, snap)
	}
	slices.Reverse(page)
	return page, more, s.subs.seq
}

// olderID compares two snowflakes, which are decimal numbers without leading zeros.
func olderID(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// moderates reports whether the person may delete messages of others.
func (u *User) moderates() bool {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	return u.permissions&(PermissionManageMessages|PermissionAdministrator) != 0
}

// announce tells subscribers of a change.
func (s *Server) announce(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publishLocked(e)
}
