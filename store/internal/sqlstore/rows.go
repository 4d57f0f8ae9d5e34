package sqlstore

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
)

// Rows describes a table whose rows are carried from one database to another as they
// are.
type Rows struct {
	Name    string
	Key     string // the columns by which they are in order
	Columns []string

	kinds []any // a value of each column, if the rows are records
}

// Source gives the rows of a database, in the order of their keys and in their normal form. It
// may be asked for a table more than once. A row is valid until the next; an error is the last.
type Source interface {
	// Total returns how many rows there are in all.
	Total() (int, error)
	Each(t Rows) iter.Seq2[[]any, error]
}

// Tables are those with what a database keeps. What is inserted, read, erased and copied is made
// of these lists.
var Tables = []Rows{
	matches.Rows, challenges.Rows, guilds.Rows, people.Rows,
	tries.Rows, puzzlers.Rows, posts.Rows, lobbies.Rows, crowns.Rows,
	{Name: "seats", Key: "channel, user_id", Columns: []string{"channel", "user_id", "guild", "match"}},
	{Name: "claims", Key: "interaction", Columns: []string{"interaction", "claimed"}},
	{Name: "results", Key: "seq", Columns: append([]string{"seq", "day", "month"}, results.Columns...)},
	{Name: "epochs", Key: "guild, number", Columns: []string{"guild", "number", "since", "by_user"}},
	{Name: "puzzle_standings", Key: "guild, user_id", Columns: []string{"guild", "user_id", "day", "last", "excused", "streak", "tries"}},
	sums[0].rows(), sums[1].rows(), sums[2].rows(), sums[3].rows(), sums[4].rows(),
	{Name: "absences", Key: "guild, user_id", Columns: []string{"guild", "user_id"}},
	{Name: "blocks", Key: "user_id, from_user, guild", Columns: []string{"user_id", "from_user", "guild", "since"}},
	{Name: "erasures", Key: "pseudonym", Columns: []string{"pseudonym", "user_id", "stage", "begun"}},
	{Name: "former", Key: "hash, pseudonym", Columns: []string{"hash", "pseudonym", "day"}},
	{Name: "presences", Key: "application, guild", Columns: []string{"application", "guild", "seen", "missed", "gone"}},
	{Name: "secrets", Key: "name", Columns: []string{"name", "value"}},
	{Name: "ledger", Key: "single", Columns: []string{"single", "past"}},
	{Name: "uptime", Key: "domain", Columns: []string{"domain", "elapsed"}},
}

// tableOf returns the table of that name.
func tableOf(name string) Rows {
	return Tables[slices.IndexFunc(Tables, func(r Rows) bool { return r.Name == name })]
}

// insert returns the text that inserts a row.
func (r Rows) insert() string {
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", r.Name, strings.Join(r.Columns, ", "), arguments(1, len(r.Columns)))
}

// insertOnce returns the text that inserts a row, unless it is there.
func (r Rows) insertOnce() string { return r.insert() + " ON CONFLICT DO NOTHING" }

func (s sum) rows() Rows {
	return Rows{Name: s.Name, Key: strings.Join(s.keys, ", "), Columns: slices.Concat(s.keys, s.values)}
}

// Normal brings the values of a row, as a driver returns them, into a form that is the
// same for all databases.
func (r Rows) Normal(row []any) {
	for i, kind := range r.kinds {
		switch kind.(type) {
		case truth:
			if n, ok := row[i].(int64); ok { // SQLite has no truth values
				row[i] = n != 0
			}
		case moves:
			if b, _ := row[i].([]byte); b == nil { // SQLite has no empty blob that is not nil
				row[i] = []byte{}
			}
		}
	}
}

// Compare returns how two rows in their normal form differ, or nil.
func (r Rows) Compare(a, b []any) error {
	for i, name := range r.Columns {
		if !reflect.DeepEqual(a[i], b[i]) {
			return fmt.Errorf("%s of %v: %v is not %v", name, a[0], b[i], a[i])
		}
	}
	return nil
}
