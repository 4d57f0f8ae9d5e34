package strategy_test

import (
	"fmt"
	"math/rand/v2"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// The same position and the same dice give the same move, so a seed gives the same game
// again.
func ExampleByName() {
	o, ok := strategy.ByName("perfect")
	if !ok {
		return
	}
	g := engine.MustParse("X.O/.X./..O") // X to move; O threatens c2
	c := o.Choose(g, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(o.Name, "plays", g.Rules().CellName(c))
	// Output: perfect plays c2
}

// Odds are exact: on an empty board paths always takes the centre, in reply to it any
// corner.
func ExampleOpponent_Odds() {
	paths, ok := strategy.ByName("paths")
	if !ok {
		return
	}
	for _, position := range []string{".../.../...", ".../.X./..."} {
		g := engine.MustParse(position)
		for _, chance := range paths.Odds(g) {
			fmt.Println(g, g.Rules().CellName(chance.Cell), chance.P.RatString())
		}
	}
	// Output:
	// .../.../... b2 1
	// .../.X./... a1 1/4
	// .../.X./... c1 1/4
	// .../.X./... a3 1/4
	// .../.X./... c3 1/4
}

func ExampleStronger() {
	for name, ok := "random", true; ok; name, ok = strategy.Stronger(name) {
		fmt.Println(name)
	}
	// Output:
	// random
	// easy
	// medium
	// hard
	// perfect
}

func ExampleOpponent_Plays() {
	large, err := engine.ParseRules("5x5-4")
	if err != nil {
		return
	}
	for _, o := range strategy.All() {
		if !o.Plays(large) {
			fmt.Println(o.Name, "plays", engine.Standard, "only")
		}
	}
	// Output: ranks plays 3x3 only
}
