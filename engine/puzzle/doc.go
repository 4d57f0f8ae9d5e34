// Package puzzle makes one exact puzzle a day from the date alone, and judges what
// somebody plays in it.
//
// A puzzle is a position with one first move that is right: [Of] finds it by a search
// that begins with a number made of the day, and [Puzzle.Play] answers each move with the
// best defence, or says that it was wrong and why. Every value comes from
// [tictactoe/engine/solver].
//
// The day of the week says what is asked, from a win in two on a crowded board on Monday to
// a win in three on the largest one on Sunday; the table is in week.go. A day takes some
// 10 ms to make.
//
// A position belongs to one of 64 weeks, by a number made of its canonical form, and is
// only looked for in that week and those 64, 128 and so on later. So no puzzle comes
// again within a year, not even turned or mirrored, whatever the search meets.
//
// The package knows no people, tries or streaks, no clock and no words. Its functions may
// be called by any number of goroutines.
package puzzle
