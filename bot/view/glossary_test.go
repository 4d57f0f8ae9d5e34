package view

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestContext: translators read of each English text where it stands, by its key or the
// beginning of it, and of each of its places what it holds, in this text, in those that begin
// alike, or in all.
func TestContext(t *testing.T) {
	english, _ := readLocale(t, DefaultLocale)
	var context struct{ Where, Holds map[string]string }
	readWords(t, "context.json", &context)
	used := map[string]bool{}
	find := func(among map[string]string, keys ...string) bool {
		i := slices.IndexFunc(keys, func(key string) bool { return among[key] != "" })
		if i >= 0 {
			used[keys[i]] = true
		}
		return i >= 0
	}
	for key, texts := range english {
		family, _, _ := strings.Cut(key, ".")
		if !find(context.Where, key, family) {
			t.Errorf("context.json does not say where %s stands", key)
		}
		for _, place := range placeholders(t, key, texts["other"]) {
			if !find(context.Holds, key+"."+place, family+"."+place, place) {
				t.Errorf("context.json does not say what %s holds in %s", place, key)
			}
		}
	}
	for _, among := range []map[string]string{context.Where, context.Holds} {
		for key := range among {
			if !used[key] {
				t.Errorf("context.json speaks of %s, which no text needs", key)
			}
		}
	}
}

// A term is one line of the glossary.
type term struct {
	Means string            `json:"means"`
	In    string            `json:"in"`    // key of a text that has the term in every language
	Words map[string]string `json:"words"` // by locale; where there are several, with / between
}

// TestGlossary: every language has a word for every term, and uses it.
func TestGlossary(t *testing.T) {
	var glossary map[string]term
	readWords(t, "glossary.json", &glossary)
	locales := Load().locales
	for name, term := range glossary {
		if term.Means == "" {
			t.Errorf("the glossary does not say what %s means", name)
		}
		for locale := range term.Words {
			if !slices.Contains(locales, locale) {
				t.Errorf("the glossary has %s in %s, which is no language here", name, locale)
			}
		}
	}
	for _, locale := range locales {
		texts, _ := readTranslated(t, locale)
		missing := len(untranslatedIn(t, locale)) > 0
		for name, term := range glossary {
			words := term.Words[locale]
			if words == "" && !missing {
				t.Errorf("%s has no word in %s", name, locale)
			}
			if words == "" || term.In == "" || texts[term.In] == nil {
				continue // it is English still
			}
			if text := texts[term.In]["other"]; !slices.ContainsFunc(strings.Split(words, "/"), func(word string) bool { return speaksOf(text, word) }) {
				t.Errorf("%s: %s is %q in the glossary, and not in %s: %q", locale, name, words, term.In, text)
			}
		}
	}
}

// speaksOf reports whether the text has a word of the term in some form: with the same
// beginning.
func speaksOf(text, term string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(term)), func(word string) bool {
		stem := []rune(word)
		return strings.Contains(strings.ToLower(text), string(stem[:(2*len(stem)+2)/3]))
	})
}

func readWords(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// untranslatedIn returns the keys of the texts that the language has in English.
func untranslatedIn(t *testing.T, locale string) map[string]bool {
	t.Helper()
	data, err := localeFiles.ReadFile("locales/" + locale + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return marked(t, data)
}
