package view

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// DefaultLocale is the language of last resort, and the one in which texts are
// written first.
const DefaultLocale = "en-US"

//go:embed locales/*.json
var localeFiles embed.FS

// Catalogue holds every text that people see, in every language.
type Catalogue struct {
	bundle  *i18n.Bundle
	locales []string         // as the files are named, which is how Discord writes them
	ready   map[string]Words // of those locales
}

// Load reads the embedded texts, one file for each of Discord's locales
// that is translated.
func Load() (*Catalogue, error) {
	c := &Catalogue{bundle: i18n.NewBundle(language.MustParse(DefaultLocale))}
	files, err := localeFiles.ReadDir("locales")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if _, err := c.bundle.LoadMessageFileFS(localeFiles, path.Join("locales", f.Name())); err != nil {
			return nil, fmt.Errorf("texts %s: %w", f.Name(), err)
		}
		c.locales = append(c.locales, strings.TrimSuffix(f.Name(), ".json"))
	}
	c.ready = make(map[string]Words, len(c.locales))
	for _, l := range c.locales {
		c.ready[l] = c.make(l)
	}
	return c, nil
}

// In returns the words of a locale as Discord writes it. An unknown one, or a text
// that it lacks, falls back to English.
func (c *Catalogue) In(locale string) Words {
	if w, ok := c.ready[locale]; ok {
		return w
	}
	return c.make(locale)
}

func (c *Catalogue) make(locale string) Words {
	return Words{locale: locale, localizer: i18n.NewLocalizer(c.bundle, locale, DefaultLocale), all: c}
}

// Words says texts in one language. Its methods may be called concurrently.
type Words struct {
	locale    string
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
