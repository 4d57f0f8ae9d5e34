// Package solver gives the exact value of any position of any m,n,k-game that
// package engine can play, and how far the end is under best play by both: the
// fastest win, the longest resistance.
//
// [Solve] answers for a position, [Moves] for each of its moves, and [Keeping] lists
// the moves that give nothing away. They search, with no opening book and no data:
// hard positions of the 5,5,4-game take some 10 ms for Solve and some 50 ms for Keeping
// on one core, those of all other boards less than 1 ms. A search takes a fixed table
// of 256 KiB and a few KiB of stack, however long it runs, and ends soon after
// its context does.
//
// The variant [engine.Vanishing] has no end that search could reach. Its 128,170
// positions are solved backwards when the first of them is asked about, which takes some
// 50 ms and keeps 1.1 MB. What a position is worth can also depend on the moves before it,
// since the third occurrence is a draw, and so can the end of the game by length; both
// count in every answer.
//
// The functions may be called by any number of goroutines; each call takes a table of its
// own from a pool.
//
// It chooses no opponent's style, breaks no ties by taste, knows no players, no
// clock and no dice, and draws no boards.
package solver
