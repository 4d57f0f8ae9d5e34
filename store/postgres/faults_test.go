package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestLostCommit: the connection is cut at a commit. Whether it came through is found out
// before anybody is told: it is stored once, and everybody hears that.
func TestLostCommit(t *testing.T) {
	t.Parallel()
	for _, loss := range []postgrestest.Loss{postgrestest.Request, postgrestest.Answer} {
		proxy, address := postgrestest.NewProxy(t, postgrestest.URL(t))
		s := openAt(t, address)
		for n := range 5 {
			proxy.Lose(loss)
			var wg sync.WaitGroup
			for i := range 4 { // together or not
				id := n*10 + i + 1
				wg.Go(func() {
					m := newMatch(store.MatchID(id))
					m.Channel = store.ChannelID(fmt.Sprint(id))
					if err := s.Apply(t.Context(), store.Change{Interaction: store.InteractionID(fmt.Sprint(id)), Matches: []store.Match{m}}); err != nil {
						t.Errorf("loss %d: Apply(%d) = %v", loss, id, err)
					}
				})
			}
			wg.Wait()
			for i := range 4 {
				id := n*10 + i + 1
				got, err := s.Match(t.Context(), store.MatchID(id))
				if err != nil || got.Version != 1 {
					t.Errorf("loss %d: match %d has version %d, %v", loss, id, got.Version, err)
				}
				if err := s.Apply(t.Context(), store.Change{Interaction: store.InteractionID(fmt.Sprint(id))}); !errors.Is(err, store.ErrClaimed) {
					t.Errorf("loss %d: the claim of %d: %v", loss, id, err)
				}
			}
		}
		if proxy.Lost() != 5 {
			t.Errorf("%d commits were lost, want 5", proxy.Lost())
		}
	}
}

// TestSilentCommit: a commit gets lost and nobody hears of it, as when a router dies. Who
// cannot wait is told that the outcome is not known. The server gives the old transaction
// up by itself; then it is known.
func TestSilentCommit(t *testing.T) {
	t.Parallel()
	proxy, address := postgrestest.NewProxy(t, postgrestest.URL(t))
	s := openAt(t, address, postgres.WithTimeout(waittest.Limit(500*time.Millisecond)), postgres.WithCommitTime(waittest.Limit(200*time.Millisecond)))
	proxy.Lose(postgrestest.Silence)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := store.Change{Interaction: "1", Matches: []store.Match{newMatch(1)}}
	applied := make(chan error, 1)
	go func() {
		err := store.ErrUnreachable
		for errors.Is(err, store.ErrUnreachable) { // a busy server does not come to the commit in time
			err = s.Apply(ctx, c)
		}
		applied <- err
	}()
	waittest.Until(t, "the commit to get lost", func() bool { return proxy.Lost() == 1 })
	cancel()
	if err := <-applied; !errors.Is(err, store.ErrPending) {
		t.Fatalf("Apply = %v, want %v", err, store.ErrPending)
	}
	waittest.Until(t, "the store to write again", func() bool { return s.Check(t.Context()) == nil })
	_, err := s.Match(t.Context(), 1)
	stored := err == nil
	if !stored && !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	err = s.Apply(t.Context(), c)
	if stored != errors.Is(err, store.ErrClaimed) || !stored && err != nil {
		t.Errorf("it was stored: %v; applied again: %v", stored, err)
	}
}

// TestCutConnections: every connection is cut again and again under load, and for a while
// no new one is let through. Nothing that was acknowledged is lost, and who is told that
// the database cannot be reached has stored nothing.
func TestCutConnections(t *testing.T) {
	t.Parallel()
	direct := postgrestest.URL(t)
	proxy, address := postgrestest.NewProxy(t, direct)
	s := openAt(t, address, postgres.WithTimeout(waittest.Limit(300*time.Millisecond)))
	l := newLedger()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	for p := range players {
		wg.Go(func() {
			for seed := uint64(0); ctx.Err() == nil; seed++ {
				err := playOn(ctx, s, p, uint64(p)<<32|seed, l.add)
				switch {
				case ctx.Err() != nil, errors.Is(err, store.ErrUnreachable), errors.Is(err, store.ErrBusy), errors.Is(err, store.ErrPlaceTaken):
				default:
					t.Errorf("player %d: %v", p, err)
					return
				}
			}
		})
	}
	for n := range 12 {
		before := l.acknowledged()
		waittest.Until(t, "some changes", func() bool { return l.acknowledged() > before+5 })
		proxy.Refuse(n%4 == 3)
		proxy.Cut()
		if n%4 == 3 {
			wantUnreachable(t, "while nobody is let through", s)
			proxy.Refuse(false)
		}
	}
	stop()
	wg.Wait()
	l.settleAt(t, direct)
}

// TestUseAfterACut: who reads or counts hears nothing of a connection that was cut while nobody
// used it.
func TestUseAfterACut(t *testing.T) {
	t.Parallel()
	proxy, address := postgrestest.NewProxy(t, postgrestest.URL(t))
	s := openAt(t, address, postgres.WithTimeout(waittest.Patience()))
	for what, use := range map[string]func() error{
		"a read":  func() error { _, err := s.Quirks(t.Context()); return err },
		"a count": func() error { return s.Uncount(t.Context(), "a", []store.Limit{{Key: "k"}}) },
	} {
		for range 2 { // the second time there is a connection for certain
			if err := use(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			proxy.Cut()
		}
	}
}

// wantUnreachable wants the store to say that it cannot reach the database, or nothing,
// because it looks up what became of a commit.
func wantUnreachable(t *testing.T, when string, s *postgres.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit(time.Second))
	defer cancel()
	if err := s.Check(ctx); !errors.Is(err, store.ErrUnreachable) && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Check %s = %v, want %v", when, err, store.ErrUnreachable)
	}
}

// TestReadOnlyServer: another server takes over that takes no writes, and then one that
// does.
func TestReadOnlyServer(t *testing.T) {
	t.Parallel()
	address := postgrestest.Empty(t)
	s := openAt(t, address)
	if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(1)}}); err != nil {
		t.Fatal(err)
	}
	become := func(readOnly string) {
		postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
			if _, err := conn.Exec(ctx, "SET default_transaction_read_only = off"); err != nil {
				return err
			}
			if _, err := conn.Exec(ctx, "ALTER DATABASE "+conn.Config().Database+" SET default_transaction_read_only = "+readOnly); err != nil {
				return err
			}
			_, err := conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
			return err
		})
	}
	become("on")
	if err := s.Apply(t.Context(), store.Change{Interaction: "1"}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Apply on a server that takes no writes = %v, want %v", err, store.ErrReadOnly)
	}
	if _, err := s.Match(t.Context(), 1); err != nil {
		t.Errorf("Match on a server that takes no writes = %v", err)
	}
	become("off")
	waittest.Until(t, "the store to write again", func() bool {
		return s.Apply(t.Context(), store.Change{Interaction: "1"}) == nil
	})
}

// TestLockedRows: somebody else keeps a record locked. It fails for certain, in time, and
// harms no other.
func TestLockedRows(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	// Nothing but the wait for a lock is short, and that not much: the machine may be slow.
	lockTime := strconv.FormatInt(waittest.Limit(500*time.Millisecond).Milliseconds(), 10)
	s := openAt(t, postgrestest.With(t, address, "lock_timeout", lockTime), postgres.WithTimeout(waittest.Patience()))
	m := newMatch(1)
	if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
		t.Fatal(err)
	}
	m.Version = 1
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "BEGIN; SELECT FROM matches FOR UPDATE"); err != nil {
			return err
		}
		if err := s.Apply(ctx, store.Change{Interaction: "1", Matches: []store.Match{m}}); !errors.Is(err, store.ErrBusy) {
			t.Errorf("Apply to a locked record = %v, want %v", err, store.ErrBusy)
		}
		if err := s.Apply(ctx, store.Change{Interaction: "2"}); err != nil {
			t.Errorf("Apply beside a locked record = %v", err)
		}
		return nil
	})
	if err := s.Apply(t.Context(), store.Change{Interaction: "1", Matches: []store.Match{m}}); err != nil {
		t.Errorf("Apply after that = %v", err)
	}
}

// TestPoolExhausted: all connections that read are taken up. Who waits for one waits as
// long as their context lets them; writes have one of their own.
func TestPoolExhausted(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	s := openAt(t, postgrestest.With(t, address, "pool_max_conns", "2"))
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "BEGIN; LOCK TABLE challenges IN ACCESS EXCLUSIVE MODE"); err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := s.Challenge(short, 1); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Challenge without a free connection = %v, want %v", err, context.DeadlineExceeded)
				}
			})
		}
		if err := s.Check(ctx); err != nil {
			t.Errorf("Check beside reads that wait = %v", err)
		}
		wg.Wait()
		return nil
	})
	if _, err := s.Challenge(t.Context(), 1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Challenge after that = %v, want %v", err, store.ErrNotFound)
	}
}

// TestSlowLink: everything takes a while to arrive. Changes that come together share the
// way: a hundred take as long as a few.
func TestSlowLink(t *testing.T) {
	t.Parallel()
	proxy, address := postgrestest.NewProxy(t, postgrestest.URL(t))
	var mu sync.Mutex
	var commits []int
	s := openAt(t, address,
		postgres.WithOnCommit(func(n int) { mu.Lock(); defer mu.Unlock(); commits = append(commits, n) }))
	proxy.Delay(25 * time.Millisecond)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			if err := s.Apply(t.Context(), store.Change{Interaction: store.InteractionID(fmt.Sprint(i))}); err != nil {
				t.Errorf("Apply(%d) = %v", i, err)
			}
		})
	}
	wg.Wait()
	if len(commits) > 20 || slices.Max(commits) < 20 {
		t.Errorf("100 changes at once were committed as %v, want few large commits", commits)
	}
}

// TestCloseWithNothingToStore: a store that has nothing left to store closes well whether or not
// its server can be reached. Deliveries that it cannot store any more are told.
func TestCloseWithNothingToStore(t *testing.T) {
	t.Parallel()
	for _, deliver := range []bool{false, true} {
		proxy, address := postgrestest.NewProxy(t, postgrestest.URL(t))
		s, err := postgres.Open(t.Context(), address, postgres.WithTimeout(waittest.Limit(100*time.Millisecond)))
		if err != nil {
			t.Fatal(err)
		}
		if deliver {
			s.Deliver(store.Delivery{Match: 1, Drawn: 1})
		}
		proxy.Refuse(true)
		proxy.Cut()
		if err := s.Close(); errors.Is(err, store.ErrUnreachable) != deliver {
			t.Errorf("Close() = %v, with a delivery that waits: %t", err, deliver)
		}
	}
}

// TestNothingLeftOver: after all that can go wrong, and Close, no goroutine runs and no
// connection is open.
func TestNothingLeftOver(t *testing.T) {
	proxy, address := postgrestest.NewProxy(t, postgrestest.With(t, postgrestest.URL(t), "application_name", "left-over"))
	goroutines := func() int {
		buffer := make([]byte, 1<<20)
		return strings.Count(string(buffer[:runtime.Stack(buffer, true)]), "store/postgres.")
	}
	before := goroutines()
	for _, loss := range []postgrestest.Loss{postgrestest.Nothing, postgrestest.Request, postgrestest.Answer} {
		s, err := postgres.Open(t.Context(), address, patient())
		if err != nil {
			t.Fatal(err)
		}
		proxy.Lose(loss)
		_ = s.Check(t.Context())
		proxy.Cut()
		_, _ = s.Uptime(t.Context())
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	}
	waittest.Until(t, "goroutines to end", func() bool { return goroutines() <= before })
	waittest.Until(t, "connections to be closed", func() bool {
		var open int
		postgrestest.Scan(t, postgrestest.Server(t), "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'left-over'", &open)
		return open == 0
	})
}
