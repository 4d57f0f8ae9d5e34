// Package solvertest proves players against the solver's promise: it plays a
// player against every line of replies. It does not solve anything itself and is
// meant for tests.
package solvertest

import (
	"errors"
	"fmt"

	"tictactoe/engine"
)

// ErrIllegal: the player chose a move that is not legal. Test for it with
// errors.Is.
var ErrIllegal = errors.New("solvertest: illegal move")

// Choose returns the player's move in a position in which it is to move and the
// game is not over. Of symmetric positions it is asked about one only, the
// canonical one.
type Choose func(engine.Game) (engine.Cell, error)

// Line is the worst that can happen to a player from a position on: how the
// game ends, and after how many plies. It counts as worse to lose than to draw
// and to draw than to win, to lose sooner and to win later.
type Line struct {
	Outcome engine.Outcome
	Plies   int
}

// Visit is told what a walk has found of a position in which the player is to
// move: the worst that any replies do to it. An error ends the walk.
type Visit func(g engine.Game, worst Line) error

// Walk plays the player with the mark against every line of replies from the
// position, which positions that are symmetric share, and returns the worst one.
// It calls visit, which may be nil, once for each position in which the player
// came to move, up to symmetry, those late in the game first. Errors are those
// of choose and visit, and one that wraps [ErrIllegal].
//
// A player that breaks ties by dice is to be walked with the dice tied down: in
// each position only the move that choose returns is followed. The time and the
// memory grow with the number of positions that the player can be led into.
func Walk(g engine.Game, player engine.Mark, choose Choose, visit Visit) (Line, error) {
	w := walk{player: player, choose: choose, visit: visit, known: map[engine.Game]Line{}}
	return w.worst(g)
}

type walk struct {
	player engine.Mark
	choose Choose
	visit  Visit
	known  map[engine.Game]Line
}

func (w *walk) worst(g engine.Game) (Line, error) {
	if o := g.Outcome(); o != engine.Undecided {
		return Line{Outcome: o}, nil
	}
	g = g.Canonical()
	if l, ok := w.known[g]; ok {
		return l, nil
	}
	var worst Line
	var err error
	if g.SideToMove() == w.player {
		worst, err = w.playerMove(g)
	} else {
		worst, err = w.replies(g)
	}
	if err != nil {
		return Line{}, err
	}
	w.known[g] = worst
	return worst, nil
}

func (w *walk) playerMove(g engine.Game) (Line, error) {
	c, err := w.choose(g)
	if err != nil {
		return Line{}, fmt.Errorf("in %v: %w", g, err)
	}
	next, err := g.Play(c)
	if err != nil {
		return Line{}, fmt.Errorf("%w: %v, in %v", ErrIllegal, err, g) //nolint:errorlint // one of the two has to be named
	}
	worst, err := w.worst(next)
	if err != nil {
		return Line{}, err
	}
	worst.Plies++
	if w.visit != nil {
		if err := w.visit(g, worst); err != nil {
			return Line{}, err
		}
	}
	return worst, nil
}

func (w *walk) replies(g engine.Game) (Line, error) {
	var worst Line
	for _, next := range g.Children() {
		l, err := w.worst(next)
		if err != nil {
			return Line{}, err
		}
		l.Plies++
		if worst.Outcome == engine.Undecided || w.badness(l) > w.badness(worst) {
			worst = l
		}
	}
	return worst, nil
}

// badness orders lines from the quickest win to the quickest loss.
func (w *walk) badness(l Line) int {
	switch l.Outcome.Winner() {
	case w.player:
		return l.Plies - 100
	case w.player.Other():
		return 100 - l.Plies
	default:
		return 0
	}
}
