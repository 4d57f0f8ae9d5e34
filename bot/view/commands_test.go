package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox/apicheck"
	"tictactoe/engine"
)

// Discord's limits for application commands, in characters and entries.
const (
	maxCommandName        = 32
	maxCommandDescription = 100
	maxChoiceName         = 100
	maxChoiceValue        = 100
	maxListed             = 25 // options of a command or option, choices of an option
	maxCommandTotal       = 8000
)

// chatName is how Discord wants the names of slash commands and their options.
var chatName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// loadDescription reads Discord's API description once for all tests.
var loadDescription = sync.OnceValues(func() (*apicheck.Description, error) {
	return apicheck.Load(os.Getenv("DISCORD_OPENAPI"))
})

// checkAgainstDescription holds a request against Discord's API description. Where
// there is none the test is skipped.
func checkAgainstDescription(t *testing.T, method, path string, body []byte) {
	t.Helper()
	if os.Getenv("DISCORD_OPENAPI") == "" {
		t.Skip("DISCORD_OPENAPI names no API description")
	}
	d, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.CheckRequest(method, path, "application/json", nil, body); err != nil {
		t.Error(err)
	}
}

// named is anything that commands are made of.
type named struct {
	path          string
	name          string
	names         map[string]string
	description   string
	descriptions  map[string]string
	value         string
	options       []named
	choices       []named
	isChoice      bool
	isMemberEntry bool
}

func namedCommand(c discord.Command) named {
	n := named{
		path: c.Name, name: c.Name, names: c.NameLocalizations, description: c.Description, descriptions: c.DescriptionLocalizations,
		isMemberEntry: c.Type == discord.CommandUser,
	}
	n.options = namedOptions(n.path, c.Options)
	return n
}

func namedOptions(path string, options []discord.CommandOption) []named {
	var all []named
	for _, o := range options {
		n := named{
			path: path + " " + o.Name, name: o.Name, names: o.NameLocalizations,
			description: o.Description, descriptions: o.DescriptionLocalizations,
		}
		n.options = namedOptions(n.path, o.Options)
		for _, ch := range o.Choices {
			n.choices = append(n.choices, named{
				path: n.path + "=" + ch.Value, name: ch.Name, names: ch.NameLocalizations, value: ch.Value, isChoice: true,
			})
		}
		all = append(all, n)
	}
	return all
}

// each calls check for n and everything in it.
func (n named) each(check func(named)) {
	check(n)
	for _, part := range slices.Concat(n.options, n.choices) {
		part.each(check)
	}
}

// size counts characters as Discord does: of each text the longest translation.
func (n named) size() int {
	longest := func(text string, translations map[string]string) int {
		most := utf8.RuneCountInString(text)
		for _, s := range translations {
			most = max(most, utf8.RuneCountInString(s))
		}
		return most
	}
	sum := longest(n.name, n.names) + longest(n.description, n.descriptions) + utf8.RuneCountInString(n.value)
	for _, part := range slices.Concat(n.options, n.choices) {
		sum += part.size()
	}
	return sum
}

// spellings returns a text with its translations, by what to call each.
func spellings(text string, translations map[string]string) map[string]string {
	all := maps.Clone(translations)
	if all == nil {
		all = map[string]string{}
	}
	all["default"] = text
	return all
}

func checkLength(t *testing.T, what, text string, most int) {
	t.Helper()
	if n := utf8.RuneCountInString(text); n < 1 || n > most {
		t.Errorf("%s has %d characters, want 1 to %d: %q", what, n, most, text)
	}
}

func TestCommandsKeepDiscordsLimits(t *testing.T) {
	for _, c := range Load().Commands() {
		whole := namedCommand(c)
		whole.each(func(n named) {
			for where, name := range spellings(n.name, n.names) {
				what := fmt.Sprintf("name of %s (%s)", n.path, where)
				switch {
				case n.isChoice:
					checkLength(t, what, name, maxChoiceName)
				case n.isMemberEntry:
					checkLength(t, what, name, maxCommandName)
				case !chatName.MatchString(name) || strings.ToLower(name) != name:
					t.Errorf("%s is not as Discord wants it: %q", what, name)
				}
			}
			for where, text := range spellings(n.description, n.descriptions) {
				if n.isChoice || n.isMemberEntry {
					if text != "" {
						t.Errorf("%s has a description (%s): %q", n.path, where, text)
					}
					continue
				}
				checkLength(t, fmt.Sprintf("description of %s (%s)", n.path, where), text, maxCommandDescription)
			}
			if n.isChoice {
				checkLength(t, "value of "+n.path, n.value, maxChoiceValue)
			}
			if len(n.options) > maxListed || len(n.choices) > maxListed {
				t.Errorf("%s has %d options and %d choices", n.path, len(n.options), len(n.choices))
			}
		})
		if size := whole.size(); size > maxCommandTotal {
			t.Errorf("%s has %d characters in all, Discord takes %d", c.Name, size, maxCommandTotal)
		} else {
			t.Logf("%s has %d of %d characters", c.Name, size, maxCommandTotal)
		}
	}
}

// A name may be that of no other option in the list, be it that one's own name or
// its translation into the same language.
func TestNamesDoNotCollide(t *testing.T) {
	for _, c := range Load().Commands() {
		namedCommand(c).each(func(n named) {
			for _, list := range [][]named{n.options, n.choices} {
				for i, a := range list {
					for _, b := range list[i+1:] {
						if a.name == b.name || a.value != "" && a.value == b.value {
							t.Errorf("%s and %s have one name", a.path, b.path)
						}
						for locale := range a.names {
							if a.names[locale] == b.names[locale] {
								t.Errorf("%s and %s are both %q in %s", a.path, b.path, a.names[locale], locale)
							}
							if !a.isChoice && (a.names[locale] == b.name || b.names[locale] == a.name) {
								t.Errorf("%s or %s has the other's own name in %s", a.path, b.path, locale)
							}
						}
					}
				}
			}
		})
	}
}

// The default text stands under its own locale too: without it Discord would show
// another kind of English.
func TestDefaultTextsAreTranslations(t *testing.T) {
	c := Load()
	for _, def := range c.Commands() {
		namedCommand(def).each(func(n named) {
			for text, translations := range map[string]map[string]string{n.name: n.names, n.description: n.descriptions} {
				if len(translations) == 0 {
					continue
				}
				if got := translations[DefaultLocale]; got != text {
					t.Errorf("%s is %q by default and %q in %s", n.path, text, got, DefaultLocale)
				}
				if got, want := slices.Sorted(maps.Keys(translations)), slices.Sorted(slices.Values(c.locales)); !slices.Equal(got, want) {
					t.Errorf("%s is translated to %v, want %v", n.path, got, want)
				}
			}
			if n.isChoice && len(n.names) == 0 {
				t.Errorf("%s is not translated", n.path)
			}
		})
	}
}

// What can be chosen is what the handlers know, in the order in which it is meant.
func TestDefinitionsOfferWhatHandlersKnow(t *testing.T) {
	defs := Load().Commands()
	chat, member := defs[0], defs[1]
	admin, short := defs[2], defs[3]
	if short.Name != ShortCommand || len(short.Options) != 1 || short.Options[0].Name != "user" || short.Options[0].Required || short.Options[0].Type != discord.OptionUser {
		t.Errorf("the short command is %+v", short)
	}
	if admin.Name != AdminCommand || admin.DefaultPermissions == nil || *admin.DefaultPermissions != "32" {
		t.Errorf("the command for who manages a guild is %+v", admin)
	}
	if chat.Name != ChatCommand || chat.Type != discord.CommandChat || member.Name != MemberCommand || member.Type != discord.CommandUser {
		t.Fatalf("got the commands %q (%d) and %q (%d)", chat.Name, chat.Type, member.Name, member.Type)
	}
	got := map[string][]string{}
	for _, sub := range chat.Options {
		for _, o := range sub.Options {
			got[sub.Name] = append(got[sub.Name], o.Name)
			if len(o.NameLocalizations) > 0 || len(o.DescriptionLocalizations) == 0 {
				t.Errorf("option %s of %s: names are English everywhere, and descriptions translated", o.Name, sub.Name)
			}
			for _, ch := range o.Choices {
				got[sub.Name+" "+o.Name] = append(got[sub.Name+" "+o.Name], ch.Value)
			}
		}
	}
	var offered []string
	for _, r := range match.Boards {
		offered = append(offered, r.String())
	}
	if want := []string{"3x3", "vanishing", "4x4", "4x5-4", "5x5-4", "5x5"}; !slices.Equal(offered, want) {
		t.Errorf("the boards are %q, want %q", offered, want)
	}
	var clocks []string
	for _, clock := range match.Clocks {
		clocks = append(clocks, clock.Value)
	}
	for list, want := range map[string][]string{
		"play":             {"difficulty", "board", "first", "clock", "private"},
		"play clock":       clocks,
		"play difficulty":  {"random", "easy", "medium", "hard", "perfect"},
		"play first":       {match.FirstMe, match.FirstBot, match.FirstRandom},
		"play board":       offered,
		"challenge":        {"user", "board", "first", "clock", "series"},
		"challenge series": {"1", "3", "5"},
		"challenge clock":  clocks,
		"challenge first":  {match.FirstMe, match.FirstThem, match.FirstRandom},
		"challenge board":  offered,
	} {
		if !slices.Equal(got[list], want) {
			t.Errorf("%q offers %q, want %q", list, got[list], want)
		}
	}
	for i, ch := range chat.Options[0].Options[1].Choices {
		if got, want := strings.Contains(ch.Name, "oldest"), match.Boards[i] == engine.Vanishing; got != want || want != (i == 1) {
			t.Errorf("%q, choice %d, explains that marks vanish: %v, want %v", ch.Name, i, got, want)
		}
	}
	for _, c := range defs {
		contexts, install := []int{discord.ContextGuild, discord.ContextBotDM, discord.ContextPrivate}, []int{discord.InstallGuild, discord.InstallUser}
		switch c.Name {
		case MemberCommand:
			contexts = []int{discord.ContextGuild, discord.ContextPrivate} // the bot's direct messages have nobody to challenge
		case AdminCommand:
			contexts, install = []int{discord.ContextGuild}, []int{discord.InstallGuild} // nothing else has settings
		}
		if !slices.Equal(c.Contexts, contexts) || !slices.Equal(c.IntegrationTypes, install) {
			t.Errorf("%s: contexts %v, installed %v", c.Name, c.Contexts, c.IntegrationTypes)
		}
	}
}

func TestDefinitionsAreAsDescribed(t *testing.T) {
	body := jsonOf(Load().Commands())
	checkAgainstDescription(t, http.MethodPut, "/applications/900/commands", body)
	checkAgainstDescription(t, http.MethodPut, "/applications/900/guilds/201/commands", body)
}

// asTree returns a value as JSON knows it.
func asTree[T any](t testing.TB, v any) T {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree T
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// registered returns the commands as Discord gives them back: with members of its
// own, with null or nothing where nothing was given, and in an order of its own.
func registered(t testing.TB, want []discord.Command, guild bool) []map[string]any {
	t.Helper()
	list := asTree[[]map[string]any](t, want)
	slices.Reverse(list)
	for i, c := range list {
		c["id"], c["application_id"], c["version"] = fmt.Sprint(910+i), "900", "1200000000000000000"
		c["nsfw"], c["dm_permission"] = false, true
		if c["default_member_permissions"] == nil {
			c["default_member_permissions"] = nil
		}
		if guild {
			c["guild_id"] = "201"
			c["contexts"] = nil
			delete(c, "integration_types")
		}
		if c["options"] == nil {
			c["options"], c["description"], c["description_localizations"] = []any{}, "", nil
			continue
		}
		for _, sub := range c["options"].([]any) {
			sub := sub.(map[string]any)
			sub["name_localizations"] = map[string]any{}
			if sub["options"] == nil {
				sub["options"] = []any{}
				continue
			}
			for _, o := range sub["options"].([]any) {
				o := o.(map[string]any)
				o["required"] = false
				if o["choices"] == nil {
					o["choices"] = nil
				}
			}
		}
	}
	return list
}

func rawList(t testing.TB, list []map[string]any) []json.RawMessage {
	t.Helper()
	raw := make([]json.RawMessage, len(list))
	for i, c := range list {
		raw[i] = discord.MustJSON(c)
	}
	return raw
}

func TestSameCommandsAsRegistered(t *testing.T) {
	want := Load().Commands()
	for _, guild := range []bool{false, true} {
		if !discord.SameCommands(rawList(t, registered(t, want, guild)), want, guild) {
			t.Errorf("guild %v: what was registered is taken for something else", guild)
		}
	}
	if discord.SameCommands(rawList(t, registered(t, want, true)), want, false) {
		t.Error("commands without contexts are taken for global ones")
	}
	untyped := registered(t, want, false)
	delete(untyped[3], "type") // slash commands are what Discord assumes
	if !discord.SameCommands(rawList(t, untyped), want, false) {
		t.Error("a slash command without a type is taken for something else")
	}
	if !cmp.Equal(want, newCatalogue(localeFiles).Commands()) {
		t.Error("comparing changed what was compared")
	}
}

// ours are the members that the bot registers, and so has to notice a change in.
var ours = map[string]bool{
	"name": true, "name_localizations": true, "description": true, "description_localizations": true, "type": true,
	"options": true, "choices": true, "value": true, "contexts": true, "integration_types": true,
	"default_member_permissions": true,
}

func TestSameCommandsNoticesEveryChange(t *testing.T) {
	want := newCatalogue(localeFiles).Commands()
	for _, def := range want { // two languages do as well as all of them, and take no minute
		namedCommand(def).each(func(n named) {
			for _, translations := range []map[string]string{n.names, n.descriptions} {
				maps.DeleteFunc(translations, func(locale, _ string) bool { return locale != DefaultLocale && locale != "de" })
			}
		})
	}
	have := registered(t, want, false)
	changes := 0
	differs := func(what string) {
		changes++
		if discord.SameCommands(rawList(t, have), want, false) {
			t.Errorf("unnoticed: %s", what)
		}
	}
	for _, c := range have {
		eachChange(c["name"].(string), c, differs)
	}
	if changes < 500 {
		t.Errorf("only %d changes were tried", changes)
	}
	if !discord.SameCommands(rawList(t, have), want, false) {
		t.Error("the changes were not taken back")
	}
}

// eachChange makes one change after the other in the tree, calls check, and takes it
// back.
func eachChange(path string, node any, check func(what string)) {
	switch n := node.(type) {
	case map[string]any:
		for key, old := range n {
			if at := path + "/" + key; !isOurs(path, key) || old == nil || isEmpty(old) {
				continue
			} else if text, ok := old.(string); ok {
				n[key] = text + "x"
				check(at + " is longer")
			} else if number, ok := old.(float64); ok {
				n[key] = number + 1
				check(at + " is another")
			} else {
				eachChange(at, old, check)
			}
			if list, ok := old.([]any); ok && len(list) > 1 {
				n[key] = list[1:]
				check(path + "/" + key + " lacks its first")
			}
			if key != "type" || path != ChatCommand && path != AdminCommand && path != ShortCommand {
				delete(n, key)
				check(path + "/" + key + " is missing")
			}
			n[key] = old
		}
	case []any:
		for i, old := range n {
			at := fmt.Sprintf("%s/%d", path, i)
			if number, ok := old.(float64); ok {
				n[i] = number + 1
				check(at + " is another")
				n[i] = old
				continue
			}
			eachChange(at, old, check)
			if i > 0 {
				n[i], n[i-1] = n[i-1], n[i]
				check(at + " has changed places with the one before")
				n[i], n[i-1] = n[i-1], n[i]
			}
		}
	}
}

// isOurs reports whether a member is one that the bot registers: translations are
// keyed by locale.
func isOurs(path, key string) bool {
	return ours[key] || strings.HasSuffix(path, "_localizations")
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	default:
		return false
	}
}

// What an earlier version may have registered beyond what this one does.
func TestSameCommandsNoticesAdditions(t *testing.T) {
	want := Load().Commands()
	for member, value := range map[string]any{"nsfw": true, "default_member_permissions": "0"} {
		have := registered(t, want, false)
		have[1][member] = value
		if discord.SameCommands(rawList(t, have), want, false) {
			t.Errorf("unnoticed: %s is %v", member, value)
		}
	}
	for _, member := range []string{"required", "autocomplete"} {
		have := registered(t, want, false)
		play := have[3]["options"].([]any)[0].(map[string]any)
		play["options"].([]any)[0].(map[string]any)[member] = true
		if discord.SameCommands(rawList(t, have), want, false) {
			t.Errorf("unnoticed: an option is %s", member)
		}
	}
}

func TestOtherCommandsAreNotTheSame(t *testing.T) {
	want := Load().Commands()
	have := func() []map[string]any { return registered(t, want, false) }
	for name, list := range map[string][]json.RawMessage{
		"none":           {},
		"nil":            nil,
		"one missing":    rawList(t, have()[:2]),
		"one more":       rawList(t, append(have(), map[string]any{"name": "ping", "type": 1, "description": "Pong"})),
		"one twice":      rawList(t, []map[string]any{have()[0], have()[0]}),
		"not JSON":       {json.RawMessage(`{`), json.RawMessage(`{}`)},
		"not an object":  {json.RawMessage(`"tictactoe"`), json.RawMessage(`1`)},
		"nulls":          {json.RawMessage(`null`), json.RawMessage(`null`)},
		"other commands": {json.RawMessage(`{"name":"a"}`), json.RawMessage(`{"name":"b"}`)},
	} {
		for _, guild := range []bool{false, true} {
			if discord.SameCommands(list, want, guild) {
				t.Errorf("%s, guild %v: taken for the same", name, guild)
			}
		}
	}
}

// In a guild contexts and installation do not exist, whatever is said of them.
func TestGuildCommandsHaveNoContexts(t *testing.T) {
	want := Load().Commands()
	have := registered(t, want, true)
	for _, contexts := range []any{nil, []any{}, []any{0.0}, []any{0.0, 1.0, 2.0}} {
		for _, c := range have {
			c["contexts"], c["integration_types"] = contexts, contexts
		}
		if !discord.SameCommands(rawList(t, have), want, true) {
			t.Errorf("contexts %v make a difference in a guild", contexts)
		}
	}
	have[0]["name"] = "other"
	if discord.SameCommands(rawList(t, have), want, true) {
		t.Error("another name makes no difference in a guild")
	}
}
