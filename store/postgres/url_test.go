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
