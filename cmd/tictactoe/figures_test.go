package main

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
)

// TestMemoryAtRest: what a bot holds before the first click, with the commands of every
// language registered: with these bounds for the heap a static binary on Linux has less than
// 40 MiB resident.
func TestMemoryAtRest(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", append(settings, "METRICS_ADDR=:0"))
	connected(t, srv, p)
	figures := "http://" + p.serves(t, "METRICS_ADDR")
	figure := func(name string) float64 {
		_, text := ask(t, figures+"/metrics")
		m := regexp.MustCompile(`(?m)^go_memstats_` + name + `_bytes (\S+)$`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no figure %s in\n%s", name, text)
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v / (1 << 20)
	}
	// The start's room is given back as soon as the commands are registered.
	poll(t, p, "at most 16 MiB of heap", func() bool {
		ask(t, figures+"/debug/pprof/heap?gc=1")
		return figure("heap_sys")-figure("heap_released") <= 16
	})
	if used := figure("heap_alloc"); used > 8 {
		t.Errorf("%.1f MiB of heap are in use, want at most 8", used)
	}
}

// TestFiguresOfTheProgram: figures and profiles are served at an address of their own,
// with those of the store, and without anything secret.
func TestFiguresOfTheProgram(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", append(settings, "HTTP_ADDR="+anyPort, "METRICS_ADDR=:0"))
	connected(t, srv, p)
	addr, figures := p.serves(t, "HTTP_ADDR"), p.serves(t, "METRICS_ADDR")
	ada := srv.User("Ada")
	board := ada.Command(t, srv.Guild().Channel("general"), "tictactoe play", sandbox.Opt("difficulty", "easy")).Message
	ada.ClickCell(t, board, 1, 1)
	text := ""
	for _, want := range []string{
		"tictactoe_ready 1\n", "tictactoe_games_running 1\n", "tictactoe_games_begun_total 1\n",
		`tictactoe_interactions_total{kind="play",outcome="answered"} 1`, `tictactoe_gateway_ready{shard="0"} 1`,
		"tictactoe_commit_seconds_count ", "process_cpu_seconds_total ",
	} {
		// An answer is counted once it has been sent.
		poll(t, p, want, func() bool {
			_, text = ask(t, "http://"+figures+"/metrics")
			return strings.Contains(text, want)
		})
	}
	for _, id := range []string{srv.Token(), ada.ID(), board.ID(), srv.Guild().ID()} {
		if strings.Contains(text, id) {
			t.Errorf("%s is in the figures", id)
		}
	}
	for url, want := range map[string]int{
		"http://" + figures + "/debug/pprof/goroutine?debug=1": http.StatusOK,
		"http://" + figures + "/readyz":                        http.StatusNotFound,
		"http://" + addr + "/metrics":                          http.StatusNotFound,
		"http://" + addr + "/debug/pprof/":                     http.StatusNotFound,
	} {
		if status, _ := ask(t, url); status != want {
			t.Errorf("%s answers %d, want %d", url, status, want)
		}
	}
}

// TestMetricsAddr: without a host it is on loopback.
func TestMetricsAddr(t *testing.T) {
	for addr, want := range map[string]string{
		"": "", ":9464": "127.0.0.1:9464", "127.0.0.1:0": "127.0.0.1:0", "0.0.0.0:9464": "0.0.0.0:9464", "[::]:1": "[::]:1",
	} {
		var p problems
		if got := checkMetrics(&p, addr).addr; got != want || len(p) > 0 {
			t.Errorf("%q becomes %q, %v, want %q", addr, got, p, want)
		}
	}
}
