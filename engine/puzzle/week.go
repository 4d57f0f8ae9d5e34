package puzzle

import (
	"time"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// Goal is what a puzzle asks of the side to move.
type Goal struct {
	// Value is [solver.Win], or [solver.Draw] where the other side would win after every
	// first move but one.
	Value solver.Value
	// Moves is in how many moves of its own the side has to win, 0 for a draw.
	Moves int
}

// plies is within how many single moves the goal is reached, 0 for a draw.
func (g Goal) plies() int { return max(2*g.Moves-1, 0) }

// weekday is what is asked on a day of the week.
type weekday struct {
	rules engine.Rules
	goal  Goal
	// From least to most marks are on the board.
	least, most int
}

// week is what is asked when. The week gets harder: the more marks on a board, the fewer
// moves there are to look at. Its boards are at most four cells wide until Sunday, because
// rows of five buttons may wrap on small phones.
//
// Each row has enough positions for each of the 64 weeks, not counting turned and mirrored
// ones: Tuesday has fewest, 5,733, and Monday 9,100 with other numbers of marks. Boards with
// three in a row, and 4x4 for a draw, have not: there are 48 and 165 to be won in two on
// 4x4-3 and 3x5-3.
//
// Changing a row changes every day. Nobody may do that once people have played: a day's
// puzzle is the same in all servers and for all versions of the program.
var week = [7]weekday{
	time.Monday:    {engine.Rules{M: 4, N: 4, K: 4}, Goal{solver.Win, 2}, 10, 10},
	time.Tuesday:   {engine.Rules{M: 4, N: 4, K: 4}, Goal{solver.Win, 2}, 6, 9},
	time.Wednesday: {engine.Rules{M: 4, N: 5, K: 4}, Goal{solver.Win, 2}, 6, 9},
	time.Thursday:  {engine.Rules{M: 4, N: 5, K: 4}, Goal{solver.Draw, 0}, 11, 13},
	time.Friday:    {engine.Rules{M: 4, N: 5, K: 4}, Goal{solver.Win, 3}, 8, 10},
	time.Saturday:  {engine.Rules{M: 4, N: 5, K: 4}, Goal{solver.Draw, 0}, 9, 10},
	time.Sunday:    {engine.Rules{M: 5, N: 5, K: 4}, Goal{solver.Win, 3}, 8, 12},
}

// thursday is the day of the week on which 1970 began.
const thursday = int64(time.Thursday)

// on returns what is asked on the day, and the number of its week. Weeks begin on Monday.
func on(day int64) (weekday, int64) {
	const days = 7
	monday := day + thursday - int64(time.Monday)
	return week[floorMod(day+thursday, days)], (monday - floorMod(monday, days)) / days
}

// floorMod is the remainder that is not below zero.
func floorMod(a, b int64) int64 { return (a%b + b) % b }
