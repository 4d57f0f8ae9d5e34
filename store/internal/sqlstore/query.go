package sqlstore

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Query is a statement that a database runs, and prepares when it first does so. All of
// them are made when the program starts, so that their number is bounded.
type Query struct {
	// SQLite is the text for SQLite, where arguments are written ?1, ?2 and so on. It is
	// empty for what SQLite has no need of.
	SQLite string
	// Reads says that it stores nothing.
	Reads bool
	// Whole says that it costs more where more is stored.
	Whole bool
	// Batch says that it goes through as many rows as an erasure deals with at once.
	Batch bool

	// postgres returns what PostgreSQL runs, and the arguments of which that makes use, in its
	// order.
	postgres func() (text string, used []int)
}

// Queries are all that there are.
var Queries []*Query

// query returns the query with the text.
func query(text string) *Query { return queries(text, text) }

// queries is query with another text for PostgreSQL. Where a text is empty the database does
// nothing.
func queries(sqlite, postgres string) *Query {
	q := &Query{
		SQLite: sqlite, Reads: strings.HasPrefix(sqlite+postgres, "SELECT "),
		postgres: sync.OnceValues(func() (string, []int) { return numbered(postgres) }),
	}
	Queries = append(Queries, q)
	return q
}

// ForSQLite is query for what only SQLite does.
func ForSQLite(text string) *Query { return queries(text, "") }

// merged returns the query for the first rows of two others, which have indexes in that order.
// SQLite merges the two as far as the limit; for PostgreSQL each gives as many as may be wanted.
func merged(first, one, other string) *Query {
	firstOf := func(text, name string) string { return "SELECT * FROM (" + text + first + ") AS " + name }
	return queries(one+" UNION ALL "+other+first, firstOf(one, "one")+" UNION ALL "+firstOf(other, "other")+first)
}

// batch is query for a part of an erasure.
func batch(text string) *Query {
	q := query(text)
	q.Batch = true
	return q
}

// whole says of the query that it costs more where more is stored.
func whole(q *Query) *Query {
	q.Whole = true
	return q
}

var argument = regexp.MustCompile(`\?[0-9]+`)

// Postgres returns the text for PostgreSQL, empty for what it has no need of, and the
// arguments that go with it. PostgreSQL wants to know the type of every argument, and so none
// of which the text makes no use.
func (q *Query) Postgres(args []any) (text string, used []any) {
	text, numbers := q.postgres()
	used = make([]any, len(numbers))
	for i, n := range numbers {
		used[i] = args[n]
	}
	return text, used
}

// numbered returns the text, which is written as for SQLite, as PostgreSQL takes it: with
// arguments that are numbered by where it has them first. used are their numbers in SQLite,
// from 0.
func numbered(text string) (_ string, used []int) {
	text = strings.ReplaceAll(text, " AS BLOB)", " AS bytea)")
	text = argument.ReplaceAllStringFunc(text, func(arg string) string {
		n, err := strconv.Atoi(arg[1:])
		if err != nil {
			panic(err) // the pattern lets digits through
		}
		at := slices.Index(used, n-1)
		if at < 0 {
			at = len(used)
			used = append(used, n-1)
		}
		return "$" + strconv.Itoa(at+1)
	})
	return text, used
}
