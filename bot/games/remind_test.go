package games

import (
	"math"
	"testing"

	"tictactoe/engine"
	"tictactoe/store"
)

// TestNonces: each claim of a match has a nonce of its own, which Discord takes.
func TestNonces(t *testing.T) {
	const longest = 25 // characters, in Discord's documentation of Create Message
	of := map[string]string{}
	for name, m := range map[string]store.Match{
		"a turn":              {ID: 7, State: store.Active},
		"the next turn":       {ID: 7, State: store.Active, Moves: make([]engine.Cell, 1)},
		"its rematch":         {ID: 7, State: store.Ended, Moves: make([]engine.Cell, 1)},
		"another game's turn": {ID: math.MaxInt64, State: store.Active, Moves: make([]engine.Cell, 100)},
		"and its rematch":     {ID: math.MaxInt64, State: store.Ended, Moves: make([]engine.Cell, 100)},
	} {
		nonce := (&line{match: m}).nonce()
		if before, taken := of[nonce]; taken || len(nonce) > longest {
			t.Errorf("%s has the nonce %q, as %q has", name, nonce, before)
		}
		of[nonce] = name
	}
}
