package solver

import (
	"context"
	"sync"

	"tictactoe/engine"
)

// Forget has what is asked next begin with an empty table.
func Forget() { pool = sync.Pool{New: pool.New} }

// SmallTable returns [Moves] for games that are solved by search, with one table for all, in
// which nothing stays for long.
func SmallTable() func(engine.Game) []MoveValue {
	s := &search{table: newTable(1 << 10)}
	return func(g engine.Game) []MoveValue { return newRoot(context.Background(), s, g).moves(false) }
}
