package sqlstore

import (
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
	derived             // is made of other values and never read
)

// column is one value of a record.
type column struct {
	name string
	rule rule
	// value is where the value is in the record, as something that the driver can both read as
	// an argument and scan into.
	value any
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
	of      func(*T) []column
	columns []column // of a record that is empty
	keys    int      // how many of the first name a record
	version int      // which of them is its version, if it has one
}

func newTable[T any](name string, of func(*T) []column) table[T] {
	t := table[T]{Rows: Rows{Name: name}, of: of, columns: of(new(T))}
	for i, c := range t.columns {
		t.Columns, t.kinds = append(t.Columns, c.name), append(t.kinds, c.value)
		switch c.rule {
		case key:
			t.keys++
		case version:
			t.version = i
		}
	}
	t.Key = strings.Join(t.Columns[:t.keys], ", ")
	return t
}

// byKey returns the condition on the record that the first arguments name.
func (t table[T]) byKey() string { return "(" + t.Key + ") = (" + arguments(1, t.keys) + ")" }

// values returns the arguments of insert and update.
func (t table[T]) values(record *T) []any {
	values := make([]any, len(t.columns))
	for i, c := range t.of(record) {
		v, err := c.value.(driver.Valuer).Value()
		if err != nil {
			panic(err) // no value of a record returns one
		}
		values[i] = v
	}
	return values
}

// scan reads a row that was selected.
func (t table[T]) scan(r Row) (record T, err error) {
	into := make([]any, 0, len(t.columns))
	for _, c := range t.of(&record) {
		if c.rule != derived {
			into = append(into, c.value)
		}
	}
	err = r.Scan(into...)
	return record, err
}

// selectWhere returns the text that reads records.
func (t table[T]) selectWhere(where string) string {
	var names []string
	for _, c := range t.columns {
		if c.rule != derived {
			names = append(names, c.name)
		}
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM " + t.Name + " WHERE " + where
}

// update returns the text that stores a record over its version, if the rules of
// all columns allow it.
func (t table[T]) update() string {
	var set, where, settled, judged []string
	for i, c := range t.columns {
		is := c.name + " = " + arg(i+1)
		switch c.rule {
		case changes, derived:
			set = append(set, is)
		case same, key:
			where = append(where, is)
		case grows:
			where = append(where, onlyGrows(c.name, i+1))
			set, settled = append(set, is), append(settled, is)
		case result:
			set, settled = append(set, is), append(settled, is)
		case once:
			set, judged = append(set, is), append(judged, is)
		case version:
			set, where = append(set, c.name+" = "+c.name+" + 1"), append(where, is)
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
	t.columns = slices.Clone(t.columns)
	for i, c := range t.columns {
		if c.rule != stays && c.rule != version && !slices.Contains(names, c.name) {
			t.columns[i].rule = same
		}
	}
	return t
}

// onlyGrows returns the condition that the argument adds to the column or leaves it.
func onlyGrows(name string, n int) string {
	// substr makes nothing of nothing in SQLite
	return fmt.Sprintf("(length(%[1]s) = 0 OR substr(CAST(%[2]s AS BLOB), 1, length(%[1]s)) = %[1]s)", name, arg(n))
}
