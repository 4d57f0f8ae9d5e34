package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tictactoe/engine"
)

// slowVanishing is the vanishing variant once more, written from its rules in words: a
// list of marks for each side, oldest first, and a list of all positions so far.
type slowVanishing struct {
	marks     [2][]engine.Cell
	plies     int
	positions []string
}

func (s *slowVanishing) play(c engine.Cell) {
	mine := &s.marks[s.plies%2]
	*mine = append(*mine, c)
	if len(*mine) > 3 {
		*mine = slices.Delete(*mine, 0, 1)
	}
	s.plies++
	s.positions = append(s.positions, fmt.Sprint(s.marks, s.plies%2))
}

func (s *slowVanishing) repeats() int {
	n := -1
	for _, p := range s.positions {
		if p == s.positions[len(s.positions)-1] {
			n++
		}
	}
	return max(n, 0)
}

func (s *slowVanishing) outcome() engine.Outcome {
	for side, marks := range s.marks {
		sorted := slices.Sorted(slices.Values(marks))
		for _, line := range [][]engine.Cell{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
			if slices.Equal(sorted, line) {
				return engine.Won([]engine.Mark{engine.X, engine.O}[side])
			}
		}
	}
	if s.repeats() == 2 || s.plies == 100 {
		return engine.Drawn
	}
	return engine.Undecided
}

func (s *slowVanishing) moves() (moves []engine.Cell) {
	for c := range engine.Cell(9) {
		if s.outcome() == engine.Undecided && !slices.Contains(s.marks[0], c) && !slices.Contains(s.marks[1], c) {
			moves = append(moves, c)
		}
	}
	return moves
}

// vanishingDisagreement says how the game differs from the slow reference, or
// nothing.
func vanishingDisagreement(g engine.Game, s *slowVanishing) string {
	if g.Ply() != s.plies || g.Repeats() != s.repeats() || g.Outcome() != s.outcome() {
		return fmt.Sprintf("%v: ply %d, %d repeats, %v, want %d, %d, %v", g, g.Ply(), g.Repeats(), g.Outcome(), s.plies, s.repeats(), s.outcome())
	}
	if got := slices.Collect(g.Moves()); !slices.Equal(got, s.moves()) {
		return fmt.Sprintf("%v: moves %v, want %v", g, got, s.moves())
	}
	ages := map[engine.Cell]int{}
	for side, mark := range []engine.Mark{engine.X, engine.O} {
		marks := s.marks[side]
		for i, c := range marks {
			ages[c] = len(marks) - i
			if g.At(c) != mark {
				return fmt.Sprintf("%v: %s holds %v, want %v", g, g.Rules().CellName(c), g.At(c), mark)
			}
		}
		c, ok := g.Vanishes(mark)
		if ok != (len(marks) == 3) || ok && c != marks[0] {
			return fmt.Sprintf("%v: of %v vanishes %d, %v, want the first of %v", g, mark, c, ok, marks)
		}
	}
	for c := range engine.Cell(10) {
		if g.Age(c) != ages[c] {
			return fmt.Sprintf("%v: the mark in cell %d has age %d, want %d", g, c, g.Age(c), ages[c])
		}
	}
	return ""
}

// cycle is how many moves it takes at least to come back to a position: any seven in a row
// go to different cells, and the side to move must be the same.
const cycle = 8

// vanishingGame plays a game out and compares every position with the reference. In
// percent of its moves it repeats the one of a cycle before, if that neither wins nor is
// illegal; it makes any other winning move only if there is nothing else.
func vanishingGame(t testing.TB, dice *rand.Rand, percent int) engine.Game {
	t.Helper()
	g, ref := newGame(t, engine.Vanishing), &slowVanishing{}
	var played []engine.Cell
	for !g.Over() {
		moves := slices.Collect(g.Moves())
		quiet := slices.DeleteFunc(slices.Clone(moves), func(c engine.Cell) bool {
			return play(t, g, c).Outcome().Winner() != engine.None
		})
		if percent > 0 && len(quiet) > 0 {
			moves = quiet
		}
		c := moves[dice.IntN(len(moves))]
		if back := len(played) - cycle; back >= 0 && slices.Contains(quiet, played[back]) && dice.IntN(100) < percent {
			c = played[back]
		}
		g, played = play(t, g, c), append(played, c)
		ref.play(c)
		if d := vanishingDisagreement(g, ref); d != "" {
			t.Fatal(d)
		}
	}
	return g
}

func TestVanishingGames(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	ends := map[string]int{}
	for i := range 600 {
		g := vanishingGame(t, dice, []int{0, 1, 90, 99}[i%4])
		end := g.Outcome().String()
		if g.Ply() == engine.MaxPlies {
			end += " by length"
		}
		ends[end]++
	}
	for _, end := range []string{"X won", "O won", "drawn", "drawn by length"} {
		if ends[end] == 0 {
			t.Errorf("no game was %s: %v", end, ends)
		}
	}
}

// vanishingPositions returns every position under vanishing rules that play can lead
// to, repetitions and the number of moves aside.
func vanishingPositions(t testing.TB) []engine.Game {
	t.Helper()
	start := newGame(t, engine.Vanishing)
	all, seen := []engine.Game{start}, map[engine.Game]bool{start: true}
	for i := 0; i < len(all); i++ {
		for _, child := range all[i].Children() {
			if p := child.Position(); !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}

func TestVanishingPositions(t *testing.T) {
	all := vanishingPositions(t)
	over, classes, arises := 0, map[engine.Game]bool{}, map[string]bool{}
	for _, g := range all {
		if g.Over() {
			over++
		}
		if d := disagreement(g); d != "" {
			t.Fatal(d)
		}
		arises[g.String()] = true
		canonical := g.Canonical()
		classes[canonical] = true
		if canonical == g {
			laws(t, g)
			swappedSidesSwapOutcomes(t, g)
		}
	}
	// Until six marks stand there are 1, 9, 72, 504, 3,024 and 15,120 sequences of cells.
	// Then there are 60,480 for each side to move, without those in which that side has
	// one of the 8 lines: 8 lines in 6 orders, times 6*5*4 orders of the other marks.
	full := 2 * (60480 - 8*6*120)
	if want := 1 + 9 + 72 + 504 + 3024 + 15120 + full; len(all) != want {
		t.Errorf("%d positions, want %d", len(all), want)
	}
	// Over are those in which the side that moved last has a line: with five marks, 8 lines in
	// 6 orders times 6*5 orders of the others; with six, times 6*5*4, without the 12 pairs of
	// lines of both sides.
	if want := 8*6*30 + 2*(8*6*120-12*6*6); over != want {
		t.Errorf("%d positions are over, want %d", over, want)
	}
	if len(classes) != 16030 {
		t.Errorf("%d positions up to symmetry, want 16030", len(classes))
	}
	parseKnowsVanishing(t, arises)
}

// swappedSidesSwapOutcomes exchanges X and O where both have three marks.
func swappedSidesSwapOutcomes(t *testing.T, g engine.Game) {
	t.Helper()
	if g.Marks(engine.None).Count() > 3 {
		return
	}
	swapped, err := engine.Parse(strings.NewReplacer("X", "O", "O", "X").Replace(g.String()))
	if err != nil {
		t.Fatalf("%v with the sides swapped: %v", g, err)
	}
	if swapped.SideToMove() == g.SideToMove() || swapped.Outcome().Winner() != g.Outcome().Winner().Other() {
		t.Fatalf("%v is %v, with the sides swapped %v", g, g.Outcome(), swapped.Outcome())
	}
}

// parseKnowsVanishing writes down every list of up to six cells, for either side as the
// one that began, and compares whether Parse accepts it with whether it arises.
func parseKnowsVanishing(t *testing.T, arises map[string]bool) {
	t.Helper()
	accepted := 0
	var fill func(cells []engine.Cell, first engine.Mark)
	fill = func(cells []engine.Cell, first engine.Mark) {
		rows, mark := []byte(".../.../..."), first
		for _, c := range cells {
			rows[c+c/3] = mark.String()[0]
			mark = mark.Other()
		}
		text := string(rows) + "-vanishing"
		if len(cells) > 0 {
			text += " " + engine.Vanishing.FormatMoves(cells)
		}
		_, err := engine.Parse(text)
		if got := err == nil; got != arises[text] {
			t.Fatalf("%s: got error %v, want accepted %v", text, err, arises[text])
		}
		if err == nil {
			accepted++
		}
		for c := range engine.Cell(9) {
			if len(cells) < 6 && !slices.Contains(cells, c) {
				fill(append(slices.Clip(cells), c), first)
			}
		}
	}
	fill(nil, engine.X)
	for c := range engine.Cell(9) {
		fill([]engine.Cell{c}, engine.O)
	}
	if accepted != len(arises) {
		t.Errorf("accepted %d positions, want %d", accepted, len(arises))
	}
}

// moved replays moves under vanishing rules.
func moved(t testing.TB, moves string) engine.Game {
	t.Helper()
	cells, err := engine.Vanishing.ParseMoves(moves)
	if err != nil {
		t.Fatal(err)
	}
	g, err := engine.Replay(engine.Vanishing, cells)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestVanishingRules(t *testing.T) {
	for _, tt := range []struct {
		name, moves, text string
		want              engine.Outcome
	}{
		{"three marks stay", "a1 b1 c1 a2 b2 c2", "XOX/OXO/...-vanishing a1 b1 c1 a2 b2 c2", engine.Undecided},
		{"the fourth takes off the oldest", "a1 b1 c1 a2 b2 c2 b3", ".OX/OXO/.X.-vanishing b1 c1 a2 b2 c2 b3", engine.Undecided},
		{"the marks that remain win", "a1 b1 c1 a2 b2 c2 a3", ".OX/OXO/X..-vanishing b1 c1 a2 b2 c2 a3", engine.XWon},
		{"a line with the mark that goes is none", "a1 b2 b1 c3 a3 c2 c1", ".XX/.OO/X.O-vanishing b2 b1 c3 a3 c2 c1", engine.Undecided},
		{"what stood there is free again", "a1 b1 c1 a2 b2 c2 b3 a1", "O.X/OXO/.X.-vanishing c1 a2 b2 c2 b3 a1", engine.Undecided},
	} {
		g := moved(t, tt.moves)
		if g.String() != tt.text || g.Outcome() != tt.want {
			t.Errorf("%s: %s is %v, %v, want %s, %v", tt.name, tt.moves, g, g.Outcome(), tt.text, tt.want)
		}
	}
}

// TestVanishesWhat asks for the mark that goes next where there is none.
func TestVanishesWhat(t *testing.T) {
	six := moved(t, "a1 b1 c1 a2 b2 c2")
	for _, tt := range []struct {
		name string
		g    engine.Game
		mark engine.Mark
	}{
		{"of nobody", six, engine.None}, // three cells are empty, as many as a side has marks
		{"before the fourth mark", moved(t, "a1 b1 c1 a2"), engine.X},
		{"on another board", engine.MustParse("XOX/XOO/.X."), engine.X},
		{"in the zero Game", engine.Game{}, engine.X},
	} {
		if c, ok := tt.g.Vanishes(tt.mark); ok {
			t.Errorf("%s: %v loses %s", tt.name, tt.g, tt.g.Rules().CellName(c))
		}
	}
	if c, ok := six.Vanishes(engine.O); !ok || six.Rules().CellName(c) != "b1" {
		t.Errorf("O, who is not to move, loses cell %d, %t, want b1", c, ok)
	}
}

// TestVanishingMarkStillTakesItsCell: the cell of the mark that goes cannot be chosen in the
// same move.
func TestVanishingMarkStillTakesItsCell(t *testing.T) {
	g := moved(t, "a1 b1 c1 a2 b2 c2")
	if got, err := g.Play(0); !errors.Is(err, engine.ErrOccupied) || got != (engine.Game{}) {
		t.Errorf("playing a1 again: got %v, %v, want ErrOccupied", got, err)
	}
}

// round is a cycle in which X goes round the corners and O round the edges.
const round = " a1 b1 c1 a2 c3 c2 a3 b3"

func TestVanishingRepetition(t *testing.T) {
	const sixMarks = " a1 b1 c1 a2 c3 c2"
	for _, tt := range []struct {
		moves   string
		repeats int
		want    engine.Outcome
	}{
		{sixMarks, 0, engine.Undecided},
		{round + " a1 b1 c1 a2 c3", 0, engine.Undecided},
		{round + sixMarks, 1, engine.Undecided},
		{round + sixMarks + " a3 b3", 1, engine.Undecided},
		{round + round + " a1 b1 c1 a2 c3", 1, engine.Undecided},
		{round + round + sixMarks, 2, engine.Drawn},
	} {
		if g := moved(t, tt.moves); g.Outcome() != tt.want || g.Repeats() != tt.repeats {
			t.Errorf("%s: %v, %d repeats, want %v, %d", tt.moves, g.Outcome(), g.Repeats(), tt.want, tt.repeats)
		}
	}
	g := moved(t, round+round+sixMarks)
	if _, err := g.Play(6); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("playing on: got %v, want ErrGameOver", err)
	}
	if p := g.Position(); p.Over() || p.Repeats() != 0 || p.Ply() != 6 {
		t.Errorf("the position alone: %v, %d repeats, ply %d, want undecided, 0, 6", p.Outcome(), p.Repeats(), p.Ply())
	}
	// The same marks with other ages are another position, the same ages by other ways are not.
	other := moved(t, " c1 b1 a1 a2 c3 c2")
	if other.Marks(engine.X) != g.Marks(engine.X) || other.Marks(engine.O) != g.Marks(engine.O) || other.Position() == g.Position() {
		t.Errorf("%v and %v are one position", other, g)
	}
	if again := moved(t, round+sixMarks); again == g || again.Position() != g.Position() {
		t.Errorf("%v and %v are not one position", again, g)
	}
}

func TestVanishingAsRules(t *testing.T) {
	if engine.Vanishing == engine.Standard || engine.Vanishing.String() != "vanishing" || engine.Vanishing.MaxPlies() != 100 {
		t.Errorf("got %v with %d plies", engine.Vanishing, engine.Vanishing.MaxPlies())
	}
	if r, err := engine.ParseRules("vanishing"); err != nil || r != engine.Vanishing {
		t.Errorf("read back: %v, %v", r, err)
	}
	for _, r := range []engine.Rules{{M: 3, N: 3, K: 3, Limit: 2}, {M: 4, N: 4, K: 4, Limit: 3}, {Limit: 3}, {M: 3, N: 3, K: 3, Limit: 255}} {
		if _, err := engine.New(r); r.Valid() || !errors.Is(err, engine.ErrRules) {
			t.Errorf("%v: got %v, want ErrRules", r, err)
		}
	}
	for _, r := range engine.AllRules() {
		if r.Limit == 0 && r.MaxPlies() != r.Cells() {
			t.Errorf("%v allows %d plies, want %d", r, r.MaxPlies(), r.Cells())
		}
	}
}
