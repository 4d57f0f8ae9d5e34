package bot_test

import (
	"go/ast"
	"slices"
	"testing"

	"tictactoe/bot/sandbox/sizetest"
)

// larger are those that are too large today, by kind and name, and how large they may be.
var larger = map[string]int{
	"fields bot/discord.Interaction":        30,
	"fields store.Match":                    41,
	"lines bot/games":                       2620,
	"lines bot/view":                        3415,
	"methods bot/bottest.World":             50,
	"methods bot/service.Service":           43,
	"methods bot/tracker.Tracker":           42,
	"methods store/internal/sqlstore.Store": 71,
	"methods store/storetest/memory.Store":  72,
}

// TestSizes holds the module to sizes; the local Discord, a module of its own, has a test of
// its own.
func TestSizes(t *testing.T) { sizetest.Check(t, sizetest.Sources(t, house), larger) }

// rooms are the packages that features stand in.
var rooms = []string{"bot/change", "bot/games", "bot/guilds", "bot/people", "bot/puzzles", "bot/upkeep"}

// TestNothingIsEmbeddedAcrossRooms: a feature names what it asks of another package, so that
// one reads where a method comes from.
func TestNothingIsEmbeddedAcrossRooms(t *testing.T) {
	seen := 0
	for _, f := range sizetest.Sources(t, house) {
		if !slices.Contains(rooms, f.Dir) {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			of, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			seen++
			for _, field := range of.Fields.List {
				embedded := field.Type
				if p, ok := embedded.(*ast.StarExpr); ok {
					embedded = p.X
				}
				if from, ok := embedded.(*ast.SelectorExpr); ok && len(field.Names) == 0 {
					t.Errorf("%s: a struct embeds %s of another package", f.Set.Position(field.Pos()), from.Sel.Name)
				}
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("only %d structs were found", seen)
	}
}
