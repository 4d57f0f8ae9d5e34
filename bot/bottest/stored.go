package bottest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// Active returns the match that the channel has.
func (w *World) Active(t testing.TB) (store.Match, bool) {
	t.Helper()
	active, err := w.Store.ActiveMatches(context.Background(), store.ChannelID(w.Channel.ID()))
	if err != nil {
		t.Fatal(err)
	}
	if len(active) == 0 {
		return store.Match{}, false
	}
	return active[0], true
}

// Match returns the match that the channel must have.
func (w *World) Match(t testing.TB) store.Match {
	t.Helper()
	m, ok := w.Active(t)
	if !ok {
		t.Fatalf("there is no match in %s", w.Channel.Name())
	}
	return m
}

// Weighed waits until what the match gave, whose result the message shows, is stored. That
// happens behind the last answer, and the message is drawn again then.
func (w *World) Weighed(t testing.TB, m *sandbox.Message) {
	t.Helper()
	id, err := customid.Parse(CustomID(t, m, "Rematch"))
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the result to be weighed", func() bool {
		over, err := w.Store.Match(t.Context(), id.Match)
		return err == nil && (over.Gain != store.Gain{} || !match.MayGain(over))
	})
}

// NoMatch waits until the channel has no match.
func (w *World) NoMatch(t testing.TB) {
	t.Helper()
	waittest.Until(t, "the match in "+w.Channel.Name()+" to end", func() bool { _, ok := w.Active(t); return !ok })
}

// Free waits until the channel has no match, and then has Cleo start one.
func (w *World) Free(t testing.TB) {
	t.Helper()
	w.NoMatch(t)
	w.Cell(t, w.Cleo, w.Play(t, w.Cleo), "a1")
}

// Private returns the private matches of a person in the channel.
func (w *World) Private(t testing.TB, who *sandbox.User) []store.Match {
	t.Helper()
	list, err := w.Store.PrivateMatches(t.Context(), store.ChannelID(w.Channel.ID()), store.UserID(who.ID()), 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Stored counts the matches and challenges in the database, those that are over
// included.
func (w *World) Stored(t testing.TB) (matches, challenges int) {
	t.Helper()
	tx, release := begin(t, w.Path+"?mode=ro")
	defer release()
	const query = "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM challenges)"
	if err := tx.QueryRowContext(t.Context(), query).Scan(&matches, &challenges); err != nil {
		t.Fatal(err)
	}
	return matches, challenges
}

// Position returns the stored position of the channel's match.
func (w *World) Position(t testing.TB) string {
	t.Helper()
	return PositionOf(t, w.Match(t))
}

// PositionOf returns the position of a match, and fails the test when its moves are no
// legal sequence.
func PositionOf(t testing.TB, m store.Match) string {
	t.Helper()
	g, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		t.Fatalf("the stored match is no legal sequence of moves: %v: %v", m.Moves, err)
	}
	return g.String()
}

// Committed opens the database as another process would, which sees what is committed.
func (w *World) Committed(t testing.TB) *sqlite.Store {
	t.Helper()
	db, err := sqlite.Open(context.Background(), w.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Tamper changes the database while the bot does not run.
func (w *World) Tamper(t testing.TB, f func(*sqlite.Store) error) {
	t.Helper()
	db := w.Committed(t)
	if err := errors.Join(f(db), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// Crash leaves the bot as a killed process does: nothing of what it would do at the
// end reaches the file that the next one opens.
//
// Somebody reads meanwhile, which keeps SQLite from moving the log into the database and
// beginning it anew (https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files): a
// copy of the file and then of its log is what a process leaves that is lost in between. Where
// the log was moved completely just before, the file itself changes no more.
func (w *World) Crash(t testing.TB) {
	t.Helper()
	left := map[string][]byte{}
	tx, release := begin(t, w.Path+"?mode=ro")
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_schema").Scan(&n); err != nil { // which begins to read
		t.Fatal(err)
	}
	for _, part := range []string{"", "-wal"} {
		b, err := os.ReadFile(w.Path + part) //nolint:gosec // the world's own database
		if err != nil {
			t.Fatal(err)
		}
		left[part] = b
	}
	release()
	w.Stop(t)
	for part, b := range left { // into the same file: another one would be a copy
		if err := os.WriteFile(w.Path+part, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Lock keeps a database locked for writing, as another program does that has it
// open, until the function that it returns is called.
func Lock(t testing.TB, path string) (release func()) {
	t.Helper()
	_, release = begin(t, path+"?_txlock=immediate&_pragma=busy_timeout(10000)")
	t.Cleanup(release)
	return release
}

// begin begins a transaction on a database of its own, which release ends, once.
func begin(t testing.TB, file string) (tx *sql.Tx, release func()) {
	t.Helper()
	db, _ := sql.Open("sqlite", "file:"+file) // it opens when it is used
	tx, err := db.BeginTx(waittest.Within(t, time.Minute), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tx, sync.OnceFunc(func() {
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			t.Error(err)
		}
	})
}
