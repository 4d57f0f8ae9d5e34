//go:build !race

package bot_test

const (
	crowdSize   = 100  // clicks in the same instant
	soakDefault = 3000 // interactions of an ordinary soak
	soakPeople  = 24
)
