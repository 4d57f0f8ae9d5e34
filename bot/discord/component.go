package discord

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Discord's numbers for components, button styles and message flags (Discord's
// documentation, Components and Message resources).
const (
	TypeActionRow     = 1
	TypeButton        = 2
	TypeSelect        = 3 // of texts
	TypeUserSelect    = 5
	TypeRoleSelect    = 6
	TypeChannelSelect = 8
	TypeSection       = 9
	TypeTextDisplay   = 10
	TypeSeparator     = 14
	TypeContainer     = 17

	StylePrimary   = 1
	StyleSecondary = 2
	StyleSuccess   = 3
	StyleDanger    = 4

	flagEphemeral             = 1 << 6
	flagSuppressNotifications = 1 << 12
	flagComponentsV2          = 1 << 15
)

// Component is one of Discord's message components; which fields count depends
// on the type.
type Component struct {
	Type        int         `json:"type"`
	ID          int         `json:"id,omitempty"` // Discord gives one where there is none
	Style       int         `json:"style,omitempty"`
	Label       string      `json:"label,omitempty"`
	CustomID    string      `json:"custom_id,omitempty"`
	Disabled    bool        `json:"disabled,omitempty"`
	Content     string      `json:"content,omitempty"`
	AccentColor *int        `json:"accent_color,omitempty"`
	Components  []Component `json:"components,omitempty"`
	Accessory   *Component  `json:"accessory,omitempty"` // of a section
	Options     []Option    `json:"options,omitempty"`   // of a select
	Placeholder string      `json:"placeholder,omitempty"`
	Kinds       []int       `json:"channel_types,omitempty"` // that a select of channels offers
	// Chosen are what stands there as chosen in a select of roles or channels, which may be left empty.
	Chosen []Chosen `json:"default_values,omitempty"`
	Least  *int     `json:"min_values,omitempty"` // that are to be chosen; nil for one
}

// Chosen is something that a select of Discord's own things has as chosen.
type Chosen struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// Option is a choice in a select.
type Option struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Default     bool   `json:"default,omitempty"` // stands there as chosen
	Emoji       Emoji  `json:"emoji,omitzero"`
}

// Emoji is one of Unicode by its name, or one that was made by its id and name.
type Emoji struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
}

func Row(buttons ...Component) Component {
	return Component{Type: TypeActionRow, Components: buttons}
}

func Button(style int, label, customID string) Component {
	return Component{Type: TypeButton, Style: style, Label: label, CustomID: customID}
}

// Select lets people choose one of the options. What they have chosen stands on their
// screen until the message is edited.
func Select(customID, placeholder string, options ...Option) Component {
	return Component{Type: TypeSelect, CustomID: customID, Placeholder: placeholder, Options: options}
}

// UserSelect lets people choose a person whom Discord finds for them. Otherwise it is as
// Select.
func UserSelect(customID, placeholder string) Component {
	return Component{Type: TypeUserSelect, CustomID: customID, Placeholder: placeholder}
}

// RoleSelect lets people choose one of the guild's roles, or none. The one that is given
// stands there as chosen; empty for none.
func RoleSelect(customID, placeholder, chosen string) Component {
	c := Component{Type: TypeRoleSelect, CustomID: customID, Placeholder: placeholder, Least: new(int)}
	if chosen != "" {
		c.Chosen = []Chosen{{chosen, "role"}}
	}
	return c
}

// ChannelSelect lets people choose one of the guild's channels in which messages can be
// posted, or none. Otherwise it is as RoleSelect.
func ChannelSelect(customID, placeholder, chosen string) Component {
	c := Component{Type: TypeChannelSelect, CustomID: customID, Placeholder: placeholder, Least: new(int), Kinds: []int{channelText, channelNews}}
	if chosen != "" {
		c.Chosen = []Chosen{{chosen, "channel"}}
	}
	return c
}

// Section puts a button beside up to three texts.
func Section(button Component, texts ...Component) Component {
	return Component{Type: TypeSection, Components: texts, Accessory: &button}
}

func TextDisplay(text string) Component { return Component{Type: TypeTextDisplay, Content: text} }

func Separator() Component { return Component{Type: TypeSeparator} }

func Container(accent int, parts ...Component) Component {
	return Component{Type: TypeContainer, AccentColor: &accent, Components: parts}
}

// appendComponent appends the component; what is empty is left out, as its tags say.
func appendComponent(b []byte, c *Component) []byte {
	b = strconv.AppendInt(append(b, `{"type":`...), int64(c.Type), 10)
	b = appendNumber(b, `,"id":`, c.ID)
	b = appendNumber(b, `,"style":`, c.Style)
	b = appendText(b, `,"label":`, c.Label)
	b = appendText(b, `,"custom_id":`, c.CustomID)
	if c.Disabled {
		b = append(b, `,"disabled":true`...)
	}
	b = appendText(b, `,"content":`, c.Content)
	if c.AccentColor != nil {
		b = strconv.AppendInt(append(b, `,"accent_color":`...), int64(*c.AccentColor), 10)
	}
	b = appendList(b, `,"components":`, c.Components, appendComponent)
	if c.Accessory != nil {
		b = appendComponent(append(b, `,"accessory":`...), c.Accessory)
	}
	b = appendList(b, `,"options":`, c.Options, appendOption)
	b = appendText(b, `,"placeholder":`, c.Placeholder)
	b = appendList(b, `,"channel_types":`, c.Kinds, func(b []byte, kind *int) []byte {
		return strconv.AppendInt(b, int64(*kind), 10)
	})
	b = appendList(b, `,"default_values":`, c.Chosen, func(b []byte, chosen *Chosen) []byte {
		b = appendQuoted(append(b, `{"id":`...), chosen.ID)
		return append(appendQuoted(append(b, `,"type":`...), chosen.Type), '}')
	})
	if c.Least != nil {
		b = strconv.AppendInt(append(b, `,"min_values":`...), int64(*c.Least), 10)
	}
	return append(b, '}')
}

// appendOption is for an option what appendComponent is for a component.
func appendOption(b []byte, o *Option) []byte {
	b = appendQuoted(append(b, `{"label":`...), o.Label)
	b = appendQuoted(append(b, `,"value":`...), o.Value)
	b = appendText(b, `,"description":`, o.Description)
	if o.Default {
		b = append(b, `,"default":true`...)
	}
	if o.Emoji != (Emoji{}) {
		b = append(b, `,"emoji":{`...)
		if o.Emoji.ID != "" {
			b = append(appendQuoted(append(b, `"id":`...), o.Emoji.ID), ',')
		}
		b = append(appendQuoted(append(b, `"name":`...), o.Emoji.Name), '}')
	}
	return append(b, '}')
}

// appendNumber, appendText and appendList append a field with the punctuation before it, and
// nothing where it is empty.
func appendNumber(b []byte, field string, n int) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(append(b, field...), int64(n), 10)
}

func appendText(b []byte, field, s string) []byte {
	if s == "" {
		return b
	}
	return appendQuoted(append(b, field...), s)
}

func appendList[T any](b []byte, field string, list []T, one func([]byte, *T) []byte) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(append(b, field...), '[')
	for i := range list {
		b = append(one(b, &list[i]), ',')
	}
	b[len(b)-1] = ']' // in the place of the last comma
	return b
}

// appendQuoted appends a JSON string. What is no UTF-8 in it is replaced, as
// encoding/json does, which jsontext reports beside doing it.
func appendQuoted(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}
