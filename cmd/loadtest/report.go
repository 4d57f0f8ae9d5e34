package main

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Report is what was measured, in the shape of its JSON. Times are milliseconds, CPU times
// microseconds, sizes bytes.
type Report struct {
	OS       string       `json:"os"`
	Arch     string       `json:"arch"`
	Go       string       `json:"go"`
	CPUs     int          `json:"cpus"`
	Channels int          `json:"channels"`
	Rounds   int          `json:"rounds"`
	Flush    Latency      `json:"flush_ms"` // an append of 16 KiB made durable
	Bots     []BotReport  `json:"bots"`
	Loads    []LoadReport `json:"loads"`
}

// BotReport is what is known of a bot beside any load.
type BotReport struct {
	Name         string  `json:"name"`
	Acknowledges bool    `json:"acknowledges"`     // and does nothing else
	Posted       bool    `json:"posted"`           // interactions came by HTTP
	Processes    int     `json:"processes"`        // of it
	Beside       string  `json:"beside,omitempty"` // the bot that it is compared with; without one the first is compared with it
	Ready        float64 `json:"ready_ms"`         // from its start until clicks could reach it
	// Memory is what it had at the end, WarmMemory what it had when the measurement
	// began; zero where the system does not tell.
	Memory     Memory `json:"memory,omitzero"`
	WarmMemory Memory `json:"warm_memory,omitzero"`
}

// Memory is how much of the machine's memory a process has.
type Memory struct {
	Resident uint64 `json:"resident_bytes"`
	Peak     uint64 `json:"peak_resident_bytes"`
}

// The loads.
const (
	loadFull   = "full"   // people click as soon as they are answered
	loadHalf   = "half"   // all bots get half of the rate of the slowest
	loadPaused = "paused" // people pause as Options.Pause says
)

// LoadReport is how the bots did under a load, in the order of Report.Bots.
type LoadReport struct {
	Load  string    `json:"load"`
	Pause float64   `json:"pause_ms"` // from one click in a channel to the next
	Bots  []Figures `json:"bots"`
}

// Figures are how one bot did under a load.
type Figures struct {
	Name         string  `json:"name"`
	Interactions int64   `json:"interactions"`
	Games        int64   `json:"games"`
	Seconds      float64 `json:"seconds"`
	Rate         float64 `json:"interactions_per_second"`
	Latency      Latency `json:"latency_ms"` // from dispatch to acknowledgement
	// CPU is the time on a processor for each interaction, of the bot and of the
	// local Discord with the people in it; nil where the system does not tell.
	CPU        *float64 `json:"cpu_us,omitempty"`
	DiscordCPU *float64 `json:"local_discord_cpu_us,omitempty"`
	// DatabaseCPU is the same of the server that keeps the games; nil where there is none
	// on this machine.
	DatabaseCPU *float64 `json:"database_cpu_us,omitempty"`
	// Processors is how many were busy on average with the bot and with the local Discord.
	Processors        *float64 `json:"processors,omitempty"`
	DiscordProcessors *float64 `json:"local_discord_processors,omitempty"`
	AnswerBytes       float64  `json:"answer_bytes"`             // of an acknowledgement, on average
	Requests          float64  `json:"requests_per_interaction"` // acknowledgements and whatever else the bot asked
	Unanswered        int64    `json:"unanswered"`               // not within Discord's three seconds
	Unexpected        int64    `json:"unexpected"`               // answered with something else than the move
}

// Latency is a distribution of times.
type Latency struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99_9"`
	Max  float64 `json:"max"`
}

func latencies(h *hdrhistogram.Histogram) Latency {
	at := func(q float64) float64 { return float64(h.ValueAtQuantile(q)) / 1000 }
	return Latency{P50: at(50), P99: at(99), P999: at(99.9), Max: float64(h.Max()) / 1000}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// tally adds up what happened in turns.
type tally struct {
	Figures // as far as they are counted
	latency *hdrhistogram.Histogram
	elapsed time.Duration
	// What the bot asked of Discord, and how long what acknowledged something was.
	requests, bytes int64

	bot, discord, database time.Duration // of CPU time
}

func newTally() *tally { return &tally{latency: newHistogram()} }

// report returns all figures of the bot.
func (t *tally) report(b Bot) Figures {
	f, n := t.Figures, t.latency.TotalCount()
	f.Name, f.Interactions, f.Seconds, f.Latency = b.Name, n, t.elapsed.Seconds(), latencies(t.latency)
	if n == 0 || t.elapsed <= 0 {
		return f
	}
	f.Rate = float64(n) / t.elapsed.Seconds()
	f.AnswerBytes = float64(t.bytes) / float64(n)
	f.Requests = float64(t.requests) / float64(n)
	each := func(d time.Duration) *float64 { v := float64(d.Microseconds()) / float64(n); return &v }
	if b.Database != 0 {
		f.DatabaseCPU = each(t.database)
	}
	if systemTells {
		busy := func(d time.Duration) *float64 { v := d.Seconds() / t.elapsed.Seconds(); return &v }
		f.CPU, f.DiscordCPU = each(t.bot), each(t.discord)
		f.Processors, f.DiscordProcessors = busy(t.bot), busy(t.discord)
	}
	return f
}
