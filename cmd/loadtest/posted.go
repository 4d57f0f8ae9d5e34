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
func (p *process) post(ctx context.Context) error {
	var addrs []string
	for _, c := range p.children {
		err := p.poll(ctx, func() bool {
			said := leadsTo.FindStringSubmatch(c.output.String())
			if said != nil {
				addrs = append(addrs, said[1])
			}
			return said != nil
		})
		if err != nil {
			return err
		}
	}
	front := addrs[0]
	if p.bot.Processes > 0 {
		b, err := newBalancer(ctx, addrs)
		if err != nil {
			return err
		}
		p.balancer, front = b, b.listener.Addr().String()
	}
	return p.poll(ctx, func() bool { return p.srv.REST().SetEndpoint(ctx, p.srv.App(), "http://"+front+"/interactions") == nil })
}

// balancer passes requests on to one address after the other. It knows of no address
// that is gone: none goes while it is measured.
type balancer struct {
	listener net.Listener
	server   *http.Server
	next     atomic.Uint64
	back     []*httputil.ReverseProxy
}

func newBalancer(ctx context.Context, addrs []string) (*balancer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &balancer{listener: l}
	transport := &http.Transport{MaxIdleConnsPerHost: idleConnections, IdleConnTimeout: time.Minute}
	for _, addr := range addrs {
		target := &url.URL{Scheme: "http", Host: addr}
		b.back = append(b.back, &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: transport,
		})
	}
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: startTime}
	go func() { _ = b.server.Serve(l) }() // until it is closed
	return b, nil
}

// idleConnections are kept for those who click at once.
const idleConnections = 512

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.back[b.next.Add(1)%uint64(len(b.back))].ServeHTTP(w, r)
}

func (b *balancer) close() { _ = b.server.Close() } // nobody waits for it any more
