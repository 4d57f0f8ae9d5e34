package metrics

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/quirks"
	"tictactoe/bot/service"
	"tictactoe/store"
)

// Watch adds the figures of a service and its store. Call it once.
func (m *Metrics) Watch(s *service.Service, kept store.Store) {
	w := &watcher{service: s, store: kept}
	if db, ok := kept.(interface {
		Running(ctx context.Context) (int, error)
	}); ok {
		var known int // while the database does not answer
		w.running = recent.Answers(countedFor, func(ctx context.Context) (int, error) {
			ctx, cancel := context.WithTimeout(ctx, countTime)
			defer cancel()
			if n, err := db.Running(ctx); err == nil {
				known = n
			}
			return known, nil
		})
	}
	m.registry.MustRegister(w)
}

// watcher asks when it is asked.
type watcher struct {
	service *service.Service
	store   store.Store
	running func(context.Context) (int, error) // how many games are being played; nil if the store does not tell
}

// Describe implements prometheus.Collector. Each figure is described as it is told.
func (*watcher) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (w *watcher) Collect(out chan<- prometheus.Metric) {
	tell := func(kind prometheus.ValueType, name string, v float64, help string, label []string) {
		labels := prometheus.Labels{}
		for pair := range slices.Chunk(label, 2) {
			labels[pair[0]] = pair[1]
		}
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc("tictactoe_"+name, help, nil, labels), kind, v)
	}
	gauge := func(name string, v float64, help string, label ...string) {
		tell(prometheus.GaugeValue, name, v, help, label)
	}
	counter := func(name string, v float64, help string, label ...string) {
		tell(prometheus.CounterValue, name, v, help, label)
	}
	s, c := w.service, w.service.Counts()
	gauge("ready", truth(s.Ready()), "1 while clicks of every server can reach the bot.")
	gauge("discord_reachable", truth(s.Reachable()), "1 while Discord's REST API answers.")
	for _, q := range quirks.All {
		gauge("discord_quirk", truth(s.Quirks().Has(q)),
			"1 where Discord was found not to do what the bot relies on, so that its messages have another form.", "quirk", string(q))
	}
	gauge("interactions_handling", float64(s.Handling()), "Interactions that were begun and are not finished.")
	counter("interactions_unsigned_total", float64(s.Refused()), "Posted interactions that were refused for their signature.")
	counter("uptime_seconds_total", s.Uptime().Seconds(),
		"The bot's own time, which stands still while people cannot play: it advances by a second a second, or clocks lag behind.")
	counter("redraws_given_up_total", float64(c.Undrawn), "Messages whose redraw was given up; the next click makes it good.")
	counter("redraws_forbidden_total", float64(c.Left), "Messages that Discord did not let the bot redraw.")
	counter("redraws_wanted_total", float64(c.Redraws), "Redraws of messages that were begun.")
	counter("redraws_done_total", float64(c.Redrawn), "Redraws of messages that Discord took.")
	counter("panics_total", float64(c.Panics), "Mistakes of the program that it recovered from.")
	have := 0.0
	for _, g := range s.Sessions() {
		label := strconv.Itoa(g.Shard)
		have += truth(g.Ready)
		gauge("gateway_ready", truth(g.Ready), "1 while the shard's Gateway session is ready.", "shard", label)
		counter("gateway_connects_total", float64(g.Connects), "Gateway connections that became ready.", "shard", label)
		counter("gateway_resumes_total", float64(g.Resumes), "Those of them that resumed a session.", "shard", label)
		counter("gateway_identifies_total", float64(g.Identify), "Gateway sessions that were started.", "shard", label)
		gauge("gateway_attempts", float64(g.Attempts), "Connections tried since the shard was last ready.", "shard", label)
	}
	// For a wall: how many of how many.
	gauge("gateway_shards_ready", have, "Shards of this process whose Gateway session is ready.")
	gauge("gateway_shards_wanted", float64(len(s.Sessions())), "Shards that this process is to have connected.")
	if w.running != nil {
		n, _ := w.running(context.Background())
		gauge("games_running", float64(n), "Games that are being played, as the database has them.")
	}
	if r, ok := w.store.(interface{ Readers() (used, most int) }); ok {
		used, most := r.Readers()
		gauge("pool_connections_used", float64(used), "Connections for reading that are in use.")
		gauge("pool_connections_max", float64(most), "Connections for reading that there may be.")
	}
	if l, ok := w.store.(interface{ Leases() int }); ok {
		gauge("leases", float64(l.Leases()),
			"Clock domains that this process owns, of 64; a process that has a database for itself owns them all and does not tell.")
	}
	gauge("store_failed", truth(w.store.Err() != nil), "1 once the database cannot be used any more.")
}

const (
	// countedFor is for how long a count of games is everybody's.
	countedFor = 5 * time.Second
	// countTime bounds one.
	countTime = 2 * time.Second
)

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
