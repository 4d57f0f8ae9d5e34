package main

import (
	"context"
	"testing"
)

// BenchmarkStandard plays every 3x3 game of every pair, exactly.
func BenchmarkStandard(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := playStandard(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
