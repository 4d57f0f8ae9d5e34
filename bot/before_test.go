package bot

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
)

// TestButtonsOfRecordedMessages checks that every button is understood which stands on
// messages that the version with plies in the IDs of cells has sent: they outlive it.
func TestButtonsOfRecordedMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/messages-before/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded messages: %v", err)
	}
	routes, err := newRoutes(idle())
	if err != nil {
		t.Fatal(err)
	}
	pressed := map[customid.Action]int{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`"custom_id": "([^"]*)"`).FindAllSubmatch(raw, -1) {
			id, err := customid.Parse(string(found[1]))
			if err != nil || id.String() != string(found[1]) {
				t.Errorf("%s: %q is read as %+v, %v", file, found[1], id, err)
			}
			if _, ok := routes[kit.Button(id.Action)]; !ok {
				t.Errorf("%s: nothing handles %q", file, found[1])
			}
			pressed[id.Action]++
		}
	}
	for _, a := range []customid.Action{customid.CellAtPly, customid.CellNames, customid.Resign, customid.Rematch, customid.Accept} {
		if pressed[a] == 0 {
			t.Errorf("no recorded message has a button %q", a)
		}
	}
}
