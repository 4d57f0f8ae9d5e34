package page_test

import (
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

// TestSuggestionsForWhatIsTyped types on while the app is asked: its answer is to what
// is no longer there.
func TestSuggestionsForWhatIsTyped(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	// Who types is asked for after a pause, which ends here when it is told to.
	pagetest.Eval[bool](tab, `(window.pauses = [], window.setTimeout = ((real) => (f, ms) => ms === 150 ? pauses.push(f) : real(f, ms))(setTimeout), true)`)
	release := hold(tab, "autocomplete")
	tab.Press("/")
	tab.Type("find")
	tab.Press("Enter")
	tab.Type("a")
	pagetest.Eval[bool](tab, `(pauses.pop()(), true)`)
	tab.Wait("the question", `held.length === 1`)
	tab.Type("z")
	release()
	if got := tab.Text(".suggest:not([hidden]) .suggest-item"); got != "" {
		t.Errorf("for %q the page offers %s", "az", got)
	}
	pagetest.Eval[bool](tab, `(pauses.pop()(), true)`)
	tab.WaitText(".suggest-note", "No options match your search")
}
