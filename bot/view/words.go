package view

import (
	"embed"
	"fmt"
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

//go:embed locales/*.json
var localeFiles embed.FS

// Catalogue holds every text that people see, in every language. Its methods may be called
// concurrently.
type Catalogue struct {
	locales []string         // as the files are named, which is how Discord writes them
	ready   map[string]Words // of those locales
	tags    []string         // the same locales, the default first, as nearest counts them
	nearest language.Matcher

	commandsOnce sync.Once
	commands     []discord.Command
}

// Load returns the embedded texts, one file for each of Discord's locales that is
// translated. They are read once and shared.
func Load() (*Catalogue, error) { return loadOnce() }

var loadOnce = sync.OnceValues(loadFiles)

func loadFiles() (*Catalogue, error) {
	files, err := localeFiles.ReadDir("locales")
	if err != nil {
		return nil, err
	}
	var read []*i18n.MessageFile
	for _, f := range files {
		raw, err := localeFiles.ReadFile(path.Join("locales", f.Name()))
		if err != nil {
			return nil, err
		}
		texts, err := i18n.ParseMessageFileBytes(raw, f.Name(), nil)
		if err != nil {
			return nil, fmt.Errorf("texts %s: %w", f.Name(), err)
		}
		read = append(read, texts)
	}
	return newCatalogue(read)
}

// newCatalogue makes a catalogue of files that are named as Discord writes locales; the
// default's is one of them.
func newCatalogue(files []*i18n.MessageFile) (*Catalogue, error) {
	c := &Catalogue{ready: make(map[string]Words, len(files))}
	english := slices.IndexFunc(files, func(f *i18n.MessageFile) bool { return localeOf(f) == DefaultLocale })
	for _, f := range files {
		// A localizer looks for the nearest language at each text, which takes the longer the
		// more there are. So each language has a bundle of its own.
		bundle := i18n.NewBundle(files[english].Tag)
		for _, texts := range []*i18n.MessageFile{files[english], f} {
			if err := bundle.AddMessages(texts.Tag, texts.Messages...); err != nil {
				return nil, fmt.Errorf("texts %s: %w", f.Path, err)
			}
		}
		locale := localeOf(f)
		c.locales = append(c.locales, locale)
		c.ready[locale] = Words{localizer: i18n.NewLocalizer(bundle, locale), all: c}
	}
	c.tags = append(c.tags, DefaultLocale)
	for _, l := range c.locales {
		if l != DefaultLocale {
			c.tags = append(c.tags, l)
		}
	}
	tags := make([]language.Tag, len(c.tags))
	for i, l := range c.tags {
		tags[i] = language.Make(l)
	}
	c.nearest = language.NewMatcher(tags)
	return c, nil
}

func localeOf(f *i18n.MessageFile) string { return strings.TrimSuffix(path.Base(f.Path), ".json") }

// In returns the words of a locale as Discord writes it. An unknown one has those of the
// nearest language, or English; so has a text that a language lacks.
func (c *Catalogue) In(locale string) Words {
	if w, ok := c.ready[locale]; ok {
		return w
	}
	_, i := language.MatchStrings(c.nearest, locale)
	return c.ready[c.tags[i]]
}

// Words says texts in one language. Its methods may be called concurrently.
type Words struct {
	localizer *i18n.Localizer
	all       *Catalogue
}

// args are the values that a text has places for.
type args map[string]any

// say returns the text. Catalogues are checked by tests, so a text that cannot be
// made is a fault of ours; it shows as its key rather than not at all.
func (w Words) say(key string, a args) string {
	s, err := w.localizer.Localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: a})
	if err != nil && s == "" {
		return key
	}
	return s
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
	s, err := w.localizer.Localize(&i18n.LocalizeConfig{
		MessageID: key, PluralCount: n, TemplateData: a,
	})
	if err != nil && s == "" {
		return key
	}
	return s
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
	var in []string
	for _, l := range c.locales {
		first, _ := utf8.DecodeRuneInString(name(l))
		if unicode.Is(unicode.Latin, first) == latin {
			in = append(in, l)
		}
	}
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
	if guild != "" {
		return guild
	}
	return DefaultLocale
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
