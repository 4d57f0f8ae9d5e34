package strategy

import (
	"math/rand/v2"

	"tictactoe/engine"
)

// Opponent is a named way of choosing moves. The zero Opponent has no name and plays no board.
type Opponent struct {
	// Name is the lower-case English word under which the opponent is
	// known, stored and chosen. It does not change between versions.
	Name  string
	plays func(engine.Rules) bool
	style style
	// Whom to play next when it has proved too hard or too easy, empty where nobody is.
	weaker, stronger string
}

// Plays reports whether the opponent plays under the rules. It is false for
// rules that are not valid.
func (o Opponent) Plays(r engine.Rules) bool {
	return o.plays != nil && r.Valid() && o.plays(r)
}

// style is a way of choosing moves. It works with any dice, so one definition serves
// both to play and to compute exact odds. The game must be one that the opponent plays
// and must not be over.
type style func(g engine.Game, dice dice) engine.Cell

// Choose chooses a cell for the side to move. The game must not be over and its
// rules must be ones that the opponent plays; then the cell is a legal move. For any
// other game the cell means nothing, and playing it may get the engine's error.
// Dice must not be nil, and not be in use by another goroutine.
func (o Opponent) Choose(g engine.Game, dice *rand.Rand) engine.Cell {
	if g.Over() || !o.Plays(g.Rules()) {
		return 0
	}
	return o.style(g, rolled{dice})
}

// everyBoard is for opponents that play all rules that the engine knows.
func everyBoard(engine.Rules) bool { return true }

// marksStay is for the classic programs, which were thought out for marks that stay.
func marksStay(r engine.Rules) bool { return r.Limit == 0 }

// standardOnly is for opponents that exist on the 3x3 board alone.
func standardOnly(r engine.Rules) bool { return r == engine.Standard }

// opponents is the registry in the order in which people are offered them.
var opponents = []Opponent{
	{"easy", everyBoard, easy, "random", "medium"},
	{"medium", everyBoard, medium, "easy", "hard"},
	{"hard", everyBoard, hard, "medium", "perfect"},
	{"perfect", everyBoard, perfect, "hard", ""},
	{"rules", marksStay, rules, "medium", "hard"},
	{"weights", marksStay, weights, "hard", "perfect"},
	{"paths", marksStay, paths, "hard", "perfect"},
	{"ranks", standardOnly, ranks, "hard", "perfect"},
	{"random", everyBoard, random, "", "easy"},
}

// All returns every opponent: the levels from the weakest to the strongest, then
// the classic programs, then uniformly random play. The slice is the caller's.
func All() []Opponent { return append([]Opponent(nil), opponents...) }

// Boards returns the boards that people are offered, in that order, and those that they once
// were. Opponents play more boards than these; see [Opponent.Plays]. The slice is the caller's.
func Boards() []engine.Rules {
	return []engine.Rules{
		engine.Standard,
		engine.Vanishing,
		{M: 4, N: 4, K: 4},
		{M: 4, N: 5, K: 4},
		{M: 5, N: 5, K: 4},
		{M: 5, N: 5, K: 5},
		{M: 3, N: 5, K: 3},
		{M: 4, N: 4, K: 3},
		{M: 5, N: 5, K: 3},
	}
}

// ByName returns the opponent of that name and whether there is one.
func ByName(name string) (Opponent, bool) {
	for _, o := range opponents {
		if o.Name == name {
			return o, true
		}
	}
	return Opponent{}, false
}

// Stronger returns the opponent to play next when the one named has become too easy:
// for a level the level above, for random and the classics the first level that
// scores more than half of the points against them on 3x3. The classics never overlook a
// win or a threat, so this is hard or perfect. (Perfect only draws with paths there,
// which never loses with X.) It is false for perfect and for unknown names.
func Stronger(name string) (string, bool) {
	o, _ := ByName(name)
	return o.stronger, o.stronger != ""
}

// Weaker returns the opponent to play next when the one named has proved too hard: for a
// level the level below, and random below easy; for a classic program a level that it
// beats. It is false for random and for unknown names.
func Weaker(name string) (string, bool) {
	o, _ := ByName(name)
	return o.weaker, o.weaker != ""
}

// random plays any legal move, each with the same probability.
func random(g engine.Game, dice dice) engine.Cell {
	return anyOf(g.Rules(), g.Marks(engine.None), dice)
}
