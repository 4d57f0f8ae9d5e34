package bot

import (
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// refused is what somebody was told about a tap that changes nothing, and about which match.
// Each refusal is a message below the board: said again and again they push it out of sight.
type refused struct {
	user  store.UserID
	match store.MatchID
	words string
}

const (
	// hushTime is how long the same words are not said to the same person again.
	hushTime = 5 * time.Second
	hushMost = 10_000
)

// changesNothing reports whether a refusal is of a tap that is wrong for the moment only, or
// on a cell that stands for a while behind the end: the board itself says as much.
func changesNothing(tapped customid.Action, reason error) bool {
	onCell := tapped == customid.Cell || tapped == customid.CellAtPly || tapped == customid.CellInList
	return errors.Is(reason, match.ErrTaken) || errors.Is(reason, match.ErrNotYourTurn) ||
		onCell && errors.Is(reason, match.ErrMatchOver)
}
