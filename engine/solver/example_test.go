package solver_test

import (
	"context"
	"fmt"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

func ExampleSolve() {
	g := engine.MustParse("X..../...../..O../...../....X-4")
	r, err := solver.Solve(context.Background(), g)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v to move: %v in %d plies\n", g.SideToMove(), r.Value, r.Plies)
	// Output: O to move: win in 7 plies
}

func ExampleKeeping() {
	// O has answered a corner with an edge: three moves win by force now.
	g := engine.MustParse("XO./.../...")
	moves, err := solver.Keeping(context.Background(), g)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range moves {
		fmt.Printf("%s: %v in %d plies\n", g.Rules().CellName(m.Cell), m.Value, m.Plies)
	}
	// Output:
	// a2: win in 5 plies
	// b2: win in 5 plies
	// a3: win in 5 plies
}
