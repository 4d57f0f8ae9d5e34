package foreign_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"tictactoe/bot/sandbox/waittest"
)

var update = flag.Bool("update", false, "write down which operations and events the libraries used")

// provedFile lists what a library used with success: its name, then a method and
// the template of a route, or the name of an event that it understood.
const provedFile = "proved.txt"

var provedLock sync.Mutex // the libraries run at once

// compareProved compares what a library used in this run with what is written down,
// on which the tables in SERVED.md rest.
func (w *scene) compareProved(t *testing.T, library string) {
	t.Helper()
	seen := ""
	waittest.Until(t, "the library to say that it is ready", func() bool {
		seen = strings.TrimPrefix(w.ask(t, w.general, "events"), "ok: ")
		return strings.Contains(seen, "READY")
	})
	used := map[string]bool{}
	for event := range strings.FieldsSeq(seen) {
		used[library+" "+event] = true
	}
	for _, r := range w.srv.REST().Requests() {
		if r.Status < 300 && r.Fault == "" {
			used[library+" "+r.Method+" "+r.Route] = true
		}
	}
	provedLock.Lock()
	defer provedLock.Unlock()
	b, err := os.ReadFile(provedFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	var others, want []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, library+" ") {
			want = append(want, line)
		} else if line != "" {
			others = append(others, line)
		}
	}
	var got []string
	for line := range used {
		got = append(got, line)
	}
	slices.Sort(got)
	if *update {
		all := append(others, got...)
		slices.Sort(all)
		if err := os.WriteFile(provedFile, []byte(strings.Join(all, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s used other operations and events than %s says; run go test with -update\nmore: %q\nfewer: %q",
			library, provedFile, without(got, want), without(want, got))
	}
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}
