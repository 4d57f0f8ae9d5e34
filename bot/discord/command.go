package discord

import (
	"encoding/json"
	"slices"
)

// Where commands can be used, and how the application is installed (Discord's
// documentation, Interaction Contexts and Installation Contexts).
const (
	ContextGuild   = 0
	ContextBotDM   = 1
	ContextPrivate = 2 // direct messages between people

	InstallGuild = 0
	InstallUser  = 1
)

// Command is an application command as it is registered. The same type reads what
// is registered already, so that the two can be compared.
type Command struct {
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description,omitempty"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Type                     int               `json:"type"`
	Options                  []CommandOption   `json:"options,omitempty"`
	Contexts                 []int             `json:"contexts,omitempty"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`

	// DefaultPermissions are those that a member needs to see the command, as a decimal
	// number, where the guild has not said otherwise; nil for none.
	DefaultPermissions *string `json:"default_member_permissions,omitempty"`

	// Never set, but read, so that a command registered with it is seen to differ.
	NSFW bool `json:"nsfw,omitempty"`
}

type CommandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	Choices                  []CommandChoice   `json:"choices,omitempty"`

	// Never set, but read, as in command.
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`

	Required     bool `json:"required,omitempty"`
	Autocomplete bool `json:"autocomplete,omitempty"`
}

type CommandChoice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             string            `json:"value"`
}

// SameCommands reports whether what is registered is what is wanted. Commands of a
// guild come back without contexts and installation, which they do not have.
func SameCommands(registered []json.RawMessage, want []Command, guild bool) bool {
	if len(registered) != len(want) {
		return false
	}
	have := map[string]string{}
	for _, raw := range registered {
		var c Command
		if json.Unmarshal(raw, &c) != nil {
			return false
		}
		if c.Type == 0 {
			c.Type = CommandChat
		}
		have[c.Name] = asRegistered(c, guild)
	}
	return !slices.ContainsFunc(want, func(w Command) bool { return have[w.Name] != asRegistered(w, guild) })
}

// ForGuilds returns the commands as guilds alone can install them. Those that are offered
// nowhere else are left out.
func ForGuilds(commands []Command) (narrowed []Command) {
	for _, c := range commands {
		c.IntegrationTypes = []int{InstallGuild}
		c.Contexts = slices.DeleteFunc(slices.Clone(c.Contexts), func(context int) bool { return context == ContextPrivate })
		if len(c.Contexts) > 0 {
			narrowed = append(narrowed, c)
		}
	}
	return narrowed
}

// asRegistered returns the command in JSON, which leaves out empty lists and maps.
func asRegistered(c Command, guild bool) string {
	if guild {
		c.Contexts, c.IntegrationTypes = nil, nil
	}
	return string(MustJSON(c))
}
