package sandbox

import "testing"

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
		if got := servedHost(c.host, c.listener); got != c.want {
			t.Errorf("%q at %s: got %v", c.host, c.listener, got)
		}
	}
}
