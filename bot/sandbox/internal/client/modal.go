package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"tictactoe/bot/sandbox/rules"
)

// FillIn is what a client sends for the components of a modal that somebody has filled in:
// what they chose or wrote, by custom id. An input that is left out keeps what it was sent
// with.
func FillIn(modal *rules.Modal, filled map[string][]string, r Resolver) ([]any, error) {
	p := &submission{left: maps.Clone(filled), resolver: r}
	list, err := p.all(modal.Components)
	for id := range p.left {
		err = cmp.Or(err, fmt.Errorf("%w: the modal has no input %q", ErrNoComponent, id))
	}
	return list, err
}

// submission is a modal that is being filled in.
type submission struct {
	left     map[string][]string // what nobody has asked for yet, by custom id
	resolver Resolver
}

// all is what a client sends for the components of a modal, in the shape in which
// the modal was sent: rows of inputs, or labels.
func (p *submission) all(cs []rules.Component) ([]any, error) {
	list := []any{}
	for i := range cs {
		out, err := p.one(&cs[i])
		if err != nil {
			return nil, err
		}
		list = append(list, out)
	}
	return list, nil
}

func (p *submission) one(c *rules.Component) (out map[string]any, err error) {
	out = map[string]any{"type": c.Type, "id": c.ID}
	switch c.Type {
	case rules.TypeTextDisplay:
		return out, nil
	case rules.TypeActionRow:
		out["components"], err = p.all(c.Components)
		return out, err
	case rules.TypeLabel:
		out["component"], err = p.one(c.Component)
		return out, err
	}
	out["custom_id"] = c.CustomID
	chosen, given := p.left[c.CustomID]
	delete(p.left, c.CustomID)
	if !given {
		chosen = prefilled(c)
	}
	switch c.Type {
	case rules.TypeTextInput:
		var text string
		if len(chosen) > 0 {
			text = chosen[0]
		}
		out["value"] = text
		return out, accepts(c, text)
	case rules.TypeCheckbox:
		out["value"] = len(chosen) > 0 && chosen[0] == "true"
		return out, nil
	case rules.TypeRadioGroup:
		out["value"] = nil
		if len(chosen) > 0 {
			out["value"] = chosen[0]
		}
		return out, acceptsChoices(c, chosen)
	}
	if err := acceptsChoices(c, chosen); err != nil {
		return nil, err
	}
	out["values"], err = p.values(c, chosen)
	return out, err
}

// prefilled is what an input holds that nobody has touched.
func prefilled(c *rules.Component) []string {
	chosen := []string{}
	if c.Value != "" {
		chosen = append(chosen, c.Value)
	}
	if c.Default {
		chosen = append(chosen, "true")
	}
	for _, o := range c.Options {
		if o.Default {
			chosen = append(chosen, o.Value)
		}
	}
	var defaults []struct {
		ID string `json:"id"`
	}
	if c.DefaultValues != nil && json.Unmarshal(c.DefaultValues, &defaults) == nil {
		for _, d := range defaults {
			chosen = append(chosen, d.ID)
		}
	}
	return chosen
}

// values are the chosen people, channels or files, which are also resolved, or
// the values of options as they are.
func (p *submission) values(c *rules.Component, chosen []string) ([]any, error) {
	values := []any{}
	for _, v := range chosen {
		if c.Type == rules.TypeFileUpload {
			v = p.resolver.File(v)
		} else if err := p.resolver.Pick(c.Type, v, c.ChannelTypes); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

func isRequired(c *rules.Component) bool { return c.Required == nil || *c.Required }

// accepts refuses a text that the client would not let the person send.
func accepts(c *rules.Component, v string) error {
	n := utf8.RuneCountInString(v)
	switch {
	case n == 0 && isRequired(c):
		return fmt.Errorf("%w: input %q is required", ErrBadOption, c.CustomID)
	case n > 0 && c.MinLength != nil && n < *c.MinLength, c.MaxLength != nil && n > *c.MaxLength, n > rules.MaxInput:
		return fmt.Errorf("%w: input %q is too short or too long", ErrBadOption, c.CustomID)
	}
	return nil
}

// acceptsChoices refuses what the client would not let the person choose.
func acceptsChoices(c *rules.Component, chosen []string) error {
	most := 1
	if c.Type == rules.TypeCheckboxGroup {
		most = len(c.Options)
	}
	low, high := c.Values(1, most)
	n := len(chosen)
	switch {
	case n == 0 && isRequired(c) && low > 0:
		return fmt.Errorf("%w: input %q is required", ErrBadOption, c.CustomID)
	case n > 0 && n < low || n > high:
		return fmt.Errorf("%w: %d values for %q, not %d to %d", ErrBadOption, n, c.CustomID, low, high)
	}
	for i, v := range chosen {
		if slices.Contains(chosen[:i], v) && c.Type != rules.TypeFileUpload {
			return fmt.Errorf("%w: %q is chosen twice in %q", ErrBadOption, v, c.CustomID)
		}
		if c.Options != nil && !slices.ContainsFunc(c.Options, func(o rules.SelectOption) bool { return o.Value == v }) {
			return fmt.Errorf("%w: no option %q in %q", ErrBadOption, v, c.CustomID)
		}
	}
	return nil
}
