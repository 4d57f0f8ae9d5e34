package view

import (
	"cmp"
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// People shows what belongs to a person: preferences, blocks and data.
type People struct{ View }

// Preferences are what a person has set, and what the guild where they look has set about
// the same.
type Preferences struct {
	store.Person
	Guild store.GuildSettings // without an id in direct messages

	Tab     string // one of preferencesPages by its name; the first one where there is none such
	Blocks  []store.Block
	Page    int  // of those who are blocked; the last one where there are fewer
	Problem Note // why somebody was not blocked, or nothing
}

// preference is something that people can turn on and off for themselves, everywhere. Whoever
// adds one adds an entry to preferences, and its texts.
type preference struct {
	name    string // in custom IDs and in the log: it stays as it is
	page    string // one of preferencesPages by its name
	on, off string // keys of what the panel says while it is so
	turnOn  string // key of the button that turns it on, unless that is the usual one
	get     func(p store.Person) bool
	set     func(p *store.Person, on bool)
	// note returns what else there is to know, or nothing; nil where there never is anything.
	note func(v View, p Preferences) string
}

// The values of what is on or off.
const (
	switchOn  = "on"
	switchOff = "off"
)

var preferences = []preference{
	{
		name: "xo", page: "boards", on: "preferences.mark_xo", off: "preferences.mark_own", turnOn: "button.always_xo",
		get: func(p store.Person) bool { return p.Mark == store.AlwaysXO },
		set: func(p *store.Person, on bool) {
			switch {
			case on:
				p.Mark = store.AlwaysXO
			case p.Mark == store.AlwaysXO: // an older panel knows no mark that was chosen since
				p.Mark = 0
			}
		},
		note: func(v View, p Preferences) string {
			forms := v.OwnMarks.Chosen[p.Mark]
			return forms.Plain + forms.Winning + forms.Going
		},
	},
	switched(preference{
		name: "reminders", page: "messages", on: "preferences.reminders_on", off: "preferences.reminders_off",
		note: func(v View, p Preferences) string {
			return v.say(when(p.Reminders.Or(true) && !p.Guild.Reminders.Or(true), "preferences.reminders_guild"), nil)
		},
	}, true, func(p *store.Person) *store.Switch { return &p.Reminders }),
	switched(preference{name: recapPreference, page: "messages", on: "preferences.recap_on", off: "preferences.recap_off"},
		false, func(p *store.Person) *store.Switch { return &p.Recap }),
	switched(preference{name: "crown", page: "messages", on: "preferences.crown_on", off: "preferences.crown_off"},
		false, func(p *store.Person) *store.Switch { return &p.CrownCalls }),
}

// switched is a preference that is stored as a switch; unset is how it is where nothing was set.
func switched(f preference, unset bool, at func(*store.Person) *store.Switch) preference {
	f.get = func(p store.Person) bool { return at(&p).Or(unset) }
	f.set = func(p *store.Person, on bool) { *at(p) = either(on, store.On, store.Off) }
	return f
}

// recapPreference is the name of the preference about being named.
const recapPreference = "recap"

// preferencesPages are the pages of the panel.
var preferencesPages = []panelPage{
	{"games", "settings.page_games"},
	{"boards", "settings.page_boards"},
	{"messages", "settings.page_messages"},
	{"data", "erase.head"},
}

// PreferencesTabOf returns the page on which the button or the select stands, empty for the first.
func PreferencesTabOf(id customid.ID) string {
	f, _ := find(preferences, func(f preference) bool { return f.name == id.Preference })
	selects := map[customid.Action]string{customid.PlaysBy: "boards", customid.OwnMark: "boards", customid.Language: "messages"}
	return cmp.Or(f.page, selects[id.Action], id.Preference) // a tab's
}

// Preferences is the private panel of what a person sets for themselves, with one page of it.
func (v People) Preferences(p Preferences) discord.Message {
	var parts []discord.Component
	var people []string
	switch p.Tab {
	case "boards":
		parts = v.playsBy(p.PlaysBy)
		if len(v.OwnMarks.Chosen) > 0 { // else there are X and O alone
			parts = slices.Concat(parts, v.preferences(p), []discord.Component{v.ownMark(p.Mark)})
		}
	case "messages":
		parts = append(v.preferences(p), v.language(p.Locale)...)
	case "data":
		ways := discord.Row(
			v.press(discord.StyleSecondary, "button.export", customid.Export),
			v.press(discord.StyleSecondary, "button.erase_ask", customid.EraseAsk))
		parts = []discord.Component{discord.TextDisplay(v.say("export.note", nil)), ways}
	default:
		p.Tab = "games"
		parts, people = v.blocked(p)
		parts = slices.Concat(v.challengesFrom(p), []discord.Component{discord.Separator()}, parts)
	}
	return withPeople(panel(
		discord.TextDisplay(v.say("preferences.head", nil)+"\n"+v.say("preferences.note", nil)),
		v.tabs(preferencesPages, p.Tab, func(name string) customid.ID { return customid.ID{Action: customid.PreferencesTab, Preference: name} }),
		discord.Container(accentX, parts...),
	), people)
}

// preferences are those of the page, each with a button for its other value.
func (v People) preferences(p Preferences) (parts []discord.Component) {
	for _, f := range preferences {
		if f.page != p.Tab {
			continue
		}
		says, turn, value := f.off, cmp.Or(f.turnOn, "button.turn_on"), switchOn
		if f.get(p.Person) {
			says, turn, value = f.on, "button.turn_off", switchOff
		}
		note := ""
		if f.note != nil {
			note = f.note(v.View, p)
		}
		parts = append(parts, discord.Section(
			v.button(discord.StyleSecondary, turn, customid.ID{Action: customid.Preference, Preference: f.name, Value: value}),
			discord.TextDisplay(stacked(v.say(says, nil), note)),
		))
	}
	return parts
}

// waysToPlay are the values of the select of [People.playsBy], with their texts.
var waysToPlay = []choice[store.PlaysBy]{
	{"buttons", "preferences.by_buttons", 0},
	{"names", "preferences.by_names", store.ByNames},
	{"list", "preferences.by_list", store.ByList},
}

// playsBy is the part of the panel that says by what somebody plays.
func (v People) playsBy(now store.PlaysBy) []discord.Component {
	return []discord.Component{
		discord.TextDisplay(v.say("preferences.plays_by", nil)),
		selectRow(customid.ID{Action: customid.PlaysBy}, optionsOf(v.Words, waysToPlay, now)),
	}
}

// markChoices are the values of the select of [People.ownMark]: the usual one, and behind it
// [peoplesMarks].
var markChoices = func() []choice[store.OwnMark] {
	all := []choice[store.OwnMark]{{usual, "mark.usual", 0}}
	for _, p := range peoplesMarks {
		all = append(all, choice[store.OwnMark]{p.name, "mark." + p.name, p.mark})
	}
	return all
}()

// ownMark is the select of the mark with which somebody is shown.
func (v People) ownMark(now store.OwnMark) discord.Component {
	options := optionsOf(v.Words, markChoices, when(now.Chosen(), now))
	for i, p := range peoplesMarks {
		options[i+1].Emoji = discord.Emoji{Name: p.emoji}
	}
	return selectRow(customid.ID{Action: customid.OwnMark}, options)
}

// languages returns those that can be chosen, in two lists: one has room for 25 choices, and
// Discord has more languages.
func (v View) languages() [2][]string {
	return [2][]string{append([]string{usual}, v.all.namesInScript(true)...), v.all.namesInScript(false)}
}

// languageOptions are the choices of one of these lists; asUsual is the key of the usual one.
func (v View) languageOptions(locales []string, asUsual string) []discord.Option {
	return each(locales, func(locale string) discord.Option {
		if locale == usual {
			return discord.Option{Label: v.say(asUsual, nil), Value: usual}
		}
		return discord.Option{Label: v.all.In(locale).say("language.name", nil), Value: locale}
	})
}

// language is the part of the panel that says in which language somebody is spoken to.
func (v People) language(now string) []discord.Component {
	parts := []discord.Component{discord.TextDisplay(v.say("preferences.language", nil))}
	for page, locales := range v.languages() {
		options := withDefault(v.languageOptions(locales, "preferences.language_usual"), cmp.Or(now, usual))
		id := customid.ID{Action: customid.Language, Page: page}.String()
		parts = append(parts, discord.Row(discord.Select(id, onOffer(options), options...)))
	}
	return parts
}

// Set returns what a person has set, with what they have chosen by a button, or in a select by
// its value. ok is false for a preference or a value that there is not.
func (v People) Set(p store.Person, by customid.ID, value string) (_ store.Person, ok bool) {
	switch by.Action {
	case customid.PlaysBy:
		p.PlaysBy, ok = chosenOf(waysToPlay, value)
	case customid.OwnMark:
		p.Mark, ok = chosenOf(markChoices, value)
	case customid.Language:
		all := v.languages()
		p.Locale, ok = when(value != usual, value), slices.Contains(slices.Concat(all[:]...), value)
	case customid.PuzzleRecap:
		return turned(p, recapPreference, by.Value)
	default:
		return turned(p, by.Preference, by.Value)
	}
	return p, ok
}

// turned returns what a person has set, with the named preference turned on or off.
func turned(p store.Person, name, value string) (_ store.Person, ok bool) {
	f, ok := find(preferences, func(f preference) bool { return f.name == name })
	if ok = ok && (value == switchOn || value == switchOff); ok {
		f.set(&p, value == switchOn)
	}
	return p, ok
}

// Exported is what stands beside the file with somebody's data.
func (v People) Exported(name string, packed bool) discord.Message {
	msg := private(stacked(v.say("export.done", nil), v.say(when(packed, "export.packed"), nil), v.say("export.left_out", nil)))
	msg.Files = []string{name}
	return msg
}

// EraseQuestion asks once more whether everything about a person is to be erased, and says
// what that means.
func (v People) EraseQuestion() discord.Message {
	items := each([]string{"erase.games", "erase.goes", "erase.stays", "erase.shown"}, func(what string) string {
		return "- " + v.say(what, nil)
	})
	return private(stacked(v.say("erase.question", nil), stacked(items...), v.say("erase.again", nil)),
		v.press(discord.StyleDanger, "button.erase", customid.Erase),
		v.press(discord.StyleSecondary, "button.erase_nothing", customid.EraseNothing),
	)
}

// challengesFrom is the part of the panel that says from whom somebody takes challenges.
func (v People) challengesFrom(p Preferences) []discord.Component {
	values := []match.From{match.FromAnybody, match.FromNobodyHere, match.FromNobody}
	if p.Guild.Guild == "" {
		values = []match.From{match.FromAnybody, match.FromNobody}
	}
	from := options(v.Words, "preferences.from_", values, match.TakesFrom(p.Blocks, p.Guild.Guild))
	return []discord.Component{
		discord.TextDisplay(v.say("preferences.from", nil) + "\n" + v.say("preferences.from_note", nil)),
		selectRow(customid.ID{Action: customid.ChallengesFrom}, from),
	}
}

// blockedRows is how many people a page of those who are blocked lists.
const blockedRows = 5

// blocked is the part that lists who is blocked, each with a button, and the people in it.
func (v People) blocked(p Preferences) (parts []discord.Component, people []string) {
	all := match.Blocked(p.Blocks)
	how := either(len(all) > 0, v.count("preferences.blocked", len(all)), v.say("preferences.blocked_nobody", nil))
	text := stacked(how, v.say("preferences.blocked_note", nil), v.say(string(p.Problem), nil))
	parts = append(parts, discord.TextDisplay(text))
	pages := max(1, (len(all)+blockedRows-1)/blockedRows)
	page := min(p.Page, pages-1)
	for _, b := range all[page*blockedRows : min(len(all), (page+1)*blockedRows)] {
		lift := customid.ID{Action: customid.UnblockListed, User: b.From, Page: page}
		parts = append(parts, discord.Section(v.button(discord.StyleSecondary, "button.unblock", lift), discord.TextDisplay(v.mention(b.From))))
		people = append(people, string(b.From))
	}
	parts = append(parts, rowOf(
		when(page > 0, button(discord.StyleSecondary, toPrevious, customid.ID{Action: customid.BlockPage, Page: page - 1})),
		when(page < pages-1, button(discord.StyleSecondary, toNext, customid.ID{Action: customid.BlockPage, Page: page + 1})),
	)...)
	choose := customid.ID{Action: customid.BlockChosen}.String()
	return append(parts, discord.Row(discord.UserSelect(choose, v.say("preferences.block", nil)))), people
}

// Blocked tells somebody that they have blocked a person, or lifted that, with the way
// back.
func (v People) Blocked(user store.UserID, lifted bool) discord.Message {
	key, way := "blocks.done", v.unblockButton(user)
	if lifted {
		key, way = "blocks.lifted", v.blockButton(user)
	}
	text := v.say(key, args{"User": v.mention(user), "Command": v.Command("preferences")})
	return withPeople(private(text, way), []string{string(user)})
}

func (w Words) blockButton(user store.UserID) discord.Component {
	return w.button(discord.StyleSecondary, "button.block", customid.ID{Action: customid.Block, User: user})
}

func (w Words) unblockButton(user store.UserID) discord.Component {
	return w.button(discord.StyleSecondary, "button.unblock", customid.ID{Action: customid.Unblock, User: user})
}
