package sandbox

import (
	"fmt"
	"slices"
)

// usable refuses a message that the person's client does not show.
func usable(m *Message, u *User, forced bool) error {
	switch {
	case m == nil:
		return fmt.Errorf("%w: no message", ErrGone)
	case forced:
		return nil
	case m.deleted:
		return fmt.Errorf("%w: the message", ErrGone)
	case !m.visibleTo(u):
		return fmt.Errorf("%w: the message", ErrNotVisible)
	}
	return nil
}

func (a ButtonClick) prepare(s *Server, u *User) (*Call, error) {
	if err := usable(a.Message, u, a.Forced); err != nil {
		return nil, err
	}
	b, ok := a.find()
	switch {
	case !ok && a.Forced && a.CustomID != "":
		b = Button{Type: TypeButton, CustomID: a.CustomID} // one that was never there
	case !ok:
		return nil, fmt.Errorf("%w: %s; there are %q", ErrNoComponent, a, a.Message.snapshot().Labels())
	case b.Style >= 5:
		return nil, fmt.Errorf("%w: %s: a link or premium button sends nothing", ErrNoComponent, a)
	case b.Disabled && !a.Forced:
		return nil, fmt.Errorf("%w: %s", ErrDisabled, a)
	}
	return s.componentCall(u, a.Message, map[string]any{"component_type": TypeButton, "custom_id": b.CustomID, "id": b.ID}), nil
}

// find is the button that the click means.
func (a ButtonClick) find() (Button, bool) {
	snap := a.Message.snapshot()
	switch {
	case a.CustomID != "":
		b, ok := snap.Find(a.CustomID)
		return b, ok && b.Type == TypeButton
	case a.Label != "":
		return snap.Button(a.Label)
	}
	all := snap.Rows()
	if a.Row < 0 || a.Row >= len(all) || a.Column < 0 || a.Column >= len(all[a.Row]) {
		return Button{}, false
	}
	return all[a.Row][a.Column], true
}

func (s *Server) componentCall(u *User, m *Message, data map[string]any) *Call {
	call := s.newCall(u, m.channel, InteractionComponent, "")
	call.message, call.payload = m, map[string]any{"data": data}
	return call
}

func (a Selection) prepare(s *Server, u *User) (*Call, error) {
	if err := usable(a.Message, u, a.Forced); err != nil {
		return nil, err
	}
	c, ok := a.Message.snapshot().Find(a.CustomID)
	if !ok || c.Type != TypeStringSelect && (c.Type < TypeUserSelect || c.Type > TypeChannelSelect) {
		return nil, fmt.Errorf("%w: %s", ErrNoComponent, a)
	}
	if c.Disabled && !a.Forced {
		return nil, fmt.Errorf("%w: %s", ErrDisabled, a)
	}
	low, high := 1, 1
	if c.MinValues != nil {
		low = *c.MinValues
	}
	if c.MaxValues != nil {
		high = *c.MaxValues
	}
	if !a.Forced && (len(a.Values) < low || len(a.Values) > high) {
		return nil, fmt.Errorf("%w: %d values, not %d to %d", ErrBadOption, len(a.Values), low, high)
	}
	data := map[string]any{"component_type": c.Type, "custom_id": c.CustomID, "id": c.ID}
	r := newResolved(a.Message.channel)
	values := []any{}
	for _, v := range a.Values {
		switch c.Type {
		case TypeStringSelect:
			if !a.Forced && !slices.ContainsFunc(c.Options, func(o SelectOption) bool { return o.Value == v }) {
				return nil, fmt.Errorf("%w: no option %q", ErrBadOption, v)
			}
		case TypeUserSelect, TypeMentionableSelect:
			who := s.users[v]
			if who == nil {
				return nil, fmt.Errorf("%w: no person %q", ErrBadOption, v)
			}
			r.user(who)
		case TypeChannelSelect:
			ch := s.channels[v]
			if ch == nil {
				return nil, fmt.Errorf("%w: no channel %q", ErrBadOption, v)
			}
			r.channel(ch)
		}
		values = append(values, v)
	}
	data["values"] = values
	r.into(data)
	return s.componentCall(u, a.Message, data), nil
}
