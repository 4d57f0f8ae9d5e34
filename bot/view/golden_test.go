package view

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/store"
)

var updateGolden = flag.Bool("update", false, "write the golden messages anew")

func jsonOf(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// callback is a message as an answer to an interaction.
func callback(kind rest.CallbackType, data json.RawMessage) []byte {
	return jsonOf(map[string]any{"type": kind, "data": data})
}

func TestViewsAreAsDescribed(t *testing.T) {
	c := Load()
	check := func(t *testing.T, msg discord.Message) {
		t.Helper()
		checkAgainstDescription(t, http.MethodPost, "/interactions/1/token/callback", callback(rest.CallbackMessage, msg.Create()))
	}
	checkEdits := func(t *testing.T, msg discord.Message) {
		t.Helper()
		checkAgainstDescription(t, http.MethodPost, "/interactions/1/token/callback", callback(rest.CallbackUpdate, msg.Edit()))
		checkAgainstDescription(t, http.MethodPatch, "/channels/301/messages/401", msg.Edit())
		checkAgainstDescription(t, http.MethodPost, "/channels/301/messages", msg.Create())
	}
	// Languages differ in how long their texts are: the longest of each message is checked,
	// and the one that the others are written from.
	longest := map[string]discord.Message{}
	for _, locale := range c.locales {
		v := testView(c, locale)
		keep := func(name string, msg discord.Message) {
			if locale == DefaultLocale {
				check(t, msg)
			}
			if was, ok := longest[name]; !ok || len(msg.Create()) > len(was.Create()) {
				longest[name] = msg
			}
		}
		for _, s := range scenes(t, engine.Standard) {
			keep("match "+s.name, shown(t, v, s.m))
		}
		for name, ch := range challengeScenes() {
			keep("challenge "+name, v.Challenges().Challenge(ch))
		}
		for name, msg := range privateScenes(t, v) {
			keep("private "+name, msg)
		}
	}
	for _, msg := range longest {
		check(t, msg)
	}
	// What depends on the board or on the request does not depend on the language.
	v := testView(c, DefaultLocale)
	for _, r := range match.Boards[1:] {
		for _, s := range scenes(t, r)[:10] {
			check(t, shown(t, v, s.m))
		}
	}
	for _, s := range scenes(t, engine.Standard) {
		checkEdits(t, shown(t, v, s.m))
	}
	for _, ch := range challengeScenes() {
		checkEdits(t, v.Challenges().Challenge(ch))
	}
}

// readable writes a payload for people: indented, and with what cannot be seen
// written out.
func readable(t testing.TB, raw json.RawMessage) []byte {
	t.Helper()
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(tree); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.NewReplacer("\u200b", `\u200b`, "\u2068", `\u2068`, "\u2069", `\u2069`).Replace(b.String()))
}

// goldenScenes are the messages that are kept in files, by name.
func goldenScenes(t testing.TB, v View) map[string]discord.Message {
	messages := privateScenes(t, v)
	for _, s := range scenes(t, engine.Standard) {
		messages["3x3 "+s.name] = shown(t, v, s.m)
	}
	for _, s := range scenes(t, engine.Rules{M: 5, N: 5, K: 4}) {
		if slices.Contains([]string{"middle", "cell names", "line", "line just now", "line with cell names", "list"}, s.name) {
			messages["5x5-4 "+s.name] = shown(t, v, s.m)
		}
	}
	for _, s := range vanishingScenes(t) {
		messages["vanishing "+s.name] = shown(t, v, s.m)
	}
	hearts, blocks := matchtest.Between(t, engine.Vanishing, matchtest.SixMarks), matchtest.Between(t, engine.Vanishing, "c3 b1 c2 c1 b2 a1")
	hearts.Marks, blocks.Marks = store.MarksHearts, store.MarksBlocks
	matchtest.Named(&hearts)
	messages["vanishing both go in hearts"] = shown(t, v, hearts)
	messages["vanishing won in blocks"] = shown(t, v, over(blocks, store.ByLine, engine.O))
	for name, ch := range challengeScenes() {
		messages[name] = v.Challenges().Challenge(ch)
	}
	messages["challenge renewed elsewhere"] = v.Challenges().Renewed(matchtest.OpenChallenge(), "https://discord.com/channels/201/301/402")
	v.OwnMarks = ownMarks()
	for _, s := range append(scenes(t, engine.Standard), vanishingScenes(t)...) {
		if slices.Contains([]string{"line of O", "list", "both go with cell names"}, s.name) {
			messages["own marks "+s.name] = shown(t, v, s.m)
		}
	}
	for name, msg := range chosenScenes(t, v) {
		messages["chosen marks "+name] = msg
	}
	maps.Copy(messages, panelsOfMarks(v))
	return messages
}

func TestGoldenMessages(t *testing.T) {
	messages := goldenScenes(t, testView(Load(), DefaultLocale))
	dir := "testdata"
	known := map[string]bool{}
	for name, msg := range messages {
		file := strings.ReplaceAll(name, " ", "_") + ".json"
		known[file] = true
		got := readable(t, msg.Create())
		file = filepath.Join(dir, file)
		if *updateGolden {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v (write it with -update)", err)
			continue
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s has changed (-want +got); if that is meant, run with -update:\n%s", name, d)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s shows no message any more", filepath.Join(dir, f.Name()))
		}
	}
}
