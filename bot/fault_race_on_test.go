//go:build race

package bot_test

// Under the race detector everything takes several times as long, while Discord's
// three seconds stay what they are: fewer people come at once.
const (
	crowdSize  = 30
	soakPeople = 8
	rounds     = 60

	raceEnabled = true
)
