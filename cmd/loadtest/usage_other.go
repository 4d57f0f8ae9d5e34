//go:build !linux

package loadtest

// usageOf knows nothing here.
func usageOf(int) usage { return usage{} }

// usageOfFamily knows nothing here.
func usageOfFamily(int) usage { return usage{} }

// ParentOf knows nothing here.
func ParentOf(int, string) int { return 0 }
