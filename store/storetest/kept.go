package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/store"
)

// kept returns the rows of a part, read so many at a time.
func (f *fixture) kept(t *testing.T, user store.UserID, part, limit int) (all [][]any) {
	t.Helper()
	var after []any
	for {
		rows, err := f.Kept(t.Context(), user, part, after, limit)
		if err != nil {
			t.Fatalf("Kept(%s): %v", store.KeptParts[part].Table, err)
		}
		if len(rows) > limit {
			t.Fatalf("Kept(%s) has %d rows, want %d at most", store.KeptParts[part].Table, len(rows), limit)
		}
		all = append(all, rows...)
		if len(rows) < limit {
			return all
		}
		after = store.KeptParts[part].After(rows[len(rows)-1])
	}
}

// written returns the rows of a section as lines of names and values.
func (f *fixture) written(t *testing.T, user store.UserID, section string, limit int) (lines []string) {
	t.Helper()
	for part, k := range store.KeptParts {
		if k.Section != section {
			continue
		}
		for _, row := range f.kept(t, user, part, limit) {
			var line []string
			for i, field := range k.Fields {
				switch v := row[i].(type) {
				case nil, int64, string, []byte:
				case bool:
				default:
					t.Errorf("%s.%s is a %T", k.Table, field.Column, v)
				}
				line = append(line, fmt.Sprintf("%s=%v", field.Name, row[i]))
			}
			lines = append(lines, strings.Join(line, " "))
		}
	}
	return lines
}

var keptCases = []testCase{
	{
		"Kept", "all that names a person is read, whole and in parts of any size, and nothing of others",
		func(t *testing.T, f *fixture) {
			if _, err := f.Kept(t.Context(), gone.User, 0, nil, 1); errors.Is(err, errors.ErrUnsupported) {
				return // the model, which keeps no columns
			}
			f.live(t, gone)
			counts := map[string]int{}
			for _, k := range store.KeptParts {
				whole := f.written(t, gone.User, k.Section, 1000)
				counts[k.Section] = len(whole)
				for _, limit := range []int{1, 2, 3} {
					if diff := cmp.Diff(whole, f.written(t, gone.User, k.Section, limit)); diff != "" {
						t.Errorf("%s, %d at a time: -whole +in parts\n%s", k.Section, limit, diff)
					}
				}
				if slices.ContainsFunc(k.Fields, func(field store.KeptField) bool { return field.Column == "from_user" }) && len(whole) != 2 {
					t.Errorf("blocks: %q", whole)
				}
			}
			// As live has it: 12 games and one of direct messages, of which 12 have points or say why not.
			want := map[string]int{
				"settings": 1, "blocks": 2, "games": 13, "stopped": 1, "results": 13, "challenges": 3, "puzzles": 2, "puzzle_streak": 1, "puzzle_servers": 1,
				"left": 1, "begun_anew": 1, "streaks": 1, "honours": 2, "opponents": 2, "records": 2, "standings": 4,
			}
			if diff := cmp.Diff(want, counts); diff != "" {
				t.Errorf("rows by section: -want +got\n%s", diff)
			}
			for _, k := range store.KeptParts {
				for _, user := range []store.UserID{"", "404"} {
					if got := f.written(t, user, k.Section, 5); len(got) > 0 {
						t.Errorf("%s of %q: %q", k.Section, user, got)
					}
				}
				for _, line := range f.written(t, ada.User, k.Section, 100) {
					if k.Section != "games" && k.Section != "results" && k.Section != "opponents" && k.Section != "challenges" && k.Section != "blocks" && strings.Contains(line, string(gone.User)) {
						t.Errorf("%s of another person: %s", k.Section, line)
					}
				}
			}
			last, err := f.LastResults(t.Context(), gone.User, 100)
			if len(last) == 0 || err != nil {
				t.Fatal(err)
			}
			if lines := f.written(t, gone.User, "results", 5); !slices.ContainsFunc(lines, func(line string) bool {
				return strings.HasPrefix(line, fmt.Sprintf("game=%d server=%s epoch=%d ended=%d", last[0].Match, last[0].Guild, last[0].Epoch, last[0].Ended.UnixMilli()))
			}) {
				t.Errorf("no result of match %d in %q", last[0].Match, lines)
			}
			f.eraseAll(t, erasureOf(gone.User, ghost.User), 50, func() {})
			for _, k := range store.KeptParts {
				if got := f.written(t, gone.User, k.Section, 5); len(got) > 0 {
					t.Errorf("%s of somebody who was erased: %q", k.Section, got)
				}
			}
		},
	},
}
