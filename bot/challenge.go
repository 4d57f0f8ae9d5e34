package bot

import (
	"errors"
	"time"

	"tictactoe/store"
)

// Why something cannot be done with a challenge. errors.go says them in words.
var (
	errChallengeClosed = errors.New("bot: the challenge is no longer open")
	errNotChallenged   = errors.New("bot: the challenge is for somebody else")
	errNotChallenger   = errors.New("bot: only the challenger may do that")
	errOwnTable        = errors.New("bot: nobody plays against himself")
)

// acceptChallenge closes the challenge for the user who takes it. The caller
// makes the match.
func acceptChallenge(c store.Challenge, user store.UserID, match store.MatchID, uptime time.Duration) (store.Challenge, error) {
	switch {
	case c.State != store.Open, challengeDue(c, uptime):
		return c, errChallengeClosed
	case c.Opponent == "" && user == c.Challenger:
		return c, errOwnTable
	case c.Opponent != "" && user != c.Opponent:
		return c, errNotChallenged
	}
	c.Opponent = user
	c.Match = match
	return closeChallenge(c, store.Accepted), nil
}

// declineChallenge closes the challenge for the person who was asked.
func declineChallenge(c store.Challenge, user store.UserID) (store.Challenge, error) {
	switch {
	case c.State != store.Open, c.Opponent == "": // nobody was asked at an open table
		return c, errChallengeClosed
	case user != c.Opponent:
		return c, errNotChallenged
	}
	return closeChallenge(c, store.Declined), nil
}

// cancelChallenge closes the challenge for the challenger.
func cancelChallenge(c store.Challenge, user store.UserID) (store.Challenge, error) {
	switch {
	case user != c.Challenger:
		return c, errNotChallenger
	case c.State != store.Open:
		return c, errChallengeClosed
	}
	return closeChallenge(c, store.Cancelled), nil
}

// renewChallenge marks an expired challenge as made anew and returns the new one,
// which the caller gives an id, a deadline and a place to stand.
func renewChallenge(c store.Challenge, user store.UserID) (old, renewed store.Challenge, _ error) {
	switch {
	case user != c.Challenger:
		return c, store.Challenge{}, errNotChallenger
	case c.State != store.Expired:
		return c, store.Challenge{}, errChallengeClosed
	}
	renewed = store.Challenge{
		Guild: c.Guild, Challenger: c.Challenger, Opponent: c.Opponent,
		Rules: c.Rules, First: c.First, Clock: c.Clock, State: store.Open,
	}
	return closeChallenge(c, store.Renewed), renewed, nil
}

// expireChallenge closes the challenge when its time has come. ok is false when it
// has not.
func expireChallenge(c store.Challenge, uptime time.Duration) (_ store.Challenge, ok bool) {
	if c.State != store.Open || !challengeDue(c, uptime) {
		return c, false
	}
	return closeChallenge(c, store.Expired), true
}

func challengeDue(c store.Challenge, uptime time.Duration) bool {
	return c.Deadline != 0 && c.Deadline <= uptime
}

func closeChallenge(c store.Challenge, s store.ChallengeState) store.Challenge {
	c.State = s
	c.Deadline = 0
	return c
}
