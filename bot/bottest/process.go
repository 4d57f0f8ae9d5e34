package bottest

import (
	"context"
	"errors"
	"testing"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// Process is a bot on the world's database and Discord, as a process of its own would be.
type Process struct {
	Service *service.Service
	Store   store.Store

	stop   context.CancelFunc
	ended  chan struct{} // closed when it has ended, whatever the reason
	reason error         // why, once it has; nil for an orderly end
}

// newProcess starts a bot without waiting for anything.
func (w *World) newProcess(t testing.TB) *Process {
	t.Helper()
	open := w.config.open
	if open == nil {
		open = func() (store.Store, error) { return sqlite.Open(context.Background(), w.Path, w.config.sqlite...) }
	}
	db, err := open()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &Process{Service: service.New(w.options(db)), Store: db, stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.reason = p.Service.Run(ctx)
	}()
	return p
}

// Stop stops the bot in an orderly way. It does nothing the second time.
func (p *Process) Stop(t testing.TB) {
	p.stop()
	<-p.ended
	if errors.Is(p.reason, service.ErrUnfinished) {
		t.Errorf("the bot ended with %v", p.reason)
	}
	if err := p.Store.Close(); err != nil {
		t.Error(err)
	}
}

// Beside starts another bot beside the one that runs, which has to play on a database that
// several can use, and waits until it is ready. It ends with the test.
func (w *World) Beside(t testing.TB) *Process {
	t.Helper()
	p := w.newProcess(t)
	t.Cleanup(func() { p.Stop(t) })
	waittest.Until(t, "another bot to be ready", p.Service.Ready)
	return p
}
