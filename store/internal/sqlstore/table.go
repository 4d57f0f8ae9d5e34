// Package sqlstore says what the rows of the database's tables are: which column holds
// which value of a record, and what a change may do with it. The columns of a table are
// listed once, for every backend that speaks SQL; the statements that store and read
// whole records are made of those lists.
//
// It runs no statement and knows no driver.
package sqlstore

import (
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
type column[T any] struct {
	name string
	rule rule
	// value returns where the value is in the record, as something that the driver
	// can both read as an argument and scan into.
	value func(*T) any
}

// Dialect is how a database writes what databases write differently.
type Dialect struct {
	Argument string // the sign before an argument's number
	Bytes    string // the type of byte strings
}

// The dialects.
var (
	SQLite   = Dialect{Argument: "?", Bytes: "BLOB"}
	Postgres = Dialect{Argument: "$", Bytes: "bytea"}
)

// arg returns the n-th argument of a statement.
func (d Dialect) arg(n int) string { return fmt.Sprintf("%s%d", d.Argument, n) }

// Text returns the text of a statement in which arguments are written ?1, ?2 and so on.
func (d Dialect) Text(text string) string { return strings.ReplaceAll(text, "?", d.Argument) }

// Table is a table whose rows are records.
type Table[T any] struct {
	Name    string
	columns []column[T]
	read    []column[T] // those that are not derived
}

func newTable[T any](name string, columns ...column[T]) Table[T] {
	t := Table[T]{Name: name, columns: columns}
	for _, c := range columns {
		if c.rule != derived {
			t.read = append(t.read, c)
		}
	}
	return t
}

// Key returns the names of the columns that name a record.
func (t Table[T]) Key() string {
	var names []string
	for _, c := range t.columns {
		if c.rule == key {
			names = append(names, c.name)
		}
	}
	return strings.Join(names, ", ")
}

// Args returns the arguments of insert and update.
func (t Table[T]) Args(record *T) []any {
	args := make([]any, len(t.columns))
	for i, c := range t.columns {
		args[i] = c.value(record)
	}
	return args
}

// Scan reads a row that was selected.
func (t Table[T]) Scan(r Row) (T, error) {
	var record T
	into := make([]any, len(t.read))
	for i, c := range t.read {
		into[i] = c.value(&record)
	}
	return record, r.Scan(into...)
}

// SelectWhere returns the text that reads records.
func (t Table[T]) SelectWhere(where string) string {
	names := make([]string, len(t.read))
	for i, c := range t.read {
		names[i] = c.name
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM " + t.Name + " WHERE " + where
}

// Insert returns the text that creates a record.
func (t Table[T]) Insert(d Dialect) string {
	names, values := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i], values[i] = c.name, d.arg(i+1)
		if c.rule == version {
			values[i] = "1"
		}
	}
	return "INSERT INTO " + t.Name + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

// Update returns the text that stores a record over its version, if the rules of
// all columns allow it.
func (t Table[T]) Update(d Dialect) string {
	var set, where, settled, judged []string
	for i, c := range t.columns {
		is := c.name + " = " + d.arg(i+1)
		switch c.rule {
		case changes:
			set = append(set, is)
		case same, key:
			where = append(where, is)
		case grows:
			where = append(where, d.onlyGrows(c.name, i+1))
			set, settled = append(set, is), append(settled, is)
		case result:
			set, settled = append(set, is), append(settled, is)
		case once:
			set, judged = append(set, is), append(judged, is)
		case version:
			set, where = append(set, c.name+" = "+c.name+" + 1"), append(where, is)
		case derived:
			set = append(set, is)
		case stays:
		}
	}
	if len(settled) > 0 {
		where = append(where, "("+ActiveMatch+" OR "+strings.Join(settled, " AND ")+")")
	}
	if len(judged) > 0 {
		where = append(where, "("+NotJudged+" OR "+strings.Join(judged, " AND ")+")")
	}
	return "UPDATE " + t.Name + " SET " + strings.Join(set, ", ") + " WHERE " + strings.Join(where, " AND ")
}

// UpdateOnly returns the text that stores only the named columns of a record over its
// version, if the condition holds for what is stored and the others are what they are
// already. SQLite writes every index anew that has one of the columns which an update
// names, whether or not its value is another one: naming few writes few pages.
func (t Table[T]) UpdateOnly(d Dialect, condition string, names ...string) string {
	var set []string
	where := []string{condition}
	for i, c := range t.columns {
		is := c.name + " = " + d.arg(i+1)
		switch {
		case c.rule == version:
			set, where = append(set, c.name+" = "+c.name+" + 1"), append(where, is)
		case c.rule == stays:
		case !slices.Contains(names, c.name):
			where = append(where, is)
		default:
			if c.rule == grows {
				where = append(where, d.onlyGrows(c.name, i+1))
			}
			set = append(set, is)
		}
	}
	return "UPDATE " + t.Name + " SET " + strings.Join(set, ", ") + " WHERE " + strings.Join(where, " AND ")
}

// onlyGrows returns the condition that the argument adds to the column or leaves it.
func (d Dialect) onlyGrows(name string, arg int) string {
	// substr makes nothing of nothing in SQLite
	return fmt.Sprintf("(length(%[1]s) = 0 OR substr(CAST(%[2]s AS %[3]s), 1, length(%[1]s)) = %[1]s)", name, d.arg(arg), d.Bytes)
}
