package apicheck_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tictactoe/bot/sandbox/apicheck"
)

// loadOnce loads the description for all tests of the run.
var loadOnce = sync.OnceValues(func() (*apicheck.Description, error) {
	return apicheck.Load(os.Getenv("DISCORD_OPENAPI"))
})

// description returns Discord's description, or skips the test if the run was
// not told where it is.
func description(t *testing.T) *apicheck.Description {
	t.Helper()
	if os.Getenv("DISCORD_OPENAPI") == "" {
		t.Skip("DISCORD_OPENAPI does not name Discord's API description: nothing to check against")
	}
	d, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// refusedAt fails the test unless err refuses exactly the given places, each
// written as part, space, pointer; the part alone means all of it. Behind a place
// and a colon stands how the reason begins, where it matters.
func refusedAt(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want a refusal at %q", want)
	}
	_, places, _ := strings.Cut(err.Error(), ": not as described\n\t")
	got := strings.Split(places, "\n\t")
	fits := func(got, want string) bool {
		place, _, _ := strings.Cut(got, ": ")
		return place == want || strings.Contains(want, ": ") && strings.HasPrefix(got, want)
	}
	if !slices.EqualFunc(got, want, fits) {
		t.Errorf("refused at %q, want %q", got, want)
	}
}

// parseJSON parses a JSON literal of a test.
func parseJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("bad JSON in the test: %v\n%s", err, text)
	}
	return v
}

// edit returns the JSON text with the value at the pointer replaced by another
// one, which is added if there is none; the replacement "" takes it out.
func edit(t *testing.T, text, pointer, replacement string) string {
	t.Helper()
	if pointer == "" {
		return replacement
	}
	root := parseJSON(t, text)
	var to any
	if replacement != "" {
		to = parseJSON(t, replacement)
	}
	keys := strings.Split(pointer, "/")[1:]
	at := root
	for i, key := range keys {
		last := i == len(keys)-1
		switch parent := at.(type) {
		case map[string]any:
			switch {
			case last && replacement == "":
				if _, ok := parent[key]; !ok {
					t.Fatalf("nothing at %s to take out", pointer)
				}
				delete(parent, key)
			case last:
				parent[key] = to
			default:
				at = parent[key]
			}
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(parent) || (last && replacement == "") {
				t.Fatalf("cannot edit %s", pointer)
			}
			if last {
				parent[n] = to
			} else {
				at = parent[n]
			}
		default:
			t.Fatalf("%s leads through something that is neither object nor array", pointer)
		}
	}
	edited, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return string(edited)
}

// repeated returns a JSON array of n copies of an element.
func repeated(element string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

// letters returns a JSON string of n letters that take two bytes each, so that
// a limit counted in bytes would be noticed.
func letters(n int) string { return `"` + strings.Repeat("ß", n) + `"` }
