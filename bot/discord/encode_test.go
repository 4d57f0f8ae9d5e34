package discord

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// payload is a message as Discord's API takes it, for encoding/json: the slow and
// plainly right way. Pointers tell "leave it" from "empty it".
type payload struct {
	Content         *json.RawMessage `json:"content,omitempty"`
	Embeds          *[]struct{}      `json:"embeds,omitempty"`
	Components      []Component      `json:"components"`
	Flags           int              `json:"flags,omitempty"`
	AllowedMentions struct {
		Parse []string `json:"parse"`
		Users []string `json:"users,omitempty"`
		Roles []string `json:"roles,omitempty"`
	} `json:"allowed_mentions"`
}

func slowly(m Message, edit bool) json.RawMessage {
	p := payload{Components: m.Components}
	p.AllowedMentions.Parse = []string{}
	if p.AllowedMentions.Users = m.Calls; edit || m.Ephemeral {
		p.AllowedMentions.Users = m.People
	}
	if m.Role != "" {
		p.AllowedMentions.Roles = []string{m.Role}
	}
	if p.Components == nil {
		p.Components = []Component{}
	}
	switch {
	case !m.V2:
		p.Content = ptr(MustJSON(m.Content))
	case edit:
		p.Content, p.Embeds = ptr(json.RawMessage("null")), &[]struct{}{}
	}
	if m.V2 {
		p.Flags = flagComponentsV2
	}
	switch {
	case edit:
	case m.Ephemeral:
		p.Flags |= flagEphemeral
	case m.Quiet:
		p.Flags |= flagSuppressNotifications
	}
	return MustJSON(p)
}

func components(depth int) *rapid.Generator[Component] {
	return rapid.Custom(func(t *rapid.T) Component {
		c := Component{
			Type: rapid.IntRange(0, 17).Draw(t, "type"), Style: rapid.IntRange(0, 6).Draw(t, "style"),
			Label: rapid.String().Draw(t, "label"), CustomID: rapid.StringN(0, 10, -1).Draw(t, "id"),
			ID:       rapid.IntRange(0, 1<<31-1).Draw(t, "id"),
			Disabled: rapid.Bool().Draw(t, "disabled"), Content: rapid.String().Draw(t, "content"),
			Placeholder: rapid.String().Draw(t, "placeholder"), Options: rapid.SliceOfN(options(), 0, 3).Draw(t, "options"),
		}
		if rapid.Bool().Draw(t, "roles") {
			c.Least, c.Chosen = ptr(rapid.IntRange(0, 2).Draw(t, "least")), []Chosen{{rapid.StringN(0, 5, -1).Draw(t, "role"), "role"}}
		}
		c.Kinds = rapid.SliceOfN(rapid.IntRange(0, 20), 0, 3).Draw(t, "kinds")
		if rapid.Bool().Draw(t, "accent") {
			c.AccentColor = ptr(rapid.IntRange(0, 0xffffff).Draw(t, "color"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			c.Options = append(c.Options, Option{
				Label: rapid.String().Draw(t, "label"), Value: rapid.String().Draw(t, "value"),
				Description: rapid.String().Draw(t, "description"), Default: rapid.Bool().Draw(t, "default"),
				Emoji: Emoji{ID: rapid.StringN(0, 5, -1).Draw(t, "emoji"), Name: rapid.StringN(0, 5, -1).Draw(t, "emoji")},
			})
		}
		c.Placeholder = rapid.StringN(0, 10, -1).Draw(t, "placeholder")
		if depth > 0 {
			c.Components = rapid.SliceOfN(components(depth-1), 0, 3).Draw(t, "components")
		}
		return c
	})
}

func options() *rapid.Generator[Option] {
	return rapid.Custom(func(t *rapid.T) Option {
		return Option{
			Label: rapid.String().Draw(t, "label"), Value: rapid.String().Draw(t, "value"), Description: rapid.String().Draw(t, "description"),
			Emoji: Emoji{ID: rapid.SampledFrom([]string{"", "501"}).Draw(t, "id"), Name: rapid.SampledFrom([]string{"", "⬜", "x"}).Draw(t, "name")},
		}
	})
}

// TestEncode compares what is sent with what encoding/json would send, for messages
// of any kind.
func TestEncode(t *testing.T) {
	same := func(t rapid.TB, what string, got, want json.RawMessage) {
		var g, w any
		if err := json.Unmarshal(got, &g); err != nil {
			t.Fatalf("%s: %v: %s", what, err, got)
		}
		if err := json.Unmarshal(want, &w); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w, g); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SampledFrom([]string{"101", "102", "103"})
		m := Message{
			V2: rapid.Bool().Draw(t, "v2"), Content: rapid.String().Draw(t, "content"),
			Components: rapid.SliceOfN(components(2), 0, 3).Draw(t, "components"),
			People:     rapid.SliceOfNDistinct(ids, 0, 3, rapid.ID).Draw(t, "people"),
			Calls:      rapid.SliceOfNDistinct(ids, 0, 2, rapid.ID).Draw(t, "calls"),
			Ephemeral:  rapid.Bool().Draw(t, "ephemeral"), Quiet: rapid.Bool().Draw(t, "quiet"),
		}
		same(t, "created", m.Create(), slowly(m, false))
		same(t, "edited", m.Edit(), slowly(m, true))
	})
	bad := Message{Content: "\xff<\u2028"}
	same(t, "not UTF-8", bad.Edit(), slowly(bad, true))
}
