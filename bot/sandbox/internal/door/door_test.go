package door

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHostsThatAreServed(t *testing.T) {
	for _, c := range []struct {
		host, listener string
		want           bool
	}{
		{"127.0.0.1:8484", "127.0.0.1:8484", true},
		{"localhost:8484", "127.0.0.1:8484", true},
		{"[::1]:8484", "[::1]:8484", true},
		{"127.0.0.2:8484", "127.0.0.2:8484", true},
		// Browsers leave the usual port out.
		{"127.0.0.1", "127.0.0.1:80", true},
		{"localhost", "127.0.0.1:80", true},
		{"[::1]", "[::1]:80", true},
		{"127.0.0.1:80", "127.0.0.1:80", true},
		{"127.0.0.1", "127.0.0.1:8484", false},
		{"127.0.0.1:8485", "127.0.0.1:8484", false},
		// Names that resolve to loopback, as anybody's can.
		{"example.org:8484", "127.0.0.1:8484", false},
		{"localhost.example.org", "127.0.0.1:80", false},
		{"127.0.0.1.example.org:8484", "127.0.0.1:8484", false},
		{"192.0.2.1:8484", "127.0.0.1:8484", false},
		{"0.0.0.0:8484", "127.0.0.1:8484", false},
		{"user@127.0.0.1:8484", "127.0.0.1:8484", false},
		{"127.0.0.1:8484/x", "127.0.0.1:8484", false},
		{"", "127.0.0.1:80", false},
	} {
		if got := (Door{Addr: c.listener}).Serves(c.host); got != c.want {
			t.Errorf("%q at %s: got %v", c.host, c.listener, got)
		}
	}
}

// TestHostsThatAreAllowed: a name that was allowed is served whatever port a container
// maps to ours, and no other name with it.
func TestHostsThatAreAllowed(t *testing.T) {
	d := Door{Addr: "0.0.0.0:8484", Hosts: []string{"host.docker.internal", "192.0.2.7", "[2001:db8::1]"}}
	for host, want := range map[string]bool{
		"host.docker.internal:8484": true, "HOST.docker.internal:9000": true, "host.docker.internal": true,
		"192.0.2.7:8484": true, "[2001:db8::1]:8484": true,
		"127.0.0.1:8484": true, "localhost:8484": true,
		"localhost:9000": false, "192.0.2.8:8484": false, "docker.internal:8484": false,
		"evil.host.docker.internal:8484": false, "x@host.docker.internal:8484": false, "": false,
	} {
		if got := d.Serves(host); got != want {
			t.Errorf("%q: got %v", host, got)
		}
	}
	if !d.Knows("localhost:9000") || d.Knows("example.org:8484") {
		t.Error("Knows looks at the port, or not at the name")
	}
}

func TestIsHost(t *testing.T) {
	for name, want := range map[string]bool{
		"host.docker.internal": true, "sandbox": true, "192.0.2.7": true, "::1": true, "[::1]": true,
		"": false, "*": false, "a:1": false, "http://a": false, "a/b": false, "u@a": false, "*.example.org": false, "a b": false, "]": false,
	} {
		if got := IsHost(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:0": "", "localhost:8484": "", "[::1]:1": "",
		"0.0.0.0:8484": "not on loopback", ":8484": "not on loopback", "example.org:80": "not on loopback",
		"127.0.0.1": "missing port", "127.0.0.1:x": "invalid syntax", "127.0.0.1:70000": "out of range",
	} {
		err := CheckAddr(addr)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", addr, err, want)
		}
	}
}

// TestKey: a key opens by address once, then by cookie, and for programs by header.
func TestKey(t *testing.T) {
	const key = "the-right-key"
	h := Door{Addr: "0.0.0.0:8484", Key: key}.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("inside"))
	}))
	ask := func(method, target string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://box:8484"+target, nil)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, refused := range []*httptest.ResponseRecorder{
		ask("GET", "/"), ask("GET", "/?key="), ask("GET", "/?key=the-right-ke"), ask("POST", "/page/say?key="+key),
		ask("GET", "/", "Cookie", "local-discord-8484=wrong"), ask("GET", "/", "Cookie", "local-discord-8485="+key),
		ask("GET", "/", "Authorization", "Bearer "), ask("GET", "/", "Authorization", key+"x"),
	} {
		if refused.Code != http.StatusUnauthorized || !strings.Contains(refused.Body.String(), "wants its key") || strings.Contains(refused.Body.String(), key) {
			t.Errorf("got %d %q", refused.Code, refused.Body)
		}
	}
	first := ask("GET", "/?as=ben&key="+key)
	cookies := first.Result().Cookies()
	if first.Code != http.StatusSeeOther || first.Header().Get("Location") != "/?as=ben" || len(cookies) != 1 ||
		!cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode {
		t.Fatalf("the first address answers %d, %v", first.Code, first.Header())
	}
	cookie := cookies[0].Name + "=" + cookies[0].Value
	for _, r := range []*httptest.ResponseRecorder{
		ask("GET", "/", "Cookie", cookie), ask("POST", "/page/say", "Cookie", cookie), ask("POST", "/sandbox/v1/reset", "Authorization", "Bearer "+key),
	} {
		if r.Body.String() != "inside" {
			t.Errorf("with the key: %d %s", r.Code, r.Body)
		}
	}
	if r := ask("GET", "/?key="+key, "Cookie", cookie); r.Header().Get("Location") != "/" || len(r.Result().Cookies()) != 0 {
		t.Errorf("an address with the key that is known already is led to %q", r.Header().Get("Location"))
	}
	if r := ask("GET", "//example.org/?key="+key); r.Header().Get("Location") != "/example.org/" {
		t.Errorf("led away to %q", r.Header().Get("Location"))
	}
}
