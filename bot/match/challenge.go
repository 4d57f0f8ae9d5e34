package match

import (
	"time"

	"tictactoe/store"
)

// Accept closes the challenge for the user who takes it. The caller
// makes the match.
func Accept(c store.Challenge, user store.UserID, match store.MatchID, uptime time.Duration) (store.Challenge, error) {
	switch {
	case c.State != store.Open, ChallengeDue(c, uptime):
		return c, ErrChallengeClosed
	case c.Opponent == "" && user == c.Challenger:
		return c, ErrOwnChallenge
	case c.Opponent != "" && user != c.Opponent:
		return c, ErrNotChallenged
	}
	c.Opponent = user
	c.Match = match
	return closeChallenge(c, store.Accepted), nil
}

// Decline closes the challenge for the person who was asked.
func Decline(c store.Challenge, user store.UserID) (store.Challenge, error) {
	switch {
	case c.State != store.Open, c.Opponent == "": // nobody was asked at an open table
		return c, ErrChallengeClosed
	case user == c.Challenger:
		return c, ErrTakeBack
	case user != c.Opponent:
		return c, ErrNotChallenged
	}
	return closeChallenge(c, store.Declined), nil
}

// Cancel closes the challenge for the challenger.
func Cancel(c store.Challenge, user store.UserID) (store.Challenge, error) {
	switch {
	case user != c.Challenger:
		return c, ErrNotChallenger
	case c.State != store.Open:
		return c, ErrChallengeClosed
	}
	return closeChallenge(c, store.Cancelled), nil
}

// Renew marks an expired challenge as made anew and returns the new one,
// which the caller gives a deadline and a place to stand. Who was challenged
// sends it back the other way: the same person moves first.
func Renew(c store.Challenge, user store.UserID, id store.ChallengeID) (old, renewed store.Challenge, _ error) {
	switch {
	case user != c.Challenger && (user != c.Opponent || user == ""):
		return c, store.Challenge{}, ErrNotChallenger
	case c.State != store.Expired:
		return c, store.Challenge{}, ErrChallengeClosed
	}
	renewed = store.Challenge{
		ID: id, Guild: c.Guild, Challenger: c.Challenger, Opponent: c.Opponent,
		Rules: c.Rules, First: c.First, Clock: c.Clock, BestOf: c.BestOf, State: store.Open, InGroup: c.InGroup, Crown: c.Crown, Quiet: c.Quiet,
	}
	if user == c.Opponent {
		renewed = mirrored(renewed)
		renewed.InGroup = false                  // both have been there
		renewed.Crown, renewed.Quiet = "", false // it is the king who asks
	}
	old = closeChallenge(c, store.Renewed)
	old.Next = id
	return old, renewed, nil
}

// mirrored returns the challenge as the other one would make it.
func mirrored(c store.Challenge) store.Challenge {
	c.Challenger, c.Opponent = c.Opponent, c.Challenger
	switch c.First {
	case store.FirstChallenger:
		c.First = store.FirstOpponent
	case store.FirstOpponent:
		c.First = store.FirstChallenger
	case store.FirstRandom:
	}
	return c
}

// Chosen says what the maker of a challenge has chosen for it: the rest is as usual.
type Chosen struct{ Rules, First, Clock, Series bool }

// Meets reports whether a challenge that is about to be made meets its mirror image: the
// one whom it is for has challenged its maker already, and to nothing else than what they
// have chosen. Then it says that they accept.
func Meets(c, open store.Challenge, chosen Chosen) bool {
	want := mirrored(c)
	return c.Opponent != "" && open.Challenger == want.Challenger && open.Opponent == want.Opponent && open.Guild == c.Guild &&
		(open.Rules == want.Rules || !chosen.Rules) && (open.First == want.First || !chosen.First) && (open.Clock == want.Clock || !chosen.Clock) &&
		(open.BestOf == want.BestOf || !chosen.Series)
}

func closeChallenge(c store.Challenge, s store.ChallengeState) store.Challenge {
	c.State = s
	c.Deadline = 0
	return c
}
