package view

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// GuildSettings are what a guild has set, and what counts where it has set nothing.
type GuildSettings struct {
	store.GuildSettings
	UsualClock  time.Duration // 0 is none
	UsualPlaces int
	// MayNotThread says that the application may not begin threads where the panel stands.
	MayNotThread bool
	// Here is the channel in which the panel stands.
	Here store.ChannelID
}

// setting is something that a guild can set. Whoever adds one adds an entry to settings,
// and its texts.
type setting struct {
	name   string // in custom IDs and in the log: it stays as it is
	page   string // one of settingsPages by its name
	title  string // key of what stands above its choices
	values func(v View) []string
	label  func(v View, s GuildSettings, value string) string
	get    func(s GuildSettings) string // one of the values, or none where something else is set
	set    func(g *GuildSettings, value string)
	// missing returns the key of what stands in the way of what is set, empty for nothing;
	// nil where nothing can.
	missing func(s GuildSettings) string
	// about returns what else stands above the choices, empty for nothing; nil where there
	// is nothing to say.
	about func(v View, s GuildSettings) string
	// role says that a role of the guild is chosen, or none: the value is its id or empty.
	role bool
}

// settingsPages are the pages of the panel, with the keys of their names.
var settingsPages = []struct{ name, title string }{
	{"games", "settings.page_games"},
	{"messages", "settings.page_messages"},
	{"standings", "settings.page_standings"},
	{"puzzle", "settings.page_puzzle"},
}

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
			if s.MayNotThread && s.Threads != store.ThreadsNever {
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
		name: "locale", page: "messages", title: "settings.locale",
		values: func(v View) []string { return append([]string{usual}, v.all.locales...) },
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
	},
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
		name: "puzzle", page: "puzzle", title: "settings.puzzle",
		values: func(View) []string { return []string{switchOff, puzzleHere, puzzleThere} },
		label: func(v View, s GuildSettings, value string) string {
			switch value {
			case puzzleHere:
				return v.say("settings.puzzle_here", nil)
			case puzzleThere:
				return v.say("settings.puzzle_there", nil)
			default:
				return v.say("settings.puzzle_off", nil)
			}
		},
		get: func(s GuildSettings) string {
			switch s.Puzzle.Channel {
			case "":
				return switchOff
			case s.Here:
				return puzzleHere
			default:
				return puzzleThere
			}
		},
		set: func(g *GuildSettings, value string) {
			switch value {
			case switchOff:
				g.Puzzle.Channel, g.Puzzle.Fault = "", 0
			case puzzleHere:
				g.Puzzle.Channel, g.Puzzle.Fault = g.Here, 0
			}
		},
		missing: func(s GuildSettings) string {
			switch s.Puzzle.Fault {
			case store.PuzzleChannelGone:
				return "settings.puzzle_gone"
			case store.PuzzleNotPermitted:
				return "settings.puzzle_not_permitted"
			default:
				return ""
			}
		},
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

// Where puzzles are posted: in the channel of the panel, or in another that was set.
const (
	puzzleHere  = "here"
	puzzleThere = "there"
)

// Set returns the settings with the named one set to a value, and what it was before. ok
// is false where there is no such setting or no such choice of it: both come from outside.
func (v View) Set(s GuildSettings, name, value string) (_ GuildSettings, before string, ok bool) {
	i := slices.IndexFunc(settings, func(f setting) bool { return f.name == name })
	if i < 0 || !settings[i].takes(v, s, value) {
		return s, "", false
	}
	before = settings[i].get(s)
	settings[i].set(&s, value)
	return s, before, true
}

// takes reports whether the value is one that people can choose. The role of everybody,
// which has the guild's id, is not.
func (f setting) takes(v View, s GuildSettings, value string) bool {
	if !f.role {
		return slices.Contains(f.values(v), value)
	}
	_, err := strconv.ParseUint(value, 10, 63)
	return value == "" || err == nil && value != string(s.Guild)
}

// SettingsPageOf returns the page that has the named setting, the first one where none
// has.
func SettingsPageOf(name string) string {
	for _, f := range settings {
		if f.name == name {
			return f.page
		}
	}
	return settingsPages[0].name
}

// Settings is the private panel of a guild's settings, with one page of them; the first one
// where there is no such page. Its first component carries the version of what it shows.
// stale says why somebody sees it again who had chosen something on an older one.
func (v View) Settings(s GuildSettings, page string, stale bool) discord.Message {
	if !slices.ContainsFunc(settingsPages, func(p struct{ name, title string }) bool { return p.name == page }) {
		page = settingsPages[0].name
	}
	head := discord.TextDisplay(v.say("settings.head", nil))
	head.ID = customid.Marker(s.Version)
	parts := []discord.Component{head}
	if stale {
		parts = append(parts, discord.TextDisplay(v.say("settings.stale", nil)))
	}
	var pages []discord.Option
	for _, p := range settingsPages {
		pages = append(pages, discord.Option{Label: v.say(p.title, nil), Value: p.name, Default: p.name == page})
	}
	parts = append(parts, discord.Row(discord.Select(customid.ID{Action: customid.SettingsPage}.String(), "", pages...)))
	for _, f := range settings {
		if f.page != page {
			continue
		}
		var choices []discord.Option
		for _, value := range f.values(v) {
			choices = append(choices, discord.Option{Label: f.label(v, s, value), Value: value, Default: value == f.get(s)})
		}
		title := v.say(f.title, nil)
		if f.missing != nil && f.missing(s) != "" {
			title += "\n" + v.say(f.missing(s), nil)
		}
		if f.about != nil && f.about(v, s) != "" {
			title += "\n" + f.about(v, s)
		}
		id := customid.ID{Action: customid.Setting, Setting: f.name}.String()
		choice := discord.Select(id, "", choices...)
		if f.role {
			choice = discord.RoleSelect(id, v.say("settings.no_role", nil), f.get(s))
		}
		parts = append(parts, discord.TextDisplay(title), discord.Row(choice))
	}
	if page == "standings" {
		parts = append(parts, discord.Section(
			button(discord.StyleDanger, v.say("button.begin_anew", nil), customid.ID{Action: customid.BeginAnew}),
			discord.TextDisplay(v.say("settings.begin_anew", nil)),
		))
	}
	parts = append(parts, discord.TextDisplay(v.say("settings.note", nil)))
	return discord.Message{V2: true, Ephemeral: true, Components: parts}
}

// BeginAnewQuestion asks whether the guild's standings are to begin anew.
func (v View) BeginAnewQuestion() discord.Message {
	return private(v.say("settings.begin_anew_question", args{"Command": v.Command("stats")}),
		button(discord.StyleDanger, v.say("button.begin_anew_sure", nil), customid.ID{Action: customid.BeginAnewSure}),
		button(discord.StyleSecondary, v.say("button.keep_standings", nil), customid.ID{Action: customid.KeepStandings}))
}

// BegunAnew says that the guild's standings have begun anew, StandingsKept that they have
// not.
func (v View) BegunAnew() discord.Message { return private(v.say("settings.begun_anew", nil)) }

// StandingsKept is described with BegunAnew.
func (v View) StandingsKept() discord.Message { return private(v.say("settings.standings_kept", nil)) }
