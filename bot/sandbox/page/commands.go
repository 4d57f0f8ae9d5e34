package page

import (
	"cmp"
	"net/http"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// pageCommand is a command as the client of one person shows it, which is in much as
// options are.
type pageCommand struct {
	ID  string `json:"id"`
	App string `json:"app"` // whose it is
	pageOption
}

// pageOption is an option as the client of one person shows it: names to send, and labels,
// descriptions and names of choices in their language.
type pageOption struct {
	rules.CommandOption
	Label   string       `json:"label"`
	Options []pageOption `json:"options,omitempty"`
}

// getCommands answers with the commands that a person is offered in a channel.
func (p *page) getCommands(r *http.Request) (any, error) {
	u, ch, err := p.looking(r)
	if err != nil {
		return nil, err
	}
	locale := u.Locale()
	out := []pageCommand{}
	for _, c := range sandbox.Offered(u, ch) {
		root := rules.CommandOption{
			Type: c.Type, Name: c.Name, NameLocalizations: c.NameLocalizations,
			Description: c.Description, DescriptionLocalizations: c.DescriptionLocalizations, Options: c.Options,
		}
		out = append(out, pageCommand{c.ID, c.ApplicationID, pageOptionOf(root, locale)})
	}
	return map[string]any{"commands": out}, nil
}

func pageOptionOf(o rules.CommandOption, locale string) pageOption {
	out := pageOption{CommandOption: o, Label: localized(o.Name, o.NameLocalizations, locale)}
	out.Description = localized(o.Description, o.DescriptionLocalizations, locale)
	out.NameLocalizations, out.DescriptionLocalizations = nil, nil // which the page does not need
	out.Choices = nil
	for _, c := range o.Choices {
		out.Choices = append(out.Choices, rules.CommandChoice{Name: localized(c.Name, c.NameLocalizations, locale), Value: c.Value})
	}
	for _, below := range o.Options {
		out.Options = append(out.Options, pageOptionOf(below, locale))
	}
	return out
}

// localeFallbacks are the languages that stand in for another before the default
// text does, as specified by Discord's documentation.
var localeFallbacks = map[string]string{"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}

// localized returns the text of that locale, its fallback's, or the default.
func localized(text string, in map[string]string, locale string) string {
	return cmp.Or(in[locale], in[localeFallbacks[locale]], text)
}
