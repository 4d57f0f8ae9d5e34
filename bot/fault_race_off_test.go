//go:build !race

package bot_test

const (
	crowdSize   = 100  // clicks in the same instant
	soakDefault = 3000 // interactions of an ordinary soak
	soakPeople  = 24
	rounds      = 200 // of clicks in the same instant

	raceEnabled = false
)
