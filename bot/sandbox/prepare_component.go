package sandbox

import (
	"fmt"
	"slices"
	"unicode/utf8"
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

func (a ModalSubmission) prepare(s *Server, u *User) (*Call, error) {
	from := a.Call
	if from == nil || from.modal == nil || from.user != u {
		return nil, ErrNoModal
	}
	known := map[string]bool{}
	list, err := submitted(from.modal.Components, a.Values, known)
	if err != nil {
		return nil, err
	}
	for id := range a.Values {
		if !known[id] {
			return nil, fmt.Errorf("%w: the modal has no input %q", ErrNoComponent, id)
		}
	}
	call := s.newCall(u, from.channel, InteractionModal, "")
	call.message = from.message
	call.payload = map[string]any{"data": map[string]any{"custom_id": from.modal.CustomID, "components": list}}
	return call, nil
}

// submitted is what a client sends for the components of a modal, in the shape
// in which the modal was sent: rows of inputs, or labels.
func submitted(cs []Component, values map[string]string, known map[string]bool) ([]any, error) {
	list := []any{}
	for i := range cs {
		c := &cs[i]
		out := map[string]any{"type": c.Type, "id": c.ID}
		switch c.Type {
		case TypeActionRow:
			inner, err := submitted(c.Components, values, known)
			if err != nil {
				return nil, err
			}
			out["components"] = inner
		case TypeLabel:
			inner, err := submitted([]Component{*c.Component}, values, known)
			if err != nil {
				return nil, err
			}
			out["component"] = inner[0]
		case TypeTextInput:
			known[c.CustomID] = true
			v, ok := values[c.CustomID]
			if !ok {
				v = c.Value
			}
			if err := c.accepts(v); err != nil {
				return nil, err
			}
			out["custom_id"], out["value"] = c.CustomID, v
		case TypeTextDisplay:
		default:
			known[c.CustomID] = true
			out["custom_id"] = c.CustomID
			chosen := []any{}
			if v, ok := values[c.CustomID]; ok {
				chosen = append(chosen, v)
			}
			out["values"] = chosen
		}
		list = append(list, out)
	}
	return list, nil
}

// accepts refuses a text that the client would not let the person send.
func (c *Component) accepts(v string) error {
	n := utf8.RuneCountInString(v)
	required := c.Required == nil || *c.Required
	switch {
	case n == 0 && required:
		return fmt.Errorf("%w: input %q is required", ErrBadOption, c.CustomID)
	case n > 0 && c.MinLength != nil && n < *c.MinLength, c.MaxLength != nil && n > *c.MaxLength, n > maxInput:
		return fmt.Errorf("%w: input %q is too short or too long", ErrBadOption, c.CustomID)
	}
	return nil
}
