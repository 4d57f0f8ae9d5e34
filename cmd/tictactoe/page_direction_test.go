package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

// somebody is what stands for a person in scenes.
var somebody = regexp.MustCompile(`<@\d+>|\\_Ada\\_`)

// textsIn collects the lines of a message in which somebody is named.
func textsIn(t *testing.T, file string) (lines []string) {
	t.Helper()
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, each := range v {
				walk(each)
			}
		case []any:
			for _, each := range v {
				walk(each)
			}
		case string:
			lines = append(lines, slices.Collect(strings.SplitSeq(v, "\n"))...)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	walk(tree)
	return slices.DeleteFunc(lines, func(line string) bool { return !somebody.MatchString(line) })
}

// layOut returns from where to where each number of each line goes on the screen, in the
// order of the text.
const layOut = `(async (lines) => lines.map((line) => {
	const p = document.createElement('p');
	p.style.cssText = 'white-space: nowrap; width: max-content; unicode-bidi: plaintext';
	p.textContent = line;
	document.body.replaceChildren(p);
	return [...line.matchAll(/\d+/g)].map((found) => {
		const range = document.createRange();
		range.setStart(p.firstChild, found.index);
		range.setEnd(p.firstChild, found.index + found[0].length);
		return range.getBoundingClientRect().left;
	});
}))`

// TestNamesTurnNothingRound: in every message that views are held to, numbers beside a name that
// is written from right to left stand in their order on the screen.
func TestNamesTurnNothingRound(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><body id=app data-ready=true>"))
	}))
	defer page.Close()
	files, err := filepath.Glob("../../bot/view/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var lines []string
	for _, file := range files {
		for _, line := range textsIn(t, file) {
			turn := 0
			lines = append(lines, somebody.ReplaceAllStringFunc(line, func(string) string { turn++; return []string{"مريم", "רות"}[turn%2] }))
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	raw, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	tab := pagetest.Start(t).Open(t, page.URL, pagetest.Desk)
	scores := 0
	for i, xs := range pagetest.Eval[[][]float64](tab, layOut+"("+string(raw)+")") {
		if !slices.IsSorted(xs) {
			t.Errorf("numbers are turned round: %v in %q", xs, lines[i])
		}
		if len(xs) > 1 {
			scores++
		}
	}
	if scores < 20 {
		t.Errorf("%d lines have a person and two numbers", scores)
	}
}
