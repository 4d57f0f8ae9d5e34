package foreign_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/operations"
)

const (
	readme      = "../README.md"
	parityBegin = "<!-- parity: written by go test tictactoe/bot/sandbox/foreign -run TestParity -update -->\n"
	parityEnd   = "<!-- end of parity -->\n"
)

// TestParity compares the tables in the README with what is served and sent and with
// what the libraries used.
func TestParity(t *testing.T) {
	b, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), parityBegin)
	got, tail, closed := strings.Cut(rest, parityEnd)
	if !ok || !closed {
		t.Fatalf("%s has no place for the tables", readme)
	}
	want := parity(t)
	if *update {
		if err := os.WriteFile(readme, []byte(head+parityBegin+want+parityEnd+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the tables in %s are out of date; run go test with -update", readme)
	}
}

func parity(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(provedFile)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]string{}
	for line := range strings.Lines(string(b)) {
		library, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		by[what] = append(by[what], library)
	}
	proof := func(what string, offered bool) string {
		switch libraries := by[what]; {
		case !offered:
			return "no | "
		case len(libraries) == 0:
			return "yes | own test only"
		default:
			return "yes | " + strings.Join(libraries, ", ")
		}
	}
	var out strings.Builder
	served := sandbox.Served()
	all := operations.All()
	fmt.Fprintf(&out, "\n%d of %d operations are served.\n\n| Operation | Served | Proved by |\n| --- | --- | --- |\n", len(served), len(all))
	for _, o := range all {
		fmt.Fprintf(&out, "| `%s` | %s |\n", o, proof(o.String(), slices.Contains(served, o)))
	}
	sent := sandbox.Events()
	fmt.Fprintf(&out, "\n%d of %d events are sent.\n\n| Event | Sent | Understood by |\n| --- | --- | --- |\n", len(sent), len(operations.Events()))
	for _, e := range operations.Events() {
		fmt.Fprintf(&out, "| `%s` | %s |\n", e, proof(e, slices.Contains(sent, e)))
	}
	out.WriteString("\n")
	return out.String()
}
