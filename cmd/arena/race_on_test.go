//go:build race

package arena

// raceEnabled reports whether the race detector is on.
const raceEnabled = true
