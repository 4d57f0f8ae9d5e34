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

// TestTheAddressSaysHowLongToConnect, longer than the usual time, too. Several hosts share the time
// that a write may take.
func TestTheAddressSaysHowLongToConnect(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]time.Duration{
		"127.0.0.1/games": connectTime, "127.0.0.1/games?connect_timeout=60": time.Minute, "127.0.0.1/games?connect_timeout=1": time.Second,
		"127.0.0.1,127.0.0.2/games": 750 * time.Millisecond, "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3/games": 500 * time.Millisecond,
		"127.0.0.1,127.0.0.2/games?connect_timeout=3": 3 * time.Second,
	} {
		config, err := parseURL("postgres://bot@"+address, options{timeout: 1500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if got := config.ConnConfig.ConnectTimeout; got != want {
			t.Errorf("%q: connecting takes %v at most, want %v", address, got, want)
		}
	}
}
