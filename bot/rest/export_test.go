package rest

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
)

// Invalid returns how many answers Discord holds against the address.
func (c *Client) Invalid() int { return c.invalid.note(0) }

// Limited returns how many rate limits are remembered, and how many calls wait.
func (c *Client) Limited() (buckets, waiting int) { return c.limits.size() }

func (l *limiter) size() (buckets, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.buckets {
		waiting += b.waiting
	}
	return len(l.buckets), waiting
}

// Trust makes the client's own transports take the certificate.
func (c *Client) Trust(cert *x509.Certificate) {
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	for _, rt := range []http.RoundTripper{c.answers, c.fresh, c.routes} {
		rt.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	}
}
