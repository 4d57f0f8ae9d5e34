package view

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// usual is the value of a choice that leaves a setting as it is everywhere.
const usual = "usual"

var settings = []setting{
	{
		name: "channel", page: "games", title: "settings.channel", channel: true, placeholder: "settings.everywhere",
		get: func(s GuildSettings) string { return string(s.Games) },
		set: func(g *GuildSettings, value string) { g.Games = store.ChannelID(value) },
	},
	{
		name: "places", page: "games", title: "settings.places",
		options: func(View, GuildSettings) (all []discord.Option) {
			for n := range store.MostPlaces {
				all = append(all, discord.Option{Label: strconv.Itoa(n + 1), Value: strconv.Itoa(n + 1)})
			}
			return all
		},
		get: func(s GuildSettings) string { return strconv.Itoa(cmp.Or(s.Places, s.UsualPlaces)) },
		set: func(g *GuildSettings, value string) { g.Places, _ = strconv.Atoi(value) },
	},
	oneOf(setting{
		name: "threads", page: "games", title: "settings.threads",
		about: func(v View, s GuildSettings) string {
			return v.say(when(s.NoThreads != 0 && s.Threads != store.ThreadsNever, "settings.threads_missing"), nil)
		},
	}, "offered", func(g *store.GuildSettings) *store.Threads { return &g.Threads },
		choice[store.Threads]{"never", "settings.threads_never", store.ThreadsNever},
		choice[store.Threads]{"offered", "settings.threads_offered", store.ThreadsOffered},
		choice[store.Threads]{"always", "settings.threads_always", store.ThreadsAlways}),
	{
		name: "clock", page: "games", title: "settings.clock",
		options: func(v View, s GuildSettings) []discord.Option {
			all := []discord.Option{{Label: v.say("settings.usual", args{"Value": v.clock(v.UsualClock)}), Value: usual}}
			return append(all, v.clockOptions()...)
		},
		get: func(s GuildSettings) string {
			c, _ := find(match.Clocks, func(c match.ClockChoice) bool { return c.Limit == s.Clock.Limit })
			return either(s.Clock.Set, c.Value, usual)
		},
		set: func(g *GuildSettings, value string) {
			limit, err := match.ClockOf(value)
			g.Clock = store.ClockSetting{Set: err == nil, Limit: limit}
		},
	},
	{
		name: "board", page: "boards", title: "settings.board",
		options: func(v View, _ GuildSettings) []discord.Option { return v.boardOptions(match.DefaultChoice) },
		get:     func(s GuildSettings) string { return match.Usual(s.GuildSettings).Rules.String() },
		set:     func(g *GuildSettings, value string) { g.Board = value },
		about: func(v View, s GuildSettings) string {
			r, err := engine.ParseRules(s.Board)
			c := match.Usual(s.GuildSettings)
			gone := err == nil && r != c.Rules
			return v.say(when(gone, "settings.board_gone"), args{"Board": v.boardName(r), "Instead": v.boardName(c.Rules)})
		},
	},
	{
		name: "opponent", page: "boards", title: "settings.opponent",
		options: func(v View, _ GuildSettings) []discord.Option { return v.levelOptions(match.DefaultChoice) }, // whose board all play
		get:     func(s GuildSettings) string { return cmp.Or(s.Opponent, match.DefaultChoice.Opponent) },
		set:     func(g *GuildSettings, value string) { g.Opponent = value },
		about: func(v View, s GuildSettings) string {
			c := match.Usual(s.GuildSettings)
			return v.say(when(s.Opponent != "" && s.Opponent != c.Opponent, "settings.opponent_not_there"), args{
				"Opponent": v.opponent(s.Opponent), "Board": v.boardName(c.Rules), "Instead": v.opponent(c.Opponent),
			})
		},
	},
	oneOf(setting{name: "marks", page: "boards", title: "settings.marks"}, "crosses", func(g *store.GuildSettings) *store.Marks { return &g.Marks },
		choice[store.Marks]{"crosses", "settings.marks_crosses", 0},
		choice[store.Marks]{"blocks", "settings.marks_blocks", store.MarksBlocks},
		choice[store.Marks]{"hearts", "settings.marks_hearts", store.MarksHearts},
		choice[store.Marks]{"sky", "settings.marks_sky", store.MarksSky}),
	{
		name: "hints", page: "boards", title: "settings.hints",
		options: func(v View, _ GuildSettings) []discord.Option {
			return options(v.Words, "settings.hints_", []string{switchOn, switchOff}, "")
		},
		get: func(s GuildSettings) string { return either(s.NoHintsSince.IsZero(), switchOn, switchOff) },
		set: func(g *GuildSettings, value string) {
			switch {
			case value == switchOn:
				g.NoHintsSince = time.Time{}
			case g.NoHintsSince.IsZero(): // matches that run keep theirs
				g.NoHintsSince = g.Now
			}
		},
	},
	localeSetting("locale", "settings.locale", 0),
	localeSetting("other_locale", "", 1),
	onOrOff(setting{name: "reminders", page: "messages", title: "settings.reminders"}, "settings.reminders_on", "settings.reminders_off",
		func(g *store.GuildSettings) *store.Switch { return &g.Reminders }),
	{
		name: "stops", page: "messages", title: "settings.stops", channel: true, placeholder: "settings.stops_nowhere",
		get:   func(s GuildSettings) string { return string(s.Stops.Channel) },
		set:   func(g *GuildSettings, value string) { g.Stops = store.StopPosts{Channel: store.ChannelID(value)} },
		about: func(v View, s GuildSettings) string { return v.fault(s.Stops.Fault) },
	},
	onOrOff(setting{name: "leaderboard", page: "standings", title: "settings.leaderboard"}, "settings.leaderboard_on", "settings.leaderboard_off",
		func(g *store.GuildSettings) *store.Switch { return &g.Leaderboard }),
	onOrOff(setting{name: "crowns", page: "standings", title: "settings.crowns"}, "settings.crowns_on", "settings.crowns_off",
		func(g *store.GuildSettings) *store.Switch { return &g.Crowns }),
	{
		name: "puzzle", page: "puzzle", title: "settings.puzzle", channel: true, placeholder: "settings.puzzle_off",
		get: func(s GuildSettings) string { return string(s.Puzzle.Channel) },
		set: func(g *GuildSettings, value string) { g.Puzzle.Channel, g.Puzzle.Fault = store.ChannelID(value), 0 },
		about: func(v View, s GuildSettings) string {
			next := args{"Channel": channelMention(s.Puzzle.Channel), "Time": timestamp(s.Puzzle.Due, 'f')}
			return stacked(v.fault(s.Puzzle.Fault), v.say(when(!s.Puzzle.Due.IsZero(), "settings.puzzle_next"), next))
		},
	},
	{
		name: "puzzle_hour", page: "puzzle", title: "settings.puzzle_hour",
		options: func(View, GuildSettings) (all []discord.Option) {
			for h := range 24 {
				all = append(all, discord.Option{Label: fmt.Sprintf("%02d:00–%02d:00 UTC", h, (h+1)%24), Value: strconv.Itoa(h)})
			}
			return all
		},
		get: func(s GuildSettings) string { return strconv.Itoa(s.Puzzle.Hour) },
		set: func(g *GuildSettings, value string) { g.Puzzle.Hour, _ = strconv.Atoi(value) },
	},
	{
		name: "puzzle_role", page: "puzzle", title: "settings.puzzle_role", placeholder: "settings.no_role",
		get: func(s GuildSettings) string { return string(s.Puzzle.Role) },
		set: func(g *GuildSettings, value string) { g.Puzzle.Role = store.RoleID(value) },
	},
}

// choice is a value that people can choose from a list, the key of what it is called, and
// what it stands for.
type choice[T comparable] struct {
	value, label string
	stored       T
}

// optionsOf are the choices in a list; one of them counts.
func optionsOf[T comparable](w Words, choices []choice[T], counts T) []discord.Option {
	return each(choices, func(c choice[T]) discord.Option {
		return discord.Option{Label: w.say(c.label, nil), Value: c.value, Default: c.stored == counts}
	})
}

// chosenOf returns what the value stands for that was chosen. ok is false for one that is no
// choice: it comes from outside.
func chosenOf[T comparable](choices []choice[T], value string) (_ T, ok bool) {
	c, ok := find(choices, func(c choice[T]) bool { return c.value == value })
	return c.stored, ok
}

// oneOf is a setting with a few choices, one of which counts where nothing was set.
func oneOf[T comparable](f setting, unset string, at func(*store.GuildSettings) *T, choices ...choice[T]) setting {
	f.options = func(v View, s GuildSettings) []discord.Option {
		return optionsOf(v.Words, choices, *at(&s.GuildSettings))
	}
	f.get = func(s GuildSettings) string {
		c, ok := find(choices, func(c choice[T]) bool { return c.stored == *at(&s.GuildSettings) })
		return either(ok, c.value, unset)
	}
	f.set = func(g *GuildSettings, value string) { *at(&g.GuildSettings), _ = chosenOf(choices, value) }
	return f
}

// onOrOff is a setting that is on where nothing was set.
func onOrOff(f setting, on, off string, at func(*store.GuildSettings) *store.Switch) setting {
	return oneOf(f, switchOn, at, choice[store.Switch]{switchOn, on, store.On}, choice[store.Switch]{switchOff, off, store.Off})
}

// faultKeys say why nothing is posted any more in a channel that was set.
var faultKeys = map[store.ChannelFault]string{
	store.ChannelGone: "settings.channel_gone", store.ChannelNotPermitted: "settings.channel_not_permitted",
}

func (w Words) fault(f store.ChannelFault) string { return w.say(faultKeys[f], nil) }

// localeSetting is the language of boards, chosen from those of a list of [View.languages].
func localeSetting(name, title string, list int) setting {
	return setting{
		name: name, page: "messages", title: title, partly: true,
		options: func(v View, _ GuildSettings) []discord.Option {
			return v.languageOptions(v.languages()[list], "settings.locale_players")
		},
		get: func(s GuildSettings) string { return cmp.Or(s.Locale, usual) },
		set: func(g *GuildSettings, value string) { g.Locale = when(value != usual, value) },
	}
}
