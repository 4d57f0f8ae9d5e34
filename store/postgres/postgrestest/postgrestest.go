// Package postgrestest gives tests databases of their own on the PostgreSQL server that
// the environment names. Tests that need one skip without it, and say so.
package postgrestest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres"
)

// Variable is the environment variable with the address of a database in which tests may
// make schemas, and beside which they may make databases.
const Variable = "TEST_POSTGRES_URL"

// URL returns the address of an empty schema, which is dropped when the test is over. It
// is what most tests need, and quickly made. Commits are not flushed: the server does not
// go down in these tests, and flushes are most of what they would wait for.
func URL(t testing.TB) string {
	t.Helper()
	name := newName()
	unflushed := With(t, Server(t), "synchronous_commit", "off")
	Exec(t, unflushed, "CREATE SCHEMA "+name)
	t.Cleanup(func() { Exec(t, unflushed, "DROP SCHEMA "+name+" CASCADE") })
	return With(t, unflushed, "search_path", name)
}

// Empty returns the address of a database as [postgres.Open] would leave it, with all
// tables and no records, which is dropped when the test is over, with whoever is connected to
// it, and whose commits are not flushed. The tables are made once in a process and copied: each making takes the
// server ten times as long. It may be called concurrently, in packages whose tests are
// run by [Run].
func Empty(t testing.TB) string {
	t.Helper()
	server := Server(t)
	once.Do(func() {
		template = newName()
		Exec(t, server, "CREATE DATABASE "+template)
		s, err := postgres.Open(t.Context(), in(t, template))
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	name := newName()
	Exec(t, server, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY FILE_COPY")
	t.Cleanup(func() { Exec(t, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return With(t, in(t, name), "synchronous_commit", "off")
}

var (
	once     sync.Once
	template string // what [Empty] copies, once it was called
)

// Run runs the tests of a package, drops what [Empty] has copied, and returns the exit code.
func Run(m *testing.M) int {
	code := m.Run()
	if template == "" {
		return code
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, os.Getenv(Variable))
	if err == nil {
		_, err = conn.Exec(ctx, "DROP DATABASE IF EXISTS "+template+" WITH (FORCE)")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// in returns the address of a database on the server.
func in(t testing.TB, database string) string {
	t.Helper()
	u := parse(t, Server(t))
	u.Path = "/" + database
	return u.String()
}

// Server returns the address in the environment. Without one it skips the test.
func Server(t testing.TB) string {
	t.Helper()
	address := os.Getenv(Variable)
	if address == "" {
		t.Skipf("%s is not set: it names a PostgreSQL database for tests, such as postgres://root@localhost/test", Variable)
	}
	return address
}

func newName() string { return fmt.Sprintf("tictactoe_test_%016x", rand.Uint64()) } //nolint:gosec // told apart from others, not kept from them

// With returns the address with a parameter.
func With(t testing.TB, address, name, value string) string {
	t.Helper()
	u := parse(t, address)
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func parse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("%s is no address", Variable)
	}
	return u
}

// Exec runs a statement.
func Exec(t testing.TB, address, text string, args ...any) {
	t.Helper()
	Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, text, args...)
		return err
	})
}

// Scan runs a query that has one row.
func Scan(t testing.TB, address, text string, into ...any) {
	t.Helper()
	Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, text).Scan(into...)
	})
}

// Conn calls the function with a connection of its own.
func Conn(t testing.TB, address string, f func(context.Context, *pgx.Conn) error) {
	t.Helper()
	ctx := context.Background() // cleanups come here when the test's own has ended
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx) //nolint:errcheck // a test
	if err := f(ctx, conn); err != nil {
		t.Fatal(err)
	}
}
