package view

import (
	"slices"
	"strconv"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
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
	d := definitions{c.In(DefaultLocale), func(say func(Words) string) map[string]string {
		all := make(map[string]string, len(c.locales))
		translate = append(translate, func(w Words) { all[w.locale] = say(w) })
		return all
	}}
	commands := []discord.Command{d.chat(), d.member(), d.admin(), d.short()}
	for _, l := range c.locales {
		w := c.read(l)
		for _, into := range translate {
			into(w)
		}
	}
	return commands
}

// definitions are the commands in English. in returns where the translations of a text go.
type definitions struct {
	english Words
	in      func(say func(Words) string) map[string]string
}

func (d definitions) chat() discord.Command {
	board := d.option(discord.OptionString, "board", each(match.Boards, d.board)...)
	clock := d.option(discord.OptionString, "clock", each(match.Clocks, d.clock)...)
	me, random := d.choice(match.FirstMe, "first.me"), d.choice(match.FirstRandom, "first.random")
	return d.command(ChatCommand, "command.description",
		d.subcommand("play",
			d.option(discord.OptionString, "difficulty", each(levels(), d.level)...),
			board,
			d.option(discord.OptionString, "first", me, d.choice(match.FirstBot, "first.bot"), random),
			clock,
			d.option(discord.OptionBoolean, "private"),
		),
		d.subcommand("challenge",
			d.option(discord.OptionUser, "user"),
			board,
			d.option(discord.OptionString, "first", me, d.choice(match.FirstThem, "first.them"), random),
			clock,
			d.option(discord.OptionString, "series", each(match.SeriesValues(), d.series)...),
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

func (d definitions) option(kind int, name string, choices ...discord.CommandChoice) discord.CommandOption {
	return d.described(discord.CommandOption{Type: kind, Name: name, Choices: choices}, "option."+name+".description")
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

func (d definitions) level(o strategy.Opponent) discord.CommandChoice {
	return d.choice(o.Name, "opponent."+o.Name+".character")
}

func (d definitions) board(r engine.Rules) discord.CommandChoice {
	return d.choiceOf(r.String(), func(w Words) string { return w.boardChoice(r) })
}

func (d definitions) clock(c match.ClockChoice) discord.CommandChoice {
	return d.choiceOf(c.Value, func(w Words) string { return w.clock(c.Limit) })
}

func (d definitions) series(length string) discord.CommandChoice {
	return d.choice(length, "series."+length)
}

func (d definitions) choice(value, key string) discord.CommandChoice {
	return d.choiceOf(value, func(w Words) string { return w.say(key, nil) })
}

func (d definitions) choiceOf(value string, say func(Words) string) discord.CommandChoice {
	return discord.CommandChoice{Value: value, Name: say(d.english), NameLocalizations: d.in(say)}
}

func (d definitions) text(key string) (string, map[string]string) {
	say := func(w Words) string { return w.say(key, nil) }
	return say(d.english), d.in(say)
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

// boardShape is how large a board is where people choose one: they cannot know which
// of two different numbers is the height.
func (w Words) boardShape(r engine.Rules) string {
	if r.Square() {
		return boardSize(r)
	}
	return w.say("board.size", args{"Columns": r.M, "Rows": r.N})
}
