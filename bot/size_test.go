package bot_test

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/sizetest"
)

// larger are those that are too large today, by kind and name, and how large they are.
var larger = map[string]int{
	"fields bot/discord.Interaction":        30,
	"fields store.Match":                    40,
	"interface store.Store":                 66,
	"lines bot/games":                       2570,
	"lines bot/view":                        3365,
	"methods bot/bottest.World":             50,
	"methods bot/service.Service":           43,
	"methods bot/tracker.Tracker":           41,
	"methods store/internal/sqlstore.Store": 71,
	"methods store/storetest/memory.Store":  72,
}

// TestSizes holds the module to sizes; the local Discord, a module of its own, has a test of
// its own.
func TestSizes(t *testing.T) { sizetest.Check(t, sizetest.Sources(t, house), larger) }

// embeds are what rooms embed of other packages all the same: a bot is what it hands calls on by
// and what holds its domains, its options have their times, and a request is a call.
var embeds = []string{"bot dispatch.Dispatcher", "bot kit.Timing", "bot upkeep.Leases", "bot/kit dispatch.Call"}

// TestNothingIsEmbeddedAcrossRooms: a room, which is what works with the kit, names what it asks
// of another package, so that one reads where a method comes from.
func TestNothingIsEmbeddedAcrossRooms(t *testing.T) {
	var found []string
	for _, f := range sizetest.Sources(t, house) {
		works := slices.Contains(strings.Fields(mayImport[f.Dir]), "bot/kit") && strings.HasPrefix(f.Dir, "bot")
		if !works && f.Dir != "bot/kit" {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			of, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range of.Fields.List {
				embedded, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(field.Type), "*"), "[")
				if len(field.Names) > 0 || !strings.Contains(embedded, ".") {
					continue
				}
				found = append(found, f.Dir+" "+embedded)
				if !slices.Contains(embeds, f.Dir+" "+embedded) {
					t.Errorf("%s: a struct embeds %s of another package", f.Set.Position(field.Pos()), embedded)
				}
			}
			return true
		})
	}
	for _, known := range embeds {
		if !slices.Contains(found, known) {
			t.Errorf("%q is embedded no more: take it from the list", known)
		}
	}
}
