package solver

// weights say by how much a line that lacks r marks raises the score of its
// empty cells, at index r, for the lines of the attacker and for those of the
// defender. Moves are tried by falling score.
type weights struct {
	attacker, defender [maxK + 1]int
}

// The numbers come from a random descent on the nodes that it takes to solve
// some hundred hard positions of the 5,5,4-game, the worst of them counted nine
// times. What matters most is that the defender first makes threats, which win
// time.
var (
	// attackWeights order the attacker's moves.
	attackWeights = weights{
		attacker: [...]int{2: 169, 3: 47, 4: 25, 5: 4},
		defender: [...]int{2: 29, 3: 10, 4: 8, 5: 1},
	}
	// defendWeights order the defender's moves.
	defendWeights = weights{
		attacker: [...]int{2: 116, 3: 59, 4: 9, 5: 4},
		defender: [...]int{2: 319, 3: 52, 4: 31, 5: 4},
	}
)
