package bot_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/sizetest"
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
	"store/internal/steps":    "store",
	"store/internal/sqlstore": "engine store",
	"store/sqlite":            "store store/internal/steps store/internal/sqlstore",
	"store/postgres":          "store store/internal/steps store/internal/sqlstore",
	"bot/discord":             "",
	"bot/discord/discordtest": "",
	"bot/export":              "store",
	"bot/match":               "engine engine/coach engine/strategy engine/puzzle store",
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
	"cmd/tictactoe":           "store store/postgres store/sqlite bot/change bot/gateway bot/kit bot/match bot/metrics bot/rest bot/sandbox/host bot/service bot/verify bot/webhook cmd/internal/progress",
	"bot/service":             "store bot bot/discord bot/rest bot/gateway bot/webhook bot/internal/recent bot/internal/tasks bot/quirks",
	"bot/verify":              "engine engine/strategy store bot/customid bot/discord bot/gateway bot/rest bot/sandbox/permission bot/sandbox/shape bot/view",
	"bot/internal/recent":     "",
	"bot/internal/tasks":      "",
	"bot/dispatch":            "bot/discord bot/rest bot/internal/tasks bot/internal/recent",
	"bot/kit":                 "engine store bot/customid bot/discord bot/dispatch bot/internal/recent bot/internal/tasks bot/match bot/quirks bot/rest bot/tracker bot/view",
	"bot/change":              "engine store bot/discord bot/internal/recent bot/kit bot/match",
	"bot/games":               "engine engine/coach store bot/change bot/customid bot/discord bot/internal/recent bot/kit bot/match bot/rest bot/tracker bot/view",
	"bot/puzzles":             "engine engine/puzzle store bot/change bot/customid bot/discord bot/dispatch bot/internal/recent bot/kit bot/match bot/rest bot/view",
	"bot/people":              "store bot/change bot/customid bot/discord bot/export bot/internal/tasks bot/kit bot/match bot/rest bot/tracker bot/view",
	"bot/guilds":              "store bot/change bot/customid bot/discord bot/kit bot/match bot/quirks bot/rest bot/view",
	"bot/upkeep":              "store bot/change bot/games bot/internal/recent bot/internal/tasks bot/kit bot/match bot/rest bot/tracker",
	"bot":                     "engine store bot/change bot/customid bot/discord bot/dispatch bot/games bot/guilds bot/internal/recent bot/kit bot/marks bot/match bot/people bot/puzzles bot/quirks bot/rest bot/tracker bot/upkeep bot/view",

	// What tests work with.
	"engine/enginetest":           "engine",
	"store/sqlite/sqlitetest":     "store/sqlite",
	"store/postgres/postgrestest": "store/postgres",
	"store/storetest":             "engine engine/enginetest store store/storetest/memory",
	"store/storetest/memory":      "engine store",
	"bot/bottest":                 "engine store store/sqlite store/sqlite/sqlitetest bot bot/change bot/customid bot/gateway bot/marks bot/match bot/quirks bot/rest bot/sandbox bot/sandbox/apicheck bot/sandbox/clock bot/sandbox/rules bot/sandbox/waittest bot/service bot/webhook",
	"bot/bottest/script":          "bot/bottest bot/discord bot/sandbox bot/sandbox/rules bot/sandbox/waittest",
}

// pure are packages that neither wait, nor speak to anybody, nor roll dice.
var pure = []string{"engine", "bot/discord", "bot/export", "bot/match", "bot/customid", "bot/view"}

// impure are packages of others that a pure one does without.
var impure = []string{"context", "net", "net/http", "os", "log", "log/slog", "crypto/rand", "database/sql", "github.com/bwmarrin/discordgo"}

// Packages import each other one way. That keeps matches and views free of what would
// stop them from being tested alone, and backends and Discord out of each other.
func TestImports(t *testing.T) {
	seen := map[string][]string{} // what is imported, by the package that does
	for _, f := range sizetest.Sources(t, house) {
		seen[f.Dir] = append(seen[f.Dir], "")
		allowed, listed := mayImport[f.Dir]
		if !listed {
			t.Errorf("%s is in no row of the list", f.Name)
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			inside, ours := strings.CutPrefix(path, "tictactoe/")
			seen[f.Dir] = append(seen[f.Dir], inside)
			switch {
			case ours && !slices.Contains(strings.Fields(allowed), inside):
				t.Errorf("%s imports %s", f.Name, path)
			case path == "context" && f.Name == filepath.Join(house, "bot/match/verdict.go"): // the solver asks for one
			case slices.Contains(pure, f.Dir) && slices.Contains(impure, path):
				t.Errorf("%s imports %s, but %s is pure", f.Name, path, f.Dir)
			}
		}
	}
	for dir, allowed := range mayImport {
		if seen[dir] == nil {
			t.Errorf("there is no %s", dir)
		}
		for _, inside := range strings.Fields(allowed) {
			if !slices.Contains(seen[dir], inside) {
				t.Errorf("%s does not import %s any more: take it from the list", dir, inside)
			}
		}
	}
}
