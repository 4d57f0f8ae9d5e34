//go:build !linux

package main

// usageOf knows nothing here.
func usageOf(int) usage { return usage{} }

// usageOfFamily knows nothing here.
func usageOfFamily(int) usage { return usage{} }

// parentOf knows nothing here.
func parentOf(int, string) int { return 0 }
