// Package door decides whose HTTP requests a server on this machine lets in: by the
// host that they name, by the site that they come from, and by a key where others
// than this machine could come.
//
// A browser on this machine is the danger: any site can send it here, and can point a
// name of its own at loopback. It cannot choose the Host header, nor hide its origin.
package door

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ErrNotLoopback: an address that other machines could reach.
var ErrNotLoopback = errors.New("sandbox: address is not on loopback")

// Door is what is let in. It may be used by several goroutines at once.
type Door struct {
	// Addr is where the server listens.
	Addr string
	// Hosts are names, beside those of loopback, that requests may give to the
	// server, without a port: it may be mapped to another one.
	Hosts []string
	// Key is what Guard demands; nothing for "".
	Key string
}

// CheckAddr says what is wrong with an address to listen on: it must be host:port,
// and a host other than loopback is ErrNotLoopback.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("sandbox: address %q: %w", addr, err)
	}
	if !IsLoopback(host) {
		return fmt.Errorf("%w: %s", ErrNotLoopback, addr)
	}
	return nil
}

// IsLoopback reports whether a host, without a port, is this machine itself. Of names
// only "localhost" is: any other can be pointed at loopback by whoever owns it.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// IsHost reports whether name can stand in Hosts: a host name or an IP address, and
// nothing around it.
func IsHost(name string) bool {
	if ip := net.ParseIP(strings.Trim(name, "[]")); ip != nil {
		return true
	}
	u, err := url.Parse("http://" + name)
	return err == nil && name != "" && u.Host == name && u.Port() == "" && !strings.ContainsAny(name, ":*@%[]")
}

// Serves reports whether a Host header names this server.
func (d Door) Serves(host string) bool {
	name, port, ok := split(host)
	_, own, _ := net.SplitHostPort(d.Addr)
	return ok && (d.knows(name) || IsLoopback(name) && cmp.Or(port, "80") == own)
}

// Knows reports whether a Host header has a name of this server, whatever its port.
func (d Door) Knows(host string) bool {
	name, _, ok := split(host)
	return ok && (IsLoopback(name) || d.knows(name))
}

func (d Door) knows(name string) bool {
	return slices.ContainsFunc(d.Hosts, func(h string) bool { return strings.EqualFold(strings.Trim(h, "[]"), name) })
}

// split parts a Host header, which must be nothing but a host and a port.
func split(host string) (name, port string, ok bool) {
	u, err := url.Parse("http://" + host)
	if err != nil || u.Host != host {
		return "", "", false
	}
	return u.Hostname(), u.Port(), true
}

// OwnOrigin reports whether a request comes from a page of this server, from the
// address bar, or from no browser.
func OwnOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		// Following a link here is harmless; anything else is not.
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	}
	return true
}

// Guard lets those pass to next who have the key: programs as "Authorization: Bearer
// key", browsers by a cookie, which an address with ?key= gives them once.
func (d Door) Guard(next http.Handler) http.Handler {
	if d.Key == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch query := r.URL.Query(); {
		case d.fits(bearer) || d.hasCookie(r):
			if r.Method == http.MethodGet && query.Has("key") {
				forgetKey(w, r, query)
				return
			}
			next.ServeHTTP(w, r)
		case r.Method == http.MethodGet && d.fits(query.Get("key")):
			http.SetCookie(w, &http.Cookie{ //nolint:gosec // there is no TLS here
				Name: d.cookieName(r), Value: d.Key, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
			})
			forgetKey(w, r, query)
		default:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "This local Discord wants its key. Open the address that was printed at its start, which ends with ?key= and the key.", http.StatusUnauthorized)
		}
	})
}

// forgetKey sends the browser to the same address without the key, which would
// otherwise stay in its history.
func forgetKey(w http.ResponseWriter, r *http.Request, query url.Values) {
	query.Del("key")
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: query.Encode()}
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

func (d Door) hasCookie(r *http.Request) bool {
	c, err := r.Cookie(d.cookieName(r))
	return err == nil && d.fits(c.Value)
}

// cookieName differs by port: browsers do not tell two servers of one host apart.
func (Door) cookieName(r *http.Request) string {
	_, port, _ := split(r.Host)
	return "local-discord-" + cmp.Or(port, "80")
}

// fits compares with the key in a time that tells nothing of it, its length included.
func (d Door) fits(key string) bool {
	a, b := sha256.Sum256([]byte(key)), sha256.Sum256([]byte(d.Key))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
