package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestPeopleOfTwoBots: who is locked in one schema of a database is free in another one.
func TestPeopleOfTwoBots(t *testing.T) {
	t.Parallel()
	soon := func(address string) *postgres.Store {
		wait := waittest.Limit(500 * time.Millisecond).Milliseconds()
		return openAt(t, postgrestest.With(t, address, "lock_timeout", strconv.FormatInt(wait, 10)), postgres.WithTimeout(waittest.Patience()))
	}
	address := postgrestest.URL(t)
	same, other := soon(address), soon(postgrestest.URL(t))
	m := newMatch(1)
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, postgres.LockPeople, []string{string(m.X.User), string(m.O.User)}); err != nil {
			return err
		}
		if err := other.Apply(ctx, store.Change{Matches: []store.Match{m}}); err != nil {
			t.Errorf("Apply in another schema = %v", err)
		}
		if err := same.Apply(ctx, store.Change{Matches: []store.Match{m}}); !errors.Is(err, store.ErrBusy) {
			t.Errorf("Apply where the people are locked = %v, want %v", err, store.ErrBusy)
		}
		return nil
	})
}

// TestNoResultWhileAGuildIsErased: a step of an erasure, which reads the same results several
// times, waits for who is writing some.
func TestNoResultWhileAGuildIsErased(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	name := "erases-" + rand.Text()
	s := openAt(t, postgrestest.With(t, address, "application_name", name))
	const app, guild = store.ApplicationID("700"), store.GuildID("5")
	day := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	if err := s.SeeGuilds(t.Context(), store.Sighting{Application: app, At: day, Guilds: []store.GuildID{guild}}); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := s.MissGuild(t.Context(), app, guild, day.AddDate(0, 0, n+1)); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := s.Departures(t.Context(), app, day.AddDate(0, 0, 3), 1)
	if err != nil || len(gone) != 1 {
		t.Fatalf("Departures() = %v, %v", gone, err)
	}
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "LOCK TABLE results IN ROW EXCLUSIVE MODE"); err != nil { // as an INSERT does
			return err
		}
		done := make(chan error, 1)
		go func() {
			step, err := s.EraseGuild(t.Context(), gone[0], 100)
			if err == nil && step != store.ErasureDone {
				err = fmt.Errorf("came to %v", step)
			}
			done <- err
		}()
		waittest.Until(t, "the erasure to wait", waitsForALock(t, address, name))
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		return <-done
	})
}

// waitsForALock reports whether somebody with the application's name waits for a lock.
func waitsForALock(t *testing.T, address, name string) func() bool {
	const text = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = '%s'"
	return func() (waits bool) {
		postgrestest.Scan(t, address, fmt.Sprintf(text, name), &waits)
		return waits
	}
}

// TestEpochsOfTwoProcesses: standings begin anew in two processes in the same instant. Both
// do, one after the other: nobody is refused for the number.
func TestEpochsOfTwoProcesses(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	name := "epochs-" + rand.Text()
	s := openAt(t, postgrestest.With(t, address, "application_name", name))
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO epochs (guild, number, since, by_user) VALUES ('1', 1, 0, '2')"); err != nil {
			return err
		}
		done := make(chan error, 1)
		go func() {
			done <- s.Apply(t.Context(), store.Change{Epochs: []store.Epoch{{Guild: "1", At: time.Now(), By: "3"}}})
		}()
		waittest.Until(t, "the other to wait", waitsForALock(t, address, name))
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		return <-done
	})
	var n int
	postgrestest.Scan(t, address, "SELECT count(*) FROM epochs", &n)
	if n != 2 {
		t.Errorf("standings began anew %d times, want 2", n)
	}
}

// TestBoardsOfTwoProcesses: two processes play on the same two boards in the same instant,
// and each notes what the other's shows. Neither waits for the other in a circle, which
// the server would undo only after a second.
func TestBoardsOfTwoProcesses(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	names := [...]string{"one-" + rand.Text(), "other-" + rand.Text()}
	one := openAt(t, postgrestest.With(t, address, "application_name", names[0]))
	other := openAt(t, postgrestest.With(t, address, "application_name", names[1]))
	var boards []store.Match
	for id := range store.MatchID(3) {
		m := newMatch(id + 1)
		m.Place = int(id) + 1
		m.X.User, m.O.User = store.UserID(rune('a'+2*id)), store.UserID(rune('b'+2*id))
		if err := one.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
		m.Version++
		boards = append(boards, m)
	}
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		// Somebody keeps the board in the middle, so that the first stops there.
		if _, err := tx.Exec(ctx, "SELECT FROM matches WHERE id = 2 FOR UPDATE"); err != nil {
			return err
		}
		errs := make(chan error, 2)
		one.Deliver(store.Delivery{Match: 3, Message: "50", Drawn: 1})
		go func() { errs <- one.Apply(t.Context(), store.Change{Matches: []store.Match{boards[1], boards[0]}}) }()
		waittest.Until(t, "the first to wait", waitsForALock(t, address, names[0]))
		other.Deliver(store.Delivery{Match: 1, Message: "60", Drawn: 1})
		go func() { errs <- other.Apply(t.Context(), store.Change{Matches: []store.Match{boards[2]}}) }()
		waittest.Until(t, "the second to wait for the first", waitsForALock(t, address, names[1]))
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		for range 2 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	if n := one.Again() + other.Again(); n > 0 {
		t.Errorf("%d transactions had to be tried again", n)
	}
	for id, message := range map[store.MatchID]store.MessageID{1: "60", 3: "50"} {
		if v, err := one.MatchVersion(t.Context(), id); err != nil || v.Message != message || v.Version != 2 {
			t.Errorf("match %d: %+v, %v", id, v, err)
		}
	}
}
