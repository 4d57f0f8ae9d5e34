// Package verify looks at what Discord does and compares it with what the bot relies on, for the
// first who has a token: everything else here was tried on the local Discord alone.
//
// Steps leave evidence, which is requests with what Discord answered and interactions as they
// came, each by a name. Rows are data: what is expected, where the code relies on it, which
// evidence it looks at, and a function that judges it. A row without its evidence says nothing.
//
// It keeps to one channel and a thread in it, notifies nobody, writes no global command, and
// removes what it made: the ids are in a file before the next thing is made, so that another run
// can, too. A thread that the bot may not delete it asks somebody to delete.
package verify
