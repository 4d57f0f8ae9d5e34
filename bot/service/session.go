package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/store"
)

// session is the Gateway session of one shard, and those that follow it when it is
// restarted.
type session struct {
	shard      int
	log        *slog.Logger
	supervisor atomic.Pointer[gateway.Supervisor] // nil before the first

	mu  sync.Mutex
	end context.CancelFunc // ends the present session; nil before the first
}

// run keeps a session until the context ends or Discord wants no more, and lets the
// interactions that came over each finish, as long as drain allows.
func (s *session) run(ctx context.Context, drain time.Duration, next func() *gateway.Supervisor) error {
	for {
		present, stop := context.WithCancel(ctx)
		supervisor := next()
		s.mu.Lock()
		s.end = stop
		s.supervisor.Store(supervisor)
		s.mu.Unlock()
		err := supervisor.Run(present)
		stop()
		waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		unfinished := supervisor.Drain(waiting)
		cancel()
		if unfinished != nil {
			unfinished = fmt.Errorf("%w: interactions: %w", ErrUnfinished, unfinished)
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, unfinished)
		}
		if unfinished != nil {
			s.log.Warn("the session was restarted", "error", unfinished)
		}
	}
}

func (s *session) ready() bool {
	supervisor := s.supervisor.Load()
	return supervisor != nil && supervisor.Ready()
}

// errNotRestarted: the session did not come back in time.
var errNotRestarted = errors.New("the session did not come back")

// restartTime is how long a new session may take.
const restartTime = 15 * time.Second

// restart closes the session and returns when another is open.
func (s *session) restart() error {
	s.mu.Lock()
	end, old := s.end, s.supervisor.Load()
	s.mu.Unlock()
	if end == nil {
		return errNotRestarted
	}
	end()
	deadline := time.After(restartTime)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for s.supervisor.Load() == old || !s.ready() {
		select {
		case <-deadline:
			return errNotRestarted
		case <-tick.C:
		}
	}
	return nil
}

// split returns how the Gateway is split, nil before that is known.
func (s *Service) split() *layout {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.layout
}

// Ready reports whether clicks of every server that is this process's can reach the bot.
// With the Gateway off nobody can know what Discord reaches: it is ready from the moment
// that Discord has said whose token it is. At its end it is not ready before it takes no
// more.
func (s *Service) Ready() bool {
	if s.leaving.Load() || s.playing() == nil {
		return false
	}
	if l := s.split(); l != nil {
		return l.ready()
	}
	return s.opts.GatewayOff
}

// takes reports whether any clicks reach the bot.
func (s *Service) takes() bool {
	if s.stopping.Load() || s.playing() == nil {
		return false
	}
	return s.opts.GatewayOff || slices.ContainsFunc(s.split().all(), (*session).ready)
}

// Served returns the clock domains in which people can move, by whichever process.
func (s *Service) Served() (served store.DomainSet) {
	switch {
	case s.stopping.Load() || s.playing() == nil || !s.Reachable():
		return 0
	case s.opts.GatewayOff:
		return store.AllDomains
	}
	l := s.split()
	if l != nil {
		served = l.served()
	}
	if s.beside.store != nil && served != store.AllDomains {
		served |= s.beside.served(l)
	}
	return served
}

// RestartSession closes the Gateway session of every shard, one after the other, and
// returns when others are open. It fails when one does not come back in time.
func (s *Service) RestartSession() error {
	list := s.split().all()
	if len(list) == 0 {
		return errNotRestarted
	}
	for _, one := range list {
		if err := one.restart(); err != nil {
			return err
		}
	}
	return nil
}

// Sessions describes the Gateway session of each shard of this process. It is empty
// before the service connects.
func (s *Service) Sessions() (list []gateway.Status) {
	for _, one := range s.split().all() {
		if supervisor := one.supervisor.Load(); supervisor != nil {
			list = append(list, supervisor.Status())
		}
	}
	return list
}
