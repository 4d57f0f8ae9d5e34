package pagetest

import (
	"fmt"
	"os"
	"strings"
)

// Finding is one rule of axe-core that the page breaks.
type Finding struct {
	ID     string   `json:"id"`
	Impact string   `json:"impact"` // minor, moderate, serious or critical
	Help   string   `json:"help"`
	Nodes  []string `json:"nodes"` // the elements, as selectors
}

func (f Finding) String() string {
	return fmt.Sprintf("%s (%s): %s: %s", f.ID, f.Impact, f.Help, strings.Join(f.Nodes, " | "))
}

// Axe runs axe-core over the tab and returns what it finds. ok is false where
// AXE_CORE does not name the script (axe.min.js of npm's axe-core): then nothing
// was checked, which the test log says.
func (tab *Tab) Axe() (findings []Finding, ok bool) {
	tab.t.Helper()
	path := os.Getenv("AXE_CORE")
	if path == "" {
		tab.t.Log("not checked with axe-core: AXE_CORE does not name axe.min.js")
		return nil, false
	}
	script, err := os.ReadFile(path)
	if err != nil {
		tab.t.Fatalf("pagetest: AXE_CORE: %v", err)
	}
	tab.still() // what fades in has no contrast yet
	// Evaluating is not hindered by the page's content policy, as a script element would be.
	Eval[bool](tab, string(script)+"; true")
	return Eval[[]Finding](tab, `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.map((v) => ({
		id: v.id, impact: v.impact ?? "minor", help: v.help,
		nodes: v.nodes.map((n) => n.target.join(" ") + " " + (n.failureSummary ?? "").replace(/\s+/g, " ")),
	})))`), true
}

// WantAccessible fails the test for every serious or critical finding of axe-core;
// the others are logged.
func (tab *Tab) WantAccessible() {
	tab.t.Helper()
	findings, _ := tab.Axe()
	for _, f := range findings {
		if f.Impact == "serious" || f.Impact == "critical" {
			tab.t.Errorf("axe-core: %s", f)
		} else {
			tab.t.Logf("axe-core: %s", f)
		}
	}
}
