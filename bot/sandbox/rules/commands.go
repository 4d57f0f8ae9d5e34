package rules

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// commandName is Discord's pattern for names of slash commands and options.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]+$`)

// locales are the languages that localizations may have.
var locales = []string{
	"id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl", "pt-BR", "ro",
	"fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko", "ar", "he",
}

// Locales lists the languages of Discord's clients.
func Locales() []string { return slices.Clone(locales[:32]) }

// CheckCommand checks a command for a guild or, for an empty id, for all.
func (app Application) CheckCommand(f Form, o map[string]any, guildID string) *Command {
	c := &Command{Type: CommandSlash, ApplicationID: app.ID, GuildID: guildID}
	if kind, ok := f.Choice(o, "type", CommandSlash, CommandUser, CommandMessage); ok {
		c.Type = int(kind)
	}
	c.Name, c.NameLocalizations = f.translated(o, "name", maxCommandName)
	c.DescriptionLocalizations = f.localizations(o, "description", maxCommandText)
	if c.Type == CommandSlash {
		f.names(c.Name, c.NameLocalizations)
		c.Description = f.Need(o, "description", 1, maxCommandText)
		c.Options = f.options(o, 0)
	} else {
		if c.Description, _ = f.Text(o, "description", 0, maxCommandText); c.Description != "" || len(c.DescriptionLocalizations) > 0 {
			f.At("description").Fail("APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", "Context menu commands cannot have description")
		}
		if list, ok := f.List(o, "options", 0, maxCommandOptions); ok && len(list) > 0 {
			f.At("options").Fail("APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", "Context menu commands cannot have options")
		}
	}
	c.NSFW, _ = f.Boolean(o, "nsfw")
	if bits := f.Permissions(o, "default_member_permissions"); o["default_member_permissions"] != nil {
		c.DefaultMemberPermissions = new(strconv.FormatInt(bits, 10))
	}
	f.Boolean(o, "default_permission")
	f.installation(o, c, app)
	if size := commandSize(c); size > maxCommandCharacters {
		f.Fail("APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandCharacters)
	}
	return c
}

// names checks the name of a slash command or an option with its translations.
func (f Form) names(name string, translated map[string]string) {
	check := func(f Form, s string) {
		if s != "" && (!commandName.MatchString(s) || strings.ToLower(s) != s) {
			f.Fail("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
		}
	}
	check(f.At("name"), name)
	for locale, s := range translated {
		check(f.At("name_localizations").At(locale), s)
	}
}

// translated is a text that must be there, with its translations.
func (f Form) translated(o map[string]any, key string, high int) (string, map[string]string) {
	return f.Need(o, key, 1, high), f.localizations(o, key, high)
}

// localizations are the translations of a text, whether that is there or not.
func (f Form) localizations(o map[string]any, key string, high int) map[string]string {
	f, in, ok := f.below(o, key+"_localizations")
	if !ok {
		return nil
	}
	var out map[string]string
	for locale := range in {
		if !slices.Contains(locales, locale) {
			f.At(locale).Fail("ENUM_TYPE_COERCE", "Value %q is not a valid enum value.", locale)
			continue
		}
		if s, ok := f.Text(in, locale, 1, high); ok {
			if out == nil {
				out = map[string]string{}
			}
			out[locale] = s
		}
	}
	return out
}

// installation checks contexts and integration_types, which guild commands ignore.
func (f Form) installation(o map[string]any, c *Command, app Application) {
	kinds := f.enumList(o, "integration_types", 1)
	contexts := f.enumList(o, "contexts", 2)
	direct, given := f.Boolean(o, "dm_permission") // deprecated: counts without contexts
	if c.GuildID != "" {
		return
	}
	if kinds == nil { // those that the application has (discord/discord-api-docs#6744)
		kinds = []int{0, 1}
		if app.GuildInstallOnly {
			kinds = []int{0}
		}
	}
	if i := slices.Index(kinds, 1); app.GuildInstallOnly && i >= 0 {
		f.At("integration_types").At(strconv.Itoa(i)).Fail("APPLICATION_COMMAND_INTEGRATION_TYPE_NOT_ALLOWED", "The application cannot be installed by users")
	}
	if slices.Contains(contexts, 2) && !slices.Contains(kinds, 1) {
		f.At("contexts").Fail("APPLICATION_COMMAND_CONTEXT_NOT_ALLOWED", "The context 2 needs a command that users can install")
	}
	switch {
	case contexts != nil:
		direct = slices.Contains(contexts, 1)
	case !given:
		direct = true
	}
	c.IntegrationTypes, c.Contexts, c.InDMs = kinds, contexts, &direct
}

func (f Form) enumList(o map[string]any, key string, highest int64) []int {
	list, ok := f.List(o, key, 1, 100)
	if !ok {
		return nil
	}
	var out []int
	for i, v := range list {
		n, ok := wholeNumber(v)
		switch {
		case !ok || n < 0 || n > highest:
			f.At(key).At(i).Fail("ENUM_TYPE_COERCE", "Value is not a valid enum value.")
		case slices.Contains(out, int(n)):
			f.At(key).Fail("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
		default:
			out = append(out, int(n))
		}
	}
	return out
}

// options checks the options of the command itself (parent 0), of a group, or of
// a subcommand.
func (f Form) options(o map[string]any, parent int) []CommandOption {
	list, ok := f.List(o, "options", 0, maxCommandOptions)
	if !ok {
		return nil
	}
	f = f.At("options")
	var out []CommandOption
	nests, plain, optional := false, false, false
	for g, in := range f.Each(list) {
		op := g.option(in, parent)
		if op.Type == OptionSubcommand || op.Type == OptionGroup {
			nests = true
		} else {
			plain = true
			if op.Required && optional {
				g.Fail("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
			}
			optional = optional || !op.Required
		}
		if nests && plain {
			g.Fail("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other options")
		}
		out = append(out, op)
	}
	f.collisions(out)
	return out
}

// collisions refuses options of one list that share a name, translated or not.
func (f Form) collisions(ops []CommandOption) {
	for i, a := range ops {
		for j, b := range ops {
			if i == j {
				continue
			}
			if j < i && a.Name == b.Name {
				f.At(i).At("name").Fail("APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
			}
			for locale, name := range a.NameLocalizations {
				if name == b.Name || j < i && name == b.NameLocalizations[locale] {
					f.At(i).At("name_localizations").At(locale).Fail("APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
				}
			}
		}
	}
}

// option checks one option in the command itself (parent 0), a group or a subcommand.
func (f Form) option(in map[string]any, parent int) CommandOption {
	f.has(in, "type")
	kind, _ := f.Integer(in, "type", OptionSubcommand, OptionAttachment)
	op := CommandOption{Type: int(kind)}
	op.Name, op.NameLocalizations = f.translated(in, "name", maxCommandName)
	f.names(op.Name, op.NameLocalizations)
	op.Description, op.DescriptionLocalizations = f.translated(in, "description", maxCommandText)
	op.Required, _ = f.Boolean(in, "required")
	op.Autocomplete, _ = f.Boolean(in, "autocomplete")
	nested := op.Type == OptionSubcommand || op.Type == OptionGroup
	list, hasOptions := in["options"].([]any)
	switch {
	case parent == OptionGroup && op.Type != OptionSubcommand, parent == OptionSubcommand && nested:
		f.At("type").Fail("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This option type cannot be nested here")
	case nested:
		op.Options = f.options(in, op.Type)
	case hasOptions && len(list) > 0:
		f.At("options").Fail("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This option type cannot have options")
	}
	f.optionRules(in, &op)
	return op
}

// optionRules checks what limits the values of an option.
func (f Form) optionRules(in map[string]any, op *CommandOption) {
	only := func(key string, kinds ...int) bool {
		v := in[key]
		empty := v == nil || v == false
		if l, ok := v.([]any); ok && len(l) == 0 {
			empty = true
		}
		if !empty && !slices.Contains(kinds, op.Type) {
			f.At(key).Fail("APPLICATION_COMMAND_OPTIONS_FIELD_INVALID", "This option type cannot have '%s'", key)
			return false
		}
		return !empty
	}
	if only("choices", OptionString, OptionInteger, OptionNumber) {
		op.Choices = f.choices(in, op.Type)
	}
	if only("autocomplete", OptionString, OptionInteger, OptionNumber) && len(op.Choices) > 0 {
		f.At("autocomplete").Fail("APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES", "Autocomplete cannot be used with choices")
	}
	if only("channel_types", OptionChannel) {
		op.ChannelTypes = f.enumList(in, "channel_types", 16)
	}
	only("min_value", OptionInteger, OptionNumber)
	only("max_value", OptionInteger, OptionNumber)
	op.MinValue, op.MaxValue = f.bound(in, "min_value", op.Type), f.bound(in, "max_value", op.Type)
	if op.MinValue != nil && op.MaxValue != nil && *op.MinValue > *op.MaxValue {
		f.At("min_value").Fail("APPLICATION_COMMAND_OPTIONS_MIN_EXCEEDS_MAX", "min_value cannot be greater than max_value")
	}
	only("min_length", OptionString)
	only("max_length", OptionString)
	if n, ok := f.Integer(in, "min_length", 0, MaxOptionLength); ok {
		op.MinLength = new(int(n))
	}
	if n, ok := f.Integer(in, "max_length", 1, MaxOptionLength); ok {
		op.MaxLength = new(int(n))
	}
	if op.MinLength != nil && op.MaxLength != nil && *op.MinLength > *op.MaxLength {
		f.At("min_length").Fail("APPLICATION_COMMAND_OPTIONS_MIN_EXCEEDS_MAX", "min_length cannot be greater than max_length")
	}
}

func (f Form) bound(in map[string]any, key string, kind int) *float64 {
	n, ok := in[key].(json.Number)
	if in[key] == nil {
		return nil
	}
	x, err := n.Float64()
	if !ok || err != nil {
		f.At(key).Fail("NUMBER_TYPE_COERCE", "Value is not a number.")
		return nil
	}
	if whole, ok := wholeNumber(n); kind == OptionInteger && (!ok || whole > MaxOptionInteger || whole < -MaxOptionInteger) {
		f.At(key).Fail("NUMBER_TYPE_COERCE", "Value %q is not int.", n)
		return nil
	}
	return &x
}

func (f Form) choices(in map[string]any, kind int) []CommandChoice {
	list, _ := f.List(in, "choices", 0, maxChoices)
	var out []CommandChoice
	for g, o := range f.At("choices").Each(list) {
		var c CommandChoice
		c.Name, c.NameLocalizations = g.translated(o, "name", maxCommandText)
		c.Value, _ = json.Marshal(g.choiceValue(o, kind))
		out = append(out, c)
	}
	return out
}

// choiceValue checks the value of a choice for an option of that type.
func (f Form) choiceValue(o map[string]any, kind int) any {
	v := o["value"]
	if !f.has(o, "value") {
		return nil
	}
	switch kind {
	case OptionInteger:
		if n, ok := wholeNumber(v); !ok || n > MaxOptionInteger || n < -MaxOptionInteger {
			f.At("value").Fail("NUMBER_TYPE_COERCE", "Value is not int.")
		}
	case OptionNumber:
		if _, ok := v.(json.Number); !ok {
			f.At("value").Fail("NUMBER_TYPE_COERCE", "Value is not a number.")
		}
	default:
		f.Need(o, "value", 1, maxCommandText)
	}
	return v
}

// commandSize counts the characters of all names, descriptions and values, of
// translated fields only the longest.
func commandSize(c *Command) int {
	size := longest(c.Name, c.NameLocalizations) + longest(c.Description, c.DescriptionLocalizations)
	var add func([]CommandOption)
	add = func(ops []CommandOption) {
		for _, o := range ops {
			size += longest(o.Name, o.NameLocalizations) + longest(o.Description, o.DescriptionLocalizations)
			for _, ch := range o.Choices {
				var text string
				if json.Unmarshal(ch.Value, &text) != nil {
					text = string(ch.Value)
				}
				size += longest(ch.Name, ch.NameLocalizations) + utf8.RuneCountInString(text)
			}
			add(o.Options)
		}
	}
	add(c.Options)
	return size
}

func longest(s string, translated map[string]string) int {
	n := utf8.RuneCountInString(s)
	for _, t := range translated {
		n = max(n, utf8.RuneCountInString(t))
	}
	return n
}

// CommandQuota refuses more commands of a type than a scope may have.
func CommandQuota(list []*Command) error {
	left := map[int]int{CommandSlash: maxSlashCommands, CommandUser: maxContextCommands, CommandMessage: maxContextCommands}
	for _, c := range list {
		if left[c.Type]--; left[c.Type] < 0 {
			return &Error{Status: http.StatusBadRequest, Code: 30032, Message: "Maximum number of application commands reached"}
		}
	}
	return nil
}

// CheckChoices checks an autocomplete answer for an option of that type.
func CheckChoices(f Form, data map[string]any, option int) ([]Choice, error) {
	list, _ := f.List(data, "choices", 0, maxChoices)
	var out []Choice
	for g, o := range f.At("choices").Each(list) {
		name, _ := g.translated(o, "name", maxCommandText)
		out = append(out, Choice{name, g.choiceValue(o, option)})
	}
	return out, f.Err()
}
