package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"tictactoe/bot/service"
)

// httpServer returns a server with every time-out set: a client that reads or writes
// slowly, or says nothing, keeps no connection for long.
func httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      max(10*time.Second, 2*answerTime), // more than an answer, or a check of the store, may take
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
	}
}

// serveHTTP answers /healthz, as long as the process is alive, /readyz, when the service
// is connected and its store can be written, and /interactions, where Discord posts
// them and the service takes them. It returns the
// address that it has; stop takes no more connections, lets requests under way finish,
// and ends it. It does nothing the second time.
func serveHTTP(ctx context.Context, addr string, s *service.Service) (at net.Addr, stop func(), err error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Health(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ready\n")
	})
	if interactions := s.Interactions(); interactions != nil {
		mux.Handle("POST /interactions", interactions)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, nil, fmt.Errorf("HTTP_ADDR: %w", err)
	}
	srv := httpServer(mux)
	go func() { _ = srv.Serve(l) }()
	return l.Addr(), func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
		if srv.Shutdown(ctx) != nil {
			_ = srv.Close()
		}
	}, nil
}
