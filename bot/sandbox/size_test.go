package sandbox_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/sizetest"
)

// larger are those that are too large today, by kind and name, and how large they are.
var larger = map[string]int{
	"fields ..Call":          27,
	"fields ..Snapshot":      27,
	"fields ..World":         31,
	"fields ..restCall":      27,
	"fields rules.Component": 32,
	"lines .":                6111,
	"methods ..User":         54,
}

func TestSizes(t *testing.T) { sizetest.Check(t, sizetest.Sources(t, "."), larger) }

// rooms says for each package of the module which others of it it may import.
var rooms = map[string]string{
	".":                "clock files internal/client internal/command internal/depart internal/door internal/feed internal/gateway internal/kept internal/post internal/rest operations permission rules timefactor",
	"api":              ". internal/webjson permission rules",
	"apicheck":         "operations",
	"clock":            "",
	"cmd/sandbox":      ". host",
	"files":            "",
	"foreign":          "",
	"host":             ". api clock page",
	"internal/apitest": ". waittest",
	"internal/client":  "rules",
	"internal/command": "rules",
	"internal/depart":  "rules",
	"internal/door":    "",
	"internal/feed":    "",
	"internal/gateway": "clock rules transport",
	"internal/kept":    "files permission rules",
	"internal/post":    "rules",
	"internal/rest":    "clock files internal/depart operations rules",
	"internal/webjson": "",
	"operations":       "",
	"packages":         "",
	"page":             ". api internal/webjson permission rules",
	"pagetest":         "",
	"permission":       "",
	"rules":            "files",
	"shape":            "",
	"sizetest":         "",
	"timefactor":       "",
	"transport":        "",
	"waittest":         "timefactor",
}

// TestImports: the local Discord knows no bot, least of all the one next door, and its
// packages import each other one way.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sizetest.Sources(t, ".") {
		seen[f.Dir] = true
		allowed, ok := rooms[f.Dir]
		if !ok {
			t.Errorf("%s is not in the list of rooms", f.Dir)
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			room, own := strings.CutPrefix(path+"/", "tictactoe/bot/sandbox/")
			room = cmp.Or(strings.TrimSuffix(room, "/"), ".")
			switch {
			case own && !slices.Contains(strings.Fields(allowed), room):
				t.Errorf("%s imports %s", f.Name, path)
			case !own && strings.HasPrefix(path, "tictactoe"):
				t.Errorf("%s imports %s, of another module", f.Name, path)
			}
		}
	}
	for room := range rooms {
		if !seen[room] {
			t.Errorf("there is no %s", room)
		}
	}
}
