package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
)

// TestShardSettings: how the Gateway is split, and what cannot be is named with the fix.
func TestShardSettings(t *testing.T) {
	for text, want := range map[[2]string]struct {
		count int
		ids   []int
	}{
		{"auto", ""}: {}, {"", ""}: {}, {"1", ""}: {count: 1}, {"64", ""}: {count: 64}, {"192", ""}: {count: 192},
		{"128", "64,0"}: {128, []int{0, 64}},
		{"16", "0-3,8"}: {16, []int{0, 1, 2, 3, 8}}, {" 4 ", " 3, 1 "}: {4, []int{1, 3}},
	} {
		var p problems
		got := checkShards(&p, text[0], text[1])
		if len(p) != 0 || got.Count != want.count || !slices.Equal(got.IDs, want.ids) {
			t.Errorf("%q: got %+v, %q, want %+v", text, got, p, want)
		}
	}
	for text, want := range map[[2]string]string{
		{"3", ""}: "2, 4, 8", {"0", ""}: "2, 4, 8", {"-1", ""}: "2, 4, 8", {"100", ""}: "multiple of 64", {"16448", ""}: "up to 16384", {"many", ""}: "auto",
		{"auto", "0-3"}: "set SHARD_COUNT to a number", {"", "0"}: "set SHARD_COUNT to a number",
		{"4", "0-4"}: "they are 0 to 3", {"4", "4"}: "they are 0 to 3", {"4", "1,0-2"}: "1 is there twice", {"4", "3-1"}: "no range",
		{"128", "0-63"}: "shard 0 without 64", {"192", "0,64"}: "shard 64 without 128",
		{"4", "a"}: "0-3,8", {"4", "0,"}: "0-3,8", {"4", "-1"}: "0-3,8", {"4", "1-"}: "0-3,8",
	} {
		code, out := inProcess(t, []string{"DISCORD_TOKEN=abc", "SHARD_COUNT=" + text[0], "SHARD_IDS=" + text[1]}, "run")
		if code != exitUsage || !strings.Contains(out, want) {
			t.Errorf("%q: exit code %d, %s\nwant %q", text, code, out, want)
		}
	}
}

// TestSixteenShards: as many as Discord recommends in one process, each of which plays. The
// log says what memory the process has (Linux).
func TestSixteenShards(t *testing.T) {
	t.Parallel()
	const count = 16
	srv, settings := discord(t, func(o *sandbox.Options) { o.Gateway.MaxConcurrency = count })
	srv.Gateway().RequireShards(count)
	p := launch(t, "", settings)
	connected(t, srv, p)
	srv.WaitFor(t, "all shards", func() bool { return len(srv.Gateway().Shards()) == count })
	ada := srv.User("Ada")
	for shard := range count {
		g := srv.World().AddGuildOn(fmt.Sprint("on shard ", shard), shard, count)
		ada.Join(g)
		if r := ada.Command(t, g.Channel("general"), "tictactoe play"); !r.Answered() {
			t.Errorf("shard %d does not answer: %v", shard, r.Problems)
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err == nil {
		t.Logf("%d shards: %s", count, regexp.MustCompile(`VmRSS:.*`).Find(status))
	}
}
