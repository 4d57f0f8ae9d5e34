package view

import (
	"fmt"
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
	if slices.Contains(adminSubcommands, subcommand) {
		return AdminCommand
	}
	return ChatCommand
}

// manageGuild is the permission that a member needs to see AdminCommand.
var manageGuild = strconv.Itoa(discord.PermissionManageGuild)

// MemberCommand is the entry in a member's menu.
const MemberCommand = "Challenge to tic-tac-toe"

// Commands returns the commands to register, in every language. They are shared: nobody may
// change them.
func (c *Catalogue) Commands() []discord.Command { return c.definitions() }

// define makes the commands. One language after the other is read for it and forgotten: all
// together take more memory than a bot at rest.
func (c *Catalogue) define() []discord.Command {
	var translate []func(Words)
	commands := c.commands(func(say func(Words) string) map[string]string {
		all := make(map[string]string, len(c.locales))
		translate = append(translate, func(w Words) { all[w.locale] = say(w) })
		return all
	})
	for _, l := range c.locales {
		w := c.read(l)
		for _, into := range translate {
			into(w)
		}
	}
	return commands
}

// commands makes the commands in English. in returns where the translations of a text go.
func (c *Catalogue) commands(in func(say func(Words) string) map[string]string) []discord.Command {
	text := func(key string) (string, map[string]string) {
		say := func(w Words) string { return w.say(key, nil) }
		return say(c.In(DefaultLocale)), in(say)
	}
	option := func(kind int, name string, choices ...discord.CommandChoice) discord.CommandOption {
		o := discord.CommandOption{Type: kind, Name: name, Choices: choices}
		o.Description, o.DescriptionLocalizations = text("option." + name + ".description")
		return o
	}
	choiceOf := func(value, key string) discord.CommandChoice {
		ch := discord.CommandChoice{Value: value}
		ch.Name, ch.NameLocalizations = text(key)
		return ch
	}
	subcommand := func(name string, options ...discord.CommandOption) discord.CommandOption {
		o := discord.CommandOption{Type: discord.OptionSubcommand, Name: name, Options: options}
		o.Description, o.DescriptionLocalizations = text("command." + name + ".description")
		return o
	}
	var difficulties, boardChoices []discord.CommandChoice
	for _, o := range opponentsOffered() {
		difficulties = append(difficulties, choiceOf(o.Name, "opponent."+o.Name+".character"))
	}
	for _, r := range match.Boards {
		key := "board.rows"
		if match.FirstPlayerWins(r) {
			key = "board.first_wins"
		}
		if r == engine.Vanishing {
			key = "board.vanishing"
		}
		say := func(w Words) string {
			return w.say(key, args{"Board": w.boardShape(r), "Goal": w.say(fmt.Sprintf("goal.%d", r.K), nil)})
		}
		boardChoices = append(boardChoices, discord.CommandChoice{
			Value: r.String(), Name: say(c.In(DefaultLocale)), NameLocalizations: in(say),
		})
	}
	board := option(discord.OptionString, "board", boardChoices...)
	var clocks []discord.CommandChoice
	for _, clock := range match.Clocks {
		say := func(w Words) string { return w.clock(clock.Limit) }
		clocks = append(clocks, discord.CommandChoice{Value: clock.Value, Name: say(c.In(DefaultLocale)), NameLocalizations: in(say)})
	}
	clock := option(discord.OptionString, "clock", clocks...)
	me, random := choiceOf(match.FirstMe, "first.me"), choiceOf(match.FirstRandom, "first.random")

	whose := discord.CommandOption{Type: discord.OptionUser, Name: "user"}
	whose.Description, whose.DescriptionLocalizations = text("option.stats_user.description")

	whoseToStop := discord.CommandOption{Type: discord.OptionUser, Name: "user"}
	whoseToStop.Description, whoseToStop.DescriptionLocalizations = text("option.stop_user.description")

	chat := discord.Command{
		Name: ChatCommand, Type: discord.CommandChat,
		Contexts:         []int{discord.ContextGuild, discord.ContextBotDM, discord.ContextPrivate},
		IntegrationTypes: []int{discord.InstallGuild, discord.InstallUser},
		Options: []discord.CommandOption{
			subcommand("play",
				option(discord.OptionString, "difficulty", difficulties...),
				board,
				option(discord.OptionString, "first", me, choiceOf(match.FirstBot, "first.bot"), random),
				clock,
				option(discord.OptionBoolean, "private"),
			),
			subcommand("challenge",
				option(discord.OptionUser, "user"),
				board,
				option(discord.OptionString, "first", me, choiceOf(match.FirstThem, "first.them"), random),
				clock,
			),
			subcommand("board"),
			subcommand("resign", whoseToStop),
			subcommand("hint"),
			subcommand("puzzle"),
			subcommand("stats", whose),
			subcommand("leaderboard"),
			subcommand("review", option(discord.OptionString, "game")),
			subcommand("help"),
			subcommand("preferences"),
		},
	}
	chat.Description, chat.DescriptionLocalizations = text("command.description")
	member := discord.Command{
		Type: discord.CommandUser, Name: MemberCommand,
		// In the bot's direct messages the only members are the person and the bot.
		Contexts:         []int{discord.ContextGuild, discord.ContextPrivate},
		IntegrationTypes: []int{discord.InstallGuild, discord.InstallUser},
	}
	_, member.NameLocalizations = text("command.member")
	admin := discord.Command{
		Name: AdminCommand, Type: discord.CommandChat,
		Contexts: []int{discord.ContextGuild}, IntegrationTypes: []int{discord.InstallGuild},
		DefaultPermissions: &manageGuild,
	}
	for _, name := range adminSubcommands {
		admin.Options = append(admin.Options, subcommand(name))
	}
	admin.Description, admin.DescriptionLocalizations = text("command.admin")
	return []discord.Command{chat, member, admin}
}

// opponentsOffered returns the opponents as people choose from them: the weakest first.
func opponentsOffered() []strategy.Opponent {
	all := strategy.All()
	i := slices.IndexFunc(all, func(o strategy.Opponent) bool { return o.Name == match.Random })
	return slices.Concat(all[i:i+1], all[:i], all[i+1:])
}

// boardShape is how large a board is where people choose one: they cannot know which
// of two different numbers is the height.
func (w Words) boardShape(r engine.Rules) string {
	if r.Square() {
		return boardSize(r)
	}
	return w.say("board.size", args{"Columns": r.M, "Rows": r.N})
}
