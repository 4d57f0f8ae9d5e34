package engine_test

import (
	"errors"
	"fmt"
	"slices"

	"tictactoe/engine"
)

// A game is a value: Play returns the next position and leaves the one at hand as
// it was, so taking a move back is keeping the old value.
func Example() {
	g, err := engine.New(engine.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"b2", "a1", "c3"} {
		c, err := g.Rules().ParseCell(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		if g, err = g.Play(c); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(g, "ply", g.Ply(), g.SideToMove(), "to move,", g.Outcome())
	// Output: O../.X./..X ply 3 O to move, undecided
}

func ExampleNew() {
	r, err := engine.NewRules(4, 5, 4) // 4 columns, 5 rows, 4 in a row to win
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := engine.New(r)
	fmt.Println(r, g, err)
	_, err = engine.NewRules(6, 6, 4)
	fmt.Println(errors.Is(err, engine.ErrRules), err)
	// Output:
	// 4x5-4 ..../..../..../..../....-4 <nil>
	// true engine: no such rules: 6 columns, 6 rows, 4 in a row
}

// The moves of a game are enough to keep it: Replay brings it back.
func ExampleReplay() {
	moves, err := engine.Standard.ParseMoves("a1 b1 a2 b2 a3")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := engine.Replay(engine.Standard, moves)
	fmt.Println(g, g.Outcome(), err)
	_, err = engine.Replay(engine.Standard, append(moves, 8))
	fmt.Println(err)
	// Output:
	// XO./XO./X.. X won <nil>
	// ply 5: engine: game is over
}

// A move that is not legal is an error value that says why.
func ExampleGame_Play() {
	g := engine.MustParse("X../.../...")
	_, err := g.Play(0)
	fmt.Println(errors.Is(err, engine.ErrOccupied), err)
	_, err = g.Play(9)
	fmt.Println(errors.Is(err, engine.ErrOffBoard), err)
	_, err = engine.MustParse("XXX/OO./...").Play(5)
	fmt.Println(errors.Is(err, engine.ErrGameOver), err)
	// Output:
	// true engine: cell is occupied: a1
	// true engine: cell is off the board: cell 9 on 3x3
	// true engine: game is over
}

func ExampleGame_Moves() {
	g := engine.MustParse("XOX/OXO/..." /* X to move */)
	for c := range g.Moves() {
		fmt.Print(g.Rules().CellName(c), " ")
	}
	// Output: a3 b3 c3
}

func ExampleGame_Children() {
	for c, child := range engine.MustParse("XOX/OXO/...").Children() {
		fmt.Println(c, child, child.Outcome())
	}
	// Output:
	// 6 XOX/OXO/X.. X won
	// 7 XOX/OXO/.X. undecided
	// 8 XOX/OXO/..X X won
}

// One move can complete several lines; all of them count.
func ExampleGame_WinningCells() {
	g := engine.MustParse("XXX/XOO/XOO")
	fmt.Println(g.Outcome())
	fmt.Println(g.Rules().FormatMoves(slices.Collect(g.Rules().CellsOf(g.WinningCells()))))
	// Output:
	// X won
	// a1 b1 c1 a2 a3
}

// Games can be compared and can be keys of a map.
func ExampleGame_Canonical() {
	corners := map[engine.Game]int{}
	for _, s := range []string{"X../.../...", "..X/.../...", ".../.../X..", ".../.../..X"} {
		corners[engine.MustParse(s).Canonical()]++
	}
	fmt.Println(len(corners))
	// Output: 1
}

func ExampleParse() {
	g, err := engine.Parse("X.../.O../..../....-3")
	fmt.Println(g.Rules(), g.SideToMove(), err)
	_, err = engine.Parse("XX./.../...")
	fmt.Println(errors.Is(err, engine.ErrUnreachable), err)
	// Output:
	// 4x4-3 X <nil>
	// true engine: position cannot arise in play: 2 X and 0 O
}

func ExampleParseRules() {
	for _, s := range []string{"3x3", "4x5-4", "4x5"} {
		r, err := engine.ParseRules(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r.M, "columns,", r.N, "rows,", r.K, "in a row")
	}
	// Output:
	// 3 columns, 3 rows, 3 in a row
	// 4 columns, 5 rows, 4 in a row
	// engine: bad notation: "4x5" needs a row length, as in "4x5-4"
}

func ExampleRules_ParseCell() {
	c, err := engine.Standard.ParseCell("b3")
	fmt.Println(c, engine.Standard.Column(c), engine.Standard.Row(c), engine.Standard.CellName(c), err)
	// Output: 7 1 2 b3 <nil>
}

func ExampleGame_Vanishes() {
	moves, err := engine.Vanishing.ParseMoves("b2 a1 c1 a3 a2 c2")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := engine.Replay(engine.Vanishing, moves)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, ok := g.Vanishes(g.SideToMove())
	fmt.Printf("%v\n%v to move, then %s is empty: %t\n", g, g.SideToMove(), g.Rules().CellName(c), ok)
	// Output:
	// O.X/XXO/O..-vanishing b2 a1 c1 a3 a2 c2
	// X to move, then b2 is empty: true
}
