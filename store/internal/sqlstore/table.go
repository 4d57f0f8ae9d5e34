package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
)

// Row is what can be scanned: a row, or rows at one of them.
type Row interface{ Scan(dest ...any) error }

// rule says what an update does with a column.
type rule uint8

const (
	changes rule = iota // is set by every update
	stays               // is set when the record is created and left alone by updates
	same                // must be what it is
	grows               // the moves: may only be added to, and not after the end
	result              // must be what it is after the end
	once                // the verdict: must be what it is once it is known
	key                 // names the record
	version             // is 1 at first and counted by updates
)

// columns is called for each column of a record. The value is where it is in the record, as
// something that the driver can both read as an argument and scan into. What is made of other
// values is scanned into something that nobody looks at.
type columns func(name string, rule rule, value value)

type value interface {
	driver.Valuer
	sql.Scanner
}

// arguments returns so many arguments of a statement, from the first on.
func arguments(first, count int) string {
	all := make([]string, count)
	for i := range all {
		all[i] = arg(first + i)
	}
	return strings.Join(all, ", ")
}

// arg returns the n-th argument of a statement.
func arg(n int) string { return fmt.Sprintf("?%d", n) }

// table is a table whose rows are records.
type table[T any] struct {
	Rows
	of      func(*T, columns)
	rules   []rule // of the columns
	keys    int    // how many of the first columns name a record
	version int    // which of them is its version, if it has one
}

func newTable[T any](name string, of func(*T, columns)) table[T] {
	t := table[T]{Rows: Rows{Name: name}, of: of}
	of(new(T), func(name string, r rule, v value) {
		switch r {
		case key:
			t.keys++
		case version:
			t.version = len(t.rules)
		}
		t.Columns, t.rules, t.kinds = append(t.Columns, name), append(t.rules, r), append(t.kinds, v)
	})
	t.Key = strings.Join(t.Columns[:t.keys], ", ")
	return t
}

// values returns the arguments of insert and update.
func (t table[T]) values(record *T) []any {
	values := make([]any, 0, len(t.rules))
	t.of(record, func(_ string, _ rule, v value) {
		arg, err := v.Value()
		if err != nil {
			panic(err) // no value of a record returns one
		}
		values = append(values, arg)
	})
	return values
}

// scan reads a row that was selected.
func (t table[T]) scan(r Row) (record T, err error) {
	into := make([]any, 0, len(t.rules))
	t.of(&record, func(_ string, _ rule, v value) { into = append(into, v) })
	err = r.Scan(into...)
	return record, err
}

// selectWhere returns the text that reads records.
func (t table[T]) selectWhere(where string) string {
	return "SELECT " + strings.Join(t.Columns, ", ") + " FROM " + t.Name + " WHERE " + where
}

// update returns the text that stores a record over its version, if the rules of
// all columns allow it.
func (t table[T]) update() string {
	var set, where, settled, judged []string
	for i, name := range t.Columns {
		is := name + " = " + arg(i+1)
		switch t.rules[i] {
		case changes:
			set = append(set, is)
		case same, key:
			where = append(where, is)
		case grows:
			where = append(where, onlyGrows(name, i+1))
			set, settled = append(set, is), append(settled, is)
		case result:
			set, settled = append(set, is), append(settled, is)
		case once:
			set, judged = append(set, is), append(judged, is)
		case version:
			set, where = append(set, name+" = "+name+" + 1"), append(where, is)
		case stays:
		}
	}
	if len(settled) > 0 {
		where = append(where, "("+activeMatch+" OR "+strings.Join(settled, " AND ")+")")
	}
	if len(judged) > 0 {
		where = append(where, "("+notJudged+" OR "+strings.Join(judged, " AND ")+")")
	}
	return "UPDATE " + t.Name + " SET " + strings.Join(set, ", ") + " WHERE " + strings.Join(where, " AND ")
}

// only returns the table with the rule that all but the named columns must be what they are. SQLite
// writes every index anew that has one of the columns which an update names, whether or not its
// value is another one: naming few writes few pages.
func (t table[T]) only(names ...string) table[T] {
	t.rules = slices.Clone(t.rules)
	for i, r := range t.rules {
		if r != stays && r != version && !slices.Contains(names, t.Columns[i]) {
			t.rules[i] = same
		}
	}
	return t
}

// onlyGrows returns the condition that the argument adds to the column or leaves it.
func onlyGrows(name string, n int) string {
	// substr makes nothing of nothing in SQLite
	return fmt.Sprintf("(length(%[1]s) = 0 OR substr(CAST(%[2]s AS BLOB), 1, length(%[1]s)) = %[1]s)", name, arg(n))
}
