// Package engine holds the rules of m,n,k-games as values: boards of M columns
// and N rows on which the first player with K marks in a row, across, down or
// diagonally, wins. Tic-tac-toe is the 3,3,3-game, [Standard].
//
// A [Game] is a position under rules. It is a small comparable value: == and
// map keys work, [Game.Play] returns a new Game and leaves the old one as it
// was, so any number of goroutines may use the same value. Everything else is
// derived: the side to move from the number of marks, the outcome and the
// winning lines from where they lie.
//
// In text a cell is a column letter and a row number, a1 at the top left; a
// position is its rows from the top, X, O or a dot for each cell, separated by
// slashes, as in "X.O/.X./..O". A row length other than the side of a square
// board is added after a hyphen: "4x4-3" names rules, "X.../..../..../....-3" a
// position under them.
//
// [Vanishing] is the 3,3,3-game with at most three marks a side: the fourth takes
// the oldest off. Its positions hold the ages of the marks, and a [Game] of it the
// moves before, so that the third occurrence of a position is a draw whichever way the
// Game was made: by [Game.Play] or by [Replay].
//
// The package does no I/O, knows no clock, no dice, no players and no way to
// draw a board, and it chooses no moves.
package engine
