package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// board is one of the game's, halfway, as the data of an answer.
const board = `{"content":null,"components":[{"type":17,"accent_color":4675552,"components":[
	{"type":10,"content":"It is <@1>'s turn\n-# and so on"},
	{"type":1,"components":[{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:0"},{"type":2,"style":1,"label":"X","custom_id":"1:c:2s:4:1"},{"type":2,"style":3,"label":"O","custom_id":"1:c:2s:4:2"}]},
	{"type":1,"components":[{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:3"},{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:4"},{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:5"}]},
	{"type":1,"components":[{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:6"},{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:7"},{"type":2,"style":2,"label":"\u200b","custom_id":"1:c:2s:4:8"}]},
	{"type":14},
	{"type":1,"components":[{"type":2,"style":2,"label":"Resign","custom_id":"1:r:2s"}]}]}],
	"allowed_mentions":{"parse":[],"users":["1"]}}`

// acknowledging starts the bot that only acknowledges, and people who play with it.
func acknowledging(t *testing.T, plays bool, channels int) *crowd {
	t.Helper()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.REST.GlobalLimit, o.World.Deadline = -1, waittest.Limit(bottest.AnswerTime)
	})
	registered := make(chan struct{})
	srv.REST().OnRequest(func(r sandbox.Request) {
		if r.Method == http.MethodPut {
			close(registered)
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	var bot sync.WaitGroup
	bot.Go(func() {
		data, err := decodeBoard([]byte(board))
		s, err2 := restSession(srv.APIURL(), srv.Token())
		if err = errors.Join(err, err2); err == nil {
			err = acknowledge(ctx, s, data)
		}
		if err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		bot.Wait()
	})
	srv.Gateway().WaitConnected(t)
	// Whoever hears of the registration afterwards would count it as a request of the players'.
	select {
	case <-registered:
	case <-time.After(waittest.Patience()):
		t.Fatal("no commands were registered")
	}
	c := newCrowd(srv, plays, channels)
	c.limit = waittest.Patience()
	return c
}

// TestAcknowledge plays with the bot that only acknowledges: every click gets the
// same board, with nothing left out and hardly a byte more than the game's own.
func TestAcknowledge(t *testing.T) {
	c := acknowledging(t, false, 3)
	sum, first := newTally(), time.Duration(0)
	for _, games := range []int{1, 3} {
		first = sum.elapsed
		if err := c.play(t.Context(), budget{games: games}, 0, sum); err != nil {
			t.Fatal(err)
		}
	}
	if c.bytes.Load() != sum.bytes || sum.elapsed <= first {
		t.Errorf("%d bytes of %d were counted, in %v after %v", sum.bytes, c.bytes.Load(), sum.elapsed, first)
	}
	f := sum.report(Bot{})
	if f.Games < 4 || f.Interactions < 4*5 || f.Unanswered != 0 || f.Unexpected != 0 || f.Requests != 1 {
		t.Errorf("figures %+v", f)
	}
	var own bytes.Buffer
	if err := json.Compact(&own, []byte(`{"type":7,"data":`+board+`}`)); err != nil {
		t.Fatal(err)
	}
	if n := float64(own.Len()); f.AnswerBytes < n || f.AnswerBytes > 1.4*n {
		t.Errorf("an answer has %.0f bytes, the game's own board %.0f", f.AnswerBytes, n)
	}
	boards := 0
	for _, p := range c.pairs {
		if p.board == nil {
			continue // the others were over before they began
		}
		boards++
		s := p.board.Snapshot()
		if labels := strings.Join(s.Labels(), ","); labels != "\u200b,X,O,\u200b,\u200b,\u200b,\u200b,\u200b,\u200b,Resign" {
			t.Errorf("the board shows %q", labels)
		}
		if s.Text() != "It is <@1>'s turn\n-# and so on" {
			t.Errorf("the board says %q", s.Text())
		}
	}
	if boards == 0 {
		t.Error("nobody has a board")
	}
	updates := 0
	for _, call := range c.srv.World().Calls() {
		if r := call.Reply(); call.Kind() == sandbox.InteractionComponent {
			updates++
			if r.Type != sandbox.CallbackUpdate {
				t.Errorf("%v was answered with type %d", call, r.Type)
			}
		}
	}
	if updates == 0 {
		t.Error("nobody clicked")
	}
}

// TestStrangeBot lets people play the game with a bot that does not.
func TestStrangeBot(t *testing.T) {
	c := acknowledging(t, true, 1)
	if err := c.play(t.Context(), budget{games: 1}, 0, newTally()); !errors.Is(err, errBot) || !errors.Is(err, sandbox.ErrUnknownCommand) {
		t.Errorf("a bot without the game's command: %v", err)
	}
	c = acknowledging(t, false, 1)
	if err := c.pairs[0].act(&turn{tally: newTally()}); err != nil || c.pairs[0].board == nil {
		t.Fatalf("no board: %v", err)
	}
	c.pairs[0].plays, c.pairs[0].strange = true, patience-1 // somebody looks at the answers, and has little patience left
	err := c.play(t.Context(), budget{games: 1}, 0, newTally())
	if !errors.Is(err, errBot) || !strings.Contains(err.Error(), "does not play as expected") {
		t.Errorf("a bot that ignores moves: %v", err)
	}
}

// TestPause plays with a pause: nothing makes the clicks of a channel come sooner than the
// shortest pauses would, however slow the machine was before.
func TestPause(t *testing.T) {
	const pause = 40 * time.Millisecond
	c := acknowledging(t, false, 4)
	began, got := time.Now(), newTally()
	if err := c.play(t.Context(), budget{games: 12}, pause, got); err != nil {
		t.Fatal(err)
	}
	most := len(c.pairs) * (1 + int(time.Since(began)/(pause/2)))
	if n := int(got.latency.TotalCount()); n > most {
		t.Errorf("%d interactions, %d at most expected", n, most)
	}
}

// TestTimeIsOver: a turn that has a time ends with it, and nobody clicks behind its end.
func TestTimeIsOver(t *testing.T) {
	c := acknowledging(t, false, 2)
	for _, pause := range []time.Duration{0, time.Hour} {
		got := newTally()
		if err := c.play(t.Context(), budget{time: 100 * time.Millisecond}, pause, got); err != nil {
			t.Fatal(err)
		}
		if n := got.latency.TotalCount(); pause > 0 && n > 0 {
			t.Errorf("%d interactions, none expected", n)
		}
	}
}

// TestOver: a turn is over once its budget is spent.
func TestOver(t *testing.T) {
	began := time.Now()
	games := budget{games: 4}
	for name, c := range map[string]struct {
		turn  *turn
		games int64
		over  bool
	}{
		"three of four games": {&turn{budget: games, began: began}, 3, false},
		"four of four games":  {&turn{budget: games, began: began}, 4, true},
		"five of four games":  {&turn{budget: games, began: began}, 5, true},
		"a time that is over": {&turn{budget: budget{time: time.Second}, began: began.Add(-time.Minute)}, 0, true},
		"half of an hour":     {&turn{budget: budget{time: time.Hour}, began: began.Add(-30 * time.Minute)}, 5, false},
	} {
		c.turn.games.Store(c.games)
		if got := c.turn.over(); got != c.over {
			t.Errorf("%s: over is %v, want %v", name, got, c.over)
		}
	}
}

// TestTally reports sums that are known.
func TestTally(t *testing.T) {
	sum := newTally()
	for i := range 2000 {
		record(sum.latency, time.Duration(i/2+1)*time.Millisecond)
	}
	sum.elapsed, sum.Games, sum.bytes, sum.requests = 10*time.Second, 200, 3_000_000, 2200
	sum.Unanswered = 2
	sum.bot, sum.discord, sum.database = 2*time.Second, 4*time.Second, time.Second
	f := sum.report(Bot{})
	if f.Interactions != 2000 || f.Games != 200 || f.Rate != 200 || f.Seconds != 10 || f.Unanswered != 2 {
		t.Errorf("counts %+v", f)
	}
	if !systemTells {
		if f.CPU != nil || f.DiscordProcessors != nil {
			t.Error("CPU times of a system that does not tell them")
		}
		return
	}
	if *f.CPU != 1000 || *f.DiscordCPU != 2000 || *f.Processors != 0.2 || *f.DiscordProcessors != 0.4 || f.AnswerBytes != 1500 || f.Requests != 1.1 {
		t.Errorf("costs %v %v %v %v %v %v", *f.CPU, *f.DiscordCPU, *f.Processors, *f.DiscordProcessors, f.AnswerBytes, f.Requests)
	}
	for _, q := range []struct{ got, want float64 }{{f.Latency.P50, 500}, {f.Latency.P99, 990}, {f.Latency.P999, 999}, {f.Latency.Max, 1000}} {
		if q.got < q.want || q.got > 1.002*q.want {
			t.Errorf("latencies %+v: %v, want %v", f.Latency, q.got, q.want)
		}
	}
	if with := sum.report(Bot{Database: 1}).DatabaseCPU; f.DatabaseCPU != nil || with == nil || *with != 500 {
		t.Errorf("the database's CPU is %v without one, %v with one", f.DatabaseCPU, with)
	}
}

// TestTables writes a report as people read it.
func TestTables(t *testing.T) {
	cpu, own := 300.0, 200.0
	half, busy := 150.0, 0.5
	r := &Report{
		OS: "linux", Arch: "amd64", Go: "go1", CPUs: 2, Channels: 32, Flush: Latency{P50: 0.5, P99: 2},
		Bots: []BotReport{
			{Name: "game", Ready: 40, WarmMemory: Memory{Resident: 20 << 20}, Memory: Memory{Resident: 30 << 20, Peak: 40 << 20}},
			{Name: "other", Acknowledges: true, Ready: 1234},
		},
		Loads: []LoadReport{{Load: loadFull, Bots: []Figures{
			{Name: "game", Rate: 900, Latency: Latency{P50: 1, P99: 12.34, P999: 123.4, Max: 200}, CPU: &cpu, DiscordCPU: &own, Processors: &busy, DiscordProcessors: &busy, AnswerBytes: 1400, Requests: 1.1},
			{Name: "other", Rate: 1000, Latency: Latency{P50: 1, P99: 11.34}, CPU: &half},
		}}},
	}
	var b bytes.Buffer
	if err := r.WriteTables(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"32 channels, 2 processors, linux/amd64, go1",
		"0.50 ms (p50), 2.00 ms (p99)",
		"game beside other: 0.90 of its rate, 2.00 times its CPU time, p99 1.00 ms more.",
		"12.3 ms", "123 ms", "300 µs", "1400", "20.0 MiB", "30.0 MiB", "40.0 MiB", "1234 ms", "?",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in:\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if len([]rune(line)) > 100 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
}
