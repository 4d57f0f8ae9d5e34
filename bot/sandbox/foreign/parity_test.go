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

const servedFile = "../SERVED.md"

// TestParity compares the page of what is served with what is served and sent and with
// what the libraries used.
func TestParity(t *testing.T) {
	b, err := os.ReadFile(servedFile)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(b), tables)
	want := head + parity(t)
	if *update {
		if err := os.WriteFile(servedFile, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(b) != want {
		t.Errorf("%s is out of date; run go test with -update", servedFile)
	}
}

// tables is what stands before the first of the page's tables.
const tables = "\n## Operations\n"

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
	fmt.Fprintf(&out, tables+"\n%d of %d are served.\n\n| Operation | Served | Proved by |\n| --- | --- | --- |\n", len(served), len(all))
	for _, o := range all {
		fmt.Fprintf(&out, "| `%s` | %s |\n", o, proof(o.String(), slices.Contains(served, o)))
	}
	sent := sandbox.Events()
	fmt.Fprintf(&out, "\n## Events\n\n%d of %d are sent.\n\n| Event | Sent | Understood by |\n| --- | --- | --- |\n", len(sent), len(operations.Events()))
	for _, e := range operations.Events() {
		fmt.Fprintf(&out, "| `%s` | %s |\n", e, proof(e, slices.Contains(sent, e)))
	}
	return out.String()
}
