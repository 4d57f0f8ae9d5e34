package store

import (
	"slices"
	"time"

	"tictactoe/engine"
)

// PuzzleState is how somebody stands with a puzzle. The numbers are stored.
type PuzzleState uint8

// The states of a puzzle.
const (
	PuzzleOpen   PuzzleState = 10
	PuzzleSolved PuzzleState = 20
	PuzzleFailed PuzzleState = 30 // no try is left
)

// PuzzleTry is how somebody stands with the puzzle of a day, in whatever guild they play
// it. There is one for a person and a day, from when they first see the puzzle.
type PuzzleTry struct {
	User  UserID
	Day   int64   // since 1970, in UTC
	Guild GuildID // in which it was last played; empty in direct messages
	State PuzzleState
	Wrong int // tries that ended with a wrong move
	// Moves are those of the try that goes on, or of the last one, with the answers. What
	// was wrong stands there until the next try begins.
	Moves     []engine.Cell
	Lost      bool // the last of the moves was wrong, or the answer to one that was
	CellNames bool // the empty cells show their names
	AsList    bool // the board is text and a list
	Shared    bool // how it went was shown to everybody in the guild

	Version int // as in Match
}

// Puzzler is what is known of how somebody solves puzzles, everywhere.
type Puzzler struct {
	User    UserID
	Solved  int
	Streak  int   // days up to Last
	Tries   int   // that these days took
	Best    int   // the longest such streak
	Last    int64 // the last day that was solved
	Excused int64 // the last day that was missed and forgiven, 0 for none

	Version int // as in Match
}

// PuzzleDay is how the puzzle of a day went in a guild.
type PuzzleDay struct {
	Tried  bool // somebody has looked at it
	Solved int  // by how many
	// Named are those of them who want to be named: they have shown there how it went, are
	// members, and have turned that on. Fewer tries come first.
	Named []PuzzleSolver
}

// PuzzleSolver is one who has solved a puzzle, after so many wrong tries.
type PuzzleSolver struct {
	User  UserID
	Wrong int
}

// MostNamed is how many of a [PuzzleDay] are named.
const MostNamed = 15

// Lasting says of some streaks of puzzles that they go on: those whose last solved day is one
// of these, unless a day was forgiven later than that. Days are numbers since 1970, in UTC.
type Lasting struct {
	First, Last int64
	Excused     int64
}

// Covers reports whether it says that of the puzzler's streak.
func (l Lasting) Covers(p Puzzler) bool {
	return l.First <= p.Last && p.Last <= l.Last && p.Excused <= l.Excused
}

// PostsAhead is how far ahead the next post of a puzzle can lie: a day, and by how much
// clocks may differ. One that lies further was stored by a clock that was wrong.
const PostsAhead = 25 * time.Hour

// MostPuzzleMoves is how many moves a try can have.
const MostPuzzleMoves = engine.MaxCells

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the record.
func (t PuzzleTry) Validate() error { return invalid(t.validate(), "puzzle of %q", t.User) }

func (t PuzzleTry) validate() error {
	switch {
	case t.User == "":
		return problem("nobody's")
	case t.Day < 0 || t.Wrong < 0 || t.Version < 0:
		return problem("a number is below zero")
	case t.State != PuzzleOpen && t.State != PuzzleSolved && t.State != PuzzleFailed:
		return problem("no such state")
	case t.State == PuzzleSolved && t.Lost, t.State == PuzzleFailed && !t.Lost, t.Lost && t.Wrong == 0:
		return problem("the state does not go together with the last move")
	case len(t.Moves) > MostPuzzleMoves:
		return problem("more moves than cells")
	case slices.ContainsFunc(t.Moves, func(c engine.Cell) bool { return c >= engine.MaxCells }):
		return problem("a move off every board")
	}
	return texts(string(t.User), string(t.Guild))
}

// Validate is for a puzzler what [PuzzleTry.Validate] is for a try.
func (p Puzzler) Validate() error { return invalid(p.validate(), "puzzler %q", p.User) }

func (p Puzzler) validate() error {
	switch {
	case p.User == "":
		return problem("nobody")
	case p.Solved < 0 || p.Streak < 0 || p.Tries < 0 || p.Last < 0 || p.Excused < 0 || p.Version < 0:
		return problem("a number is below zero")
	case p.Best < p.Streak || p.Solved < p.Best:
		return problem("a streak is longer than the best, or than what was solved")
	}
	return texts(string(p.User))
}
