package view

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/store"
)

// Settings shows what belongs to a guild: its settings, its lobby, and what the bot may do there.
type Settings struct{ View }

// GuildSettings are what a guild has set, and what counts where it has set nothing.
type GuildSettings struct {
	store.GuildSettings
	UsualPlaces int
	// NoThreads are the permissions that the application lacks to begin threads where the
	// panel stands.
	NoThreads uint64
	// Now is the moment at which something is set.
	Now time.Time
}

// setting is something that a guild can set. Whoever adds one adds an entry to settings,
// and its texts.
type setting struct {
	name  string // in custom IDs and in the log: it stays as it is
	page  string // one of settingsPages by its name
	title string // key of what stands above its choices; empty where they go on from those before
	// options are the choices. Without any a role of the guild is chosen, or none: the value is
	// its id or empty.
	options func(v View, s GuildSettings) []discord.Option
	get     func(s GuildSettings) string // one of the values, or none where something else is set
	set     func(g *GuildSettings, value string)
	// about returns what else stands above the choices, such as what is in the way of what is
	// set, empty for nothing; nil where there never is anything.
	about func(v View, s GuildSettings) string
	// partly says that these are some of a setting's choices, and the others stand in another
	// list: then the one without the chosen one says what it has.
	partly bool
	// channel says that it is a channel of the guild and no role; placeholder is the key of
	// what stands there without one.
	channel     bool
	placeholder string
}

// panelPage is a page of a panel, with the key of what its tab says.
type panelPage struct{ name, title string }

// settingsPages are the pages of the panel.
var settingsPages = []panelPage{
	{"games", "settings.page_games"},
	{"boards", "settings.page_boards"},
	{"messages", "settings.page_messages"},
	{"standings", "settings.page_standings"},
	{"puzzle", "settings.page_puzzle"},
}

// Set returns the settings with the named one set to a value, and what it was before. ok
// is false where there is no such setting or no such choice of it: both come from outside.
func (v Settings) Set(s GuildSettings, name, value string) (_ GuildSettings, before string, ok bool) {
	f := settingOf(name)
	if f.name == "" || !f.takes(v.View, s, value) {
		return s, "", false
	}
	before = f.get(s)
	f.set(&s, value)
	return s, before, true
}

// settingOf returns the named setting, an empty one where there is none such.
func settingOf(name string) setting {
	f, _ := find(settings, func(f setting) bool { return f.name == name })
	return f
}

// SetsChannel reports whether the named setting is a channel: whether a value of it is one
// of the guild's is told by who has taken the choice.
func SetsChannel(name string) bool { return settingOf(name).channel }

// takes reports whether the value is one that people can choose. The role of everybody,
// which has the guild's id, is not.
func (f setting) takes(v View, s GuildSettings, value string) bool {
	if f.options != nil {
		return slices.ContainsFunc(f.options(v, s), func(o discord.Option) bool { return o.Value == value })
	}
	_, err := strconv.ParseUint(value, 10, 63)
	return value == "" || err == nil && value != string(s.Guild)
}

// SettingsPageOf returns the page that has the named setting, empty where none has.
func SettingsPageOf(name string) string { return settingOf(name).page }

// Panel is the private panel of a guild's settings, with one page of them; the first one
// where there is no such page. Its first component carries the version of what it shows.
// why says why somebody sees it again whose choice was not saved.
func (v Settings) Panel(s GuildSettings, page string, why Note) discord.Message {
	if !slices.ContainsFunc(settingsPages, func(p panelPage) bool { return p.name == page }) {
		page = settingsPages[0].name
	}
	head := discord.TextDisplay(v.say("settings.head", nil))
	head.ID = customid.Marker(s.Version)
	return panel(
		head,
		when(why != Saved, discord.TextDisplay(v.say(string(why), args{"Command": v.Command("check")}))),
		v.tabs(settingsPages, page, func(name string) customid.ID { return customid.ID{Action: customid.SettingsTab, Setting: name} }),
		discord.Container(accentX, v.page(s, page)...),
	)
}

// tabs are the buttons that lead to the pages. The open one differs.
func (w Words) tabs(pages []panelPage, open string, id func(name string) customid.ID) discord.Component {
	return discord.Row(each(pages, func(p panelPage) discord.Component {
		return w.button(either(p.name == open, discord.StylePrimary, discord.StyleSecondary), p.title, id(p.name))
	})...)
}

// page is what one page has.
func (v Settings) page(s GuildSettings, page string) (parts []discord.Component) {
	for _, f := range settings {
		if f.page != page {
			continue
		}
		if f.title != "" {
			above := v.say(f.title, nil)
			if f.about != nil {
				above = stacked(above, f.about(v.View, s))
			}
			parts = append(parts, discord.TextDisplay(above))
		}
		parts = append(parts, discord.Row(v.choice(f, s)))
	}
	text := func(key string) discord.Component { return discord.TextDisplay(v.say(key, nil)) }
	switch page {
	case "games": // the first one: it has what is about the whole guild too
		ways := row(v.press(discord.StyleSecondary, "button.post_lobby", customid.PostLobby), v.press(discord.StyleSecondary, "button.check", customid.CheckHere))
		erase := v.press(discord.StyleDanger, "button.erase_ask", customid.EraseGuildAsk)
		return append(parts, text("settings.integrations"), text("settings.note"), ways, discord.Separator(), discord.Section(erase, text("settings.erase")))
	case "boards":
		return append(parts, text("settings.note"))
	case "puzzle":
		return append(parts, rowOf(when(s.Puzzle.Channel != "", v.press(discord.StyleSecondary, "button.post_puzzle", customid.PostPuzzle)))...)
	case "standings":
		return append(parts, discord.Section(v.press(discord.StyleDanger, "button.begin_anew", customid.BeginAnew), text("settings.begin_anew")))
	default:
		return parts
	}
}

// choice is the select of a setting.
func (v Settings) choice(f setting, s GuildSettings) discord.Component {
	id := customid.ID{Action: customid.Setting, Setting: f.name}.String()
	switch {
	case f.channel:
		return discord.ChannelSelect(id, v.say(f.placeholder, nil), f.get(s))
	case f.options == nil:
		return discord.RoleSelect(id, v.say(f.placeholder, nil), f.get(s))
	}
	options := withDefault(f.options(v.View, s), f.get(s))
	return discord.Select(id, when(f.partly, onOffer(options)), options...)
}

// withDefault marks the option of the value as the one that counts.
func withDefault(options []discord.Option, value string) []discord.Option {
	for i := range options {
		options[i].Default = options[i].Value == value
	}
	return options
}

// Question is one of those that are asked where nothing was set yet.
type Question string

// The questions, one after the other: where games may be, whether the puzzle is to be posted,
// and whether a lobby is.
const (
	AsksChannel Question = "channel"
	AsksPuzzle  Question = "puzzle"
	AsksLobby   Question = "lobby"
)

// questions have the keys of what is asked, and of the answer that is Yes.
var questions = map[Question]struct{ text, yes string }{
	AsksChannel: {"setup.channel", "button.setup_channel"},
	AsksPuzzle:  {"setup.puzzle", "button.setup_puzzle"},
	AsksLobby:   {"setup.lobby", "button.setup_lobby"},
}

// Yes is the answer to a question; another one leaves it open.
const Yes = "yes"

// Question asks one of them, about a channel. Its first component is as the panel's.
func (v Settings) Question(s GuildSettings, q Question, channel store.ChannelID) discord.Message {
	head := discord.TextDisplay(v.say("settings.head", nil))
	head.ID = customid.Marker(s.Version)
	choose := discord.ChannelSelect(customid.ID{Action: customid.SetupChannel}.String(), v.say("setup.choose", nil), "")
	return panel(
		head,
		discord.TextDisplay(v.say(questions[q].text, args{"Channel": channelMention(channel)})),
		when(q == AsksChannel, discord.Row(choose)),
		discord.Row(
			v.button(discord.StylePrimary, questions[q].yes, customid.ID{Action: customid.Setup, Setting: string(q), Value: Yes}),
			v.button(discord.StyleSecondary, "button.skip", customid.ID{Action: customid.Setup, Setting: string(q), Value: "skip"}),
		))
}

// channelMention is a channel's name as Discord shows it, which leads there.
func channelMention(id store.ChannelID) string { return "<#" + string(id) + ">" }

// onOffer returns what stands in a list none of whose choices is the one that counts: the
// first of them, as many as fit. Empty where one is.
func onOffer(choices []discord.Option) string {
	if slices.ContainsFunc(choices, func(o discord.Option) bool { return o.Default }) {
		return ""
	}
	var labels string
	for _, o := range choices {
		longer := dotted(labels, o.Label)
		if utf8.RuneCountInString(longer) > maxPlaceholder {
			break
		}
		labels = longer
	}
	return labels
}

// maxPlaceholder is how long the words of a list may be in which nothing is chosen. Phones
// show some forty characters.
const maxPlaceholder = 60

// BeginAnewQuestion asks whether the guild's standings are to begin anew.
func (v Settings) BeginAnewQuestion() discord.Message {
	return v.tell("settings.begin_anew_question", args{"Command": v.Command("stats")},
		v.press(discord.StyleDanger, "button.begin_anew_sure", customid.BeginAnewSure),
		v.press(discord.StyleSecondary, "button.keep_standings", customid.KeepStandings))
}

// EraseGuildQuestion asks whether everything about the guild is to be erased, and when that
// was said once more.
func (v Settings) EraseGuildQuestion(again bool) discord.Message {
	key, label, next := "settings.erase_question", "button.erase_ask", customid.EraseGuildSure
	if again {
		key, label, next = "settings.erase_sure", "button.erase", customid.EraseGuild
	}
	return v.tell(key, nil,
		v.press(discord.StyleDanger, label, next),
		v.press(discord.StyleSecondary, "button.keep_standings", customid.EraseNothing))
}
