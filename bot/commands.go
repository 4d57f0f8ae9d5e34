package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"tictactoe/bot/rest"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// Where commands can be used, and how the application is installed (Discord's
// documentation, Interaction Contexts and Installation Contexts).
const (
	contextGuild = 0
	contextBotDM = 1

	installGuild = 0
)

// command is an application command as it is registered. The same type reads what
// is registered already, so that the two can be compared.
type command struct {
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description,omitempty"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Type                     int               `json:"type"`
	Options                  []commandOption   `json:"options,omitempty"`
	Contexts                 []int             `json:"contexts,omitempty"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`

	// Never set, but read, so that a command registered with them is seen to differ.
	NSFW               bool    `json:"nsfw,omitempty"`
	DefaultPermissions *string `json:"default_member_permissions,omitempty"`
}

type commandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []commandOption   `json:"options,omitempty"`
	Choices                  []commandChoice   `json:"choices,omitempty"`

	// Never set, but read, as in command.
	Required     bool `json:"required,omitempty"`
	Autocomplete bool `json:"autocomplete,omitempty"`
}

type commandChoice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             string            `json:"value"`
}

// chatCommandName is the one command that everything is a subcommand of.
const chatCommandName = "tictactoe"

// definitions returns the commands to register, in every language.
func (c *catalogue) definitions() []command {
	in := func(say func(words) string) map[string]string {
		all := make(map[string]string, len(c.locales))
		for _, l := range c.locales {
			all[l] = say(c.in(l))
		}
		return all
	}
	text := func(key string) (string, map[string]string) {
		say := func(w words) string { return w.say(key, nil) }
		return say(c.in(defaultLocale)), in(say)
	}
	option := func(kind int, name string, choices ...commandChoice) commandOption {
		o := commandOption{Type: kind, Name: name, Choices: choices}
		_, o.NameLocalizations = text("option." + name + ".name")
		o.Description, o.DescriptionLocalizations = text("option." + name + ".description")
		return o
	}
	choiceOf := func(value, key string) commandChoice {
		ch := commandChoice{Value: value}
		ch.Name, ch.NameLocalizations = text(key)
		return ch
	}
	subcommand := func(name string, options ...commandOption) commandOption {
		o := commandOption{Type: optionSubcommand, Name: name, Options: options}
		o.Description, o.DescriptionLocalizations = text("command." + name + ".description")
		return o
	}
	var difficulties, boardChoices []commandChoice
	for _, o := range strategy.All() {
		difficulties = append(difficulties, choiceOf(o.Name, "opponent."+o.Name+".character"))
	}
	for _, r := range boards {
		key := "board.rows"
		if firstPlayerWins(r) {
			key = "board.first_wins"
		}
		say := func(w words) string {
			return w.say(key, args{"Board": boardSize(r), "Goal": w.say(fmt.Sprintf("goal.%d", r.K), nil)})
		}
		boardChoices = append(boardChoices, commandChoice{
			Value: r.String(), Name: say(c.in(defaultLocale)), NameLocalizations: in(say),
		})
	}
	board := option(optionString, "board", boardChoices...)
	me, random := choiceOf(firstMe, "first.me"), choiceOf(firstRandom, "first.random")

	chat := command{
		Name: chatCommandName, Type: commandChat,
		Contexts: []int{contextGuild, contextBotDM}, IntegrationTypes: []int{installGuild},
		Options: []commandOption{
			subcommand("play",
				option(optionString, "difficulty", difficulties...),
				board,
				option(optionString, "first", me, choiceOf(firstBot, "first.bot"), random),
				option(optionBoolean, "private"),
			),
			subcommand("challenge",
				option(optionUser, "user"),
				board,
				option(optionString, "first", me, choiceOf(firstThem, "first.them"), random),
			),
			subcommand("board"),
			subcommand("resign"),
			subcommand("help"),
		},
	}
	chat.Description, chat.DescriptionLocalizations = text("command.description")
	member := command{
		Type: commandUser, Name: userCommandName,
		Contexts: []int{contextGuild, contextBotDM}, IntegrationTypes: []int{installGuild},
	}
	_, member.NameLocalizations = text("command.member")
	return []command{chat, member}
}

// Register writes the application's commands, in a guild or with an empty one
// everywhere, if they differ from what is registered, and reports whether it did.
func Register(ctx context.Context, client *rest.Client, guild store.GuildID) (written bool, err error) {
	texts, err := loadCatalogue()
	if err != nil {
		return false, err
	}
	_, written, err = register(ctx, client, texts, guild)
	return written, err
}

// Register does the same for a bot, which then knows the ids of its commands.
func (b *Bot) Register(ctx context.Context) (written bool, err error) {
	registered, written, err := register(ctx, b.api, b.texts, b.opts.CommandGuild)
	if err != nil {
		return false, err
	}
	ids := map[string]string{}
	for _, raw := range registered {
		var c struct{ ID, Name string }
		if json.Unmarshal(raw, &c) == nil {
			ids[c.Name] = c.ID
		}
	}
	b.commandIDs.Store(&ids)
	return written, nil
}

func register(ctx context.Context, client api, texts *catalogue, guild store.GuildID) (_ []json.RawMessage, written bool, _ error) {
	want := texts.definitions()
	registered, err := client.Commands(ctx, string(guild))
	if err != nil {
		return nil, false, fmt.Errorf("read commands: %w", err)
	}
	if sameCommands(registered, want, guild != "") {
		return registered, false, nil
	}
	if registered, err = client.OverwriteCommands(ctx, string(guild), want); err != nil {
		return nil, false, fmt.Errorf("register commands: %w", err)
	}
	return registered, true, nil
}

// sameCommands reports whether what is registered is what is wanted. Commands of a
// guild come back without contexts and installation, which they do not have.
func sameCommands(registered []json.RawMessage, want []command, guild bool) bool {
	if len(registered) != len(want) {
		return false
	}
	have := map[string]command{}
	for _, raw := range registered {
		var c command
		if json.Unmarshal(raw, &c) != nil {
			return false
		}
		if c.Type == 0 {
			c.Type = commandChat
		}
		have[c.Name] = normalized(c, guild)
	}
	for _, w := range want {
		if !reflect.DeepEqual(have[w.Name], normalized(w, guild)) {
			return false
		}
	}
	return true
}

// normalized returns the command with empty lists and maps left out.
func normalized(c command, guild bool) command {
	if guild {
		c.Contexts, c.IntegrationTypes = nil, nil
	}
	c.NameLocalizations = orNil(c.NameLocalizations)
	c.DescriptionLocalizations = orNil(c.DescriptionLocalizations)
	c.Options = normalizedOptions(c.Options)
	return c
}

func normalizedOptions(options []commandOption) []commandOption {
	var out []commandOption
	for _, o := range options {
		o.NameLocalizations = orNil(o.NameLocalizations)
		o.DescriptionLocalizations = orNil(o.DescriptionLocalizations)
		o.Options = normalizedOptions(o.Options)
		var choices []commandChoice
		for _, ch := range o.Choices {
			ch.NameLocalizations = orNil(ch.NameLocalizations)
			choices = append(choices, ch)
		}
		o.Choices = choices
		out = append(out, o)
	}
	return out
}

func orNil(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

// mentionCommand returns a subcommand as a mention that can be pressed, or in
// plain text while its id is not known.
func (b *Bot) mentionCommand(name string) string {
	if ids := b.commandIDs.Load(); ids != nil {
		if id := (*ids)[chatCommandName]; id != "" {
			return fmt.Sprintf("</%s %s:%s>", chatCommandName, name, id)
		}
	}
	return fmt.Sprintf("`/%s %s`", chatCommandName, name)
}
