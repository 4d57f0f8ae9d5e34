package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
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

// layout is one way to split the Gateway, and the sessions that this process has by it.
type layout struct {
	count    int
	after    int64 // the generation of the agreement that was known when it was begun
	sessions []*session

	stop context.CancelFunc
	done chan struct{} // closed when all sessions have ended
	err  error         // why, once they have
}

// ready reports whether all sessions are.
func (l *layout) ready() bool {
	for _, one := range l.sessions {
		if !one.ready() {
			return false
		}
	}
	return true
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
func (l *layout) served() store.DomainSet {
	switch {
	case len(l.sessions) == l.count && l.ready():
		return store.AllDomains
	case l.count == 1:
		return 0
	}
	ready := map[int]bool{}
	for _, one := range l.sessions {
		ready[one.shard] = one.ready()
	}
	return domains(l.count, func(shard int) bool { return ready[shard] })
}

// begin opens the shards of the process, of so many.
func (s *Service) begin(ctx context.Context, play player, count int) *layout {
	l := &layout{count: count, after: s.beside.agreement().Generation, done: make(chan struct{})}
	ids := s.opts.Shards.IDs
	if len(ids) == 0 {
		for id := range count {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		l.sessions = append(l.sessions, &session{log: s.log.With("shard", id), shard: id})
	}
	ctx, l.stop = context.WithCancel(ctx)
	errs := make([]error, len(l.sessions))
	var work sync.WaitGroup
	for i, one := range l.sessions {
		work.Go(func() {
			defer l.stop() // a bot with a part of its servers only would look well
			errs[i] = one.run(ctx, s.opts.StopTime, func() *gateway.Supervisor { return s.supervisor(play, one.shard, count) })
		})
	}
	go func() {
		work.Wait()
		l.err = errors.Join(errs...)
		close(l.done)
	}()
	return l
}

// connect keeps all sessions until the context ends or Discord wants no more of one. When
// there are to be more shards it opens those first and then leaves the ones before, so
// that nothing is lost in between. With the Gateway off it only waits for that end.
func (s *Service) connect(ctx context.Context, play player) error {
	if s.opts.GatewayOff {
		<-ctx.Done()
		return nil
	}
	count, err := s.firstCount(ctx)
	var old *layout
	for err == nil && ctx.Err() == nil {
		l := s.begin(ctx, play, count)
		s.show(l, old)
		if old != nil {
			s.leave(l, old)
		}
		count, err = s.stay(ctx, l)
		old = l
	}
	if old != nil {
		old.stop()
		<-old.done
		if err == nil || errors.Is(err, context.Canceled) {
			err = old.err
		}
	}
	return err
}

// show has the service look at the layouts; the one before may be nil.
func (s *Service) show(l, before *layout) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.layouts = []*layout{l}
	if before != nil {
		s.layouts = append(s.layouts, before)
	}
}

// readyEvery is how often new shards are looked at until all are there.
const readyEvery = 20 * time.Millisecond

// leave ends the sessions of the layout before when those of the next are ready, or have
// ended.
func (s *Service) leave(l, before *layout) {
	tick := time.NewTicker(readyEvery)
	defer tick.Stop()
	for over := false; !over && !l.ready(); {
		select {
		case <-l.done:
			over = true
		case <-tick.C:
		}
	}
	before.stop()
	<-before.done
	s.show(l, nil)
	s.log.Info("shards moved", "from", before.count, "to", l.count)
}

// stay waits until the sessions of a layout have ended, Discord recommends more shards, or
// all processes move to another number of them, and returns how many there are to be then.
func (s *Service) stay(ctx context.Context, l *layout) (count int, err error) {
	tick, look := time.NewTicker(readyEvery), time.NewTicker(s.opts.ShardsLook)
	defer tick.Stop()
	defer look.Stop()
	for over := false; !over; {
		select {
		case <-l.done:
			over = true
		case <-look.C:
			if count := s.grown(ctx, l.count); count > l.count {
				return count, nil
			}
		case <-tick.C:
			if a := s.beside.agreement(); s.opts.Shards.Count == 0 && a.Generation > l.after && a.Count != l.count {
				s.log.Info("another process moves to another number of shards", "from", l.count, "to", a.Count)
				return a.Count, nil
			}
		}
	}
	var fatal *gateway.FatalError
	if ctx.Err() == nil && errors.As(l.err, &fatal) && (fatal.CloseCode == 4010 || fatal.CloseCode == 4011) {
		return s.outgrown(ctx, l.count, fatal)
	}
	if ctx.Err() == nil && l.err == nil {
		return 0, errEnded
	}
	return 0, l.err
}

// grown returns how many shards there are to be where Discord recommends more than the bot
// has, which it does long before it insists. Sessions that it has closed for being too few
// are gone, with what people click until the next ones are ready; those that are left in
// time go on until then. It returns 0 where there is nothing to do.
func (s *Service) grown(ctx context.Context, count int) int {
	if s.opts.Shards.Count != 0 {
		return 0 // the operator's choice, which Discord takes until it insists
	}
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	info, err := s.rest.GatewayBot(asking)
	if err != nil {
		return 0 // the next look is soon enough
	}
	need := min(roundShards(info.Shards, info.Limit.MaxConcurrency), MostShards)
	if need <= count {
		return 0
	}
	s.log.Info("Discord recommends more shards", "from", count, "to", need)
	return s.agree(ctx, need, func(now int) bool { return now > count })
}

// errEnded cannot be: sessions end with a reason or with their context.
var errEnded = errors.New("service: the sessions have ended for no reason")

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
	return s.agree(ctx, need, func(now int) bool { return now > count || fatal.CloseCode == 4010 && now != count }), nil
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
	for wait := startBackoff; ; wait = min(2*wait, askPause) {
		asking, cancel := context.WithTimeout(ctx, askTime)
		info, err := s.gatewayBot(asking)
		cancel()
		switch {
		case err == nil:
			return s.start(ctx, min(roundShards(info.Shards, info.Limit.MaxConcurrency), MostShards)), nil
		case errors.Is(err, rest.ErrUnauthorized) || ctx.Err() != nil:
			return 0, err
		}
		s.log.Warn("Discord does not say how many shards it recommends, trying again", "in", wait, "error", err)
		if err := tasks.Sleep(ctx, wait); err != nil {
			return 0, err
		}
	}
}

// sharedAnswer is for how long an answer about the Gateway is that of all shards.
const sharedAnswer = time.Second

// lastGateway is what Discord said last of the Gateway. Shards that connect at the same
// time ask once.
type lastGateway struct {
	asking chan struct{} // holds one while somebody asks
	info   *rest.GatewayInfo
	at     time.Time
}

// gatewayBot asks Discord where to connect, and how many sessions may be started.
func (s *Service) gatewayBot(ctx context.Context) (*rest.GatewayInfo, error) {
	g := &s.gateway
	select {
	case g.asking <- struct{}{}:
		defer func() { <-g.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if g.info != nil && time.Since(g.at) < sharedAnswer {
		info := *g.info
		return &info, nil
	}
	info, err := s.rest.GatewayBot(ctx)
	if err != nil {
		return nil, err
	}
	g.info, g.at = info, time.Now()
	copied := *info
	return &copied, nil
}
