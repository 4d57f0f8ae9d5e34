package strategy_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// long reports whether tests may take minutes.
var long = os.Getenv("TEST_LONG") != ""

func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func named(t testing.TB, name string) strategy.Opponent {
	t.Helper()
	o, ok := strategy.ByName(name)
	if !ok {
		t.Fatalf("no opponent is called %q", name)
	}
	return o
}

func newGame(t testing.TB, r engine.Rules) engine.Game {
	t.Helper()
	g, err := engine.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func play(t testing.TB, g engine.Game, c engine.Cell) engine.Game {
	t.Helper()
	next, err := g.Play(c)
	if err != nil {
		t.Fatalf("%v: playing %s: %v", g, g.Rules().CellName(c), err)
	}
	return next
}

// undecided returns every reachable position of the board that is not over.
func undecided(t testing.TB, r engine.Rules) []engine.Game {
	t.Helper()
	start := newGame(t, r)
	all, seen := []engine.Game{start}, map[engine.Game]bool{start: true}
	for i := 0; i < len(all); i++ {
		for _, child := range all[i].Children() {
			if !seen[child] && !child.Over() {
				seen[child] = true
				all = append(all, child)
			}
		}
	}
	return all
}

// randomPositions returns the undecided positions of games of random moves.
func randomPositions(t testing.TB, r engine.Rules, games int, seed uint64) []engine.Game {
	t.Helper()
	var all []engine.Game
	dice := dice(seed)
	for range games {
		for g := newGame(t, r); !g.Over(); {
			all = append(all, g)
			moves := slices.Collect(g.Moves())
			g = play(t, g, moves[dice.IntN(len(moves))])
		}
	}
	return all
}

func TestRegistry(t *testing.T) {
	want := []string{"easy", "medium", "hard", "perfect", "rules", "weights", "paths", "ranks", "random"} // they are stored with matches
	var got []string
	for _, o := range strategy.All() {
		if slices.Contains(want, o.Name) {
			got = append(got, o.Name)
		}
		weaker, isWeaker := strategy.Weaker(o.Name)
		stronger, isStronger := strategy.Stronger(o.Name)
		for _, next := range []string{weaker, stronger} {
			if _, known := strategy.ByName(next); next != "" && !known || next == o.Name || !isWeaker && !isStronger {
				t.Errorf("whoever has played %s is led to %q, of %q and %q: want an opponent, and another one", o.Name, next, weaker, stronger)
			}
		}
		if same, ok := strategy.ByName(o.Name); !ok || same.Name != o.Name {
			t.Errorf("ByName(%q) = %q, %v", o.Name, same.Name, ok)
		}
		if o.Plays(engine.Rules{}) || o.Plays(engine.Rules{M: 9, N: 9, K: 9}) {
			t.Errorf("%s plays boards that do not exist", o.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("names: got %v, want %v", got, want)
	}
	all := strategy.All()
	all[0] = strategy.Opponent{}
	if strategy.All()[0].Name != want[0] {
		t.Error("changing what All returned changed the registry")
	}
	if o, ok := strategy.ByName("Easy"); ok {
		t.Errorf("ByName(\"Easy\") = %q", o.Name)
	}
	var none strategy.Opponent
	if none.Plays(engine.Standard) || none.Odds(newGame(t, engine.Standard)) != nil {
		t.Error("the zero Opponent plays")
	}
}

func TestStronger(t *testing.T) {
	for name, want := range map[string]string{
		"random": "easy", "easy": "medium", "medium": "hard", "hard": "perfect", "perfect": "",
		"rules": "hard", "weights": "perfect", "paths": "perfect", "ranks": "perfect", "": "", "Easy": "",
	} {
		if got, ok := strategy.Stronger(name); got != want || ok != (want != "") {
			t.Errorf("Stronger(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
}

func TestWeaker(t *testing.T) {
	for name, want := range map[string]string{
		"random": "", "easy": "random", "medium": "easy", "hard": "medium", "perfect": "hard",
		"rules": "medium", "weights": "hard", "paths": "hard", "ranks": "hard", "": "", "Easy": "",
	} {
		if got, ok := strategy.Weaker(name); got != want || ok != (want != "") {
			t.Errorf("Weaker(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
}

// TestEveryOpponent is what all of them promise: a legal move in every position, and
// the same one for the same dice.
func TestEveryOpponent(t *testing.T) {
	for _, o := range strategy.All() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range engine.AllRules() {
				if !o.Plays(r) {
					continue
				}
				positions := undecidedOrRandom(t, r)
				for i, g := range positions {
					c := o.Choose(g, dice(uint64(i)))
					if _, err := g.Play(c); err != nil {
						t.Fatalf("%v: %v", g, err)
					}
					if again := o.Choose(g, dice(uint64(i))); again != c {
						t.Fatalf("%v with the same dice: got %d and %d", g, c, again)
					}
				}
			}
		})
	}
}

func undecidedOrRandom(t *testing.T, r engine.Rules) []engine.Game {
	if r == engine.Standard {
		return undecided(t, r)
	}
	return randomPositions(t, r, 6, 1)
}

// TestChooseRefusesNothing hands every opponent games that it cannot move in: it
// must come back, and playing what it says must be an error.
func TestChooseInGamesWithoutMoves(t *testing.T) {
	games := []engine.Game{{}, engine.MustParse("XXX/OO./..."), engine.MustParse("XOX/XOO/OXX")}
	for _, o := range strategy.All() {
		for _, g := range games {
			if _, err := g.Play(o.Choose(g, dice(1))); err == nil {
				t.Errorf("%s found a move in %v", o.Name, g)
			}
			if odds := o.Odds(g); odds != nil {
				t.Errorf("%s has odds %v in %v", o.Name, odds, g)
			}
		}
		for _, r := range engine.AllRules() {
			if !o.Plays(r) && o.Odds(newGame(t, r)) != nil {
				t.Errorf("%s has odds on %v, which it does not play", o.Name, r)
			}
		}
	}
}

// TestOddsAddUp checks the exact odds of every opponent on every 3x3 position: legal
// cells in order, probabilities that make 1.
func TestOddsAddUp(t *testing.T) {
	one := big.NewRat(1, 1)
	for _, o := range strategy.All() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			for _, g := range undecided(t, engine.Standard) {
				if g.Canonical() != g {
					continue
				}
				sum := new(big.Rat)
				odds := o.Odds(g)
				for i, chance := range odds {
					if _, err := g.Play(chance.Cell); err != nil || chance.P.Sign() <= 0 {
						t.Fatalf("%v: %v with probability %v: %v", g, chance.Cell, chance.P, err)
					}
					if i > 0 && odds[i-1].Cell >= chance.Cell {
						t.Fatalf("%v: odds not in order of cells: %v", g, odds)
					}
					sum.Add(sum, chance.P)
				}
				if sum.Cmp(one) != 0 {
					t.Fatalf("%v: probabilities add up to %v, want 1", g, sum)
				}
			}
		})
	}
}

// TestOddsAreWhatIsPlayed rolls the dice often and compares with the exact odds.
func TestOddsAreWhatIsPlayed(t *testing.T) {
	const rolls = 4000
	for _, o := range strategy.All() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			for i, g := range []engine.Game{
				engine.MustParse(".../.../..."), engine.MustParse("X../.../..."), engine.MustParse("XX./O../..."),
				engine.MustParse("X../.O./..X"), engine.MustParse("XO./.X./O.."),
			} {
				counts := map[engine.Cell]int{}
				dice := dice(uint64(i))
				for range rolls {
					counts[o.Choose(g, dice)]++
				}
				// A chi-squared statistic: at most 8 degrees of freedom, 60 is far
				// beyond what fair dice reach in the life of this test.
				statistic := 0.0
				for _, chance := range o.Odds(g) {
					p, _ := chance.P.Float64()
					d := float64(counts[chance.Cell]) - rolls*p
					statistic += d * d / (rolls * p)
					delete(counts, chance.Cell)
				}
				if statistic > 60 || len(counts) > 0 {
					t.Errorf("%v: chi-squared %.1f, cells without odds %v", g, statistic, counts)
				}
			}
		})
	}
}

// BenchmarkChoose times a move of every opponent in positions of random games, and
// a plain minimax beside them.
func BenchmarkChoose(b *testing.B) {
	for _, r := range []engine.Rules{engine.Standard, engine.Vanishing, {M: 4, N: 4, K: 4}, {M: 5, N: 5, K: 4}} {
		positions := randomPositions(b, r, 20, 7)
		for _, o := range strategy.All() {
			if !o.Plays(r) {
				continue
			}
			b.Run(fmt.Sprintf("%v/%s", r, o.Name), func(b *testing.B) {
				dice := dice(1)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					_ = o.Choose(positions[i%len(positions)], dice)
					i++
				}
			})
		}
		if r == engine.Standard {
			b.Run("3x3/minimax", func(b *testing.B) {
				i := 0
				for b.Loop() {
					_ = minimax(positions[i%len(positions)])
					i++
				}
			})
		}
	}
}

// minimax returns the value for the side to move by looking at every line of play.
func minimax(g engine.Game) int {
	switch g.Outcome() {
	case engine.Undecided:
		best := -1
		for _, child := range g.Children() {
			best = max(best, -minimax(child))
		}
		return best
	case engine.Drawn:
		return 0
	default:
		return -1
	}
}
