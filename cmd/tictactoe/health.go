package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// The waits of health checks.
const (
	healthReadTime = 5 * time.Second
	checkTime      = 2 * time.Second
)

// serveHealth answers /healthz, as long as the process is alive, and /readyz, when
// it is connected and the store can be written. stop ends it.
func serveHealth(ctx context.Context, addr string, a *app) (stop func(), err error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		check, cancel := context.WithTimeout(r.Context(), checkTime)
		defer cancel()
		switch {
		case !a.ready():
			http.Error(w, "not connected to Discord", http.StatusServiceUnavailable)
		case a.store.Check(check) != nil:
			http.Error(w, "the database cannot be written", http.StatusServiceUnavailable)
		default:
			_, _ = io.WriteString(w, "ready\n")
		}
	})
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("HTTP_ADDR: %w", err)
	}
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: healthReadTime}
	go func() { _ = srv.Serve(l) }()
	return func() { _ = srv.Close() }, nil
}

// healthCmd asks a running bot whether it is ready, for images without a shell.
type healthCmd struct {
	HTTPAddr string `name:"http-addr" env:"HTTP_ADDR" placeholder:"ADDR" help:"The address that the bot serves."`
}

var errNotReady = errors.New("not ready")

// Run implements the command.
func (c *healthCmd) Run(ctx context.Context, env environment) error {
	if c.HTTPAddr == "" {
		return settingsError{"HTTP_ADDR is not set: the running bot needs it as well, such as HTTP_ADDR=127.0.0.1:8080"}
	}
	host, port, err := net.SplitHostPort(c.HTTPAddr)
	if err != nil {
		return settingsError{fmt.Sprintf("HTTP_ADDR %q is not an address such as :8080 or 127.0.0.1:8080", c.HTTPAddr)}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthReadTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotReady, err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	fmt.Fprint(env.stdout, string(text))
	if resp.StatusCode != http.StatusOK {
		return errNotReady
	}
	return nil
}
