package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store/sqlite/sqlitetest"
)

// quickly has sessions start as soon as the local Discord takes them, and come back soon.
func quickly(o *service.Options) {
	o.Gateway.Identifies = gateway.NewIdentifiesEvery(10 * time.Millisecond)
	o.Gateway.Timing.BackoffMin, o.Gateway.Timing.BackoffMax = 10*time.Millisecond, 100*time.Millisecond
}

// shards are the numbers from 0 on, each with the count.
func shards(count int, ids ...int) (list [][2]int) {
	for id := range count {
		if len(ids) == 0 || slices.Contains(ids, id) {
			list = append(list, [2]int{id, count})
		}
	}
	return list
}

// places makes a channel in a guild of each shard, with the person in it.
func places(srv *sandbox.Server, u *sandbox.User, count int) (list []*sandbox.Channel) {
	for shard := range count {
		g := srv.World().AddGuildOn(fmt.Sprint("guild ", shard), shard, count)
		u.Join(g)
		list = append(list, g.Channel("general"))
	}
	return list
}

// TestAsManyShardsAsRecommended: the bot opens the next power of two, and is answered for
// from each shard and in direct messages. One that falls leaves the others alone and comes
// back.
func TestAsManyShardsAsRecommended(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Gateway.IdentifyWindow, o.World.Deadline, o.Gateway.Shards, o.Gateway.MaxConcurrency = time.Millisecond, waittest.Limit(answerTime), 3, 2
	})
	s := run(t, srv, quickly)
	if got := srv.Gateway().Shards(); !slices.Equal(got, shards(4)) {
		t.Fatalf("connected are %v", got)
	}
	ada := srv.User("Ada")
	in := places(srv, ada, 4)
	answered := func(c *sandbox.Channel) {
		t.Helper()
		if r := ada.Command(t, c, "tictactoe help"); !r.Answered() {
			t.Errorf("not answered: %v", r.Problems)
		}
	}
	for _, c := range append(in, ada.DM()) {
		answered(c)
	}
	before := s.Sessions()
	srv.Faults().RefuseUpgrade(1 << 20)
	srv.Faults().DropShard(2)
	waittest.Until(t, "the shard to be away", func() bool { return !s.Sessions()[2].Ready })
	if s.Ready() || !errors.Is(s.Health(t.Context()), service.ErrNotConnected) {
		t.Error("it looks well without a shard")
	}
	for _, n := range []int{0, 1, 3} {
		answered(in[n])
	}
	srv.Faults().Clear()
	waittest.Until(t, "the shard to come back", s.Ready)
	answered(in[2])
	for n, now := range s.Sessions() {
		if now.Shard != n || now.Shards != 4 || n != 2 && now.Connects != before[n].Connects {
			t.Errorf("shard %d was %+v, is %+v", n, before[n], now)
		}
	}
}

// TestShardsOfThisProcess: only those are opened that are to be.
func TestShardsOfThisProcess(t *testing.T) {
	srv := discord(t)
	s := run(t, srv, quickly, func(o *service.Options) { o.Shards = service.Shards{Count: 8, IDs: []int{1, 6}} })
	if got := srv.Gateway().Shards(); !slices.Equal(got, shards(8, 1, 6)) {
		t.Errorf("connected are %v", got)
	}
	if n := len(s.Sessions()); n != 2 {
		t.Errorf("it has %d sessions", n)
	}
}

// TestOutgrown: when Discord wants more shards the bot opens as many and goes on.
func TestOutgrown(t *testing.T) {
	srv := discord(t)
	s := run(t, srv, quickly)
	ada := srv.User("Ada")
	in := places(srv, ada, 4)
	for _, n := range []int{2, 4} {
		srv.Gateway().RequireShards(n)
		waittest.Until(t, "more shards", func() bool { return s.Ready() && slices.Equal(srv.Gateway().Shards(), shards(n)) })
	}
	for _, c := range append(in, ada.DM()) {
		if r := ada.Command(t, c, "tictactoe help"); !r.Answered() {
			t.Errorf("not answered: %v", r.Problems)
		}
	}
}

// TestTooFewShardsByTheSettings: a number of shards that Discord does not take is an error
// that says which one it does.
func TestTooFewShardsByTheSettings(t *testing.T) {
	for name, c := range map[string]struct {
		shards service.Shards
		wants  func(*sandbox.Server)
		want   []string
	}{
		"all":      {service.Shards{Count: 2}, func(s *sandbox.Server) { s.Gateway().RequireShards(5) }, []string{"SHARD_COUNT=8 instead of 2, or auto", "2,500", "4011"}},
		"some":     {service.Shards{Count: 4, IDs: []int{1}}, func(s *sandbox.Server) { s.Gateway().RequireShards(5) }, []string{"SHARD_COUNT=8 instead of 4", "SHARD_IDS anew from 0 to 7"}},
		"no other": {service.Shards{Count: 1}, func(s *sandbox.Server) { s.Faults().CloseGateway(4010) }, []string{"refused the number of shards", "4010"}},
	} {
		t.Run(name, func(t *testing.T) {
			srv := discord(t)
			db := sqlitetest.Open(t)
			defer db.Close()
			o := patient(srv, db)
			quickly(&o)
			o.Shards = c.shards
			s := service.New(o)
			failed := make(chan error, 1)
			go func() { failed <- s.Run(context.Background()) }()
			waittest.Until(t, "the service to be ready", func() bool { return s.Ready() && s.Registered() })
			c.wants(srv)
			err := <-failed
			for _, part := range c.want {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("ended with %v, want %q", err, part)
				}
			}
		})
	}
}
