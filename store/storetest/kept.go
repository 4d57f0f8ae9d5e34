package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tictactoe/store"
)

// written returns the rows of a table, read so many at a time, as lines of names and values.
func (f *fixture) written(t tester, user store.UserID, of string, limit int) (lines []string) {
	for part, k := range store.KeptParts {
		if k.Table != of {
			continue
		}
		read := func(after []any) [][]any { return sure(f.Kept(t.Context(), user, part, after, limit)) }
		var rows [][]any
		for page := read(nil); len(page) > 0; page = read(k.After(page[len(page)-1])) {
			rows = append(rows, page...)
		}
		for _, row := range rows {
			var line []string
			for i, column := range k.Columns {
				switch v := row[i].(type) {
				case nil, int64, string, []byte, bool:
				default:
					fail(t, "%s.%s is a %T", k.Table, column, v)
				}
				line = append(line, fmt.Sprintf("%s=%v", column, row[i]))
			}
			lines = append(lines, strings.Join(line, " "))
		}
	}
	return lines
}

var keptCases = []testCase{
	{"Kept", "all that names a person is read, whole and in parts of any size, and nothing of others", func(t *testing.T, f *fixture) {
		if _, err := f.Kept(t.Context(), gone.User, 0, nil, 1); errors.Is(err, errors.ErrUnsupported) {
			return // the model, which keeps no columns
		}
		f.live(t, gone)
		counts := map[string]int{}
		for _, k := range store.KeptParts {
			whole := f.written(t, gone.User, k.Table, 1000)
			counts[k.Table] = len(whole)
			for _, limit := range []int{1, 2, 3} {
				wantEqual(t, fmt.Sprintf("%s, %d at a time", k.Table, limit), whole)(f.written(t, gone.User, k.Table, limit), nil)
			}
		}
		// As live has it: 12 games and one of direct messages, of which 12 have points or say why not.
		want := map[string]int{
			"people": 1, "blocks": 2, "matches": 14, "results": 13, "challenges": 3, "puzzle_tries": 2, "puzzlers": 1, "puzzle_standings": 1,
			"absences": 1, "epochs": 1, "streaks": 1, "honours": 2, "pairs": 2, "records": 2, "standings": 4, "crowns": 1,
		}
		wantEqual(t, "rows by table", want)(counts, nil)
		for _, k := range store.KeptParts {
			for _, user := range []store.UserID{"", "404"} {
				wantEqual(t, fmt.Sprintf("%s of %q", k.Table, user), []string(nil))(f.written(t, user, k.Table, 5), nil)
			}
			for _, line := range f.written(t, ada.User, k.Table, 100) {
				if k.Table != "matches" && k.Table != "results" && k.Table != "pairs" && k.Table != "challenges" && k.Table != "blocks" && strings.Contains(line, string(gone.User)) {
					t.Errorf("%s of another person: %s", k.Table, line)
				}
			}
		}
		last := sure(f.LastResults(t.Context(), gone.User, 1))[0]
		row := fmt.Sprintf("match=%d guild=%s epoch=%d ended=%d", last.Match, last.Guild, last.Epoch, last.Ended.UnixMilli())
		if lines := f.written(t, gone.User, "results", 5); !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, row) }) {
			t.Errorf("no result of match %d in %q", last.Match, lines)
		}
		f.eraseAll(t, erasureOf(gone.User, ghost.User), 50)
		for _, k := range store.KeptParts {
			wantEqual(t, k.Table+" of somebody who was erased", []string(nil))(f.written(t, gone.User, k.Table, 5), nil)
		}
	}},
}
