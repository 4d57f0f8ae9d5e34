package gateway_test

import (
	"context"
	"testing"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/waittest"
)

// TestSessionIsLeft: a supervisor that ends leaves its session where it is told to, and
// another one goes on with it: what was clicked in between comes then. Otherwise the session
// ends, and there is nothing to go on with.
func TestSessionIsLeft(t *testing.T) {
	l := connectLocally(t)
	ada, general := l.srv.User("Ada"), l.srv.Guild().Channel("general")
	l.leaves.Store(true)
	l.stop()
	_ = l.wait()
	left := l.Session()
	if left.ID == "" || left.URL == "" {
		t.Fatalf("the session that is left is %+v", left)
	}
	click := ada.StartCommand(t, general, "ping")

	goesOn := func(with gateway.Session) *gateway.Supervisor {
		t.Helper()
		o := l.options
		o.Session = with
		next := gateway.New(o)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if err := next.Run(ctx); err != nil {
				t.Error(err)
			}
		}()
		waittest.Until(t, "readiness", next.Ready)
		t.Cleanup(func() {
			cancel()
			<-ended
		})
		l.stop = func() { cancel(); <-ended }
		return next
	}
	next := goesOn(left)
	if st := next.Status(); st.Resumes != 1 || st.Identify != 0 {
		t.Errorf("the next one is %+v, want it to resume", st)
	}
	if r := click.Wait(t); !r.Answered() {
		t.Errorf("what was clicked in between is not answered: %v", r.Problems)
	}
	l.leaves.Store(false)
	l.stop()
	if s := next.Session(); s != (gateway.Session{}) {
		t.Errorf("of a session that was ended there is %+v", s)
	}
	if last := goesOn(gateway.Session{ID: left.ID, URL: "ws://elsewhere.example:1", Sequence: left.Sequence}); last.Status().Identify != 1 {
		t.Errorf("a session that was ended is gone on with: %+v", last.Status())
	}
}
