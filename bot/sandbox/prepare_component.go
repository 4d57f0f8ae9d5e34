package sandbox

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// look is the message as the person saw it so long ago. One that their client does not show
// is refused.
func look(m *Message, u *User, ago time.Duration, forced bool) (seen Snapshot, err error) {
	switch {
	case m == nil:
		return seen, fmt.Errorf("%w: no message", ErrGone)
	case forced:
	case m.deleted:
		return seen, fmt.Errorf("%w: the message", ErrGone)
	case !m.visibleTo(u):
		return seen, fmt.Errorf("%w: the message", ErrNotVisible)
	}
	seen = m.snapshot()
	if ago > 0 {
		seen.Components = m.shownAt(m.world.clock.Now().Add(-ago))
	}
	return seen, nil
}

func (a ButtonClick) prepare(u *User) (*Call, error) {
	seen, err := look(a.Message, u, a.Ago, a.Forced)
	if err != nil {
		return nil, err
	}
	b, ok := a.find(seen)
	switch {
	case !ok && a.Forced && a.CustomID != "":
		b = rules.Button{Type: rules.TypeButton, CustomID: a.CustomID} // one that was never there
	case !ok:
		return nil, fmt.Errorf("%w: %s; there are %q", ErrNoComponent, a, seen.Labels())
	case b.Style >= 5:
		return nil, fmt.Errorf("%w: %s: a link or premium button sends nothing", ErrNoComponent, a)
	case b.Disabled && !a.Forced:
		return nil, fmt.Errorf("%w: %s", ErrDisabled, a)
	}
	return newResolved(u, a.Message.channel, a.Message.app()).click(a.Message, b, nil, a.Forced || a.Ago > 0), nil
}

// find is the button that the click means among those of a message.
func (a ButtonClick) find(snap Snapshot) (rules.Button, bool) {
	switch {
	case a.CustomID != "":
		b, ok := snap.Find(a.CustomID)
		return b, ok && b.Type == rules.TypeButton
	case a.Label != "":
		return snap.Button(a.Label)
	}
	all := snap.Rows()
	if a.Row < 0 || a.Row >= len(all) || a.Column < 0 || a.Column >= len(all[a.Row]) {
		return rules.Button{}, false
	}
	return all[a.Row][a.Column], true
}

// click is call for a component of a message, with what was chosen in a select.
func (r *resolved) click(m *Message, c rules.Component, values []string, blind bool) *Call {
	data := map[string]any{"component_type": c.Type, "custom_id": c.CustomID, "id": c.ID}
	if c.Type != rules.TypeButton {
		data["values"] = orEmpty(values)
	}
	call := r.call(InteractionComponent, "", data)
	call.message, call.blind = m, blind
	return call
}

func (a Selection) prepare(u *User) (*Call, error) {
	seen, err := look(a.Message, u, a.Ago, a.Forced)
	if err != nil {
		return nil, err
	}
	c, ok := seen.Find(a.CustomID)
	if !ok && a.Forced {
		c, ok = rules.Component{Type: rules.TypeStringSelect, CustomID: a.CustomID}, true // one that is gone
	}
	if !ok || c.Type != rules.TypeStringSelect && (c.Type < rules.TypeUserSelect || c.Type > rules.TypeChannelSelect) {
		return nil, fmt.Errorf("%w: %s", ErrNoComponent, a)
	}
	if c.Disabled && !a.Forced {
		return nil, fmt.Errorf("%w: %s", ErrDisabled, a)
	}
	low, high := c.Values(1, 1)
	if !a.Forced && (len(a.Values) < low || len(a.Values) > high) {
		return nil, fmt.Errorf("%w: %d values, not %d to %d", ErrBadOption, len(a.Values), low, high)
	}
	r := newResolved(u, a.Message.channel, a.Message.app())
	for _, v := range a.Values {
		if c.Type == rules.TypeStringSelect && !a.Forced && !slices.ContainsFunc(c.Options, func(o rules.SelectOption) bool { return o.Value == v }) {
			return nil, fmt.Errorf("%w: no option %q", ErrBadOption, v)
		}
		if err := r.Pick(c.Type, v, nil); err != nil {
			return nil, err
		}
	}
	return r.click(a.Message, c, a.Values, a.Forced || a.Ago > 0), nil
}

// refuse says why Discord does not pass on the use of a component, "" if it does:
// the component is looked up on the message as it stands now.
func (c *Call) refuse() string {
	if c.kind != InteractionComponent || c.world.opt.Clicks == ClicksDelivered {
		return ""
	}
	id, _ := c.data["custom_id"].(string)
	found, ok := c.message.snapshot().Find(id)
	switch {
	case c.message.deleted:
		return "The message is gone."
	case !c.message.visibleTo(c.user):
		return "The message is not there for this person."
	case c.channel.locked: // for who manages threads too (discord/discord-api-docs#7900)
		return "The thread is locked."
	case !ok:
		return "The message does not have this component now."
	case found.Disabled:
		return "The component is disabled now."
	case c.world.opt.Clicks != ClicksFromDesktop && !openFor(c.user, c.channel):
		return "The thread is archived, and this person may not open it."
	}
	return ""
}

// look gives the person time to look at the message that they use: the server
// says that its last edit was made a little earlier.
func (c *Call) look(now time.Time) {
	if c.kind != InteractionComponent || c.blind {
		return
	}
	if latest := now.Add(-c.world.opt.LookTime); c.message.edited.After(latest) {
		c.message.edited = latest
	}
}
