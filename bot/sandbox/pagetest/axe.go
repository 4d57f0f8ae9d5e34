package pagetest

import (
	"fmt"
	"os"
	"strings"
	"testing"
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

// WantAccessible runs axe-core over the tab, as a subtest that fails for every
// serious or critical finding; the others are logged. Contrasts hold in the light and in the
// dark colour scheme. It is skipped where AXE_CORE
// does not name the script (axe.min.js of npm's axe-core).
func (tab *Tab) WantAccessible() {
	tab.t.Helper()
	tab.t.Run("axe-core", func(t *testing.T) {
		path := os.Getenv("AXE_CORE")
		if path == "" {
			t.Skip("AXE_CORE does not name axe.min.js")
		}
		script, err := os.ReadFile(path) //nolint:gosec // named by who runs the tests
		if err != nil {
			t.Fatalf("pagetest: AXE_CORE: %v", err)
		}
		same := &Tab{t: t, ctx: tab.ctx, features: tab.features} // which fails this subtest
		findings := same.axe(string(script), "")
		same.inScheme("light", func() {
			findings = append(findings, same.axe("", `, runOnly: ["color-contrast"]`)...)
		})
		for _, f := range findings {
			if f.Impact == "serious" || f.Impact == "critical" {
				t.Errorf("axe-core: %s", f)
			} else {
				t.Logf("axe-core: %s", f)
			}
		}
	})
}

// axe returns what axe-core finds, once the script has been run, with more options.
func (tab *Tab) axe(script, options string) []Finding {
	tab.t.Helper()
	tab.Still() // what fades in has no contrast yet
	// Evaluating is not hindered by the page's content policy, as a script element would be.
	Eval[bool](tab, script+"; true")
	return Eval[[]Finding](tab, `axe.run(document, {resultTypes: ["violations"]`+options+`}).then((r) => r.violations.map((v) => ({
		id: v.id, impact: v.impact ?? "minor", help: v.help,
		nodes: v.nodes.map((n) => n.target.join(" ") + " " + (n.failureSummary ?? "").replace(/\s+/g, " ")),
	})))`)
}
