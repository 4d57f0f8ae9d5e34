//go:build !race

package bot_test

const (
	crowdSize  = 100 // clicks in the same instant
	soakPeople = 24
	rounds     = 200 // of clicks in the same instant

	raceEnabled = false
)
