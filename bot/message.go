package bot

import "encoding/json"

// Discord's numbers for components, button styles and message flags (Discord's
// documentation, Components and Message resources).
const (
	typeActionRow   = 1
	typeButton      = 2
	typeTextDisplay = 10
	typeSeparator   = 14
	typeContainer   = 17

	stylePrimary   = 1
	styleSecondary = 2
	styleSuccess   = 3
	styleDanger    = 4

	flagEphemeral             = 1 << 6
	flagSuppressNotifications = 1 << 12
	flagComponentsV2          = 1 << 15
)

// component is one of Discord's message components; which fields count depends
// on the type.
type component struct {
	Type        int         `json:"type"`
	Style       int         `json:"style,omitempty"`
	Label       string      `json:"label,omitempty"`
	CustomID    string      `json:"custom_id,omitempty"`
	Disabled    bool        `json:"disabled,omitempty"`
	Content     string      `json:"content,omitempty"`
	AccentColor *int        `json:"accent_color,omitempty"`
	Components  []component `json:"components,omitempty"`
}

func row(buttons ...component) component {
	return component{Type: typeActionRow, Components: buttons}
}

func button(style int, label string, id customID) component {
	return component{Type: typeButton, Style: style, Label: label, CustomID: id.String()}
}

func textDisplay(text string) component { return component{Type: typeTextDisplay, Content: text} }

func separator() component { return component{Type: typeSeparator} }

func container(accent int, parts ...component) component {
	return component{Type: typeContainer, AccentColor: &accent, Components: parts}
}

// message is what a view makes: either plain, with content and at most a few
// rows of buttons, or built of components throughout (v2). It knows nothing of
// how it is sent.
type message struct {
	v2         bool
	content    string // plain messages only
	components []component
	people     []string // ids of the users who may be mentioned, and nobody else
	ephemeral  bool     // only the person who caused it sees it
	quiet      bool     // notifies nobody, when it is created
}

// payload is a message as Discord's API takes it. Pointers tell "leave it" from
// "empty it".
type payload struct {
	Content         *string         `json:"content"`
	Embeds          *[]struct{}     `json:"embeds,omitempty"`
	Components      []component     `json:"components"`
	Flags           int             `json:"flags,omitempty"`
	AllowedMentions allowedMentions `json:"allowed_mentions"`
}

// allowedMentions names everybody whom a message may mention. Discord parses
// mentions anew on every edit, so every edit carries it.
type allowedMentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

func (m message) base() payload {
	p := payload{
		Components:      m.components,
		AllowedMentions: allowedMentions{Parse: []string{}, Users: m.people},
	}
	if p.Components == nil {
		p.Components = []component{}
	}
	if m.v2 {
		p.Flags = flagComponentsV2
	} else {
		p.Content = &m.content
	}
	return p
}

// create returns the payload that makes the message.
func (m message) create() json.RawMessage {
	p := m.base()
	if m.ephemeral {
		p.Flags |= flagEphemeral
	}
	if m.quiet && !m.ephemeral {
		p.Flags |= flagSuppressNotifications
	}
	if p.Content == nil {
		return mustJSON(withoutContent(p))
	}
	return mustJSON(p)
}

// edit returns the payload that turns an existing message into this one. A plain
// message becomes one of components by the flag together with an empty content
// and an empty list of embeds: null embeds were refused there.
func (m message) edit() json.RawMessage {
	p := m.base()
	if m.v2 {
		p.Embeds = &[]struct{}{}
	}
	return mustJSON(p)
}

// withoutContent drops the content member: a created message of components must
// not have one, while an edited one needs null to lose its text.
func withoutContent(p payload) any {
	return struct {
		Components      []component     `json:"components"`
		Flags           int             `json:"flags,omitempty"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}{p.Components, p.Flags, p.AllowedMentions}
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and slices of ours always marshal
	}
	return b
}
