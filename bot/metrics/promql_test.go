package metrics_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/metrics"
)

// TestPrometheusAnswers: Prometheus' own parser reads every query of the dashboard and
// every alert, and its engine finds series for each in what the bot serves after real
// games. Skips where the modules for that are not in the cache.
func TestPrometheusAnswers(t *testing.T) {
	t.Parallel()
	program := prometheusProgram(t)
	w, m := measured(t)
	game := func() {
		board := w.Challenge(t, w.Ada, w.Bob)
		w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b1", "b2", "c1")
		w.Handled(t)
		// What goes wrong elsewhere, and need not be brought about here.
		m.Waited("GET /x", time.Second)
		m.Requested("GET /x", 429, time.Second)
		m.Handled(bot.Handled{Kind: "play", Outcome: bot.Failed})
	}
	asked := map[string]any{
		"labels": map[string]string{"job": "tictactoe", "instance": "bot:9464"}, // which the scrape adds
		"rules":  string(read(t, "alerts.yml")),
	}
	var scrapes []map[string]any
	for at := time.Unix(1_800_000_000, 0); len(scrapes) < 3; at = at.Add(15 * time.Second) {
		game()
		scrapes = append(scrapes, map[string]any{"at": at, "text": served(t, m)})
	}
	asked["scrapes"] = scrapes
	queries, legends := dashboardQueries(t)
	asked["queries"] = queries
	var answer struct{ Queries, Alerts []found }
	runJSON(t, program, asked, &answer)
	if len(answer.Queries) != len(queries) || len(answer.Alerts) == 0 {
		t.Fatalf("%d of %d queries and %d alerts are answered", len(answer.Queries), len(queries), len(answer.Alerts))
	}
	for i, got := range answer.Queries {
		got.check(t, "dashboard")
		for _, l := range legendForm.FindAllStringSubmatch(legends[i], -1) {
			for _, s := range got.Series {
				if s[l[1]] == "" {
					t.Errorf("dashboard, %s: %v has no label %s", got.Expr, s, l[1])
				}
			}
		}
	}
	readme := string(read(t, "README.md"))
	for _, got := range answer.Alerts {
		got.check(t, "alert "+got.Name)
		if !strings.Contains(readme, "| "+got.Name+" |") {
			t.Errorf("README.md does not list the alert %s", got.Name)
		}
	}
}

// found is what an expression came to; an alert's series are those that it compares.
type found struct {
	Name, Expr, Error string
	Series            []map[string]string // labels, and the value under ""
}

// check fails the test where nothing was found. A quantile of what has not happened lately
// is no number, but some series has one.
func (f found) check(t *testing.T, where string) {
	t.Helper()
	number := slices.ContainsFunc(f.Series, func(s map[string]string) bool { return s[""] != "NaN" })
	if f.Error != "" || !number {
		t.Errorf("%s, %s: %v %s", where, f.Expr, f.Series, f.Error)
	}
}

// served is what a scrape gets.
func served(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	return answer.Body.String()
}

// dashboardQueries returns what the dashboard asks, and how it calls the series.
func dashboardQueries(t *testing.T) (queries, legends []string) {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Targets []struct {
				Expr   string `json:"expr"`
				Legend string `json:"legendFormat"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(read(t, "dashboard.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, q := range p.Targets {
			queries, legends = append(queries, q.Expr), append(legends, q.Legend)
		}
	}
	return queries, legends
}

// prometheusProgram builds the program that asks as Prometheus does, from the module
// cache alone.
func prometheusProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "prometheus")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	cmd.Dir = "prometheus"
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := cmd.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("module lookup disabled")) {
			t.Skip("Prometheus' modules are not in the cache; run go mod download in the folder prometheus")
		}
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// runJSON runs the program with one value as its input and another as its output.
func runJSON(t *testing.T, program string, in, out any) {
	t.Helper()
	input, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = bytes.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &said
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatal(err)
	}
}
