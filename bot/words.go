package bot

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

// defaultLocale is the language of last resort, and the one in which texts are
// written first.
const defaultLocale = "en-US"

//go:embed locales/*.json
var localeFiles embed.FS

// catalogue holds every text that people see, in every language.
type catalogue struct {
	bundle  *i18n.Bundle
	locales []string         // as the files are named, which is how Discord writes them
	ready   map[string]words // of those locales
}

// loadCatalogue reads the embedded texts, one file for each of Discord's locales
// that is translated.
func loadCatalogue() (*catalogue, error) {
	c := &catalogue{bundle: i18n.NewBundle(language.MustParse(defaultLocale))}
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
	c.ready = make(map[string]words, len(c.locales))
	for _, l := range c.locales {
		c.ready[l] = c.make(l)
	}
	return c, nil
}

// in returns the words of a locale as Discord writes it. An unknown one, or a text
// that it lacks, falls back to English.
func (c *catalogue) in(locale string) words {
	if w, ok := c.ready[locale]; ok {
		return w
	}
	return c.make(locale)
}

func (c *catalogue) make(locale string) words {
	return words{locale: locale, localizer: i18n.NewLocalizer(c.bundle, locale, defaultLocale)}
}

// words says texts in one language. Its methods may be called concurrently.
type words struct {
	locale    string
	localizer *i18n.Localizer
}

// args are the values that a text has places for.
type args map[string]any

// say returns the text. Catalogues are checked by tests, so a text that cannot be
// made is a fault of ours; it shows as its key rather than not at all.
func (w words) say(key string, a args) string {
	s, err := w.localizer.Localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: a})
	if err != nil && s == "" {
		return key
	}
	return s
}

// count returns the text in the plural form that n needs; it has a place for
// Count.
func (w words) count(key string, n int) string {
	s, err := w.localizer.Localize(&i18n.LocalizeConfig{
		MessageID: key, PluralCount: n, TemplateData: args{"Count": n},
	})
	if err != nil && s == "" {
		return key
	}
	return s
}

// duration returns the time in the largest unit that fits without a rest: "10
// minutes".
func (w words) duration(d time.Duration) string {
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

// sharedLocale returns the language of a board for two people: the one they share,
// in the first one's spelling, if there are words in it, else the guild's, else
// English.
func (c *catalogue) sharedLocale(a, b, guild string) string {
	if a != "" && baseLanguage(a) == baseLanguage(b) && c.speaks(a) {
		return a
	}
	if guild != "" {
		return guild
	}
	return defaultLocale
}

// speaks reports whether there are words in the language of the locale.
func (c *catalogue) speaks(locale string) bool {
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
