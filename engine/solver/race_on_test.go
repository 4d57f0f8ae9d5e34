//go:build race

package solver_test

// raceEnabled says that the race detector is on, under which whole boards take
// too long to enumerate; they are run without it.
const raceEnabled = true
