package view

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"text/template"
	"text/template/parse"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"tictactoe/bot/match"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// discordLocales are the locales that Discord's documentation lists.
var discordLocales = strings.Fields(`id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE
	vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko`)

// pluralForms are the plural categories of each language's whole numbers, by CLDR.
var pluralForms = map[string][]string{
	"bg":     {"one", "other"},
	"cs":     {"few", "one", "other"},
	"da":     {"one", "other"},
	"de":     {"one", "other"},
	"el":     {"one", "other"},
	"en-GB":  {"one", "other"},
	"en-US":  {"one", "other"},
	"es-419": {"many", "one", "other"},
	"es-ES":  {"many", "one", "other"},
	"fi":     {"one", "other"},
	"fr":     {"many", "one", "other"},
	"hi":     {"one", "other"},
	"hr":     {"few", "one", "other"},
	"hu":     {"one", "other"},
	"id":     {"other"},
	"it":     {"many", "one", "other"},
	"ja":     {"other"},
	"ko":     {"other"},
	"lt":     {"few", "one", "other"},
	"nl":     {"one", "other"},
	"no":     {"one", "other"},
	"pl":     {"few", "many", "one", "other"},
	"pt-BR":  {"many", "one", "other"},
	"ro":     {"few", "one", "other"},
	"ru":     {"few", "many", "one", "other"},
	"sv-SE":  {"one", "other"},
	"th":     {"other"},
	"tr":     {"one", "other"},
	"uk":     {"few", "many", "one", "other"},
	"vi":     {"other"},
	"zh-CN":  {"other"},
	"zh-TW":  {"other"},
}

// visibleLabel is how much of a button's label Discord shows.
const visibleLabel = 34

// forms are the spellings of one text by plural category; a text without a number
// has "other" alone.
type forms map[string]string

// readLocale returns the texts of a locale as the file has them, and which of them
// are plurals.
func readLocale(t testing.TB, locale string) (texts map[string]forms, plural map[string]bool) {
	t.Helper()
	raw, err := localeFiles.ReadFile(path.Join("locales", locale+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatalf("%s: %v", locale, err)
	}
	texts, plural = map[string]forms{}, map[string]bool{}
	for key, value := range file {
		var text string
		if json.Unmarshal(value, &text) == nil {
			texts[key] = forms{"other": text}
			continue
		}
		f := textsOf(t, string(value))
		delete(f, "description")
		texts[key], plural[key] = f, true
	}
	return texts, plural
}

// readTranslated is readLocale without the texts that are English still.
func readTranslated(t testing.TB, locale string) (texts map[string]forms, plural map[string]bool) {
	t.Helper()
	raw, err := localeFiles.ReadFile(path.Join("locales", locale+".json"))
	if err != nil {
		t.Fatal(err)
	}
	texts, plural = readLocale(t, locale)
	for key := range marked(t, raw) {
		delete(texts, key)
	}
	return texts, plural
}

// eachText calls check for every spelling of every text in every language, without those
// that are English still.
func eachText(t *testing.T, check func(t *testing.T, locale, key, text string)) {
	t.Helper()
	for _, locale := range Load().locales {
		texts, _ := readTranslated(t, locale)
		for key, spellings := range texts {
			for _, text := range spellings {
				check(t, locale, key, text)
			}
		}
	}
}

// placeholders returns the names of the values that a text has places for.
func placeholders(t testing.TB, key, text string) []string {
	t.Helper()
	parsed, err := template.New(key).Parse(text)
	if err != nil {
		t.Fatalf("%s: %q: %v", key, text, err)
	}
	names := map[string]bool{}
	for _, node := range parsed.Root.Nodes {
		switch n := node.(type) {
		case *parse.TextNode:
		case *parse.ActionNode:
			names[strings.TrimPrefix(n.Pipe.String(), ".")] = true
		default:
			t.Errorf("%s: %q does more than name values", key, text)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// pictographs returns the symbols in a text, in order: they stand for themselves in
// every language. The circle is a letter here: it is in the game's Japanese name.
func pictographs(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.Is(unicode.So, r) && r != '○' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func TestCataloguesAgree(t *testing.T) {
	c := Load()
	if got, want := slices.Sorted(slices.Values(c.locales)), slices.Sorted(maps.Keys(pluralForms)); !slices.Equal(got, want) {
		t.Fatalf("locales %v, want %v", got, want)
	}
	english, plural := readLocale(t, DefaultLocale)
	for _, locale := range c.locales {
		t.Run(locale, func(t *testing.T) {
			if !slices.Contains(discordLocales, locale) {
				t.Errorf("Discord has no locale %s", locale)
			}
			texts, plurals := readTranslated(t, locale)
			for key, spellings := range texts {
				source, ok := english[key]
				if !ok {
					continue // TestUntranslatedTexts says so
				}
				want := []string{"other"}
				if plural[key] {
					want = pluralForms[locale]
				}
				if got := slices.Sorted(maps.Keys(spellings)); !slices.Equal(got, want) || plurals[key] != plural[key] {
					t.Errorf("%s has the forms %v, want %v", key, got, want)
				}
				for form, text := range spellings {
					if strings.TrimSpace(text) == "" || strings.TrimSpace(text) != text {
						t.Errorf("%s (%s) is empty or has blanks around it: %q", key, form, text)
					}
					if got, want := placeholders(t, key, text), placeholders(t, key, source["other"]); !slices.Equal(got, want) {
						t.Errorf("%s (%s) has places for %v, want %v", key, form, got, want)
					}
					if got, want := pictographs(text), pictographs(source["other"]); got != want {
						t.Errorf("%s (%s) has the symbols %q, want %q", key, form, got, want)
					}
				}
			}
		})
	}
}

func TestTextsAreReadable(t *testing.T) {
	eachText(t, func(t *testing.T, locale, key, text string) {
		if strings.Count(text, "*")%2 != 0 {
			t.Errorf("%s %s: emphasis is left open: %q", locale, key, text)
		}
		if strings.Contains(text, "  ") || strings.Contains(text, "...") || strings.ContainsAny(text, "\n\t`") {
			t.Errorf("%s %s: stray blanks, dots or markup: %q", locale, key, text)
		}
		if strings.Contains(text, "@") || strings.Contains(text, "<") {
			t.Errorf("%s %s mentions somebody by itself: %q", locale, key, text)
		}
		if strings.HasPrefix(key, "button.") && utf8.RuneCountInString(text) > visibleLabel {
			t.Errorf("%s %s is cut off on a button: %q", locale, key, text)
		}
	})
}

// A full stop of another script directly after an address would become part of it;
// the ASCII one does not.
func TestLinksEndWhereTheyShould(t *testing.T) {
	eachText(t, func(t *testing.T, locale, key, text string) {
		before, after, found := strings.Cut(text, "{{.Link}}")
		if !found {
			return
		}
		if after != "" && after != "." && !strings.HasPrefix(after, ". ") && !strings.HasPrefix(after, " ") {
			t.Errorf("%s %s: the address runs on into %q", locale, key, after)
		}
		if !strings.HasSuffix(before, " ") {
			t.Errorf("%s %s: the address hangs on %q", locale, key, before)
		}
	})
}

// French puts a space that does not break before these marks.
func TestFrenchSpacing(t *testing.T) {
	texts, _ := readTranslated(t, "fr")
	place := regexp.MustCompile(`{{[^}]*}}`)
	for key, spellings := range texts {
		for _, text := range spellings {
			runes := []rune(place.ReplaceAllString(text, "…"))
			for i, r := range runes {
				if strings.ContainsRune("!?;:", r) && (i == 0 || runes[i-1] != '\u00a0' && runes[i-1] != '\u202f') {
					t.Errorf("%s: no unbreakable space before %q in %q", key, r, text)
				}
			}
			if strings.Contains(text, "'") {
				t.Errorf("%s: a straight apostrophe in %q", key, text)
			}
		}
	}
}

// Some texts tell people to press a button, and have to call it by its label.
// emphasis is what a text sets off by single stars: names of buttons and permissions.
var emphasis = regexp.MustCompile(`(?:^|[^*])\*([^*]+)\*(?:[^*]|$)`)

// TestTextsNameButtonsAsLabelled: where an English text names a button or a permission, every
// language does so by the name that it has there.
func TestTextsNameButtonsAsLabelled(t *testing.T) {
	english, _ := readLocale(t, DefaultLocale)
	named := map[string][]string{} // key of a text to the keys of what it names
	for key, texts := range english {
		for _, m := range emphasis.FindAllStringSubmatch(texts["other"], -1) {
			for label, words := range english {
				if words["other"] == m[1] && (strings.HasPrefix(label, "button.") || strings.HasPrefix(label, "right.")) {
					named[key] = append(named[key], label)
				}
			}
		}
	}
	for _, key := range []string{"refused.own_table", "export.begun", "refused.puzzle_lost", "refused.may_not_thread"} {
		if len(named[key]) == 0 {
			t.Errorf("%s names nothing", key)
		}
	}
	for _, locale := range Load().locales {
		texts, _ := readTranslated(t, locale)
		for key, labels := range named {
			if texts[key] == nil || slices.ContainsFunc(labels, func(label string) bool { return texts[label] == nil }) {
				continue // one of them is English
			}
			// Two buttons may have one English label.
			byLabel := map[string]bool{}
			for _, label := range labels {
				word := english[label]["other"]
				byLabel[word] = byLabel[word] || strings.Contains(texts[key]["other"], texts[label]["other"])
			}
			for label, ok := range byLabel {
				if !ok {
					t.Errorf("%s %s does not name %q as it is called: %q", locale, key, label, texts[key]["other"])
				}
			}
		}
	}
}

// dynamicKeys returns the keys that the code puts together, by what they are made
// of in the source.
func dynamicKeys(c *Catalogue) map[string][]string {
	keys := map[string][]string{}
	for _, o := range strategy.All() {
		keys["opponent."] = append(keys["opponent."], "opponent."+o.Name, "opponent."+o.Name+".character")
	}
	for _, o := range opponentsOffered()[len(levels()):] {
		keys["opponent."] = append(keys["opponent."], "opponent."+o.Name+".history")
	}
	for _, r := range match.Boards {
		if r.Limit == 0 {
			keys["goal.%d"] = append(keys["goal.%d"], fmt.Sprintf("goal.%d", r.K))
		}
	}
	for _, length := range match.SeriesValues() {
		keys["series."] = append(keys["series."], "series."+length)
	}
	for _, m := range []store.Match{{}, {O: store.Player{User: "1"}, X: store.Player{User: "2"}}} {
		for _, first := range match.Firsts(m) {
			keys["more.first."] = append(keys["more.first."], "more.first."+first)
		}
	}
	for _, from := range []match.From{match.FromAnybody, match.FromNobodyHere, match.FromNobody} {
		keys["preferences.from_"] = append(keys["preferences.from_"], "preferences.from_"+string(from))
	}
	keys["first."] = []string{"first.me", "first.bot", "first.them", "first.random"}
	keys["settings.hints_"] = []string{"settings.hints_on", "settings.hints_off"}
	for _, p := range peoplesMarks {
		keys["mark."] = append(keys["mark."], "mark."+p.name)
	}
	for month := time.January; month <= time.December; month++ {
		keys["month.%d"] = append(keys["month.%d"], fmt.Sprintf("month.%d", month))
	}
	for _, command := range c.Commands() {
		for _, sub := range command.Options {
			if command.Name == ShortCommand {
				continue // it has no subcommands
			}
			keys["command."] = append(keys["command."], "command."+sub.Name+".description")
			for _, o := range sub.Options {
				keys["option."] = append(keys["option."], "option."+o.Name+".description")
			}
		}
	}
	return keys
}

// sourceStrings returns every string literal of the package, without its tests, and
// where it stands.
func sourceStrings(t *testing.T, dir string) map[string]token.Position {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files, found := token.NewFileSet(), map[string]token.Position{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					found[s] = files.Position(lit.Pos())
				}
			}
			return true
		})
	}
	return found
}

func TestKeysAndCodeAgree(t *testing.T) {
	c := Load()
	texts, _ := readLocale(t, DefaultLocale)
	families := map[string]bool{}
	for key := range texts {
		family, _, _ := strings.Cut(key, ".")
		families[family] = true
	}
	dynamic := dynamicKeys(c)
	used := map[string]bool{}
	for _, keys := range dynamic {
		for _, key := range keys {
			used[key] = true
			if texts[key] == nil {
				t.Errorf("no text for %s", key)
			}
		}
	}
	looksLikeKey := regexp.MustCompile(`^[a-z]+\.[a-z0-9_.%]*$`)
	composed := map[string]bool{}
	for s, pos := range sourceStrings(t, ".") {
		used[s] = true
		family, _, _ := strings.Cut(s, ".")
		switch {
		case !looksLikeKey.MatchString(s) || !families[family] || texts[s] != nil:
		case dynamic[s] != nil:
			composed[s] = true
		default:
			t.Errorf("%s: no text for %q", pos, s)
		}
	}
	for prefix := range dynamic {
		if !composed[prefix] {
			t.Errorf("the code puts no key together from %q", prefix)
		}
	}
	for key := range texts {
		if !used[key] {
			t.Errorf("nothing says %s", key)
		}
	}
}

func TestLocaleFallback(t *testing.T) {
	c := Load()
	const key = "button.accept"
	for _, locale := range append([]string{"", "tlh", "not a locale", strings.Repeat("x", 10_000), "de-AT", "fr-CA"}, discordLocales...) {
		want, base := DefaultLocale, baseLanguage(locale)
		switch {
		case slices.Contains(c.locales, locale):
			want = locale
		case slices.Contains(c.locales, base):
			want = base
		}
		texts, _ := readLocale(t, want)
		if got := c.In(locale).say(key, nil); got != texts[key]["other"] {
			t.Errorf("in %.20q: got %q, want that of %s: %q", locale, got, want, texts[key]["other"])
		}
	}
}

// halfTranslated is a catalogue with one language that lacks a text.
func halfTranslated(t *testing.T, german string) *Catalogue {
	t.Helper()
	return newCatalogue(fstest.MapFS{
		"locales/en-US.json": {Data: []byte(`{"both": "both", "half": "only {{.Word}}", "n": {"one": "{{.Count}} thing", "other": "{{.Count}} things"}}`)},
		"locales/de.json":    {Data: []byte(german)},
	})
}

func TestMissingTexts(t *testing.T) {
	w := halfTranslated(t, `{"both": "beide"}`).In("de")
	for _, test := range []struct{ name, got, want string }{
		{"translated", w.say("both", nil), "beide"},
		{"English instead", w.say("half", args{"Word": "here"}), "only here"},
		{"English number instead", w.count("n", 2), "2 things"},
		{"nowhere", w.say("none", nil), "none"},
		{"no number anywhere", w.count("none", 3), "none"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, test.got, test.want)
		}
	}
}

// checkTexts reads all files and returns the first text that cannot be said: its file, its key and
// why.
func checkTexts(c *Catalogue) error {
	for _, locale := range c.locales {
		file := "locales/" + locale + ".json"
		data, err := fs.ReadFile(c.files, file)
		if err != nil {
			return fmt.Errorf("texts: %w", err)
		}
		var texts map[string]any
		if err := json.Unmarshal(data, &texts); err != nil {
			return fmt.Errorf("texts %s: %w", file, err)
		}
		for _, key := range slices.Sorted(maps.Keys(texts)) {
			if err := checkText(key, texts[key]); err != nil {
				return fmt.Errorf("texts %s: %s: %w", file, key, err)
			}
		}
	}
	return nil
}

// checkText checks a text in all its forms.
func checkText(key string, text any) error {
	m, err := i18n.NewMessage(text)
	if err != nil {
		return err
	}
	for _, form := range []string{m.Zero, m.One, m.Two, m.Few, m.Many, m.Other} {
		if !strings.Contains(form, "{{") {
			continue // nothing to parse
		}
		if _, err := parse.Parse(key, form, "", "", nil); err != nil {
			return err
		}
	}
	return nil
}

// TestBrokenCatalogue: a text that cannot be said is named by its file and key, with why.
func TestBrokenCatalogue(t *testing.T) {
	if err := checkTexts(Load()); err != nil {
		t.Error(err)
	}
	for german, want := range map[string]string{
		`{"both": "beide"`:        "texts locales/de.json: unexpected end of JSON input",
		`{"both": 3}`:             "texts locales/de.json: both: unsupported type 3",
		`{"half": "nur {{.Word"}`: `texts locales/de.json: half: template: half:1: unclosed action`,
		`{"n": {"one": "{{.Count}} Ding", "other": "{{Count}} Dinge"}}`: `texts locales/de.json: n: template: n:1: function "Count" not defined`,
	} {
		if err := checkTexts(halfTranslated(t, german)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", german, err, want)
		}
	}
}

func TestArgumentsStayLiteral(t *testing.T) {
	c := Load()
	for _, locale := range c.locales {
		for _, value := range []string{"{{.Link}}", "{{", "<@123>", "@everyone", "%s %d", "<b>&amp;", `"quoted"`, "**bold**"} {
			if got := c.In(locale).say("refused.not_challenged", args{"Opponent": value}); !strings.Contains(got, value) {
				t.Errorf("%s: %q became %q", locale, value, got)
			}
		}
	}
}

func TestCount(t *testing.T) {
	c := Load()
	for _, test := range []struct {
		locale string
		n      int
		want   string
	}{
		{"en-US", 0, "0 minutes"},
		{"en-US", 1, "1 minute"},
		{"en-US", 2, "2 minutes"},
		{"en-GB", 1, "1 minute"},
		{"de", 0, "0 Minuten"},
		{"de", 1, "1 Minute"},
		{"de", 25, "25 Minuten"},
		{"fr", 0, "0 minute"},
		{"fr", 1, "1 minute"},
		{"fr", 2, "2 minutes"},
		{"fr", 1_000_000, "1000000 de minutes"},
		{"ja", 0, "0分"},
		{"ja", 1, "1分"},
		{"ja", 9, "9分"},
	} {
		if got := c.In(test.locale).count("duration.minutes", test.n); got != test.want {
			t.Errorf("%s, %d: got %q, want %q", test.locale, test.n, got, test.want)
		}
	}
}

// Everybody who plays in one language shares its words.
func TestWordsTogether(t *testing.T) {
	c := Load()
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			locale := c.locales[i%len(c.locales)]
			w := c.In(locale)
			for n := range 100 {
				cell := fmt.Sprintf("cell-%d-%d", i, n)
				if got := w.say("status.moved", args{"Cell": cell}); !strings.Contains(got, cell) {
					t.Errorf("%s: %q is not about %s", locale, got, cell)
				}
				if got := w.count("duration.minutes", n); !strings.Contains(got, strconv.Itoa(n)) {
					t.Errorf("%s: %q is not about %d", locale, got, n)
				}
			}
		})
	}
	work.Wait()
}

func TestDuration(t *testing.T) {
	c := Load()
	for _, test := range []struct {
		d                time.Duration
		english, deutsch string
	}{
		{0, "0 seconds", "0 Sekunden"},
		{time.Second, "1 second", "1 Sekunde"},
		{400 * time.Millisecond, "0 seconds", "0 Sekunden"},
		{1500 * time.Millisecond, "2 seconds", "2 Sekunden"},
		{59 * time.Second, "59 seconds", "59 Sekunden"},
		{time.Minute, "1 minute", "1 Minute"},
		{90 * time.Second, "90 seconds", "90 Sekunden"},
		{10 * time.Minute, "10 minutes", "10 Minuten"},
		{time.Hour, "1 hour", "1 Stunde"},
		{90 * time.Minute, "90 minutes", "90 Minuten"},
		{24 * time.Hour, "1 day", "1 Tag"},
		{25 * time.Hour, "25 hours", "25 Stunden"},
		{match.AbandonAfter, "7 days", "7 Tage"},
	} {
		if got := c.In("en-US").duration(test.d); got != test.english {
			t.Errorf("%v: got %q, want %q", test.d, got, test.english)
		}
		if got := c.In("de").duration(test.d); got != test.deutsch {
			t.Errorf("%v: got %q, want %q", test.d, got, test.deutsch)
		}
	}
}

func TestSharedLocale(t *testing.T) {
	c := Load()
	for _, test := range []struct{ a, b, guild, want string }{
		{"de", "de", "fr", "de"},
		{"en-GB", "en-US", "de", "en-GB"},
		{"en-US", "en-GB", "de", "en-US"},
		{"fr", "fr", "de", "fr"},
		{"es-419", "es-ES", "de", "es-419"},
		{"es-ES", "es-419", "", "es-ES"},
		{"tlh", "tlh", "de", "de"}, // shared, but nobody wrote its words
		{"tlh", "tlh", "", "en-US"},
		{"zh-CN", "zh-TW", "ja", "ja"},
		{"zh-CN", "zh-CN", "ja", "zh-CN"},
		{"de", "fr", "ja", "ja"},
		{"de", "fr", "", "en-US"},
		{"", "", "de", "de"},
		{"", "", "", "en-US"},
		{"de", "", "", "en-US"},
		{"", "de", "fr", "fr"},
	} {
		if got := c.SharedLocale(test.a, test.b, test.guild); got != test.want {
			t.Errorf("%q with %q in %q: got %q, want %q", test.a, test.b, test.guild, got, test.want)
		}
	}
}

// Of a key that stands twice in a file the last one counts, and nobody sees the other.
func TestNoTextStandsTwice(t *testing.T) {
	for _, locale := range Load().locales {
		raw, err := localeFiles.ReadFile(path.Join("locales", locale+".json"))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, key := range regexp.MustCompile(`(?m)^  "([a-z0-9_.]+)":`).FindAllStringSubmatch(string(raw), -1) {
			if seen[key[1]] {
				t.Errorf("%s has %s twice", locale, key[1])
			}
			seen[key[1]] = true
		}
		if texts, _ := readLocale(t, locale); len(seen) != len(texts) {
			t.Errorf("%s: %d keys were found at the beginning of a line, of %d", locale, len(seen), len(texts))
		}
	}
}

// TestSentences looks at what stands between two.
func TestSentences(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][]string{
		"Draw. Once more.": {"Draw.", "Once more."},
		"引き分け。もう一度。":       {"引き分け。", "もう一度。"},
		"Draw.":            {"Draw.", ""},
		"Once more.":       {"", "Once more."},
		"":                 {"", ""},
	} {
		if got := sentences(all...); got != want {
			t.Errorf("%q are %q, want %q", all, got, want)
		}
	}
}
