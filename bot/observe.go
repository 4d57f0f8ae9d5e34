package bot

import (
	"tictactoe/bot/dispatch"
	"tictactoe/store"
)

// Observer is told of what happens, for figures. Its methods are called on the way of a
// click, by several goroutines at once: they must be quick.
type Observer interface {
	// Handled is told of every interaction that was decoded, once.
	Handled(dispatch.Handled)
	// Committed is told of every change that was stored: how many matches it began, and
	// how those ended that it ended.
	Committed(begun int, ended []store.EndReason)
}
