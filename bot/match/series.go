package match

import (
	"maps"
	"slices"

	"tictactoe/engine"
	"tictactoe/store"
)

// SeriesLengths are how many games a series has at most, by the value of the option "series":
// 0 is one game, and no series.
var SeriesLengths = map[string]int{"1": 0, "3": 3, "5": 5}

// SeriesLength returns the length that the value stands for, or [ErrBadOption].
func SeriesLength(value string) (int, error) {
	length, ok := SeriesLengths[value]
	if !ok {
		return 0, ErrBadOption
	}
	return length, nil
}

// SeriesValues are the values of that option, the shortest series first.
func SeriesValues() []string {
	return slices.SortedFunc(maps.Keys(SeriesLengths), func(a, b string) int { return SeriesLengths[a] - SeriesLengths[b] })
}

// MaySeries reports whether such a series can follow on the match: it is between people.
func MaySeries(m store.Match, length int) bool {
	return !AgainstProgram(m) && slices.Contains(slices.Collect(maps.Values(SeriesLengths)), length)
}

// Series is a series of games between two people as it stands: of so many at most, behind a
// score.
type Series struct {
	Length int
	Score  store.Score
}

// SeriesOf returns the series of a match, with the match itself once it has a result.
func SeriesOf(m store.Match) Series { return Series{m.BestOf, SeriesAfter(m)} }

// Played returns how many games have been played.
func (s Series) Played() int { return s.Score.X + s.Score.O + s.Score.Draws }

// Halves returns the points of a side in halves: a draw is one for each.
func (s Series) Halves(side engine.Mark) int {
	return 2*ofSide(side, s.Score.X, s.Score.O) + s.Score.Draws
}

// Leader returns who has more points, None where the series is level.
func (s Series) Leader() engine.Mark {
	switch x, o := s.Halves(engine.X), s.Halves(engine.O); {
	case x > o:
		return engine.X
	case o > x:
		return engine.O
	default:
		return engine.None
	}
}

// Decided reports whether the games that are left cannot change who wins the series, or that
// it is level.
func (s Series) Decided() bool {
	left := 2 * (s.Length - s.Played())
	return left <= 0 || max(s.Halves(engine.X), s.Halves(engine.O)) > min(s.Halves(engine.X), s.Halves(engine.O))+left
}

// anotherFollows reports whether another game of the series follows on a match that has just ended.
// One without a result ends the series as it stands.
func anotherFollows(m store.Match) bool {
	return m.BestOf > 0 && (m.Winner != engine.None || m.EndReason.Draw()) && !SeriesOf(m).Decided()
}

// BetweenGames reports whether the next game of the series can begin in place of the match.
func BetweenGames(m store.Match) bool { return m.GoesOn && m.Next == 0 }

// HandedOn reports whether the message of the match shows another one: the next game of the
// series, or what its player has chosen in its place.
func HandedOn(m store.Match) bool {
	return m.Next != 0 && (m.GoesOn || m.Private() && m.EndReason == store.Stopped)
}

// Unbegun reports whether the match is a later game of a series that nobody has moved in: its
// clock does not run yet.
func Unbegun(m store.Match) bool {
	return m.State == store.Active && m.BestOf > 0 && m.Series.Played() && len(m.Moves) == 0
}

// SeriesOver reports whether the match was the last one of a series of which there is
// something to tell.
func SeriesOver(m store.Match) bool {
	ended := m.State == store.Ended && m.EndReason != store.PlayerErased
	return ended && m.BestOf > 0 && !m.GoesOn && SeriesAfter(m).Played()
}

// NextInSeries returns the next game of the series for the user, not yet opened, and the match
// that it follows on.
func NextInSeries(m store.Match, user store.UserID, id store.MatchID) (next, old store.Match, _ error) {
	switch err := followsOn(m, user); {
	case err != nil:
		return next, m, err
	case !m.GoesOn:
		return next, m, ErrSeriesOver
	}
	next, old = Next(m, id)
	return next, old, nil
}

// EndSeries ends the series between two games, as it stands, because a player or a moderator
// wishes so.
func EndSeries(m store.Match) (store.Match, error) {
	switch {
	case m.Next != 0:
		return m, ErrNoRematch
	case !BetweenGames(m):
		return m, ErrSeriesOver
	}
	return Close(m, m.EndReason), nil
}

// Close ends the match without a result, or between two games the series as it stands.
func Close(m store.Match, why store.EndReason) store.Match {
	if m.State == store.Active {
		return End(m, why, engine.None)
	}
	m.GoesOn, m.Deadline = false, 0
	return m
}
