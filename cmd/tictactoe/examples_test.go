package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/service"
)

// TestExamples: what the examples set for the bot is what the program reads, and files
// that they name are there.
func TestExamples(t *testing.T) {
	const examples = "../../bot/service/examples"
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(examples, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	compose := read("compose.yaml")
	bot, _, _ := strings.Cut(compose, "\n  postgres:\n    image")
	set := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^      ([A-Z_]+): ([^ \n]+)`).FindAllStringSubmatch(bot, -1) {
		set[found[1]] = found[2]
	}
	unit := read("tictactoe.service")
	for _, found := range regexp.MustCompile(`(?m)^Environment=([A-Z_]+)=(.+)$`).FindAllStringSubmatch(unit, -1) {
		set["unit "+found[1]] = found[2]
	}
	if len(set) < 8 {
		t.Errorf("only %d settings were found: %v", len(set), set)
	}
	known := settingNames()
	for name, value := range set {
		name = strings.TrimPrefix(name, "unit ")
		if !slices.Contains(known, name) {
			t.Errorf("there is no setting %s", name)
		}
		var p problems
		switch name {
		case "DATABASE_URL":
			checkDatabase(&p, name, strings.ReplaceAll(value, "${POSTGRES_PASSWORD:?}", "secret"))
		case "HTTP_ADDR":
			interactionSettings{Gateway: "on", HTTPAddr: value}.check(&p, &service.Options{})
		case "METRICS_ADDR":
			checkMetrics(&p, value)
		}
		if len(p) > 0 {
			t.Error(p)
		}
	}
	for _, found := range regexp.MustCompile(`(?:build: |- )(\.[^:\n]+)`).FindAllStringSubmatch(compose, -1) {
		if _, err := os.Stat(filepath.Join(examples, found[1])); err != nil {
			t.Errorf("compose.yaml: %v", err)
		}
	}
	if port := regexp.MustCompile(`bot:(\d+)`).FindStringSubmatch(read("prometheus.yml")); port == nil || !strings.HasSuffix(set["METRICS_ADDR"], ":"+port[1]) {
		t.Errorf("Prometheus asks at %v, the bot serves at %s", port, set["METRICS_ADDR"])
	}
}
