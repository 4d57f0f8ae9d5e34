package store

import (
	"time"

	"tictactoe/engine"
)

// Result is how a match ended and what that was worth: a row of the ledger. There is one
// for every match that has ended, but for those put aside, and none is ever changed. (Those that ended before
// there was a ledger are added later.)
type Result struct {
	Match MatchID
	Guild GuildID
	// Epoch is how often the standings of the guild had begun anew.
	Epoch     int
	Ended     time.Time // to the millisecond, UTC; days and months are by it
	Rules     engine.Rules
	X, O      Player
	Winner    engine.Mark
	EndReason EndReason
	Plies     int

	Hinted       bool // somebody was told a move
	FromPosition bool // it did not begin with an empty board

	Why                Why // it gives no points
	PointsX, PointsO   int // 0 unless Why is Counts
	HonoursX, HonoursO Honours
	BotWin             bool // a win that the board of wins against the program counts
}

// Why says why a result gives no points. The numbers are stored.
type Why uint8

// Why a result gives no points.
const (
	Counts         Why = 0  // it does
	NotWeighed     Why = 10 // nobody has said what it is worth
	BeforeLedger   Why = 20 // it ended before there was a ledger
	OutsideGuilds  Why = 30 // neither a direct message nor a guild without the bot has standings
	WithoutResult  Why = 40 // stopped, abandoned or left lying
	TooShort       Why = 50 // not both have moved twice
	ForcedBoard    Why = 60 // the first player can force a win there
	AgainstProgram Why = 70 // nothing that is rewarded
	WithHint       Why = 80
	NotFromStart   Why = 81 // it began with a position
	PairDone       Why = 90 // the two have had their games of the day
	PersonDone     Why = 91 // one of them has had theirs
)

// Honours are feats that a player achieved in a match, a bit for each. What they mean
// is up to who gives them.
type Honours uint32

// MostHonours is how many bits can be kept apart.
const MostHonours = 12

// Award is what a match is worth that a change ends. A change that ends a match without
// one writes a result that is [NotWeighed].
type Award struct {
	Match                MatchID
	Hinted, FromPosition bool
	Why                  Why
	X, O                 int // points, where it counts
	Caps                 Caps
	HonoursX, HonoursO   Honours
	BotWin               bool
}

// Caps are how many results of a day (UTC) count in a guild. The store looks at them in
// the transaction that writes the result, so that no race gets past them. 0 is no cap.
type Caps struct {
	Seats  int // between these two in these seats: [PairDone]
	Pair   int // between these two: [PairDone]
	Person int // of each of the two people, between people: [PersonDone]
}

// Epoch makes the standings of a guild begin anew. What was before stays in the ledger.
type Epoch struct {
	Guild GuildID
	At    time.Time
	By    UserID
}

// Absence says that a person is, or is not, a member of the guild any more. Who is not
// takes no rank. Whoever has a result in the guild is a member again.
type Absence struct {
	Guild GuildID
	User  UserID
	Gone  bool
}

// Ending is a result that a change writes if it is the one that ends the match, and
// with [BeforeLedger] if the match has ended and has none.
type Ending struct {
	Result
	Caps Caps
}

// Endings returns the results that the change may write. Epoch is not set in them. A match
// that is put aside has none: the one that goes on with it will.
func (c Change) Endings() []Ending {
	var all []Ending
	for _, m := range c.Matches {
		if m.State == Ended && m.EndReason != PutAside {
			all = append(all, c.ending(m, NotWeighed))
		}
	}
	for _, m := range c.Past {
		all = append(all, c.ending(m, BeforeLedger))
	}
	return all
}

// ending returns the result of an ended match of the change.
func (c Change) ending(m Match, otherwise Why) Ending {
	e := Ending{Result: Result{
		Match: m.ID, Guild: m.Guild, Ended: time.UnixMilli(m.Updated.UnixMilli()).UTC(), Rules: m.Rules, X: m.X, O: m.O,
		Winner: m.Winner, EndReason: m.EndReason, Plies: len(m.Moves), Why: otherwise,
	}}
	for _, a := range c.Awards {
		if a.Match != m.ID {
			continue
		}
		e.Hinted, e.FromPosition = a.Hinted, a.FromPosition
		e.HonoursX, e.HonoursO = a.HonoursX, a.HonoursO
		if otherwise == BeforeLedger {
			break
		}
		e.Why, e.Caps, e.BotWin = a.Why, a.Caps, a.BotWin
		if a.Why == Counts {
			e.PointsX, e.PointsO = a.X, a.O
		}
	}
	return e
}

// Period is a span of time for which there are standings: a month as year and month,
// such as 202402, or one of the constants. The numbers are stored.
type Period int

// The periods that are no months.
const (
	AllTime Period = 0
	BotWins Period = 1 // all time, and instead of points wins against the program
)

// StreakTab is no period of the ledger: it stands for the streaks of puzzles among the
// leaderboards that people can turn to.
const StreakTab Period = 2

// MonthOf returns the month of the moment, in UTC.
func MonthOf(t time.Time) Period {
	t = t.UTC()
	return Period(t.Year()*100 + int(t.Month()))
}

// Begin returns when the month begins.
func (p Period) Begin() time.Time {
	return time.Date(int(p)/100, time.Month(int(p)%100), 1, 0, 0, 0, 0, time.UTC)
}

// End returns when the month ends.
func (p Period) End() time.Time { return p.Begin().AddDate(0, 1, 0) }

// Previous returns the month before.
func (p Period) Previous() Period { return MonthOf(p.Begin().AddDate(0, -1, 0)) }

// DayOf returns the number of the day since 1970, in UTC.
func DayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

const (
	// MostListed is how many rows of a leaderboard there is any use for, counted from the
	// first: how many there are in all is counted no further than to one more.
	MostListed = 1000
	// MostRanked is how far places are counted: MostRanked+1 stands for that place and for
	// any behind it.
	MostRanked = 100_000
)

// Standing is a person's row of a guild's standings.
type Standing struct {
	User             UserID
	Rank             int // from 1; those with as many points in as many games have the same; see MostRanked
	Points           int // never 0
	Won, Drawn, Lost int // games that count
	Tries            int // among the streaks of puzzles: that the days took, which are the points
}

// Games returns how many games count.
func (s Standing) Games() int { return s.Won + s.Drawn + s.Lost }

// Tally is how often a person won, drew and lost against an opponent of the program, or
// against people with an empty one, on a board.
type Tally struct {
	Opponent         string
	Rules            engine.Rules
	Won, Drawn, Lost int
}

// Encounter is how often a person won, drew and lost against another.
type Encounter struct {
	Other            UserID
	Won, Drawn, Lost int
}

// Profile is what is known of how somebody plays.
type Profile struct {
	Tallies  []Tally // by opponent and board
	Streak   int     // won against people, one after the other, up to now
	Best     int     // the longest such streak since there is a ledger
	Honours  map[Honours]int
	Toughest Encounter // the person in the guild who won most more than they lost, if anybody
	Versus   Encounter // with the one who looks, everywhere
}
