package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"sync/atomic"
	"time"
)

// anyPort has the system choose a port: one that was free a moment ago may be taken.
const anyPort = "127.0.0.1:0"

// leadsTo is how a bot that is posted to says where it listens.
var leadsTo = regexp.MustCompile(`lead to http://([0-9.:]+)/interactions`)

// post has interactions posted to the bot's processes, once they say where they listen.
func (p *process) post(ctx context.Context) (err error) {
	var addrs []string
	for _, c := range p.children {
		addr, err := p.hear(ctx, c, leadsTo)
		if err != nil {
			return err
		}
		addrs = append(addrs, addr)
	}
	front := addrs[0]
	if p.bot.Balanced {
		if front, err = serve(p.life, anyPort, balancer(addrs)); err != nil {
			return err
		}
	}
	return p.poll(ctx, func() bool { return p.srv.REST().SetEndpoint(ctx, p.srv.App(), "http://"+front+"/interactions") == nil })
}

// balancer passes requests on to one address after the other. It knows of no address
// that is gone: none goes while it is measured.
func balancer(addrs []string) http.Handler {
	var next atomic.Uint64
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: addrs[next.Add(1)%uint64(len(addrs))]})
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: idleConnections, IdleConnTimeout: time.Minute},
	}
}

// idleConnections are kept for those who click at once.
const idleConnections = 512

// serve serves at the address until the context ends, and returns which one it is.
func serve(ctx context.Context, addr string, h http.Handler) (at string, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: startTime}
	context.AfterFunc(ctx, func() { _ = s.Close() }) // nobody waits for it any more
	go func() { _ = s.Serve(l) }()                   // until it is closed
	return l.Addr().String(), nil
}
