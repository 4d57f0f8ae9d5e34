//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestServerRestart stops the server under load, in order and as a loss of power does:
// all that was acknowledged is there, and the store goes on by itself.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	c := postgrestest.NewCluster(t)
	s := openAt(t, c.URL, postgres.WithTimeout(waittest.Limit(300*time.Millisecond)))
	l := newLedger()
	for n, mode := range []string{"fast", "immediate", "immediate"} {
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for p := range players {
			wg.Go(func() { _ = playOn(ctx, s, p, uint64(n), l.add) })
		}
		before := l.acknowledged()
		waittest.Until(t, "some changes", func() bool { return l.acknowledged() > before+50 })
		c.Stop(t, mode)
		wantUnreachable(t, "without a server", s)
		if _, err := s.Match(t.Context(), 1); !errors.Is(err, store.ErrUnreachable) {
			t.Errorf("Match without a server = %v, want %v", err, store.ErrUnreachable)
		}
		c.Start(t)
		stop()
		wg.Wait()
		waittest.Until(t, "the store to write again", func() bool { return s.Check(t.Context()) == nil })
		l.settleAt(t, c.URL)
	}
}
