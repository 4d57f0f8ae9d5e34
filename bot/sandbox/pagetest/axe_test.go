package pagetest

import (
	"os"
	"testing"
)

// TestAxeIsThere is the test that skips where pages are not checked with axe-core.
func TestAxeIsThere(t *testing.T) {
	path := os.Getenv("AXE_CORE")
	if path == "" {
		t.Skip("AXE_CORE is not set: pages are not checked with axe-core")
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("AXE_CORE names no script: %v", err)
	}
}
