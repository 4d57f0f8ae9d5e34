package match

import (
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// MayBeFlawless reports whether the match is one of two minds in which it would be a feat to
// have made no mistake: on 3x3 many draws are without one.
func MayBeFlawless(m store.Match) bool {
	return m.Rules != engine.Standard && ofTwoMinds(m) && (m.EndReason == store.ByLine || m.EndReason.Draw())
}

// Verdict returns the last mistake of those that the coach has found, or that there is none.
func Verdict(found []coach.Verdict) store.Verdict {
	mistakes := coach.Mistakes(found)
	if len(mistakes) == 0 {
		return store.Verdict{Kind: store.Flawless}
	}
	ply := mistakes[len(mistakes)-1]
	v := store.Verdict{Kind: store.ThrewDraw, Ply: ply, Cell: found[ply].Better[0]}
	if found[ply].Kind == coach.GaveWin {
		v.Kind = store.ThrewWin
	}
	return v
}

// HeldPerfect reports whether a person drew against the opponent who gives nothing away,
// on a board that is worth a draw: nobody does better there.
func HeldPerfect(m store.Match) bool {
	return ofTwoMinds(m) && m.EndReason == store.FullBoard && m.Player(ProgramMark(m)).Opponent == Perfect && !FirstPlayerWins(m.Rules)
}
