package match

import (
	"context"

	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

// verdictAtOnce says which move lost an ended match, as far as that costs no time: where
// nobody can have made a mistake, and on 3x3, whether marks stay or vanish. (A game of a
// hundred moves in which positions come back all the time costs a fifth of a second,
// which is as long as it gets.) Other boards are judged later: see [Judge].
func verdictAtOnce(m store.Match) store.Verdict {
	if lost(m) && m.Rules != engine.Standard && m.Rules != engine.Vanishing {
		return store.Verdict{} // not judged
	}
	v, err := Judge(context.Background(), m)
	if err != nil {
		return store.Verdict{Kind: store.NoMistake}
	}
	return v
}

// lost reports whether somebody lost the match by how they played. Who ran out of time
// did not, and who gave up what was not lost has made no other mistake.
func lost(m store.Match) bool { return m.Winner != engine.None && m.EndReason != store.Clock }

// Judge says which move lost an ended match. On large boards that takes a while; a
// context that ends meanwhile gives its error.
func Judge(ctx context.Context, m store.Match) (store.Verdict, error) {
	none := store.Verdict{Kind: store.NoMistake}
	if !lost(m) {
		return none, nil
	}
	mistake, ok, err := solver.LastMistake(ctx, m.Rules, m.Moves, m.Winner.Other())
	if !ok || err != nil || mistake.Left != solver.Loss {
		return none, err
	}
	v := store.Verdict{Kind: store.ThrewDraw, Ply: mistake.Ply, Cell: mistake.Cell}
	if mistake.Had == solver.Win {
		v.Kind = store.ThrewWin
	}
	return v, nil
}

// HeldPerfect reports whether a person drew against the opponent who gives nothing away,
// on a board that is worth a draw: nobody does better there.
func HeldPerfect(m store.Match) bool {
	return HelpIn(m) == Help{} && m.EndReason == store.FullBoard && m.Player(ProgramMark(m)).Opponent == Perfect && !FirstPlayerWins(m.Rules)
}
