package sandbox

// subscriberBuffer is how many events a reader may lag behind before it is dropped.
const subscriberBuffer = 256

// subscriptions are the open subscriptions. The Server's lock guards it.
type subscriptions struct {
	open map[*subscription]struct{}
	seq  int64
}

type subscription struct {
	user string
	ch   chan Event
}

// publishMessageLocked tells those who see m.
func (w *World) publishMessageLocked(kind EventKind, m *Message) {
	w.notifyLocked()
	w.subs.seq++
	if len(w.subs.open) == 0 {
		return
	}
	snap := m.snapshot()
	e := Event{Kind: kind, At: w.clock.Now(), Seq: w.subs.seq, Message: &snap, ChannelID: m.channel.id}
	for sub := range w.subs.open {
		if sub.user != "" {
			u := w.users[sub.user]
			if u == nil || !m.visibleTo(u) {
				continue
			}
			e.Pings = kind == EventMessageCreated && containsID(m.pinged, u)
			e.Badges = kind == EventMessageCreated && containsID(m.badged, u)
		}
		w.subs.send(sub, e)
	}
}

// publishCallLocked tells who sent c.
func (w *World) publishCallLocked(c *Call) {
	w.notifyLocked()
	w.subs.seq++
	if len(w.subs.open) == 0 {
		return
	}
	info := c.info()
	e := Event{Kind: EventCall, At: w.clock.Now(), Seq: w.subs.seq, Call: &info, ChannelID: c.channel.id, UserID: c.user.id}
	for sub := range w.subs.open {
		if sub.user == "" || sub.user == c.user.id {
			w.subs.send(sub, e)
		}
	}
}

func (s *subscriptions) send(sub *subscription, e Event) {
	select {
	case sub.ch <- e:
	default:
		s.drop(sub)
	}
}

func (s *subscriptions) drop(sub *subscription) {
	if _, ok := s.open[sub]; ok {
		delete(s.open, sub)
		close(sub.ch)
	}
}

func (s *subscriptions) closeAll() {
	for sub := range s.open {
		s.drop(sub)
	}
}

func containsID(us []*User, u *User) bool {
	for _, x := range us {
		if x == u {
			return true
		}
	}
	return false
}
