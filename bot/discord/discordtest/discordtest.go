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
		"object": map[string]any{"": nil, "id": 1, "0": map[string]any{}}, "deep list": deepList(),
	}
	var walk func(path string, node any)
	emit := func(what string) {
		raw, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		use(what, raw)
	}
	walk = func(path string, node any) {
		switch n := node.(type) {
		case map[string]any:
			for key, old := range n {
				delete(n, key)
				emit(path + "/" + key + " missing")
				for what, v := range replacements {
					n[key] = v
					emit(path + "/" + key + " is " + what)
				}
				n[key] = old
				walk(path+"/"+key, old)
			}
		case []any:
			for i, old := range n {
				for what, v := range replacements {
					n[i] = v
					emit(path + "/" + strconv.Itoa(i) + " is " + what)
				}
				n[i] = old
				walk(path+"/"+strconv.Itoa(i), old)
			}
		}
	}
	walk("", tree)
}

func deepList() any {
	return json.RawMessage(strings.Repeat("[", 500) + strings.Repeat("]", 500))
}

// epoch is when the time in Discord's ids begins, by its documentation (Reference, Snowflakes).
var epoch = time.UnixMilli(1420070400000)

// MadeAt returns an interaction's id of that moment, as Discord makes them.
func MadeAt(t time.Time) string {
	return strconv.FormatInt(t.Sub(epoch).Milliseconds()<<22|0x2a, 10)
}
