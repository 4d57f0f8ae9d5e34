package view

import (
	"slices"
	"strconv"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine/strategy"
)

// ChatCommand is the one command that everything is a subcommand of.
const ChatCommand = "tictactoe"

// AdminCommand is the command of those who manage a guild. It stands by itself because
// Discord knows permissions of whole commands only.
const AdminCommand = "tictactoe-admin"

var adminSubcommands = []string{"settings", "lobby", "check"}

// CommandOf returns the command that a subcommand is part of.
func CommandOf(subcommand string) string {
	return either(slices.Contains(adminSubcommands, subcommand), AdminCommand, ChatCommand)
}

// manageGuild is the permission that a member needs to see AdminCommand.
var manageGuild = strconv.Itoa(discord.PermissionManageGuild)

// ShortCommand is for who wants to type little: it has an option, and no subcommands.
const ShortCommand = "ttt"

// MemberCommand is the entry in a member's menu.
const MemberCommand = "Challenge to tic-tac-toe"

// Commands returns the commands to register, in every language. They are shared: nobody may
// change them.
func (c *Catalogue) Commands() []discord.Command { return c.definitions() }

// define makes the commands. One language after the other is read for it and forgotten: all
// together take more memory than a bot at rest.
func (c *Catalogue) define() []discord.Command {
	var translate []func(Words)
	d := definitions{c.In(DefaultLocale), func(say func(Words)) { translate = append(translate, say) }}
	commands := []discord.Command{d.chat(), d.member(), d.admin(), d.short()}
	for _, l := range c.locales {
		w := c.read(l)
		for _, into := range translate {
			into(w)
		}
	}
	return commands
}

// definitions are the commands in English. translate has something done in every language.
type definitions struct {
	english   Words
	translate func(func(Words))
}

func (d definitions) chat() discord.Command {
	board := d.choice("board", func(w Words) []discord.Option { return w.boardOptions(match.DefaultChoice) })
	clock := d.choice("clock", Words.clockOptions)
	first := func(second string) discord.CommandOption {
		values := []string{match.FirstMe, second, match.FirstRandom}
		return d.choice("first", func(w Words) []discord.Option { return options(w, "first.", values, "") })
	}
	return d.command(ChatCommand, "command.description",
		d.subcommand("play",
			d.choice("difficulty", func(w Words) []discord.Option { return w.levelOptions(match.DefaultChoice)[:len(levels())] }),
			board,
			first(match.FirstBot),
			clock,
			d.option(discord.OptionBoolean, "private"),
		),
		d.subcommand("challenge",
			d.option(discord.OptionUser, "user"),
			board,
			first(match.FirstThem),
			clock,
			d.choice("series", func(w Words) []discord.Option { return options(w, "series.", match.SeriesValues(), "") }),
		),
		d.subcommand("board"),
		d.subcommand("resign", d.user("option.stop_user.description")),
		d.subcommand("hint"),
		d.subcommand("puzzle"),
		d.subcommand("stats", d.user("option.stats_user.description")),
		d.subcommand("leaderboard"),
		d.subcommand("review", d.option(discord.OptionString, "game")),
		d.subcommand("help"),
		d.subcommand("preferences"),
	)
}

func (d definitions) short() discord.Command {
	return d.command(ShortCommand, "command.description", d.user("option.short_user.description"))
}

func (d definitions) member() discord.Command {
	member := discord.Command{
		Type: discord.CommandUser, Name: MemberCommand,
		// In the bot's direct messages the only members are the person and the bot.
		Contexts:         []int{discord.ContextGuild, discord.ContextPrivate},
		IntegrationTypes: []int{discord.InstallGuild, discord.InstallUser},
	}
	_, member.NameLocalizations = d.text("command.member")
	return member
}

func (d definitions) admin() discord.Command {
	admin := d.command(AdminCommand, "command.admin")
	admin.Contexts, admin.IntegrationTypes = []int{discord.ContextGuild}, []int{discord.InstallGuild}
	admin.DefaultPermissions = &manageGuild
	admin.Options = each(adminSubcommands, func(name string) discord.CommandOption { return d.subcommand(name) })
	return admin
}

// command is one that people can type anywhere.
func (d definitions) command(name, key string, options ...discord.CommandOption) discord.Command {
	c := discord.Command{
		Name: name, Type: discord.CommandChat,
		Contexts:         []int{discord.ContextGuild, discord.ContextBotDM, discord.ContextPrivate},
		IntegrationTypes: []int{discord.InstallGuild, discord.InstallUser},
		Options:          options,
	}
	c.Description, c.DescriptionLocalizations = d.text(key)
	return c
}

func (d definitions) subcommand(name string, options ...discord.CommandOption) discord.CommandOption {
	return d.described(discord.CommandOption{Type: discord.OptionSubcommand, Name: name, Options: options}, "command."+name+".description")
}

func (d definitions) option(kind int, name string) discord.CommandOption {
	return d.described(discord.CommandOption{Type: kind, Name: name}, "option."+name+".description")
}

// choice is an option whose value is one of those in a list.
func (d definitions) choice(name string, list func(Words) []discord.Option) discord.CommandOption {
	o := d.option(discord.OptionString, name)
	o.Choices = each(list(d.english), func(c discord.Option) discord.CommandChoice {
		return discord.CommandChoice{Value: c.Value, Name: c.Label, NameLocalizations: map[string]string{}}
	})
	d.translate(func(w Words) {
		for i, c := range list(w) {
			o.Choices[i].NameLocalizations[w.locale] = c.Label
		}
	})
	return o
}

// user is an option for a person who is not the one that a challenge has.
func (d definitions) user(key string) discord.CommandOption {
	return d.described(discord.CommandOption{Type: discord.OptionUser, Name: "user"}, key)
}

// described is an option with the text of a key.
func (d definitions) described(o discord.CommandOption, key string) discord.CommandOption {
	o.Description, o.DescriptionLocalizations = d.text(key)
	return o
}

func (d definitions) text(key string) (english string, translated map[string]string) {
	translated = map[string]string{}
	d.translate(func(w Words) { translated[w.locale] = w.say(key, nil) })
	return d.english.say(key, nil), translated
}

// opponentsOffered returns the opponents as people choose from them: the weakest first.
func opponentsOffered() []strategy.Opponent {
	all := strategy.All()
	i := slices.IndexFunc(all, func(o strategy.Opponent) bool { return o.Name == match.Random })
	return slices.Concat(all[i:i+1], all[:i], all[i+1:])
}

// levels returns those that a command offers, which are not the classic programs: short lists
// are read.
func levels() []strategy.Opponent {
	all := opponentsOffered()
	return all[:1+slices.IndexFunc(all, func(o strategy.Opponent) bool { return o.Name == match.Perfect })]
}
