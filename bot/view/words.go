package view

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"tictactoe/bot/discord"
)

// DefaultLocale is the language of last resort, and the one in which texts are
// written first.
const DefaultLocale = "en-US"

//go:generate go test -run ^TestUntranslatedTexts$ -update .
//go:embed locales/*.json
var localeFiles embed.FS

// Catalogue holds every text that people see, in every language. A language is read when
// somebody needs it: all together would take more memory than the rest of a bot at rest.
// Its methods may be called concurrently.
type Catalogue struct {
	files   fs.FS
	locales []string                // as the files are named, which is how Discord writes them; the default first
	words   map[string]func() Words // of those locales
	nearest language.Matcher        // counts them as locales does
	// definitions are the commands to register, made once.
	definitions func() []discord.Command
}

// Load returns the embedded texts, one file for each of Discord's locales that is
// translated. They are shared.
func Load() *Catalogue { return loadOnce() }

var loadOnce = sync.OnceValue(func() *Catalogue { return newCatalogue(localeFiles) })

// newCatalogue makes a catalogue of the files in a folder, which are named as Discord writes
// locales; the default's is one of them.
func newCatalogue(files fs.FS) *Catalogue {
	names, _ := fs.Glob(files, "locales/*.json") // the pattern is a good one
	c := &Catalogue{files: files, words: make(map[string]func() Words, len(names)), locales: []string{DefaultLocale}}
	for _, name := range names {
		locale := strings.TrimSuffix(path.Base(name), ".json")
		c.words[locale] = sync.OnceValue(func() Words { return c.read(locale) })
		if locale != DefaultLocale {
			c.locales = append(c.locales, locale)
		}
	}
	c.nearest = language.NewMatcher(each(c.locales, language.Make))
	c.definitions = sync.OnceValue(c.define)
	return c
}

// read reads the file of a locale. It has a bundle of its own: a localizer looks for the
// nearest language at each text, which takes the longer the more there are. The files are part
// of the program, and tests read all of them.
func (c *Catalogue) read(locale string) Words {
	bundle := i18n.NewBundle(language.Make(locale))
	if _, err := bundle.LoadMessageFileFS(c.files, "locales/"+locale+".json"); err != nil {
		panic(fmt.Errorf("texts %s: %w", locale, err))
	}
	return Words{localizer: i18n.NewLocalizer(bundle, locale), locale: locale, all: c}
}

// In returns the words of a locale as Discord writes it. An unknown one has those of the
// nearest language, or English; so has a text that a language lacks.
func (c *Catalogue) In(locale string) Words {
	if words, ok := c.words[locale]; ok {
		return words()
	}
	_, i := language.MatchStrings(c.nearest, locale)
	return c.words[c.locales[i]]()
}

// Words says texts in one language. Its methods may be called concurrently.
type Words struct {
	localizer *i18n.Localizer
	locale    string
	all       *Catalogue
}

// args are the values that a text has places for.
type args map[string]any

// say returns the text, in English where the language lacks it. Catalogues are checked by
// tests, so a text that is not there is a fault of ours; it shows as its key rather than not
// at all.
func (w Words) say(key string, a args) string {
	return w.localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: a})
}

// localize says nothing without a key.
func (w Words) localize(text *i18n.LocalizeConfig) string {
	if text.MessageID == "" {
		return ""
	}
	s, err := w.localizer.Localize(text)
	switch {
	case err == nil || s != "":
		return s
	case w.locale != DefaultLocale:
		return w.all.In(DefaultLocale).localize(text)
	default:
		return text.MessageID
	}
}

// sentences puts one behind the other, those that there are. Behind the full width of an
// Eastern full stop there is no space.
func sentences(all ...string) (text string) {
	for _, s := range all {
		if last, _ := utf8.DecodeLastRuneInString(text); text != "" && s != "" && !strings.ContainsRune("。！？", last) {
			text += " "
		}
		text += s
	}
	return text
}

// either is the first where the condition holds, and else the second. Both are made: what could
// fail without the condition, or takes long, stands in a branch instead.
func either[T any](holds bool, first, second T) T {
	if holds {
		return first
	}
	return second
}

// when is something that there is only where the condition holds. Else it is nothing: a key
// that says nothing, a text that [stacked] and [dotted] leave out, a button that [rowOf] does.
func when[T any](holds bool, it T) (nothing T) { return either(holds, it, nothing) }

// stacked puts texts below each other, those that there are.
func stacked(all ...string) string { return strings.Join(lines(all...), "\n") }

// dotted puts texts beside each other, those that there are.
func dotted(all ...string) string { return strings.Join(lines(all...), " · ") }

// small is a text in small print.
func small(text string) string { return when(text != "", "-# "+text) }

// lines are the texts that there are.
func lines(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// each returns what is made of each in the list.
func each[T, V any](list []T, of func(T) V) []V {
	all := make([]V, 0, len(list))
	for _, one := range list {
		all = append(all, of(one))
	}
	return all
}

// find returns the first in the list of which it holds. ok is false where there is none.
func find[T any](list []T, holds func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(list, holds); i >= 0 {
		return list[i], true
	}
	return found, false
}

// clock says how long a move may take, 0 for no clock.
func (w Words) clock(limit time.Duration) string {
	if limit == 0 {
		return w.say("clock.none", nil)
	}
	return w.duration(limit)
}

// count returns the text in the plural form that n needs; it has a place for
// Count.
func (w Words) count(key string, n int) string { return w.countWith(key, n, args{}) }

// countWith is count for a text that has places for other values too; a gets Count.
func (w Words) countWith(key string, n int, a args) string {
	a["Count"] = n
	return w.localize(&i18n.LocalizeConfig{MessageID: key, PluralCount: n, TemplateData: a})
}

// duration returns the time in the largest unit that fits without a rest: "10
// minutes".
func (w Words) duration(d time.Duration) string {
	for _, u := range [...]struct {
		unit time.Duration
		key  string
	}{
		{24 * time.Hour, "duration.days"},
		{time.Hour, "duration.hours"},
		{time.Minute, "duration.minutes"},
	} {
		if d >= u.unit && d%u.unit == 0 {
			return w.count(u.key, int(d/u.unit))
		}
	}
	return w.count("duration.seconds", int(d.Round(time.Second)/time.Second))
}

// namesInScript returns the locales whose languages write their own name in Latin letters,
// or those that do not, in the order of these names by code point, as in Discord's own list.
func (c *Catalogue) namesInScript(latin bool) []string {
	name := func(locale string) string { return c.In(locale).say("language.name", nil) }
	in := slices.DeleteFunc(slices.Clone(c.locales), func(locale string) bool {
		first, _ := utf8.DecodeRuneInString(name(locale))
		return unicode.Is(unicode.Latin, first) != latin
	})
	slices.SortFunc(in, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	return in
}

// SharedLocale returns the language of a board for two people: the one they share,
// in the first one's spelling, if there are words in it, else the guild's, else
// English.
func (c *Catalogue) SharedLocale(a, b, guild string) string {
	if a != "" && baseLanguage(a) == baseLanguage(b) && c.speaks(a) {
		return a
	}
	return cmp.Or(guild, DefaultLocale)
}

// speaks reports whether there are words in the language of the locale.
func (c *Catalogue) speaks(locale string) bool {
	return slices.ContainsFunc(c.locales, func(l string) bool { return baseLanguage(l) == baseLanguage(locale) })
}

// baseLanguage tells languages apart as readers do: American and British English
// are one, simplified and traditional Chinese are not.
func baseLanguage(locale string) string {
	if strings.HasPrefix(locale, "zh") {
		return locale
	}
	base, _, _ := strings.Cut(locale, "-")
	return base
}
