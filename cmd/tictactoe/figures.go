package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"tictactoe/bot/metrics"
	"tictactoe/bot/service"
	"tictactoe/store"
)

// figures are the process's figures for Prometheus, where METRICS_ADDR asks for them.
type figures struct {
	addr    string
	metrics *metrics.Metrics // nil where nobody asks
}

// checkMetrics checks METRICS_ADDR, and returns the figures that it asks for. They and profiles
// are nobody else's business: an address without a host is on loopback.
func checkMetrics(p *problems, addr string) figures {
	if addr == "" {
		return figures{}
	}
	if !isListenAddr(addr) {
		p.add("METRICS_ADDR %q is not an address to listen on, such as :9464, which is on loopback, or 0.0.0.0:9464", addr)
		return figures{}
	}
	host, port, _ := net.SplitHostPort(addr)
	return figures{net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port), metrics.New(version())}
}

// profileTime is for how long a profile may be taken.
const profileTime = 2 * time.Minute

// serve answers /metrics and /debug/pprof/ at an address of their own, until stop is
// called.
func (f figures) serve(ctx context.Context, s *service.Service, db store.Store, log *slog.Logger) (stop func(), err error) {
	if f.metrics == nil {
		return func() {}, nil
	}
	f.metrics.Watch(s, db)
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return nil, fmt.Errorf("METRICS_ADDR: %w", err)
	}
	log.Info("serving", "setting", "METRICS_ADDR", "address", l.Addr().String())
	srv := &http.Server{Handler: f.metrics.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: profileTime, IdleTimeout: time.Minute}
	go func() { _ = srv.Serve(l) }()
	return func() { _ = srv.Close() }, nil
}
