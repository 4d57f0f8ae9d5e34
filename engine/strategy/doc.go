// Package strategy holds the opponents that a person can play against: each
// has a name and chooses a cell for the side to move.
//
// An opponent is a pure function of the position and the dice that it is
// handed: the same position and the same state of the dice give the same cell,
// so a seed gives the same game again. Opponents remember nothing between moves and any
// number of goroutines may use the same one, each with dice of its own.
//
// The package does no I/O, keeps no time and owns no dice; it does not play the
// move that it chooses, and it says nothing about who is at the board.
package strategy
