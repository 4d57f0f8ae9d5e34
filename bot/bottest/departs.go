package bottest

import (
	"os"
	"strings"
	"testing"
)

// Departs is the environment variable that has Discord do otherwise than documented in all
// worlds: names of departures of the local Discord, with commas between them.
const Departs = "TEST_DEPARTS"

// Departing has Discord do otherwise than documented, from the start.
func Departing(names ...string) Option {
	return func(c *config) { c.departs = append(c.departs, names...) }
}

// departs reports whether Discord does so.
func departs(w *World) bool { return len(w.config.departs) > 0 || os.Getenv(Departs) != "" }

// depart has the world's Discord do what the options and the environment say.
func depart(t testing.TB, w *World) {
	t.Helper()
	names := w.config.departs
	if more := os.Getenv(Departs); more != "" {
		names = append(names, strings.Split(more, ",")...)
	}
	for _, name := range names {
		if err := w.Discord.Faults().Depart(name); err != nil {
			t.Fatal(err)
		}
	}
}

// blankRefused is in what the departure BlanksNever answers to the first of the labels that it
// refuses: what is not refused as documented is no fault of the bot.
const blankRefused = `"label":{"_errors"`
