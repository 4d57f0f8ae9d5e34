package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/store"
)

// Shards says how the Gateway is split. The zero value opens all shards that Discord
// recommends.
type Shards struct {
	Count int   // how many there are, a number of which ValidShards is true; 0 for as many as Discord recommends
	IDs   []int // those that this process opens, each once and below Count; all if there are none
}

// MostShards is how many shards there may be.
const MostShards = 1 << 14

// ValidShards reports whether clock domains divide among so many shards: powers of two do
// up to 64, and multiples of 64.
func ValidShards(count int) bool {
	switch {
	case count < 1 || count > MostShards:
		return false
	case count <= store.Domains:
		return store.Domains%count == 0
	}
	return count%store.Domains == 0
}

// roundShards returns how many shards to open where Discord recommends so many: the next
// power of two. Discord asks of very large bots that the number is a multiple of another
// one, which is told by what it recommends and by max_concurrency.
func roundShards(recommended, maxConcurrency int) int {
	n := 1
	for n < recommended {
		n *= 2
	}
	if maxConcurrency > 1 && recommended%maxConcurrency == 0 && n%maxConcurrency != 0 {
		for n = store.Domains; n < recommended || n%maxConcurrency != 0; {
			n += store.Domains
		}
	}
	return n
}

// layout are the sessions that this process has of the Gateway, as that is split.
type layout []*session

// ready reports whether all sessions are, but for those that stand by.
func (l layout) ready() bool {
	return !slices.ContainsFunc(l, func(one *session) bool { return !one.ready() && !one.standsBy.Load() })
}

// domains returns the clock domains all of whose shards are connected, among so many.
func domains(count int, connected func(shard int) bool) (served store.DomainSet) {
	for d := range store.Domain(store.Domains) {
		all := true
		for shard := int(d) % count; shard < count && all; shard += store.Domains {
			all = connected(shard)
		}
		if all {
			served = served.With(d)
		}
	}
	return served
}

// served returns the domains whose shards this process has connected.
func (l layout) served() store.DomainSet {
	ready := map[int]bool{}
	for _, one := range l {
		ready[one.shard] = one.ready()
	}
	return domains(l[0].count, func(shard int) bool { return ready[shard] })
}

// shardsOf returns the sessions of the process where there are so many shards, none of them
// begun.
func (s *Service) shardsOf(count int) (l layout) {
	ids := s.opts.Shards.IDs
	if len(ids) == 0 {
		for id := range count {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		l = append(l, &session{
			log: s.log.With("shard", id), shard: id, count: count,
			domains: domains(min(count, store.Domains), func(shard int) bool { return shard == id%store.Domains }),
		})
	}
	return l
}

// keep keeps the sessions until the context ends or Discord wants no more of one, and then
// ends all: a bot with a part of its servers only would look well.
func (s *Service) keep(ctx context.Context, play *bot.Bot, l layout) error {
	whole := ctx
	stopping := func() bool { return whole.Err() != nil }
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, len(l))
	var work sync.WaitGroup
	for i, one := range l {
		work.Go(func() {
			defer stop()
			errs[i] = s.run(ctx, play, one, stopping)
		})
	}
	work.Wait()
	return errors.Join(errs...)
}

// connect keeps all sessions until the context ends or Discord wants no more of one. When
// Discord refuses their number it begins again with another. With the Gateway off it only
// waits for that end.
func (s *Service) connect(ctx context.Context, play *bot.Bot) error {
	if s.opts.GatewayOff {
		<-ctx.Done()
		return nil
	}
	count, err := s.firstCount(ctx)
	for err == nil && ctx.Err() == nil {
		l := s.shardsOf(count)
		s.layout.Store(&l)
		if err := play.Lease(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("not known yet whose the shards are", "error", err)
		}
		err = s.keep(ctx, play, l)
		fatal, ok := errors.AsType[*gateway.FatalError](err)
		if ok && ctx.Err() == nil && (fatal.CloseCode == 4010 || fatal.CloseCode == 4011) {
			count, err = s.outgrown(ctx, count, fatal)
		}
	}
	return err
}

// outgrown returns how many shards there are to be after Discord has refused so many, or
// an error that tells the operator.
func (s *Service) outgrown(ctx context.Context, count int, fatal *gateway.FatalError) (int, error) {
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	need := 0
	if info, err := s.rest.GatewayBot(asking); err == nil {
		need = roundShards(info.Shards, info.Limit.MaxConcurrency)
	}
	if fatal.CloseCode == 4011 {
		need = max(need, 2*count)
	}
	switch {
	case need == 0 || need == count || need > MostShards:
		return 0, fatal
	case s.opts.Shards.Count != 0 && len(s.opts.Shards.IDs) > 0:
		return 0, fmt.Errorf("set SHARD_COUNT=%d instead of %d for every process, and share out SHARD_IDS anew from 0 to %d: %w", need, count, need-1, fatal)
	case s.opts.Shards.Count != 0:
		return 0, fmt.Errorf("set SHARD_COUNT=%d instead of %d, or auto, for every process: %w", need, count, fatal)
	}
	s.log.Warn("Discord wants another number of shards", "from", count, "to", need, "code", fatal.CloseCode)
	return need, nil
}

// The waits for Discord to say how many shards it recommends.
const (
	askTime  = 5 * time.Second
	askPause = 15 * time.Second // between tries, at most
)

// firstCount returns how many shards there are to be at the start. It asks for as long as
// that is not answered: without an answer nothing could connect either.
func (s *Service) firstCount(ctx context.Context) (int, error) {
	if s.opts.Shards.Count != 0 {
		return s.opts.Shards.Count, nil
	}
	count := 0
	err := s.persist(ctx, "Discord does not say how many shards it recommends", askPause, func() error {
		asking, cancel := context.WithTimeout(ctx, askTime)
		defer cancel()
		info, err := s.gatewayBot(asking)
		if err == nil {
			count = min(roundShards(info.Shards, info.Limit.MaxConcurrency), MostShards)
		}
		return err
	})
	return count, err
}

// sharedAnswer is for how long an answer about the Gateway is that of all shards: those that
// connect at the same time ask once.
const sharedAnswer = time.Second
