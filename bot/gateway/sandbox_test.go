package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// local is a bot of one command in the local Discord: everything is real, the
// client library, the Gateway and the answers.
type local struct {
	*gateway.Supervisor
	handling tasks.Group
	t        *testing.T
	srv      *sandbox.Server
	rest     *rest.Client
	err      chan error
	stop     context.CancelFunc

	options gateway.Options
	leaves  atomic.Bool // its session is to be left for another process

	mu      sync.Mutex
	handled map[string]int // interactions by id
}

// brisk gives up early on what the faults keep from coming.
var brisk = gateway.Timing{
	Hello: waittest.Limit(2 * time.Second), Ready: waittest.Limit(2 * time.Second),
	BackoffMin: 5 * time.Millisecond, BackoffMax: 50 * time.Millisecond, Invalid: 5 * time.Millisecond,
}

func connectLocally(t *testing.T, configure ...func(*sandbox.Options)) *local {
	t.Helper()
	return connectWith(t, brisk, configure...)
}

func connectWith(t *testing.T, timing gateway.Timing, configure ...func(*sandbox.Options)) *local {
	t.Helper()
	patient := func(o *sandbox.Options) { o.World.Deadline = waittest.Limit(3 * time.Second) }
	l := &local{t: t, srv: sandbox.NewServer(t, append(configure, patient)...), err: make(chan error, 1), handled: map[string]int{}}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	l.rest = rest.New(rest.Options{
		BaseURL: l.srv.APIURL(), Token: l.srv.Token(), Logger: log, AnswerTimeout: waittest.Patience(), // Discord itself says what is too late
	})
	ctx, cancel := context.WithCancel(context.Background())
	l.stop = cancel
	if _, err := l.rest.Application(ctx); err != nil {
		t.Fatal(err)
	}
	ping := []map[string]any{{"name": "ping", "description": "Answers", "contexts": []int{0, 1}, "integration_types": []int{0}}}
	if _, err := l.rest.OverwriteCommands(ctx, "", ping); err != nil {
		t.Fatal(err)
	}
	l.options = gateway.Options{
		Token: l.srv.Token(), GatewayBot: l.rest.GatewayBot, OnInteraction: l.answer, Handling: &l.handling, Logger: log, Timing: timing,
		// The local Discord counts as the real one does, in shorter windows.
		Identifies: gateway.NewIdentifiesEvery(10 * time.Millisecond),
		Leave:      func() bool { return l.leaves.Load() },
	}
	l.Supervisor = gateway.New(l.options)
	go func() { l.err <- l.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		_ = l.wait() // fails the test if there is nothing to return
		drain, done := context.WithTimeout(context.Background(), waittest.Patience())
		defer done()
		if err := l.handling.Wait(drain); err != nil {
			t.Error(err)
		}
		l.rest.Close()
	})
	waittest.Until(t, "readiness", l.Ready)
	return l
}

func (l *local) answer(raw json.RawMessage, _ time.Time) {
	var in struct{ ID, Token string }
	if err := json.Unmarshal(raw, &in); err != nil {
		l.t.Error(err)
		return
	}
	l.mu.Lock()
	l.handled[in.ID]++
	l.mu.Unlock()
	_, err := l.rest.Respond(context.Background(), in.ID, in.Token, rest.Callback{
		Type: rest.CallbackMessage, Data: map[string]any{"content": "pong", "allowed_mentions": map[string]any{"parse": []string{}}},
	})
	// Replayed interactions may be too old, and one delivered twice is answered.
	if err != nil && !errors.Is(err, rest.ErrUnknownInteraction) && !errors.Is(err, rest.ErrAlreadyAcknowledged) {
		l.t.Errorf("answer: %v", err)
	}
}

func (l *local) wait() error {
	l.t.Helper()
	select {
	case err := <-l.err:
		l.err <- err
		return err
	case <-time.After(waittest.Patience()):
		l.t.Error("Run did not return")
		return nil
	}
}

// answers sends a command and wants its answer.
func (l *local) answers() {
	l.t.Helper()
	call := l.srv.User("Ada").StartCommand(l.t, l.srv.Guild().Channel("general"), "ping")
	if r := call.Wait(l.t); !r.Answered() || r.Text() != "pong" {
		l.t.Errorf("ping: got %+v, want an answer", r)
	}
}

// Every fault of the local Discord's Gateway is survived: afterwards commands are
// answered, by a resumed session where Discord would allow that.
func TestSurvivesNamedFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  func(*sandbox.Faults)
		resume bool
	}{
		"connection cut":        {(*sandbox.Faults).DropGateway, true},
		"close without code":    {func(f *sandbox.Faults) { f.CloseGateway(0) }, true},
		"close 4000":            {func(f *sandbox.Faults) { f.CloseGateway(4000) }, true},
		"close 4007":            {func(f *sandbox.Faults) { f.CloseGateway(4007) }, false},
		"close 4008":            {func(f *sandbox.Faults) { f.CloseGateway(4008) }, true},
		"close 4009":            {func(f *sandbox.Faults) { f.CloseGateway(4009) }, false},
		"op 7":                  {(*sandbox.Faults).ReconnectOp7, true},
		"op 9 true":             {func(f *sandbox.Faults) { f.InvalidSession(true) }, true},
		"op 9 false":            {func(f *sandbox.Faults) { f.InvalidSession(false) }, false},
		"op 9 false four times": {func(f *sandbox.Faults) { f.InvalidSession(false, 3) }, false},
		"resume refused":        {func(f *sandbox.Faults) { f.RefuseResume(); f.DropGateway() }, false},
		"no acknowledgements":   {func(f *sandbox.Faults) { f.NoAcks(true); f.NoAcks(false); f.DropGateway() }, true},
		"upgrade refused":       {func(f *sandbox.Faults) { f.RefuseUpgrade(3); f.DropGateway() }, true},
		"no Hello":              {func(f *sandbox.Faults) { f.NoHello(); f.DropGateway() }, true},
		"silence":               {func(f *sandbox.Faults) { f.SilentGateway(); f.DropGateway() }, true},
		"no RESUMED":            {func(f *sandbox.Faults) { f.NoReady(); f.DropGateway() }, true},
		"no /gateway/bot":       {func(f *sandbox.Faults) { f.GatewayBotFails(5); f.InvalidSession(false) }, false},
		"op 7 instead of Hello": {func(f *sandbox.Faults) {
			f.FirstPacketInsteadOfHello(sandbox.PacketReconnect)
			f.DropGateway()
		}, true},
		"op 7 after Hello": {func(f *sandbox.Faults) {
			f.FirstPacketAfterHello(sandbox.PacketReconnect)
			f.DropGateway()
		}, true},
		"op 7 after resume": {func(f *sandbox.Faults) {
			f.FirstPacketAfterResume(sandbox.PacketReconnect)
			f.DropGateway()
		}, true},
		"op 11 after resume": {func(f *sandbox.Faults) {
			f.FirstPacketAfterResume(sandbox.PacketAck)
			f.DropGateway()
		}, true},
		"op 1 after resume": {func(f *sandbox.Faults) {
			f.FirstPacketAfterResume(sandbox.PacketHeartbeat)
			f.DropGateway()
		}, true},
		"an event after resume": {func(f *sandbox.Faults) {
			f.FirstPacketAfterResume(sandbox.PacketEvent)
			f.DropGateway()
		}, true},
		"op 9 after resume": {func(f *sandbox.Faults) {
			f.FirstPacketAfterResume(sandbox.PacketInvalid)
			f.DropGateway()
		}, false},
		"cut after Hello": {func(f *sandbox.Faults) {
			f.FirstPacketAfterHello(sandbox.PacketConnectionLoss)
			f.DropGateway()
		}, true},
		"op 7 after identify": {func(f *sandbox.Faults) {
			f.FirstPacketAfterIdentify(sandbox.PacketReconnect)
			f.InvalidSession(false)
		}, false},
		"op 11 after identify": {func(f *sandbox.Faults) {
			f.FirstPacketAfterIdentify(sandbox.PacketAck)
			f.InvalidSession(false)
		}, false},
		"op 9 after identify": {func(f *sandbox.Faults) {
			f.FirstPacketAfterIdentify(sandbox.PacketInvalid)
			f.InvalidSession(false)
		}, false},
		"unknown events":      {func(f *sandbox.Faults) { f.UnknownEvents(true); f.DropGateway() }, true},
		"unknown events, new": {func(f *sandbox.Faults) { f.UnknownEvents(true); f.InvalidSession(false) }, false},
		"two drops one by another": {func(f *sandbox.Faults) {
			f.FirstPacketAfterResume(sandbox.PacketConnectionLoss)
			f.DropGateway()
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := connectLocally(t, func(o *sandbox.Options) { o.Gateway.IdentifyWindow = 100 * time.Millisecond })
			l.answers()
			before := l.Status()
			c.fault(l.srv.Faults())
			waittest.Until(t, "another session", func() bool { return l.Status().Connects > before.Connects && l.Ready() })
			l.answers()
			if st := l.Status(); c.resume && st.Identify != before.Identify || !c.resume && st.Identify == before.Identify {
				t.Errorf("sessions started: got %d after %d, want a resume: %v", st.Identify, before.Identify, c.resume)
			}
		})
	}
}

// A half-open link is noticed by the heartbeats that nobody acknowledges.
func TestHalfOpenLinkInTheLocalDiscord(t *testing.T) {
	t.Parallel()
	l := connectLocally(t, func(o *sandbox.Options) { o.Gateway.Heartbeat = shortBeat })
	l.srv.Faults().NoAcks(true)
	waittest.Until(t, "the loss to be noticed", func() bool { return !l.Ready() })
	l.srv.Faults().NoAcks(false)
	waittest.Until(t, "readiness", l.Ready)
	l.answers()
}

// Fatal close codes and a revoked token end the run in the local Discord too.
func TestFatalFaultsInTheLocalDiscord(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(*sandbox.Faults)
		code  int
	}{
		"4014":          {func(f *sandbox.Faults) { f.CloseGateway(4014) }, 4014},
		"token revoked": {(*sandbox.Faults).RevokeToken, 4004},
	} {
		t.Run(name, func(t *testing.T) {
			l := connectLocally(t)
			c.fault(l.srv.Faults())
			var fatal *gateway.FatalError
			if err := l.wait(); !errors.Is(err, rest.ErrUnauthorized) && (!errors.As(err, &fatal) || fatal.CloseCode != c.code) {
				t.Errorf("Run: got %v, want a fatal error of code %d", err, c.code)
			}
		})
	}
}

// What was sent while nobody listened arrives, each once.
func TestReplayInTheLocalDiscord(t *testing.T) {
	t.Parallel()
	const missed = 500
	l := connectLocally(t)
	ada, general := l.srv.User("Ada"), l.srv.Guild().Channel("general")
	calls := make([]*sandbox.Call, missed)
	for i := range calls {
		calls[i] = ada.MustPrepare(t, sandbox.SlashCommand{Channel: general, Path: "ping"})
	}
	l.srv.Faults().ReplayOnResume(calls...)
	waittest.Until(t, "the missed interactions", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.handled) == missed
	})
	for _, c := range calls {
		l.mu.Lock()
		n := l.handled[c.ID()]
		l.mu.Unlock()
		if n != 1 {
			t.Errorf("interaction %s was delivered %d times, want once", c.ID(), n)
		}
	}
	l.answers()
}

// Fifty cuts in a row cost fifty resumes and one session.
func TestFiftyCutsInTheLocalDiscord(t *testing.T) {
	t.Parallel()
	l := connectLocally(t)
	for i := range 50 {
		before := l.Status().Connects
		l.srv.Faults().DropGateway()
		waittest.Until(t, "a resume", func() bool { return l.Status().Connects > before && l.Ready() })
		if i%10 == 0 {
			l.answers()
		}
	}
	if st := l.Status(); st.Identify != 1 || st.Resumes < 50 {
		t.Errorf("status: got %+v, want one session and fifty resumes", st)
	}
}
