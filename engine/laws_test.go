package engine_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tictactoe/engine"
)

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

// reachable returns every position that play from the empty board can lead to,
// once each.
func reachable(t testing.TB, r engine.Rules) []engine.Game {
	t.Helper()
	start := newGame(t, r)
	all, seen := []engine.Game{start}, map[engine.Game]bool{start: true}
	for i := 0; i < len(all); i++ {
		for _, child := range all[i].Children() {
			if !seen[child] {
				seen[child] = true
				all = append(all, child)
			}
		}
	}
	return all
}

// randomGame returns all positions of one game of random moves.
func randomGame(t testing.TB, r engine.Rules, dice *rand.Rand) []engine.Game {
	t.Helper()
	game := []engine.Game{newGame(t, r)}
	for g := game[0]; !g.Over(); game = append(game, g) {
		moves := slices.Collect(g.Moves())
		g = play(t, g, moves[dice.IntN(len(moves))])
	}
	return game
}

func TestReachablePositions(t *testing.T) {
	all := reachable(t, engine.Standard)
	over, classes := 0, map[engine.Game]bool{}
	for _, g := range all {
		if g.Over() {
			over++
		}
		classes[g.Canonical()] = true
	}
	if len(all) != 5478 || over != 958 || len(classes) != 765 {
		t.Errorf("3x3 positions, over, up to symmetry = %d, %d, %d, want 5478, 958, 765", len(all), over, len(classes))
	}
}

// laws fails the test where the position breaks a law that all positions keep.
func laws(t *testing.T, g engine.Game) {
	t.Helper()
	if d := disagreement(g); d != "" {
		t.Fatal(d)
	}
	if back, err := engine.Parse(g.String()); err != nil || back != g.Position() {
		t.Fatalf("text of %v read back: got %v, %v", g, back, err)
	}
	if p := g.Position(); p.Position() != p || g.Rules().Limit == 0 && p != g {
		t.Fatalf("position of %v: got %v, and then %v", g, p, p.Position())
	}
	playChangesOneCell(t, g)
	symmetryChangesNothing(t, g)
}

// playChangesOneCell tries every cell of the board and the first one off it.
func playChangesOneCell(t *testing.T, g engine.Game) {
	t.Helper()
	r, before := g.Rules(), g
	for c := range engine.Cell(r.Cells() + 1) {
		child, err := g.Play(c)
		if g != before {
			t.Fatalf("playing %d changed %v to %v", c, before, g)
		}
		if legal := !g.Over() && r.Contains(c) && g.At(c) == engine.None; legal != (err == nil) {
			t.Fatalf("%v: playing %d: got error %v, want legal %v", g, c, err, legal)
		}
		if err != nil {
			if child != (engine.Game{}) {
				t.Fatalf("%v: refused move %d returned %v", g, c, child)
			}
			continue
		}
		if child.Ply() != g.Ply()+1 || child.SideToMove() == g.SideToMove() || child.Rules() != r {
			t.Fatalf("%v to %v: got ply %d, %v to move", g, child, child.Ply(), child.SideToMove())
		}
		vanished, vanishes := g.Vanishes(g.SideToMove())
		for other := range engine.Cell(r.Cells()) {
			want := g.At(other)
			switch {
			case other == c:
				want = g.SideToMove()
			case vanishes && other == vanished:
				want = engine.None
			}
			if got := child.At(other); got != want {
				t.Fatalf("%v, %s played: %s holds %v, want %v", g, r.CellName(c), r.CellName(other), got, want)
			}
		}
		if won := child.WinningCells(); won != 0 && (won&r.Bit(c) == 0 || won.Count() < int(r.K) || won&^child.Marks(g.SideToMove()) != 0) {
			t.Fatalf("%v to %v: winning cells %b without the deciding move %s", g, child, won, r.CellName(c))
		}
	}
}

func symmetryChangesNothing(t *testing.T, g engine.Game) {
	t.Helper()
	r, canonical, isImage := g.Rules(), g.Canonical(), false
	for s := range engine.Symmetry(8) {
		turned := g.Transform(s)
		isImage = isImage || turned == canonical
		if turned.Outcome() != g.Outcome() || turned.Repeats() != g.Repeats() || turned.SideToMove() != g.SideToMove() || turned.Ply() != g.Ply() {
			t.Fatalf("%v turned by %d is %v: outcome %v, want %v", g, s, turned, turned.Outcome(), g.Outcome())
		}
		won, wonTurned := g.WinningCells(), turned.WinningCells()
		for c := range engine.Cell(r.Cells()) {
			to := s.Cell(r, c)
			if turned.At(to) != g.At(c) || turned.Age(to) != g.Age(c) || won&r.Bit(c) != 0 != (wonTurned&turned.Rules().Bit(to) != 0) {
				t.Fatalf("%v turned by %d is %v: %s came to %s", g, s, turned, r.CellName(c), turned.Rules().CellName(to))
			}
		}
		if turned.Rules() == r && turned.Canonical() != canonical {
			t.Fatalf("canonical form of %v: got %v, want %v as for %v", turned, turned.Canonical(), canonical, g)
		}
	}
	if !isImage || canonical.Canonical() != canonical || canonical.Rules() != r {
		t.Fatalf("canonical form of %v is no image of it, or not its own: %v, then %v", g, canonical, canonical.Canonical())
	}
}

func TestLawsOnEveryPosition(t *testing.T) {
	for _, r := range []engine.Rules{{M: 3, N: 3, K: 3}, {M: 4, N: 3, K: 3}} {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			// Every position meets the reference; the laws, which turn each
			// position eight ways, are checked once for all that are
			// symmetric to each other.
			for _, g := range reachable(t, r) {
				if d := disagreement(g); d != "" {
					t.Fatal(d)
				}
				if g.Canonical() == g {
					laws(t, g)
				}
			}
		})
	}
}

func TestLawsOnRandomGames(t *testing.T) {
	for i, r := range engine.AllRules() {
		t.Run(r.String(), func(t *testing.T) {
			dice := rand.New(rand.NewPCG(uint64(i), 1))
			for range 40 {
				for _, g := range randomGame(t, r, dice) {
					laws(t, g)
				}
			}
		})
	}
}

// TestParseKnowsWhatCanArise compares, for every way to fill a board with X, O
// and empty cells, whether Parse accepts it with whether play leads to it.
func TestParseKnowsWhatCanArise(t *testing.T) {
	for _, r := range []engine.Rules{{M: 3, N: 3, K: 3}, {M: 4, N: 3, K: 3}} {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			arises := map[string]bool{}
			for _, g := range reachable(t, r) {
				arises[g.String()] = true
			}
			empty := []byte(newGame(t, r).String())
			accepted := 0
			var fill func(i int)
			fill = func(i int) {
				for i < len(empty) && empty[i] != '.' {
					i++
				}
				if i == len(empty) {
					_, err := engine.Parse(string(empty))
					if got, want := err == nil, arises[string(empty)]; got != want {
						t.Fatalf("%s: got error %v, want accepted %v", empty, err, want)
					}
					if err == nil {
						accepted++
					}
					return
				}
				for _, mark := range []byte("XO.") {
					empty[i] = mark
					fill(i + 1)
				}
			}
			fill(0)
			if accepted != len(arises) {
				t.Errorf("accepted %d positions, want %d", accepted, len(arises))
			}
		})
	}
}

func TestSymmetriesOfTheRules(t *testing.T) {
	for _, r := range engine.AllRules() {
		want := 4
		if r.Square() {
			want = 8
		}
		images := map[string]bool{}
		for _, s := range r.Symmetries() {
			if s.Rules(r) != r {
				t.Errorf("symmetry %d turns %v into %v", s, r, s.Rules(r))
			}
			var image []engine.Cell
			for c := range engine.Cell(r.Cells()) {
				image = append(image, s.Cell(r, c))
			}
			images[r.FormatMoves(image)] = true
			slices.Sort(image)
			if len(slices.Compact(image)) != r.Cells() {
				t.Errorf("symmetry %d of %v maps two cells to one", s, r)
			}
		}
		if len(images) != want {
			t.Errorf("%v has %d different symmetries, want %d", r, len(images), want)
		}
	}
}

func TestLines(t *testing.T) {
	// (M-K+1)N across, M(N-K+1) down, 2(M-K+1)(N-K+1) diagonally, and none
	// in a direction that is shorter than K.
	for _, r := range engine.AllRules() {
		across, down := max(int(r.M)-int(r.K)+1, 0), max(int(r.N)-int(r.K)+1, 0)
		want := across*int(r.N) + int(r.M)*down + 2*across*down
		seen := map[engine.Bitboard]bool{}
		for _, line := range r.Lines() {
			if line.Count() != int(r.K) || line&^r.Board() != 0 {
				t.Errorf("%v: line %b has %d cells on the board", r, line, (line & r.Board()).Count())
			}
			seen[line] = true
		}
		if len(seen) != want || len(r.Lines()) != want {
			t.Errorf("%v has %d different lines, want %d", r, len(seen), want)
		}
	}
}
