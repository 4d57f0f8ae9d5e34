package discordtest

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Interactions as Discord sends them: every member of the envelope that its
// documentation names, also those that nobody here reads.
var (
	//go:embed testdata/slash.json
	SlashPayload string
	//go:embed testdata/menu.json
	MenuPayload string
	//go:embed testdata/button.json
	ButtonPayload string
	//go:embed testdata/select.json
	SelectPayload string
	//go:embed testdata/direct.json
	DirectPayload string
)

// Payloads are all of them by name.
var Payloads = map[string]string{"slash": SlashPayload, "menu": MenuPayload, "button": ButtonPayload, "select": SelectPayload, "direct": DirectPayload}

// EachDamage calls use with the payload in which every member and element in turn,
// at any depth, is missing or replaced by something else.
func EachDamage(t *testing.T, payload string, use func(what string, damaged []byte)) {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(payload), &tree); err != nil {
		t.Fatal(err)
	}
	replacements := map[string]any{
		"null": nil, "true": true, "zero": 0, "negative": -1, "fraction": 0.5, "huge number": json.Number("1e400"),
		"empty text": "", "odd text": "\x00\u202e{{.X}}@everyone", "long text": strings.Repeat("9", 1<<12),
		"empty list": []any{}, "list": []any{nil, 1, "x", []any{}}, "empty object": map[string]any{},
		"object":    map[string]any{"": nil, "id": 1, "0": map[string]any{}},
		"deep list": json.RawMessage(strings.Repeat("[", 500) + strings.Repeat("]", 500)),
	}
	emit := func(what string) {
		raw, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		use(what, raw)
	}
	var walk func(path string, node any)
	replace := func(path string, old any, set func(any)) {
		for what, v := range replacements {
			set(v)
			emit(path + " is " + what)
		}
		set(old)
		walk(path, old)
	}
	walk = func(path string, node any) {
		switch n := node.(type) {
		case map[string]any:
			for key, old := range n {
				delete(n, key)
				emit(path + "/" + key + " missing")
				replace(path+"/"+key, old, func(v any) { n[key] = v })
			}
		case []any:
			for i, old := range n {
				replace(path+"/"+strconv.Itoa(i), old, func(v any) { n[i] = v })
			}
		}
	}
	walk("", tree)
}

// epoch is when the time in Discord's ids begins, by its documentation (Reference, Snowflakes).
var epoch = time.UnixMilli(1420070400000)

// MadeAt returns an interaction's id of that moment, as Discord makes them.
func MadeAt(t time.Time) string {
	return strconv.FormatInt(t.Sub(epoch).Milliseconds()<<22|0x2a, 10)
}
