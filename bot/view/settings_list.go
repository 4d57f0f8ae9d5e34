package view

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// usual is the value of a choice that leaves a setting as it is everywhere.
const usual = "usual"

var settings = []setting{
	{
		name: "places", page: "games", title: "settings.places",
		values: func(View) []string {
			var all []string
			for n := range store.MostPlaces {
				all = append(all, strconv.Itoa(n+1))
			}
			return all
		},
		label: func(_ View, _ GuildSettings, value string) string { return value },
		get: func(s GuildSettings) string {
			if s.Places == 0 {
				return strconv.Itoa(s.UsualPlaces)
			}
			return strconv.Itoa(s.Places)
		},
		set: func(g *GuildSettings, value string) { g.Places, _ = strconv.Atoi(value) },
	},
	{
		name: "threads", page: "games", title: "settings.threads",
		values: func(View) []string { return []string{"never", "offered", "always"} },
		label: func(v View, _ GuildSettings, value string) string {
			switch value {
			case "never":
				return v.say("settings.threads_never", nil)
			case "always":
				return v.say("settings.threads_always", nil)
			default:
				return v.say("settings.threads_offered", nil)
			}
		},
		get: func(s GuildSettings) string {
			switch s.Threads {
			case store.ThreadsNever:
				return "never"
			case store.ThreadsAlways:
				return "always"
			default:
				return "offered"
			}
		},
		set: func(g *GuildSettings, value string) {
			g.Threads = map[string]store.Threads{
				"never": store.ThreadsNever, "offered": store.ThreadsOffered, "always": store.ThreadsAlways,
			}[value]
		},
		missing: func(s GuildSettings) string {
			if s.NoThreads != 0 && s.Threads != store.ThreadsNever {
				return "settings.threads_missing"
			}
			return ""
		},
	},
	{
		name: "clock", page: "games", title: "settings.clock",
		values: func(View) []string {
			all := []string{usual}
			for _, c := range match.Clocks {
				all = append(all, c.Value)
			}
			return all
		},
		label: func(v View, s GuildSettings, value string) string {
			if value == usual {
				return v.say("settings.usual", args{"Value": v.clock(s.UsualClock)})
			}
			limit, _ := match.ClockOf(value)
			return v.clock(limit)
		},
		get: func(s GuildSettings) string {
			if !s.Clock.Set {
				return usual
			}
			for _, c := range match.Clocks {
				if c.Limit == s.Clock.Limit {
					return c.Value
				}
			}
			return ""
		},
		set: func(g *GuildSettings, value string) {
			g.Clock = store.ClockSetting{}
			if value != usual {
				g.Clock.Set = true
				g.Clock.Limit, _ = match.ClockOf(value)
			}
		},
	},
	{
		name: "board", page: "boards", title: "settings.board",
		values: func(View) []string {
			var all []string
			for _, r := range match.Boards {
				all = append(all, r.String())
			}
			return all
		},
		label: func(v View, _ GuildSettings, value string) string {
			r, _ := engine.ParseRules(value) // one of the values
			return v.boardChoice(r)
		},
		get: func(s GuildSettings) string { return cmp.Or(s.Board, match.DefaultChoice.Rules.String()) },
		set: func(g *GuildSettings, value string) { g.Board = value },
	},
	{
		name: "opponent", page: "boards", title: "settings.opponent",
		values: func(View) []string {
			var all []string
			for _, o := range opponentsOffered() {
				all = append(all, o.Name)
			}
			return all
		},
		label: func(v View, _ GuildSettings, value string) string { return v.say("opponent."+value+".character", nil) },
		get:   func(s GuildSettings) string { return cmp.Or(s.Opponent, match.DefaultChoice.Opponent) },
		set:   func(g *GuildSettings, value string) { g.Opponent = value },
		about: func(v View, s GuildSettings) string {
			c := match.Usual(s.GuildSettings)
			if s.Opponent == "" || s.Opponent == c.Opponent {
				return ""
			}
			return v.say("settings.opponent_not_there", args{
				"Opponent": v.opponent(s.Opponent), "Board": v.boardName(c.Rules), "Instead": v.opponent(c.Opponent),
			})
		},
	},
	{
		name: "marks", page: "boards", title: "settings.marks",
		values: func(View) []string { return []string{marksCrosses, marksBlocks, marksHearts, marksSky} },
		label: func(v View, _ GuildSettings, value string) string {
			switch value {
			case marksBlocks:
				return v.say("settings.marks_blocks", nil)
			case marksHearts:
				return v.say("settings.marks_hearts", nil)
			case marksSky:
				return v.say("settings.marks_sky", nil)
			default:
				return v.say("settings.marks_crosses", nil)
			}
		},
		get: func(s GuildSettings) string {
			switch s.Marks {
			case store.MarksBlocks:
				return marksBlocks
			case store.MarksHearts:
				return marksHearts
			case store.MarksSky:
				return marksSky
			default:
				return marksCrosses
			}
		},
		set: func(g *GuildSettings, value string) {
			g.Marks = map[string]store.Marks{marksBlocks: store.MarksBlocks, marksHearts: store.MarksHearts, marksSky: store.MarksSky}[value]
		},
	},
	{
		name: "hints", page: "boards", title: "settings.hints",
		values: func(View) []string { return []string{switchOn, switchOff} },
		label: func(v View, _ GuildSettings, value string) string {
			if value == switchOff {
				return v.say("settings.hints_off", nil)
			}
			return v.say("settings.hints_on", nil)
		},
		get: func(s GuildSettings) string {
			if s.NoHintsSince.IsZero() {
				return switchOn
			}
			return switchOff
		},
		set: func(g *GuildSettings, value string) {
			switch {
			case value == switchOn:
				g.NoHintsSince = time.Time{}
			case g.NoHintsSince.IsZero(): // matches that run keep theirs
				g.NoHintsSince = g.Now
			}
		},
	},
	localeSetting("locale", "settings.locale", func(v View) []string { return append([]string{usual}, v.all.namesInScript(true)...) }),
	// A list has room for 25 choices, and Discord has more languages.
	localeSetting("other_locale", "", func(v View) []string { return v.all.namesInScript(false) }),
	{
		name: "reminders", page: "messages", title: "settings.reminders",
		values: func(View) []string { return []string{switchOn, switchOff} },
		label: func(v View, _ GuildSettings, value string) string {
			if value == switchOff {
				return v.say("settings.reminders_off", nil)
			}
			return v.say("settings.reminders_on", nil)
		},
		get: func(s GuildSettings) string {
			if s.Reminders.Or(true) {
				return switchOn
			}
			return switchOff
		},
		set: func(g *GuildSettings, value string) {
			if g.Reminders = store.On; value == switchOff {
				g.Reminders = store.Off
			}
		},
	},
	{
		name: "stops", page: "messages", title: "settings.stops", channel: true, placeholder: "settings.stops_nowhere",
		values:  func(View) []string { return nil },
		get:     func(s GuildSettings) string { return string(s.Stops.Channel) },
		set:     func(g *GuildSettings, value string) { g.Stops = store.StopPosts{Channel: store.ChannelID(value)} },
		missing: func(s GuildSettings) string { return faultKeys[s.Stops.Fault] },
	},
	{
		name: "leaderboard", page: "standings", title: "settings.leaderboard",
		values: func(View) []string { return []string{switchOn, switchOff} },
		label: func(v View, _ GuildSettings, value string) string {
			if value == switchOff {
				return v.say("settings.leaderboard_off", nil)
			}
			return v.say("settings.leaderboard_on", nil)
		},
		get: func(s GuildSettings) string {
			if s.Leaderboard.Or(true) {
				return switchOn
			}
			return switchOff
		},
		set: func(g *GuildSettings, value string) {
			if g.Leaderboard = store.On; value == switchOff {
				g.Leaderboard = store.Off
			}
		},
	},
	{
		name: "puzzle", page: "puzzle", title: "settings.puzzle", channel: true, placeholder: "settings.puzzle_off",
		values:  func(View) []string { return nil },
		get:     func(s GuildSettings) string { return string(s.Puzzle.Channel) },
		set:     func(g *GuildSettings, value string) { g.Puzzle.Channel, g.Puzzle.Fault = store.ChannelID(value), 0 },
		missing: func(s GuildSettings) string { return faultKeys[s.Puzzle.Fault] },
		about: func(v View, s GuildSettings) string {
			if s.Puzzle.Due.IsZero() {
				return ""
			}
			return v.say("settings.puzzle_next", args{"Channel": "<#" + string(s.Puzzle.Channel) + ">", "Time": timestamp(s.Puzzle.Due, 'f')})
		},
	},
	{
		name: "puzzle_hour", page: "puzzle", title: "settings.puzzle_hour",
		values: func(View) []string {
			var all []string
			for h := range 24 {
				all = append(all, strconv.Itoa(h))
			}
			return all
		},
		label: func(_ View, _ GuildSettings, value string) string {
			h, _ := strconv.Atoi(value)
			return fmt.Sprintf("%02d:00–%02d:00 UTC", h, (h+1)%24)
		},
		get: func(s GuildSettings) string { return strconv.Itoa(s.Puzzle.Hour) },
		set: func(g *GuildSettings, value string) { g.Puzzle.Hour, _ = strconv.Atoi(value) },
	},
	{
		name: "puzzle_role", page: "puzzle", title: "settings.puzzle_role", role: true,
		values: func(View) []string { return nil },
		get:    func(s GuildSettings) string { return string(s.Puzzle.Role) },
		set:    func(g *GuildSettings, value string) { g.Puzzle.Role = store.RoleID(value) },
	},
}

// The sets of marks by their values.
const (
	marksCrosses = "crosses"
	marksBlocks  = "blocks"
	marksHearts  = "hearts"
	marksSky     = "sky"
)

// faultKeys say why nothing is posted any more in a channel that was set.
var faultKeys = map[store.ChannelFault]string{
	store.ChannelGone: "settings.channel_gone", store.ChannelNotPermitted: "settings.channel_not_permitted",
}

// localeSetting is the language of boards, chosen from some of those that there are.
func localeSetting(name, title string, values func(View) []string) setting {
	return setting{
		name: name, page: "messages", title: title, values: values, partly: true,
		label: func(v View, _ GuildSettings, value string) string {
			if value == usual {
				return v.say("settings.locale_players", nil)
			}
			return v.all.In(value).say("language.name", nil)
		},
		get: func(s GuildSettings) string {
			if s.Locale == "" {
				return usual
			}
			return s.Locale
		},
		set: func(g *GuildSettings, value string) {
			if g.Locale = value; value == usual {
				g.Locale = ""
			}
		},
	}
}
