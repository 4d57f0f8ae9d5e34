package page

import (
	"cmp"
	"encoding/json"
	"net/http"

	"tictactoe/bot/sandbox/rules"
)

// pageCommand is a command as the client of one person shows it: names to send,
// labels and descriptions in their language.
type pageCommand struct {
	ID          string       `json:"id"`
	App         string       `json:"app"` // whose it is
	Type        int          `json:"type"`
	Name        string       `json:"name"`
	Label       string       `json:"label"`
	Description string       `json:"description"`
	Options     []pageOption `json:"options"`
}

// pageOption is an option with its texts in one language.
type pageOption struct {
	rules.CommandOption
	Label   string       `json:"label"`
	Choices []pageChoice `json:"choices,omitempty"`
	Options []pageOption `json:"options,omitempty"`
}

type pageChoice struct {
	Label string          `json:"label"`
	Value json.RawMessage `json:"value"`
}

// getCommands answers with the commands that a person is offered in a channel.
func (p *page) getCommands(r *http.Request) (any, error) {
	u, ch, err := p.looking(r)
	if err != nil {
		return nil, err
	}
	locale := u.Locale()
	out := []pageCommand{}
	for _, c := range p.srv.World().CommandsFor(u, ch) {
		out = append(out, pageCommand{
			ID: c.ID, App: c.ApplicationID, Type: c.Type, Name: c.Name,
			Label:       localized(c.Name, c.NameLocalizations, locale),
			Description: localized(c.Description, c.DescriptionLocalizations, locale),
			Options:     pageOptions(c.Options, locale),
		})
	}
	return map[string]any{"commands": out}, nil
}

func pageOptions(options []rules.CommandOption, locale string) []pageOption {
	out := []pageOption{}
	for _, o := range options {
		po := pageOption{CommandOption: o, Label: localized(o.Name, o.NameLocalizations, locale), Options: pageOptions(o.Options, locale)}
		po.Description = localized(o.Description, o.DescriptionLocalizations, locale)
		po.NameLocalizations, po.DescriptionLocalizations = nil, nil // which the page does not need
		for _, c := range o.Choices {
			po.Choices = append(po.Choices, pageChoice{localized(c.Name, c.NameLocalizations, locale), c.Value})
		}
		out = append(out, po)
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
