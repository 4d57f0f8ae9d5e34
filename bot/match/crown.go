package match

import (
	"slices"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// How the crown of a channel is won, and how long it stays.
const (
	CrownWins   = 3 // games in a row
	CrownPeople = 2 // whom they are against, at least
	CrownStays  = 7 * 24 * time.Hour
)

// bout is a game that counts for the crown of its channel, as one of the two has played it.
type bout struct {
	match     store.MatchID
	ended     time.Time
	against   store.UserID
	won, lost bool
}

// bouts returns the games of somebody that count for the crown: of those with the same person
// on a day the first, however it ended. The results are those of one channel, the earliest first.
func bouts(user store.UserID, results []store.Result) (all []bout) {
	last := map[store.UserID]int64{} // on which day they have played such a game with each
	for _, r := range results {
		side := engine.X
		other := r.O.User
		if r.O.User == user {
			side, other = engine.O, r.X.User
		}
		day := store.DayOf(r.Ended)
		if r.Why != store.Counts || other == "" || last[other] == day {
			continue
		}
		last[other] = day
		all = append(all, bout{r.Match, r.Ended, other, r.Winner == side, r.Winner == side.Other()})
	}
	return all
}

// CountedOn reports whether the two have had the game of a day that counts for the crown of a
// channel, by the results of one of them there.
func CountedOn(day int64, user, other store.UserID, results []store.Result) bool {
	return slices.ContainsFunc(bouts(user, results), func(b bout) bool { return b.against == other && store.DayOf(b.ended) == day })
}

// Reign returns the crown as it is at a moment, given the results that its king has had in the
// channel lately. A lost game that counts makes it free, and so does a week without one.
func Reign(c store.Crown, results []store.Result, now time.Time) store.Crown {
	if c.User == "" {
		return c
	}
	for _, b := range bouts(c.User, results) {
		switch fresh := b.ended.After(c.Last); {
		case !b.ended.After(c.Since):
		case fresh && b.ended.Sub(c.Last) >= CrownStays, b.lost:
			return Free(c)
		case fresh && b.won:
			c.Match, c.Wins, c.Last = b.match, c.Wins+1, b.ended
		case fresh: // a draw: the row begins anew, and the king stays
			c.Wins, c.Last = 0, b.ended
		}
	}
	if now.Sub(c.Last) >= CrownStays {
		return Free(c)
	}
	return c
}

// Free returns the crown without a king.
func Free(c store.Crown) store.Crown {
	return store.Crown{Channel: c.Channel, Guild: c.Guild, Version: c.Version}
}

// Earned returns the crown on the head of who has won a match, if that was the last of enough
// games in a row, by the results that they have had in the channel lately.
func Earned(c store.Crown, user store.UserID, id store.MatchID, results []store.Result) (_ store.Crown, ok bool) {
	all := bouts(user, results)
	at := slices.IndexFunc(all, func(b bout) bool { return b.match == id })
	if at < 0 || all[at].ended.Before(all[len(all)-1].ended) {
		return c, false
	}
	wins, people := 0, map[store.UserID]bool{}
	for i := len(all) - 1; i >= 0 && all[i].won; i-- {
		wins++
		people[all[i].against] = true
	}
	if wins < CrownWins || len(people) < CrownPeople {
		return c, false
	}
	last := all[len(all)-1].ended
	c.User, c.Match, c.Wins, c.Since, c.Last = user, id, wins, last, last
	return c, true
}

// CountsForCrown reports whether an ended match can be one that counts for the crown of its
// channel: one of two people that everybody there has seen.
func CountsForCrown(m store.Match, r store.Result) bool {
	return r.Why == store.Counts && m.X.IsUser() && m.O.IsUser() && !m.Private() && !m.TokenOnly && m.Guild != ""
}

// CrownClosed reports whether the last challenge for the crown, which its king has declined,
// keeps others away at the moment.
func CrownClosed(c store.Challenge, king store.UserID, now time.Time) bool {
	return c.State == store.Declined && c.Opponent == king && now.Before(c.Updated.Add(DeclineHolds))
}
