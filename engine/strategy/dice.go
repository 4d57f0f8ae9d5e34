package strategy

import (
	"math/big"
	"math/rand/v2"

	"tictactoe/engine"
)

// dice is where a style takes its random decisions from.
type dice interface {
	// oneOf returns a number from 0 to n-1, each with the same probability; n is at least 1.
	oneOf(n int) int
	// happens reports true with the probability p/1000, p from 0 to 1000.
	happens(p int) bool
}

// anyOf draws one cell of the set, each with the same probability. The set must not be
// empty.
func anyOf(r engine.Rules, set engine.Bitboard, dice dice) engine.Cell {
	n := 0
	if count := set.Count(); count > 1 {
		n = dice.oneOf(count)
	}
	for c := range r.CellsOf(set) {
		if n == 0 {
			return c
		}
		n--
	}
	return 0
}

// rolled answers by rolling.
type rolled struct{ rand *rand.Rand }

func (r rolled) oneOf(n int) int { return r.rand.IntN(n) }

func (r rolled) happens(p int) bool {
	if p <= 0 || p >= 1000 {
		return p > 0
	}
	return r.rand.IntN(1000) < p
}

// Chance is a move and how likely an opponent is to make it.
type Chance struct {
	Cell engine.Cell
	// P is the exact probability, more than 0 and at most 1.
	P *big.Rat
}

// Odds returns the moves that the opponent may make in the position, in ascending
// order of cells, with their exact probabilities, which add up to 1: what Choose
// would do with ideal dice. It returns nil for a game that is over and for rules
// that the opponent does not play. Any number of goroutines may call it.
func (o Opponent) Odds(g engine.Game) []Chance {
	if g.Over() || !o.Plays(g.Rules()) {
		return nil
	}
	var total [engine.MaxCells]*big.Rat
	// Every run of the style takes one way through the random decisions. The next
	// run goes the same way up to the last decision that has another answer, and
	// takes that answer.
	for branch := (&scripted{}); ; {
		c := o.style(g, branch)
		if total[c] == nil {
			total[c] = new(big.Rat)
		}
		total[c].Add(total[c], branch.probability())
		if !branch.next() {
			break
		}
	}
	var odds []Chance
	for c, p := range total {
		if p != nil {
			odds = append(odds, Chance{Cell: engine.Cell(c), P: p}) //nolint:gosec // at most 24
		}
	}
	return odds
}

// scripted answers in every possible way in turn.
type scripted struct {
	script []decision
	at     int
}

// decision is one question put to the dice: how many answers it has, which is being
// given, and, for a yes or no, how likely each is in thousandths.
type decision struct {
	answer, answers int
	odds            [2]int64
}

func (s *scripted) oneOf(n int) int { return s.decide(decision{answers: n}) }

func (s *scripted) happens(p int) bool {
	if p <= 0 || p >= 1000 {
		return p > 0
	}
	return s.decide(decision{answers: 2, odds: [2]int64{int64(1000 - p), int64(p)}}) == 1
}

func (s *scripted) decide(d decision) int {
	if s.at == len(s.script) {
		s.script = append(s.script, d)
	}
	s.at++
	return s.script[s.at-1].answer
}

// probability returns how likely the way taken is.
func (s *scripted) probability() *big.Rat {
	num, den := big.NewInt(1), big.NewInt(1)
	for _, d := range s.script {
		if d.odds == [2]int64{} {
			den.Mul(den, big.NewInt(int64(d.answers)))
		} else {
			num.Mul(num, big.NewInt(d.odds[d.answer]))
			den.Mul(den, big.NewInt(1000))
		}
	}
	return new(big.Rat).SetFrac(num, den)
}

// next turns to the next way and reports whether there is one.
func (s *scripted) next() bool {
	s.at = 0
	for n := len(s.script); n > 0; n-- {
		last := &s.script[n-1]
		if last.answer++; last.answer < last.answers {
			return true
		}
		s.script = s.script[:n-1]
	}
	return false
}
