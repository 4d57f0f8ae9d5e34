package view

import (
	"cmp"
	"slices"
	"strings"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/store"
)

// People shows what belongs to a person: preferences, blocks and data.
type People struct{ View }

// Preferences are what a person has set, and what the guild where they look has set about
// the same.
type Preferences struct {
	store.Person
	Guild store.GuildSettings // without an id in direct messages

	Blocks  []store.Block
	Page    int          // of those who are blocked; the last one where there are fewer
	Problem BlockProblem // why somebody was not blocked, or nothing
}

// preference is something that people can set for themselves, everywhere. Whoever adds one
// adds an entry to preferences, and its texts.
type preference struct {
	name string // in custom IDs and in the log: it stays as it is
	// values are what it can be, each with the key of what is said of it; the first is how
	// it is where nothing was set.
	values []preferenceValue
	get    func(p store.Person) string
	set    func(p *store.Person, value string)
	// note returns the key of what else there is to know, or nothing.
	note func(p Preferences) string
}

type preferenceValue struct {
	value  string
	says   string // key of what the panel says while it is so
	button string // key of the button that makes it so
}

// The values of what is on or off.
const (
	switchOn  = "on"
	switchOff = "off"
)

var preferences = []preference{
	{
		name: xoPreference,
		values: []preferenceValue{
			{switchOff, "preferences.mark_own", "button.turn_off"},
			{switchOn, "preferences.mark_xo", "button.always_xo"},
		},
		get: func(p store.Person) string {
			if p.Mark == store.AlwaysXO {
				return switchOn
			}
			return switchOff
		},
		set: func(p *store.Person, value string) {
			switch {
			case value == switchOn:
				p.Mark = store.AlwaysXO
			case p.Mark == store.AlwaysXO: // an older panel knows no mark that was chosen since
				p.Mark = 0
			}
		},
		note: func(Preferences) string { return "" },
	},
	{
		name: "reminders",
		values: []preferenceValue{
			{switchOn, "preferences.reminders_on", "button.turn_on"},
			{switchOff, "preferences.reminders_off", "button.turn_off"},
		},
		get: func(p store.Person) string {
			if p.Reminders.Or(true) {
				return switchOn
			}
			return switchOff
		},
		set: func(p *store.Person, value string) {
			if p.Reminders = store.On; value == switchOff {
				p.Reminders = store.Off
			}
		},
		note: func(p Preferences) string {
			if p.Guild.Reminders.Or(true) || !p.Reminders.Or(true) {
				return ""
			}
			return "preferences.reminders_guild"
		},
	},
	{
		name: RecapPreference,
		values: []preferenceValue{
			{switchOff, "preferences.recap_off", "button.turn_off"},
			{switchOn, "preferences.recap_on", "button.turn_on"},
		},
		get: func(p store.Person) string {
			if p.Recap.Or(false) {
				return switchOn
			}
			return switchOff
		},
		set: func(p *store.Person, value string) {
			if p.Recap = store.On; value == switchOff {
				p.Recap = store.Off
			}
		},
		note: func(Preferences) string { return "" },
	},
	{
		name: "crown",
		values: []preferenceValue{
			{switchOff, "preferences.crown_off", "button.turn_off"},
			{switchOn, "preferences.crown_on", "button.turn_on"},
		},
		get: func(p store.Person) string {
			if p.CrownCalls.Or(false) {
				return switchOn
			}
			return switchOff
		},
		set: func(p *store.Person, value string) {
			if p.CrownCalls = store.On; value == switchOff {
				p.CrownCalls = store.Off
			}
		},
		note: func(Preferences) string { return "" },
	},
}

// RecapPreference is the name of the preference about being named.
const RecapPreference = "recap"

// xoPreference is the name of the preference about marks, which has a list of them below it.
const xoPreference = "xo"

// Preferences is the private panel of what a person sets for themselves: from whom they
// take challenges, and a line for everything else with a button for each other value.
func (v People) Preferences(p Preferences) discord.Message {
	msg := discord.Message{V2: true, Ephemeral: true}
	parts := v.challengesFrom(v.say("preferences.head", nil)+"\n"+v.say("preferences.note", nil), p)
	blocked, people := v.blocked(p)
	parts = append(append(parts, blocked...), discord.Separator())
	msg.People = people
	parts = append(parts, v.playsBy(p.PlaysBy)...)
	for _, f := range preferences {
		if f.name == xoPreference && len(v.OwnMarks.Chosen) == 0 {
			continue // there is nothing to choose from
		}
		now := f.get(p.Person)
		is := slices.IndexFunc(f.values, func(v preferenceValue) bool { return v.value == now })
		text := v.say(f.values[is].says, nil)
		if note := f.note(p); note != "" {
			text += "\n" + v.say(note, nil)
		}
		if forms, ok := v.OwnMarks.Chosen[p.Mark]; ok && f.name == xoPreference {
			text += "\n" + forms.Plain + forms.Winning + forms.Going
		}
		next := f.values[(is+1)%len(f.values)]
		parts = append(parts, discord.Section(
			v.button(discord.StyleSecondary, next.button, customid.ID{Action: customid.Preference, Preference: f.name, Value: next.value}),
			discord.TextDisplay(text),
		))
		if f.name == xoPreference {
			parts = append(parts, v.ownMark(p.Mark))
		}
	}
	parts = append(append(parts, v.language(p.Locale)...), discord.Separator())
	msg.Components = append(parts, v.myData()...)
	return msg
}

// waysToPlay are the values of the select of [People.playsBy], with their texts.
var waysToPlay = []struct {
	by         store.PlaysBy
	value, key string
}{
	{0, "buttons", "preferences.by_buttons"},
	{store.ByNames, "names", "preferences.by_names"},
	{store.ByList, "list", "preferences.by_list"},
}

// playsBy is the part of the panel that says by what somebody plays.
func (v People) playsBy(now store.PlaysBy) []discord.Component {
	var options []discord.Option
	for _, w := range waysToPlay {
		options = append(options, discord.Option{Label: v.say(w.key, nil), Value: w.value, Default: w.by == now})
	}
	return []discord.Component{
		discord.TextDisplay(v.say("preferences.plays_by", nil)),
		discord.Row(discord.Select(customid.ID{Action: customid.PlaysBy}.String(), "", options...)),
	}
}

// PlaysBy returns what a value of that select stands for. ok is false for any other.
func PlaysBy(values []string) (by store.PlaysBy, ok bool) {
	for _, w := range waysToPlay {
		if len(values) == 1 && w.value == values[0] {
			return w.by, true
		}
	}
	return 0, false
}

// ownMark is the select of the mark with which somebody is shown.
func (v People) ownMark(now store.OwnMark) discord.Component {
	options := []discord.Option{{Label: v.say("mark.usual", nil), Value: usual, Default: !now.Chosen()}}
	for _, p := range peoplesMarks {
		options = append(options, discord.Option{
			Label: v.say("mark."+p.name, nil), Value: p.name, Emoji: discord.Emoji{Name: p.emoji}, Default: p.mark == now,
		})
	}
	return discord.Row(discord.Select(customid.ID{Action: customid.OwnMark}.String(), "", options...))
}

// Mark returns what a value of that select stands for. ok is false for any other.
func Mark(values []string) (mark store.OwnMark, ok bool) {
	for _, p := range peoplesMarks {
		if len(values) == 1 && p.name == values[0] {
			return p.mark, true
		}
	}
	return 0, len(values) == 1 && values[0] == usual
}

// languages returns those that somebody can choose to be spoken to in, on the pages that the
// panel has: a list has room for 25 choices, and Discord has more languages.
func (v People) languages() [2][]string {
	return [2][]string{append([]string{usual}, v.all.namesInScript(true)...), v.all.namesInScript(false)}
}

// language is the part of the panel that says in which language somebody is spoken to.
func (v People) language(now string) []discord.Component {
	parts := []discord.Component{discord.TextDisplay(v.say("preferences.language", nil))}
	for page, locales := range v.languages() {
		var options []discord.Option
		for _, locale := range locales {
			label := v.say("preferences.language_usual", nil)
			if locale != usual {
				label = v.all.In(locale).say("language.name", nil)
			}
			options = append(options, discord.Option{Label: label, Value: locale, Default: locale == cmp.Or(now, usual)})
		}
		id := customid.ID{Action: customid.Language, Page: page}.String()
		parts = append(parts, discord.Row(discord.Select(id, onOffer(options), options...)))
	}
	return parts
}

// Language returns the locale that a value of these selects stands for, empty for the one that
// Discord tells. ok is false for any other value.
func (v People) Language(values []string) (locale string, ok bool) {
	all := v.languages()
	switch {
	case len(values) != 1 || !slices.Contains(slices.Concat(all[:]...), values[0]):
		return "", false
	case values[0] == usual:
		return "", true
	}
	return values[0], true
}

// SetPreference sets what the person has chosen. ok is false for a preference or a value
// that there is not.
func SetPreference(p store.Person, name, value string) (_ store.Person, ok bool) {
	for _, f := range preferences {
		if f.name == name && slices.ContainsFunc(f.values, func(v preferenceValue) bool { return v.value == value }) {
			f.set(&p, value)
			return p, true
		}
	}
	return p, false
}

// myData is the part of the panel about what is kept of the person.
func (v People) myData() []discord.Component {
	export := v.button(discord.StyleSecondary, "button.export", customid.ID{Action: customid.Export})
	erase := v.button(discord.StyleSecondary, "button.erase_ask", customid.ID{Action: customid.EraseAsk})
	return []discord.Component{
		discord.TextDisplay(v.say("erase.head", nil) + "\n" + v.say("export.note", nil)),
		discord.Row(export, erase),
	}
}

// Exported is what stands beside the file with somebody's data.
func (v People) Exported(name string, packed bool) discord.Message {
	lines := []string{v.say("export.done", nil)}
	if packed {
		lines = append(lines, v.say("export.packed", nil))
	}
	msg := private(strings.Join(append(lines, v.say("export.left_out", nil)), "\n"))
	msg.Files = []string{name}
	return msg
}

// EraseQuestion asks once more whether everything about a person is to be erased, and says
// what that means.
func (v People) EraseQuestion() discord.Message {
	lines := []string{v.say("erase.question", nil)}
	for _, what := range [...]string{"erase.games", "erase.goes", "erase.stays", "erase.shown"} {
		lines = append(lines, "- "+v.say(what, nil))
	}
	return private(strings.Join(append(lines, v.say("erase.again", nil)), "\n"),
		v.button(discord.StyleDanger, "button.erase", customid.ID{Action: customid.Erase}),
		v.button(discord.StyleSecondary, "button.erase_nothing", customid.ID{Action: customid.EraseNothing}),
	)
}
