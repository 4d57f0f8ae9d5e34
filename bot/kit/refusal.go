package kit

import (
	"cmp"

	"tictactoe/bot/view"
)

// Refusal is the error of a handler that says more than its reason.
type Refusal = view.Refusal

// Lacking returns which of the permissions the application lacks where Discord has refused
// something that takes them all: they may have been taken away since the interaction.
func Lacking(in *Request, bits uint64) uint64 { return cmp.Or(in.AppLacks(bits), bits) }
