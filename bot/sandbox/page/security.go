package page

import (
	"net/http"
	"strings"
)

// contentPolicy lets the page load and reach its own address only. Styles that
// scripts set on an element are not inline styles and need no exception.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard refuses what does not come from the page itself and puts the security
// headers on every answer. It does not rely on the server's own checks, so that
// the page stays safe wherever it is mounted.
func (p *page) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !p.srv.AllowsHost(r.Host):
			fail(w, http.StatusForbidden, "host", "This page answers on this machine's own addresses, and on those that were allowed, only.")
		case !sameOrigin(r):
			fail(w, http.StatusForbidden, "origin", "Requests of other sites are refused.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// sameOrigin reports whether a request comes from the page or, for one that
// only shows the page, from the address bar or a link. What changes something, or
// opens the stream, must say where it comes from.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		upgrade := strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
		return !upgrade && (r.Method == http.MethodGet || r.Method == http.MethodHead)
	}
	return origin == "http://"+r.Host
}
