package postgres

import (
	"testing"
	"time"
)

// TestLocksAreWaitedForLessThanAWriteMayTake: so the server says that something is locked,
// and the write does not just end.
func TestLocksAreWaitedForLessThanAWriteMayTake(t *testing.T) {
	t.Parallel()
	config, err := parseURL("postgres://bot@127.0.0.1/games", options{timeout: 1500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if got := config.ConnConfig.RuntimeParams["lock_timeout"]; got != "1200" {
		t.Errorf("lock_timeout is %q, want 1200 milliseconds", got)
	}
}

// TestTheAddressSaysHowLongToConnect, longer than the usual time, too.
func TestTheAddressSaysHowLongToConnect(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]time.Duration{"": connectTime, "?connect_timeout=60": time.Minute, "?connect_timeout=1": time.Second} {
		config, err := parseURL("postgres://bot@127.0.0.1/games"+query, options{timeout: 1500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if got := config.ConnConfig.ConnectTimeout; got != want {
			t.Errorf("%q: connecting takes %v at most, want %v", query, got, want)
		}
	}
}
