package metrics_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPromtool: Prometheus' own tool reads the alerts, and every query of the dashboard
// written as a rule.
func TestPromtool(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(read(t, "dashboard.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	var rules strings.Builder
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	for p, panel := range dashboard.Panels {
		for q, target := range panel.Targets {
			expr, err := json.Marshal(target.Expr) // JSON's texts are YAML's
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&rules, "  - record: panel_%d_%d\n    expr: %s\n", p, q, expr)
		}
	}
	queries := filepath.Join(t.TempDir(), "dashboard.yml")
	if err := os.WriteFile(queries, []byte(rules.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.CommandContext(t.Context(), tool, "check", "rules", "alerts.yml", queries).CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, said)
	}
}
