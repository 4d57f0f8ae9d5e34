package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"tictactoe/engine"
)

// TestReadmeShowsWhatIsPlayed looks up in the README what the arena says of the opponents,
// so that a change of theirs does not leave old figures there: all that is exact, and the
// strength of the levels on every other board except the slowest, which the default seed
// decides.
func TestReadmeShowsWhatIsPlayed(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	s := playExact(t)
	var points, misses strings.Builder
	standardPoints(&points, s)
	missed(&misses, s.Played, percent)
	_, table, _ := strings.Cut(points.String(), "\n\n") // below the heading
	for what, want := range map[string]string{"points": table, "misses": misses.String()} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README does not show the %s on 3x3 as they are:\n%s", what, want)
		}
	}
	wantRows(t, readme, Report{Standard: s})
	byDefault, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	boards := slices.DeleteFunc(largerBoards(), func(r engine.Rules) bool { return r == slowest })
	forBoards(t, boards, func(t *testing.T, r engine.Rules) {
		played := tournament(t, r, byDefault.Games, byDefault.Seed)
		wantRows(t, readme, Report{Standard: s, Sampled: []Sampled{played}})
	})
}

// wantRows checks that the README has the rows of the table of strengths.
func wantRows(t *testing.T, readme string, report Report) {
	t.Helper()
	var b strings.Builder
	strength(&b, report)
	rows := strings.Split(strings.TrimSpace(b.String()), "\n")
	for _, row := range rows[3:] { // below the heading
		if !strings.Contains(readme, row+"\n") {
			t.Errorf("the README does not have the row\n%s", row)
		}
	}
}
