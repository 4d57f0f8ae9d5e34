//go:build !race

package strategy_test

// raceEnabled reports whether the race detector is on.
const raceEnabled = false
