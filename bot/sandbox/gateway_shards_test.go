package sandbox_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
)

// TestIdentifyBuckets: of each shard number modulo max_concurrency one session may begin
// within the window.
func TestIdentifyBuckets(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Gateway.MaxConcurrency, o.Gateway.IdentifyWindow, o.Gateway.Shards = 2, time.Hour, 4
	})
	for shard, want := range []bool{true, true, false, false} {
		w := dial(t, srv)
		w.expect(10, "")
		w.send(2, identity(srv, obj{"shard": arr{shard, 4}}))
		if want {
			w.expect(0, "READY")
		} else {
			w.expect(9, "")
		}
	}
	if got := srv.Gateway().Shards(); !slices.Equal(got, [][2]int{{0, 4}, {1, 4}}) {
		t.Errorf("connected are %v", got)
	}
}

// TestNumberOfShards: a session with too many guilds, one with fewer shards than Discord
// wants, and a number that is no multiple of what it asks for are refused, each by its
// own close code.
func TestNumberOfShards(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.Gateway.GuildsPerShard, o.Gateway.ShardMultiple = 2, 2 })
	closed := func(shard, count, want int) {
		t.Helper()
		w := dial(t, srv)
		w.expect(10, "")
		w.send(2, identity(srv, obj{"shard": arr{shard, count}}))
		if got := w.closed(); got != want {
			t.Errorf("shard %d of %d: close code %d, want %d", shard, count, got, want)
		}
	}
	for range 3 {
		srv.World().AddGuildOn("one of many", 1, 4)
	}
	closed(0, 3, 4010)
	closed(1, 2, 4011)
	closed(1, 4, 4011)
	first := dial(t, srv)
	first.ready(srv, obj{"shard": arr{2, 4}})

	srv.Gateway().RequireShards(8)
	if got := first.closed(); got != 4011 {
		t.Errorf("a session that was there: close code %d, want 4011", got)
	}
	closed(2, 4, 4011)
	dial(t, srv).ready(srv, obj{"shard": arr{2, 8}})
	var recommended struct{ Shards int }
	request(t, srv, "GET", "/gateway/bot", nil).Decode(t, &recommended)
	if recommended.Shards != 8 {
		t.Errorf("%d shards are recommended, want 8", recommended.Shards)
	}
}

// TestOneShardFails: what befalls one shard leaves the others alone, and guilds are on
// the shard that they were made for.
func TestOneShardFails(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	register(t, srv, ping)
	ada := srv.User("Ada")
	var wires [4]*wire
	for i := range wires {
		wires[i] = dial(t, srv)
		wires[i].ready(srv, obj{"shard": arr{i, len(wires)}})
	}
	heard := func(shard int) {
		t.Helper()
		g := srv.World().AddGuildOn("guild", shard, len(wires))
		ada.Join(g)
		call := ada.StartCommand(t, g.Channel("general"), "ping")
		if p := wires[shard].expect(0, "INTERACTION_CREATE"); !strings.Contains(string(p.D), call.ID()) {
			t.Errorf("shard %d got %s", shard, p.D)
		}
	}
	for shard := range wires {
		heard(shard)
	}
	srv.Faults().CloseShard(3, 4009)
	if got := wires[3].closed(); got != 4009 {
		t.Errorf("close code %d, want 4009", got)
	}
	srv.Faults().DropShard(1)
	if got := wires[1].closed(); got != 1006 {
		t.Errorf("close code %d, want 1006", got)
	}
	heard(0)
	heard(2)
	srv.WaitFor(t, "the shards that are left", func() bool { return slices.Equal(srv.Gateway().Shards(), [][2]int{{0, 4}, {2, 4}}) })
}
