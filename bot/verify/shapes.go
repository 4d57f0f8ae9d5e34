package verify

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tictactoe/bot/sandbox/shape"
)

// The keys of each act's interaction, as the local Discord sends them: a test writes them.
//
//go:embed shapes.json
var shapesJSON []byte

func knownShapes() map[string]shape.Shape {
	var known map[string]shape.Shape
	_ = json.Unmarshal(shapesJSON, &known) // a test reads it
	return known
}

// asLocally expects the interaction's keys to be those of the local Discord's, whether or not
// whoever sent it has the app on their account.
func asLocally(of ...evidence) (string, bool) {
	got := shape.Of(of[0].raw)
	maps.DeleteFunc(got, func(path, _ string) bool { return strings.HasSuffix(path, "authorizing_integration_owners.1") })
	missing, more, others := shape.Compare(knownShapes()[of[0].name], got)
	text := whole(missing, "without") + whole(more, "also") + whole(others, "of another kind")
	if text == "" {
		return "the same keys", true
	}
	return strings.TrimSuffix(text, "; "), false
}

// whole joins what names an interaction's parts that are not there.
func whole(list []string, what string) string {
	if len(list) == 0 {
		return ""
	}
	const most = 8
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("%d more", more))
	}
	return what + " " + strings.Join(list, ", ") + "; "
}
