package metrics

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/quirks"
	"tictactoe/store"
)

// Service is what is looked at whenever somebody asks for the figures; *service.Service
// is one.
type Service interface {
	Ready() bool
	Reachable() bool
	Handling() int
	Refused() int64 // posted interactions without a right signature
	Counts() bot.Counts
	Uptime() time.Duration
	Sessions() []gateway.Status
	Quirks() *quirks.Set
}

// runner is a store that tells how many games are being played.
type runner interface {
	Running(ctx context.Context) (int, error)
}

// Watch adds the figures of a service and its store. Call it once.
func (m *Metrics) Watch(s Service, kept store.Store) {
	m.registry.MustRegister(&watcher{service: s, store: kept})
}

// watcher asks when it is asked.
type watcher struct {
	service Service
	store   store.Store

	mu      sync.Mutex // the count below is taken once for all who ask at the same time
	running float64
	counted time.Time
}

// One description for each figure that is asked for.
var (
	ready      = describe("ready", "1 while clicks of every server can reach the bot.")
	reachable  = describe("discord_reachable", "1 while Discord's REST API answers.")
	quirk      = describe("discord_quirk", "1 where Discord was found not to do what the bot relies on, so that its messages have another form.", "quirk")
	handling   = describe("interactions_handling", "Interactions that were begun and are not finished.")
	refused    = describe("interactions_unsigned_total", "Posted interactions that were refused for their signature.")
	uptime     = describe("uptime_seconds_total", "The bot's own time, which stands still while people cannot play: it advances by a second a second, or clocks lag behind.")
	undrawn    = describe("redraws_given_up_total", "Messages whose redraw was given up; the next click makes it good.")
	left       = describe("redraws_forbidden_total", "Messages that Discord did not let the bot redraw.")
	wanted     = describe("redraws_wanted_total", "Redraws of messages that were begun.")
	drawn      = describe("redraws_done_total", "Redraws of messages that Discord took.")
	panics     = describe("panics_total", "Mistakes of the program that it recovered from.")
	connected  = describe("gateway_ready", "1 while the shard's Gateway session is ready.", "shard")
	connects   = describe("gateway_connects_total", "Gateway connections that became ready.", "shard")
	resumes    = describe("gateway_resumes_total", "Those of them that resumed a session.", "shard")
	identifies = describe("gateway_identifies_total", "Gateway sessions that were started.", "shard")
	attempts   = describe("gateway_attempts", "Connections tried since the shard was last ready.", "shard")
	// For a wall: how many of how many.
	shardsReady  = describe("gateway_shards_ready", "Shards of this process whose Gateway session is ready.")
	shardsWanted = describe("gateway_shards_wanted", "Shards that this process is to have connected.")

	running  = describe("games_running", "Games that are being played, as the database has them.")
	poolUsed = describe("pool_connections_used", "Connections for reading that are in use.")
	poolMost = describe("pool_connections_max", "Connections for reading that there may be.")
	leases   = describe("leases", "Clock domains that this process owns, of 64; a process that has a database for itself owns them all and does not tell.")
	failed   = describe("store_failed", "1 once the database cannot be used any more.")
)

var everything []*prometheus.Desc // of those above

func describe(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("tictactoe_"+name, help, labels, nil)
	everything = append(everything, d)
	return d
}

// Describe implements prometheus.Collector.
func (*watcher) Describe(out chan<- *prometheus.Desc) {
	for _, d := range everything {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (w *watcher) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	s, c := w.service, w.service.Counts()
	gauge(ready, truth(s.Ready()))
	gauge(reachable, truth(s.Reachable()))
	for _, q := range quirks.All {
		gauge(quirk, truth(s.Quirks().Has(q)), string(q))
	}
	gauge(handling, float64(s.Handling()))
	counter(refused, float64(s.Refused()))
	counter(uptime, s.Uptime().Seconds())
	counter(undrawn, float64(c.Undrawn))
	counter(left, float64(c.Left))
	counter(wanted, float64(c.Redraws))
	counter(drawn, float64(c.Redrawn))
	counter(panics, float64(c.Panics))
	have := 0.0
	for _, g := range s.Sessions() {
		label := strconv.Itoa(g.Shard)
		have += truth(g.Ready)
		gauge(connected, truth(g.Ready), label)
		counter(connects, float64(g.Connects), label)
		counter(resumes, float64(g.Resumes), label)
		counter(identifies, float64(g.Identify), label)
		gauge(attempts, float64(g.Attempts), label)
	}
	gauge(shardsReady, have)
	gauge(shardsWanted, float64(len(s.Sessions())))
	if r, ok := w.store.(runner); ok {
		gauge(running, w.count(r))
	}
	if r, ok := w.store.(interface{ Readers() (used, most int) }); ok {
		used, most := r.Readers()
		gauge(poolUsed, float64(used))
		gauge(poolMost, float64(most))
	}
	if l, ok := w.store.(interface{ Leases() int }); ok {
		gauge(leases, float64(l.Leases()))
	}
	gauge(failed, truth(w.store.Err() != nil))
}

const (
	// countedFor is for how long a count of games is everybody's.
	countedFor = 5 * time.Second
	// countTime bounds one.
	countTime = 2 * time.Second
)

// count returns how many games are being played: as it was last known while the
// database does not answer.
func (w *watcher) count(r runner) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.counted) < countedFor {
		return w.running
	}
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	if n, err := r.Running(ctx); err == nil {
		w.running = float64(n)
	}
	w.counted = time.Now()
	return w.running
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
