package bottest

import (
	"os"
	"testing"
)

// BenchmarkCheckRequest is what watching costs a test for each request.
func BenchmarkCheckRequest(b *testing.B) {
	if os.Getenv(Description) == "" {
		b.Skip(Description + " is not set")
	}
	w := New(b)
	w.Play(b, w.Ada)
	d, err := description()
	if err != nil {
		b.Fatal(err)
	}
	requests := w.Discord.REST().Requests()
	last := requests[len(requests)-1]
	for b.Loop() {
		if fault := checkRequest(d, last); fault != "" {
			b.Fatal(fault)
		}
	}
}
