package view

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// untranslated begins the description of a text that a language has in English, up to now;
// the English text that it has follows.
const untranslated = "untranslated: "

// entry is a line of a file of texts: the key, its value, and a comma or nothing.
var entry = regexp.MustCompile(`^  "([a-z0-9_.]+)": (.*?)(,?)$`)

// A language has the texts of the English file in its order, and the English ones where
// nobody has translated them. Those are listed (go test -v), and are a fault in a release
// alone, the name of which RELEASE has.
func TestUntranslatedTexts(t *testing.T) {
	english, err := localeFiles.ReadFile("locales/" + DefaultLocale + ".json")
	if err != nil {
		t.Fatal(err)
	}
	for _, locale := range Load().locales {
		name := path.Join("locales", locale+".json")
		have, err := localeFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := filled(t, english, have, locale)
		switch {
		case bytes.Equal(have, want):
		case *updateGolden:
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s lacks texts, has some too many or in another order, or has translated some that are marked as untranslated: go generate ./bot/view", name)
		}
		if keys := marked(t, want); len(keys) > 0 {
			tell := t.Logf
			if os.Getenv("RELEASE") != "" {
				tell = t.Errorf
			}
			tell("%s: %d texts are in English: %s", locale, len(keys), strings.Join(slices.Sorted(maps.Keys(keys)), " "))
		}
	}
}

// filled returns the file of a locale as it should be.
func filled(t testing.TB, english, file []byte, locale string) []byte {
	t.Helper()
	own := map[string]string{}
	for _, line := range strings.Split(string(file), "\n") {
		if m := entry.FindStringSubmatch(line); m != nil {
			own[m[1]] = m[2]
		}
	}
	lines := strings.Split(string(english), "\n")
	for i, line := range lines {
		m := entry.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value, ok := own[m[1]]
		if !ok {
			value = inEnglish(t, m[2], locale)
		} else if texts := textsOf(t, value); strings.HasPrefix(texts["description"], untranslated) {
			if texts["description"] == untranslated+texts["other"] {
				value = inEnglish(t, m[2], locale) // as it is now
			} else {
				delete(texts, "description")
				value = written(texts, strings.HasPrefix(m[2], "{"))
			}
		}
		lines[i] = `  "` + m[1] + `": ` + value + m[3]
	}
	return []byte(strings.Join(lines, "\n"))
}

// inEnglish returns the value of an English text for another language. British English has
// it as it is.
func inEnglish(t testing.TB, value, locale string) string {
	t.Helper()
	if baseLanguage(locale) == "en" {
		return value
	}
	english, plural := textsOf(t, value), strings.HasPrefix(value, "{")
	texts := forms{"description": untranslated + english["other"], "other": english["other"]}
	for _, form := range pluralForms[locale] {
		if texts[form] = english["other"]; plural && english[form] != "" {
			texts[form] = english[form]
		} else if !plural && form != "other" {
			delete(texts, form)
		}
	}
	return written(texts, true)
}

// textsOf reads the value of a text: its forms, and its description.
func textsOf(t testing.TB, value string) forms {
	t.Helper()
	texts := forms{}
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		return forms{"other": text}
	}
	if err := json.Unmarshal([]byte(value), &texts); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return texts
}

// written is the value as a file has it: in one line, a text without forms as such.
func written(texts forms, asForms bool) string {
	quoted := func(s string) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			panic(err) // a string
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	if !asForms {
		return quoted(texts["other"])
	}
	var parts []string
	for _, form := range []string{"description", "zero", "one", "two", "few", "many", "other"} {
		if text, ok := texts[form]; ok {
			parts = append(parts, quoted(form)+": "+quoted(text))
		}
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// marked returns the keys of the texts in a file that are marked as untranslated.
func marked(t testing.TB, file []byte) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	for _, line := range strings.Split(string(file), "\n") {
		if !strings.Contains(line, untranslated) {
			continue
		}
		if m := entry.FindStringSubmatch(line); m != nil && strings.HasPrefix(textsOf(t, m[2])["description"], untranslated) {
			keys[m[1]] = true
		}
	}
	return keys
}

func TestFilled(t *testing.T) {
	const english = `{
  "a": "One <thing>",

  "n": { "one": "{{.Count}} thing", "other": "{{.Count}} things" },
  "z": "Last"
}
`
	for name, test := range map[string]struct{ have, want string }{
		"all is missing": {"{\n}\n", `{
  "a": { "description": "untranslated: One <thing>", "other": "One <thing>" },

  "n": { "description": "untranslated: {{.Count}} things", "one": "{{.Count}} thing", "few": "{{.Count}} things", "many": "{{.Count}} things", "other": "{{.Count}} things" },
  "z": { "description": "untranslated: Last", "other": "Last" }
}
`},
		"one is translated": {"{\n" + `  "a": "Штука",
  "gone": "Нет",
  "z": { "description": "untranslated: Last", "other": "Последний" }
}
`, `{
  "a": "Штука",

  "n": { "description": "untranslated: {{.Count}} things", "one": "{{.Count}} thing", "few": "{{.Count}} things", "many": "{{.Count}} things", "other": "{{.Count}} things" },
  "z": "Последний"
}
`},
		"the English one is another": {`{
  "a": { "description": "untranslated: A thing", "other": "A thing" },
  "n": { "description": "untranslated: {{.Count}} things", "one": "{{.Count}} a", "few": "{{.Count}} b", "many": "{{.Count}} c", "other": "{{.Count}} d" },
  "z": "Z"
}
`, `{
  "a": { "description": "untranslated: One <thing>", "other": "One <thing>" },

  "n": { "one": "{{.Count}} a", "few": "{{.Count}} b", "many": "{{.Count}} c", "other": "{{.Count}} d" },
  "z": "Z"
}
`},
	} {
		got := filled(t, []byte(english), []byte(test.have), "ru")
		if string(got) != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
		if again := filled(t, []byte(english), got, "ru"); !bytes.Equal(again, got) {
			t.Errorf("%s: the second time it is\n%s", name, again)
		}
	}
	if got := filled(t, []byte(english), []byte("{\n}\n"), "en-GB"); string(got) != english {
		t.Errorf("British English gets\n%s", got)
	}
}

// A text that is marked as untranslated is shown like any other.
func TestUntranslatedIsShown(t *testing.T) {
	c := halfTranslated(t, `{"both": "beide", "half": {"description": "untranslated: only {{.Word}}", "other": "only {{.Word}}"}}`)
	if got := c.In("de").say("half", args{"Word": "here"}); got != "only here" {
		t.Errorf("got %q", got)
	}
}
