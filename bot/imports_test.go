package bot_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house is the project's folder, from here.
const house = ".."

// mayImport says for each package which others of the project it may import. What
// stands at the left knows nothing of what is not named at the right.
var mayImport = map[string]string{
	"engine":                  "",
	"engine/solver":           "engine",
	"engine/strategy":         "engine engine/solver",
	"engine/coach":            "engine engine/solver",
	"engine/puzzle":           "engine engine/solver",
	"store":                   "engine",
	"store/internal/behind":   "store",
	"store/internal/queue":    "store",
	"store/internal/steps":    "store",
	"store/internal/sqlstore": "engine store store/internal/behind",
	"store/sqlite":            "store store/internal/behind store/internal/queue store/internal/steps store/internal/sqlstore",
	"store/postgres":          "store store/internal/behind store/internal/queue store/internal/steps store/internal/sqlstore",
	"bot/discord":             "",
	"bot/discord/discordtest": "",
	"bot/export":              "engine store",
	"bot/match":               "engine engine/coach engine/solver engine/strategy engine/puzzle store",
	"bot/match/matchtest":     "engine store",
	"bot/customid":            "engine store bot/match",
	"bot/view":                "engine engine/coach engine/solver engine/strategy engine/puzzle store bot/match bot/customid bot/discord",
	"bot/marks":               "",
	"bot/quirks":              "bot/customid",
	"bot/rest":                "bot/internal/tasks",
	"bot/gateway":             "bot/rest bot/internal/tasks",
	"bot/tracker":             "store bot/discord bot/rest bot/internal/tasks",
	"bot/webhook":             "bot/discord bot/rest bot/internal/tasks",
	"bot/metrics":             "store bot/dispatch bot/internal/recent bot/quirks bot/service",
	"cmd/internal/progress":   "",
	"cmd/arena":               "engine engine/solver engine/strategy cmd/internal/progress",
	"cmd/loadtest":            "engine store/postgres bot/sandbox cmd/internal/progress",
	"bot/service":             "store bot bot/discord bot/rest bot/gateway bot/webhook bot/internal/recent bot/internal/tasks bot/quirks",
	"bot/verify":              "engine engine/strategy store bot/customid bot/discord bot/gateway bot/rest bot/sandbox/permission bot/sandbox/shape bot/view",
	"bot/internal/recent":     "",
	"bot/dispatch":            "bot/discord bot/rest bot/internal/tasks bot/internal/recent",
	"bot/kit":                 "engine store bot/customid bot/discord bot/dispatch bot/internal/recent bot/internal/tasks bot/match bot/quirks bot/rest bot/tracker bot/view",
	"bot/change":              "engine store bot/discord bot/internal/recent bot/kit bot/match",
	"bot/games":               "engine engine/coach store bot/change bot/customid bot/discord bot/internal/recent bot/kit bot/match bot/rest bot/tracker bot/view",
	"bot/puzzles":             "engine engine/puzzle store bot/change bot/customid bot/discord bot/dispatch bot/internal/recent bot/kit bot/match bot/rest bot/view",
	"bot/people":              "store bot/change bot/customid bot/discord bot/export bot/internal/tasks bot/kit bot/match bot/rest bot/tracker bot/view",
	"bot/guilds":              "store bot/change bot/customid bot/discord bot/kit bot/match bot/quirks bot/rest bot/view",
	"bot/upkeep":              "store bot/change bot/games bot/internal/recent bot/internal/tasks bot/kit bot/match bot/rest bot/tracker",
	"bot":                     "engine store bot/change bot/customid bot/discord bot/dispatch bot/games bot/guilds bot/internal/recent bot/kit bot/marks bot/match bot/people bot/puzzles bot/quirks bot/rest bot/tracker bot/upkeep bot/view",
}

// pure are packages that neither wait, nor speak to anybody, nor roll dice.
var pure = []string{"engine", "bot/discord", "bot/export", "bot/match", "bot/customid", "bot/view"}

// impure are packages of others that a pure one does without.
var impure = []string{"context", "net", "net/http", "os", "log", "log/slog", "crypto/rand", "database/sql", "github.com/bwmarrin/discordgo"}

// Packages import each other one way. That keeps matches and views free of what would
// stop them from being tested alone, and backends and Discord out of each other.
func TestImports(t *testing.T) {
	for dir, allowed := range mayImport {
		for path, where := range importsOf(t, dir) {
			inside, ours := strings.CutPrefix(path, "tictactoe/")
			switch {
			case ours && !slices.Contains(strings.Fields(allowed), inside):
				t.Errorf("%s imports %s", where, path)
			case where == "bot/match/verdict.go" && path == "context": // the solver asks for one
			case slices.Contains(pure, dir) && slices.Contains(impure, path):
				t.Errorf("%s imports %s, but %s is pure", where, path, dir)
			}
		}
	}
}

// importsOf returns what the package imports outside its tests, and the file that
// does.
func importsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(house, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found, read := map[string]string{}, 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		read++
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			found[path] = strings.TrimPrefix(file, house+string(filepath.Separator))
		}
	}
	if read == 0 {
		t.Errorf("%s has no files", dir)
	}
	return found
}
