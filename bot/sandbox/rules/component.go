package rules

import (
	"encoding/json"
	"iter"
	"strings"

	json2 "github.com/go-json-experiment/json"
)

// Discord's component types.
const (
	TypeActionRow         = 1
	TypeButton            = 2
	TypeStringSelect      = 3
	TypeTextInput         = 4
	TypeUserSelect        = 5
	TypeRoleSelect        = 6
	TypeMentionableSelect = 7
	TypeChannelSelect     = 8
	TypeSection           = 9
	TypeTextDisplay       = 10
	TypeThumbnail         = 11
	TypeMediaGallery      = 12
	TypeFile              = 13
	TypeSeparator         = 14
	TypeContainer         = 17
	TypeLabel             = 18
)

// Component is one component as Discord gives it back: with its id filled in.
// Fields that its type does not have are zero.
type Component struct {
	Type     int    `json:"type"`
	ID       int    `json:"id"`
	CustomID string `json:"custom_id,omitempty"`
	// Style, Label, Emoji, URL, SKU and Disabled belong to buttons; Disabled
	// to selects too, Style (1 short, 2 paragraph) and Label to text inputs too.
	Style    int    `json:"style,omitempty"`
	Label    string `json:"label,omitempty"`
	Emoji    *Emoji `json:"emoji,omitempty"`
	URL      string `json:"url,omitempty"`
	SKU      string `json:"sku_id,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	// Content is the markdown of a text display.
	Content string `json:"content,omitempty"`
	// Components are the children of rows, sections, containers and old modals.
	Components []Component `json:"components,omitempty"`
	// Accessory belongs to a section, Component to a label.
	Accessory *Component `json:"accessory,omitempty"`
	Component *Component `json:"component,omitempty"`
	// AccentColor is a container's, as 0xRRGGBB; nil for none.
	AccentColor *int `json:"accent_color,omitempty"`
	Spoiler     bool `json:"spoiler,omitempty"`
	// Divider and Spacing (1 or 2) belong to separators.
	Divider *bool `json:"divider,omitempty"`
	Spacing int   `json:"spacing,omitempty"`
	// Options, Placeholder, MinValues and MaxValues belong to selects,
	// DefaultValues to those of users, roles and channels.
	Options       []SelectOption  `json:"options,omitempty"`
	DefaultValues json.RawMessage `json:"default_values,omitempty"`
	Placeholder   string          `json:"placeholder,omitempty"`
	MinValues     *int            `json:"min_values,omitempty"`
	MaxValues     *int            `json:"max_values,omitempty"`
	// ChannelTypes are the kinds that a select of channels offers; all for none.
	ChannelTypes []int `json:"channel_types,omitempty"`
	// Default is whether a checkbox is ticked at first.
	Default bool `json:"default,omitempty"`
	// Value, MinLength and MaxLength belong to text inputs, Required to
	// everything that a modal asks for.
	Value     string `json:"value,omitempty"`
	Required  *bool  `json:"required,omitempty"`
	MinLength *int   `json:"min_length,omitempty"`
	MaxLength *int   `json:"max_length,omitempty"`
	// Description is a label's, a thumbnail's or a gallery item's.
	Description string `json:"description,omitempty"`
	// Media is a thumbnail's or a gallery item's, File a file's, Items a gallery's.
	Media *Media      `json:"media,omitempty"`
	File  *Media      `json:"file,omitempty"`
	Items []MediaItem `json:"items,omitempty"`
}

// Button is a Component of type 2, met in an action row.
type Button = Component

// Emoji is an emoji on a button or a select's option: ID is empty for unicode.
type Emoji struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name,omitempty"`
	Animated bool   `json:"animated,omitempty"`
}

// SelectOption is one choice of a string select.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// Media is a picture or file: an https or attachment:// URL.
type Media struct {
	URL string `json:"url"`
}

// MediaItem is one picture of a gallery.
type MediaItem struct {
	Media       Media  `json:"media"`
	Description string `json:"description,omitempty"`
	Spoiler     bool   `json:"spoiler,omitempty"`
}

// All are the components of a list and everything below them, in the order in which they
// are shown.
func All(cs []Component) iter.Seq[*Component] {
	return func(yield func(*Component) bool) {
		for i := range cs {
			if !cs[i].walk(yield) {
				return
			}
		}
	}
}

// walk calls visit for c and everything below it until visit returns false, and reports
// whether it never did.
func (c *Component) walk(visit func(*Component) bool) bool {
	if !visit(c) {
		return false
	}
	for i := range c.Components {
		if !c.Components[i].walk(visit) {
			return false
		}
	}
	if c.Accessory != nil && !c.Accessory.walk(visit) {
		return false
	}
	return c.Component == nil || c.Component.walk(visit)
}

// Values are how few and how many values may be chosen, where it does not say so low and high.
func (c *Component) Values(low, high int) (least, most int) {
	if c.MinValues != nil {
		low = *c.MinValues
	}
	if c.MaxValues != nil {
		high = *c.MaxValues
	}
	return low, high
}

// ButtonRows returns the buttons of every action row, wherever it is nested.
func ButtonRows(cs []Component) [][]Button {
	var out [][]Button
	for c := range All(cs) {
		if c.Type == TypeActionRow {
			row := []Button{}
			for _, b := range c.Components {
				if b.Type == TypeButton {
					row = append(row, b)
				}
			}
			out = append(out, row)
		}
	}
	return out
}

// TextOf is the content and every text display, one below the other.
func TextOf(content string, cs []Component) string {
	var lines []string
	if content != "" {
		lines = append(lines, content)
	}
	for c := range All(cs) {
		if c.Type == TypeTextDisplay {
			lines = append(lines, c.Content)
		}
	}
	return strings.Join(lines, "\n")
}

// ParseComponents reads components that were checked, and returns their JSON as
// well.
func ParseComponents(list []any) ([]Component, json.RawMessage) {
	raw, err := json.Marshal(list)
	if err != nil || list == nil {
		return nil, json.RawMessage("[]")
	}
	var out []Component
	_ = json2.Unmarshal(raw, &out) // the list was checked: where a field that we do not check has an odd type it ends
	return out, raw
}
