package rules

import (
	"encoding/json"
	"slices"
)

// Discord's command types and command option types.
const (
	CommandSlash   = 1
	CommandUser    = 2
	CommandMessage = 3

	OptionSubcommand  = 1
	OptionGroup       = 2
	OptionString      = 3
	OptionInteger     = 4
	OptionBoolean     = 5
	OptionUser        = 6
	OptionChannel     = 7
	OptionRole        = 8
	OptionMentionable = 9
	OptionNumber      = 10
	OptionAttachment  = 11
)

// Command is a registered application command.
type Command struct {
	ID                       string            `json:"id"`
	Type                     int               `json:"type"`
	ApplicationID            string            `json:"application_id"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Options                  []CommandOption   `json:"options,omitempty"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	NSFW                     bool              `json:"nsfw"`
	// InDMs and IntegrationTypes are of commands for all guilds. Contexts that nobody has
	// given are null, as translations are (recorded answers to the creation of a command,
	// 2024 to 2026).
	InDMs            *bool  `json:"dm_permission,omitempty"`
	IntegrationTypes []int  `json:"integration_types,omitempty"`
	Contexts         []int  `json:"contexts"`
	Version          string `json:"version"`
}

// Works reports whether a command for all guilds can be used in a context.
func (c *Command) Works(context int) bool {
	if c.Contexts != nil {
		return slices.Contains(c.Contexts, context)
	}
	return context == 0 || c.InDMs == nil || *c.InDMs
}

// CommandOption is an option, subcommand or group of a command.
type CommandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Required                 bool              `json:"required,omitempty"`
	Choices                  []CommandChoice   `json:"choices,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	MinValue                 *float64          `json:"min_value,omitempty"`
	MaxValue                 *float64          `json:"max_value,omitempty"`
	MinLength                *int              `json:"min_length,omitempty"`
	MaxLength                *int              `json:"max_length,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
}

// CommandChoice is one fixed value of an option: a string or a number.
type CommandChoice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations"`
	Value             json.RawMessage   `json:"value"`
}

// Choice is a suggestion of an autocomplete answer.
type Choice struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}
