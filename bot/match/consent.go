package match

import (
	"cmp"
	"slices"
	"time"

	"tictactoe/store"
)

// DeclineHolds is how long somebody who was declined waits before they can challenge the
// same person again. Who has declined may change their mind at any time.
const DeclineHolds = time.Hour

// MostBlocked is how many people somebody can block.
const MostBlocked = 100

// From is from whom somebody takes challenges. The texts are in buttons out there and
// stay as they are.
type From string

// From whom somebody takes challenges.
const (
	FromAnybody    From = "anybody"
	FromNobodyHere From = "nobody_here" // from nobody in the guild where they look
	FromNobody     From = "nobody"
)

// TakesFrom says by a person's blocks from whom they take challenges in the guild; guild is
// empty in direct messages.
func TakesFrom(blocks []store.Block, guild store.GuildID) From {
	from := FromAnybody
	for _, b := range blocks {
		switch {
		case b.From != "":
		case b.Guild == "":
			return FromNobody
		case b.Guild == guild:
			from = FromNobodyHere
		}
	}
	return from
}

// Take returns what begins and ends with the user's choice from whom they take challenges.
// ok is false for a choice that there is not: in direct messages nobody is here.
func Take(user store.UserID, guild store.GuildID, from From, at time.Time) (_ []store.Block, ok bool) {
	everywhere := store.Block{User: user, Since: at, Lifted: from != FromNobody}
	here := store.Block{User: user, Guild: guild, Since: at, Lifted: from != FromNobodyHere}
	switch {
	case from != FromAnybody && from != FromNobodyHere && from != FromNobody, from == FromNobodyHere && guild == "":
		return nil, false
	case guild == "":
		return []store.Block{everywhere}, true
	}
	return []store.Block{everywhere, here}, true
}

// Blocked returns those of a person's blocks that are of one other person, the newest
// first.
func Blocked(blocks []store.Block) []store.Block {
	people := slices.DeleteFunc(slices.Clone(blocks), func(b store.Block) bool { return b.From == "" })
	slices.SortStableFunc(people, func(a, b store.Block) int {
		return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.From, b.From))
	})
	return people
}

// Dismiss closes a challenge that is open, by none of the two: for a moderator, as one that has
// expired, or as one that is hidden, which nobody sees but whoever made it.
func Dismiss(c store.Challenge, as store.ChallengeState) (store.Challenge, error) {
	if c.State != store.Open {
		return c, ErrChallengeClosed
	}
	return closeChallenge(c, as), nil
}
