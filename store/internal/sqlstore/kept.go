package sqlstore

import (
	"fmt"
	"strings"

	"tictactoe/store"
)

// KeptFirst returns the text that reads the first rows of a part of what is kept about a
// person: its arguments are the person and how many.
func KeptFirst(k store.Kept) string { return kept(k, "") }

// KeptNext returns the text for those behind a place, whose parts are further arguments.
func KeptNext(k store.Kept) string {
	places := make([]string, len(k.Key))
	for i := range places {
		places[i] = fmt.Sprintf("?%d", i+3)
	}
	return kept(k, fmt.Sprintf(" AND (%s) > (%s)", strings.Join(k.Key, ", "), strings.Join(places, ", ")))
}

func kept(k store.Kept, behind string) string {
	return fmt.Sprintf("SELECT %[1]s FROM %[2]s WHERE %[3]s = ?1 AND %[3]s <> ''%[4]s ORDER BY %[5]s LIMIT ?2",
		strings.Join(k.Columns, ", "), k.Table, k.Person, behind, strings.Join(k.Key, ", "))
}

// KeptRow reads a row of a part.
func KeptRow(k store.Kept, r Row) (row []any, err error) {
	row = make([]any, len(k.Columns))
	into := make([]any, len(row))
	for i := range row {
		into[i] = &row[i]
	}
	return row, r.Scan(into...)
}
