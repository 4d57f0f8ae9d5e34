package metrics

import (
	"cmp"
	"net/http"
	"net/http/pprof"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tictactoe/bot/dispatch"
	"tictactoe/store"
)

// Metrics are the figures of one process. Its methods may be called concurrently.
type Metrics struct {
	registry *prometheus.Registry

	interactions *prometheus.CounterVec
	parts        [len(partNames)]prometheus.Observer
	begun        prometheus.Counter
	ended        *prometheus.CounterVec

	requests *prometheus.CounterVec
	request  *prometheus.HistogramVec
	waits    *prometheus.CounterVec
	waited   *prometheus.CounterVec

	commits prometheus.Histogram
	batches prometheus.Histogram
}

// partNames are the parts of the time from the receipt of an interaction to its answer.
var partNames = [...]string{"total", "waiting", "store", "discord"}

// quick are the bounds, in seconds, of what happens within Discord's three seconds.
var quick = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2, 3}

// New returns figures that are all zero. version is the program's.
func New(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "tictactoe_" + name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	histogram := func(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "tictactoe_" + name, Help: help, Buckets: bounds}, labels)
		m.registry.MustRegister(h)
		return h
	}
	m.interactions = counter("interactions_total", "Interactions that were handled, by what they were about and what became of them.", "kind", "outcome")
	parts := histogram("interaction_seconds", "Time from the receipt of an interaction until Discord had its answer, and its parts.", quick, "part")
	for i, name := range partNames {
		m.parts[i] = parts.WithLabelValues(name)
	}
	m.begun = counter("games_begun_total", "Games that began.").WithLabelValues()
	m.ended = counter("games_ended_total", "Games that ended, by reason.", "reason")
	for _, name := range reasons {
		m.ended.WithLabelValues(name) // a figure that is zero is there
	}
	m.requests = counter("discord_requests_total", "Requests to Discord's REST API, by route and status; 0 is no answer.", "route", "status")
	m.request = histogram("discord_request_seconds", "Time that a request to Discord's REST API took.", quick, "route")
	m.waits = counter("discord_waits_total", "Requests that waited for their turn within Discord's rate limits.", "route")
	m.waited = counter("discord_waited_seconds_total", "Time that requests waited for their turn.", "route")
	m.commits = histogram("commit_seconds", "Time that a commit took, its flush included.", quick).WithLabelValues().(prometheus.Histogram)
	m.batches = histogram("commit_changes", "Changes that were committed together.", []float64{1, 2, 4, 8, 16, 32, 64, 128, 256}).WithLabelValues().(prometheus.Histogram)
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tictactoe_build_info", Help: "1, with how the program was built.",
			ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
		}, func() float64 { return 1 }),
	)
	return m
}

// Handled implements bot.Observer.
func (m *Metrics) Handled(c *dispatch.Call) {
	m.interactions.WithLabelValues(c.Name, string(c.Outcome)).Inc()
	switch c.Outcome {
	case dispatch.Duplicate, dispatch.Late: // nobody was answered
		return
	}
	for i, took := range [len(partNames)]time.Duration{c.Total, c.Waiting, c.Store, c.Discord} {
		m.parts[i].Observe(took.Seconds())
	}
}

// Committed implements bot.Observer.
func (m *Metrics) Committed(begun int, ended []store.EndReason) {
	m.begun.Add(float64(begun))
	for _, reason := range ended {
		m.ended.WithLabelValues(cmp.Or(reasons[reason], "other")).Inc()
	}
}

// reasons names why games end.
var reasons = map[store.EndReason]string{
	store.ByLine: "line", store.FullBoard: "full_board", store.Repetition: "repetition", store.MoveLimit: "move_limit",
	store.Resignation: "resignation", store.Clock: "clock", store.Idle: "idle", store.Stopped: "stopped", store.PutAside: "put_aside",
	store.Abandoned: "abandoned", store.Unreachable: "unreachable", store.ThreadLocked: "thread_locked", store.PlayerErased: "player_erased",
}

// Requested implements rest.Observer.
func (m *Metrics) Requested(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, statusName(status)).Inc()
	m.request.WithLabelValues(route).Observe(took.Seconds())
}

// statusName keeps a server that answers nonsense from making series.
func statusName(status int) string {
	if status != 0 && http.StatusText(status) == "" {
		return "other"
	}
	return strconv.Itoa(status)
}

// Waited implements rest.Observer.
func (m *Metrics) Waited(route string, wait time.Duration) {
	m.waits.WithLabelValues(route).Inc()
	m.waited.WithLabelValues(route).Add(wait.Seconds())
}

// Commit takes note of a commit of the store.
func (m *Metrics) Commit(changes int, took time.Duration) {
	m.commits.Observe(took.Seconds())
	m.batches.Observe(float64(changes))
}

// Handler serves the figures at /metrics and Go's profiles at /debug/pprof/.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
