package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/internal/tasks"
	"tictactoe/store"
)

// session is the Gateway session of one shard, and those that follow it when it is
// restarted.
type session struct {
	shard    int
	count    int             // of all shards
	domains  store.DomainSet // of its servers
	log      *slog.Logger
	present  atomic.Pointer[present] // nil before the first
	standsBy atomic.Bool             // another process has the shard
	left     atomic.Bool             // this process wants it no more
}

// present is the session that a shard has now.
type present struct {
	*gateway.Supervisor
	end context.CancelFunc
}

// leasePoll is how often a process looks whether a shard is its own.
const leasePoll = 50 * time.Millisecond

// run keeps a session until the context ends or Discord wants no more. A shard is one process's:
// while another one has it, run stands by. stopping reports whether the process is about to end.
func (s *Service) run(ctx context.Context, play *bot.Bot, one *session, stopping func() bool) error {
	for {
		if one.await(ctx, play) != nil {
			return nil
		}
		life, stop := context.WithCancel(ctx)
		supervisor := s.supervisor(life, play, one, stopping)
		one.present.Store(&present{supervisor, stop})
		go one.watch(life, play, stop)
		err := supervisor.Run(life)
		stop()
		if stopping() {
			s.leave(play, one, supervisor.Session())
		}
		if err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// await waits until the shard is this process's.
func (s *session) await(ctx context.Context, play *bot.Bot) error {
	for !play.Owns(s.domains) {
		if play.Elsewhere(s.domains) && !s.standsBy.Swap(true) {
			s.log.Info("another process has the shard: standing by")
		}
		if err := tasks.Sleep(ctx, leasePoll); err != nil {
			return err
		}
	}
	s.standsBy.Store(false)
	return nil
}

// watch ends the session when another process has taken the shard, as this one could not
// say for a while that it is its own.
func (s *session) watch(ctx context.Context, play *bot.Bot, stop context.CancelFunc) {
	for tasks.Sleep(ctx, leasePoll) == nil {
		if play.Elsewhere(s.domains) {
			s.log.Error("another process has taken the shard: was this one stopped, or cut off from the database?")
			stop()
			return
		}
	}
}

// leaves reports whether the session is to be left for another process: one that stands by,
// or the next one to open a database that is this process's alone.
func (s *session) leaves(play *bot.Bot) bool {
	if play.Awaited(s.domains) {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime/4) // it may stand by since a moment
	defer cancel()
	return play.Lease(ctx) == nil && play.Awaited(s.domains)
}

// leaveTime bounds what it takes to hand a shard over.
const leaveTime = 2 * time.Second

// leave lets another process have the shard, with its session if that was left open.
func (s *Service) leave(play *bot.Bot, one *session, open gateway.Session) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if open.ID != "" && play.Awaited(one.domains) {
		kept := s.sessionOf(one)
		kept.ID, kept.URL, kept.Sequence = open.ID, open.URL, open.Sequence
		if err := s.opts.Store.KeepSession(ctx, kept); err != nil {
			one.log.Warn("the session is not kept for the next process", "error", err)
		}
	}
	one.left.Store(true)
	if err := play.Lease(ctx); err != nil {
		one.log.Warn("the shard is not handed over: its lease has to run out", "error", err)
	}
}

// sessionOf describes a session of the shard.
func (s *Service) sessionOf(one *session) store.Session {
	sum := sha256.Sum256([]byte(s.opts.REST.Token))
	return store.Session{Application: s.application, Shard: one.shard, Count: one.count, Token: hex.EncodeToString(sum[:8])}
}

// kept returns the session that another process has left of the shard, if there is one.
func (s *Service) kept(ctx context.Context, one *session) gateway.Session {
	k, err := s.opts.Store.TakeSession(ctx, s.sessionOf(one))
	if err != nil {
		if !errors.Is(err, store.ErrNotFound) && ctx.Err() == nil {
			one.log.Warn("not known whether there is a session to go on with", "error", err)
		}
		return gateway.Session{}
	}
	return gateway.Session{ID: k.ID, URL: k.URL, Sequence: k.Sequence}
}

func (s *session) ready() bool {
	now := s.present.Load()
	return now != nil && now.Ready()
}

// errNotRestarted: the session did not come back in time.
var errNotRestarted = errors.New("the session did not come back")

// restartTime is how long a new session may take.
const restartTime = 15 * time.Second

// restart closes the session and returns when another is open.
func (s *session) restart() error {
	old := s.present.Load()
	if old == nil {
		return errNotRestarted
	}
	old.end()
	ctx, cancel := context.WithTimeout(context.Background(), restartTime)
	defer cancel()
	for s.present.Load() == old || !s.ready() {
		if tasks.Sleep(ctx, 10*time.Millisecond) != nil {
			return errNotRestarted
		}
	}
	return nil
}

// Ready reports whether clicks of every server that is this process's can reach the bot, and
// those of others a process for which this one stands by.
// With the Gateway off nobody can know what Discord reaches: it is ready from the moment
// that Discord has said whose token it is. At its end it is not ready before it takes no
// more.
func (s *Service) Ready() bool {
	if s.leaving.Load() || s.bot.Load() == nil {
		return false
	}
	if l := *s.layout.Load(); len(l) > 0 {
		return l.ready()
	}
	return s.opts.GatewayOff
}

// connected reports whether any clicks reach the bot, and their answers Discord.
func (s *Service) connected() bool {
	if s.stopping.Load() || s.bot.Load() == nil || !s.Reachable() {
		return false
	}
	return s.opts.GatewayOff || slices.ContainsFunc(*s.layout.Load(), (*session).ready)
}

// Served returns the clock domains in which people can move, of those that are this
// process's.
func (s *Service) Served() store.DomainSet {
	switch {
	case !s.connected():
		return 0
	case s.opts.GatewayOff:
		return store.AllDomains
	}
	return s.layout.Load().served()
}

// wanted returns the clock domains that this process wants: those of its shards, and where
// Discord posts interactions a share of all.
func (s *Service) wanted() (w store.Wanted) {
	if s.opts.GatewayOff {
		if s.connected() {
			return store.Wanted{Domains: store.AllDomains, Shared: true}
		}
		return w
	}
	for _, one := range *s.layout.Load() {
		if !one.left.Load() {
			w.Domains |= one.domains
		}
	}
	return w
}

// RestartSession closes the Gateway session of every shard, one after the other, and
// returns when others are open. It fails when one does not come back in time.
func (s *Service) RestartSession() error {
	list := *s.layout.Load()
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
	for _, one := range *s.layout.Load() {
		if now := one.present.Load(); now != nil {
			list = append(list, now.Status())
		}
	}
	return list
}
