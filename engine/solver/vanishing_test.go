package solver_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// vanishingReference holds what every position under vanishing rules is worth, found by
// nothing but the rules: backwards from the lines, over the positions that play leads to and
// who leads to whom. It shares no code with the solver.
type vanishingReference map[engine.Game]*vanishingEntry

type vanishingEntry struct {
	from     []engine.Game // the positions from which a move leads here
	open     int           // moves whose end is not known yet
	decided  bool
	won      bool // by the side to move
	distance int
}

func newVanishingReference(tb testing.TB) vanishingReference {
	tb.Helper()
	start := newGame(tb, engine.Vanishing)
	r := vanishingReference{start: {}}
	var queue []engine.Game // decided positions, by distance
	for all := []engine.Game{start}; len(all) > 0; all = all[1:] {
		g := all[0]
		if g.Over() {
			r[g].decided = true
			queue = append(queue, g)
		}
		for _, child := range g.Children() {
			p := child.Position()
			if r[p] == nil {
				r[p] = &vanishingEntry{}
				all = append(all, p)
			}
			r[p].from = append(r[p].from, g)
			r[g].open++
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		e := r[queue[0]]
		for _, g := range e.from {
			before := r[g]
			if before.open--; before.decided || e.won && before.open > 0 {
				continue
			}
			before.decided, before.won, before.distance = true, !e.won, e.distance+1
			queue = append(queue, g)
		}
	}
	return r
}

func (r vanishingReference) want(g engine.Game) (solver.Value, int) {
	e := r[g.Position()]
	switch {
	case !e.decided:
		return solver.Draw, engine.MaxPlies - g.Ply()
	case e.won:
		return solver.Win, e.distance
	default:
		return solver.Loss, e.distance
	}
}

func TestVanishingEveryPosition(t *testing.T) {
	r := newVanishingReference(t)
	counts, longest := map[solver.Value]int{}, 0
	for g := range r {
		if g.Over() {
			continue
		}
		value, plies := r.want(g)
		counts[value]++
		if value != solver.Draw {
			longest = max(longest, plies)
		}
		if !long && g.Canonical() != g {
			continue
		}
		got := solve(t, g)
		if got.Value != value || got.Plies != plies {
			t.Fatalf("Solve(%v) = %v in %d plies, want %v in %d", g, got.Value, got.Plies, value, plies)
		}
		keeping := 0
		for _, m := range moves(t, g) {
			child, err := g.Play(m.Cell)
			if err != nil {
				t.Fatal(err)
			}
			after, further := r.want(child)
			if want := (solver.MoveValue{Cell: m.Cell, Value: -after, Plies: further + 1}); m != want {
				t.Fatalf("Moves(%v) has %+v, want %+v", g, m, want)
			}
			if m.Value == value {
				keeping++
			}
			if m.Cell == got.Best && (m.Value != value || m.Plies != plies) {
				t.Fatalf("Solve(%v) = %+v, its move is %+v", g, got, m)
			}
		}
		if k, err := solver.Keeping(context.Background(), g); err != nil || len(k) != keeping {
			t.Fatalf("Keeping(%v) = %v, %v, want %d moves", g, k, err, keeping)
		}
	}
	if open := counts[solver.Win] + counts[solver.Draw] + counts[solver.Loss]; open != 116074 || longest != 17 {
		t.Errorf("%d positions with at most %d plies to a win, want 116074 with 17", open, longest)
	}
	t.Logf("for the side to move: %v", counts)
}

// TestVanishingFirstMoves is what the README says: X forces a win, but only from an edge.
func TestVanishingFirstMoves(t *testing.T) {
	g := newGame(t, engine.Vanishing)
	if r := solve(t, g); r.Value != solver.Win || r.Plies != 13 {
		t.Errorf("the empty board is a %v in %d plies, want a win in 13", r.Value, r.Plies)
	}
	keeping, err := solver.Keeping(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	var cells []engine.Cell
	for _, m := range keeping {
		cells = append(cells, m.Cell)
	}
	if got := g.Rules().FormatMoves(cells); got != "b1 a2 c2 b3" {
		t.Errorf("X wins from %s, want the four edges", got)
	}
	for _, m := range moves(t, g) {
		if m.Value == solver.Loss || m.Plies != 13 && m.Plies != engine.MaxPlies {
			t.Errorf("%s is a %v in %d plies", g.Rules().CellName(m.Cell), m.Value, m.Plies)
		}
	}
}

// TestVanishingSwappedSides: where six marks stand, X and O may be exchanged.
func TestVanishingSwappedSides(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for range 400 {
		g := randomGame(t, dice, engine.Vanishing, 6+dice.IntN(10)).Position()
		if g.Ply() < 6 {
			continue
		}
		swapped, err := engine.Parse(strings.NewReplacer("X", "O", "O", "X").Replace(g.String()))
		if err != nil {
			t.Fatal(err)
		}
		compared++
		here, there := solve(t, g), solve(t, swapped)
		if here.Value != there.Value || here.Plies != there.Plies && here.Value != solver.Draw {
			t.Errorf("Solve(%v) = %+v, and %+v for %v", g, here, there, swapped)
		}
	}
	if compared < 100 {
		t.Errorf("compared %d positions", compared)
	}
}

// TestVanishingWithAPast compares the values of positions late in long games, where
// positions have stood before and few moves are left, with a search that plays every
// line of moves to its end.
func TestVanishingWithAPast(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	changed := map[string]int{}
	for n := range 40 {
		g := ditheringGame(t, dice, engine.MaxPlies-4-n%4)
		want, plies := pastMinimax(g)
		got := solve(t, g)
		if got.Value != want || want != solver.Draw && got.Plies != plies {
			t.Fatalf("game %d: Solve(%v) after %s = %v in %d plies, want %v in %d",
				n, g, g.Rules().FormatMoves(g.Played()), got.Value, got.Plies, want, plies)
		}
		for _, m := range moves(t, g) {
			child, err := g.Play(m.Cell)
			if err != nil {
				t.Fatal(err)
			}
			value, further := pastMinimax(child)
			if m.Value != -value || value != solver.Draw && m.Plies != further+1 {
				t.Fatalf("game %d: %v after %s: move %+v, want %v in %d",
					n, g, g.Rules().FormatMoves(g.Played()), m, -value, further+1)
			}
		}
		if first := solve(t, g.Position()); first.Value != got.Value || first.Plies != got.Plies && got.Value != solver.Draw {
			// Which of the two did it is told by the number of moves that are left.
			if first.Plies <= engine.MaxPlies-g.Ply() {
				changed["by positions that have stood twice"]++
			} else {
				changed["by the number of moves"]++
			}
		}
	}
	if len(changed) != 2 {
		t.Errorf("the past changed values only %v", changed)
	}
	t.Logf("changed: %v", changed)
}

// ditheringGame plays so many moves, fewer only where none but winning ones are left. Most of
// them are those of eight moves before, the fewest after which a position can come back.
func ditheringGame(tb testing.TB, dice *rand.Rand, plies int) engine.Game {
	tb.Helper()
	for {
		g := newGame(tb, engine.Vanishing)
		var played []engine.Cell
		for g.Ply() < plies {
			var quiet []engine.Cell
			for c, child := range g.Children() {
				if !child.Over() {
					quiet = append(quiet, c)
				}
			}
			if len(quiet) == 0 {
				break
			}
			c := quiet[dice.IntN(len(quiet))]
			if back := len(played) - 8; back >= 0 && dice.IntN(100) < 85 && slices.Contains(quiet, played[back]) {
				c = played[back]
			}
			g, _ = g.Play(c)
			played = append(played, c)
		}
		if g.Ply() == plies {
			return g
		}
	}
}

// pastMinimax returns the value for the side to move and the distance of a win or loss by
// playing every line of moves.
func pastMinimax(g engine.Game) (solver.Value, int) {
	switch g.Outcome() {
	case engine.Undecided:
	case engine.Drawn:
		return solver.Draw, 0
	default:
		return solver.Loss, 0
	}
	best, distance := solver.Loss, -1
	for _, child := range g.Children() {
		v, plies := pastMinimax(child)
		v, plies = -v, plies+1
		if distance < 0 || v > best || v == best && (v == solver.Win && plies < distance || v == solver.Loss && plies > distance) {
			best, distance = v, plies
		}
	}
	return best, distance
}

func TestVanishingEndsWithItsContext(t *testing.T) {
	g := ditheringGame(t, rand.New(rand.NewPCG(1, 1)), 40)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := solver.Solve(ctx, g); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// BenchmarkVanishing solves a position that stands for the first time, and one where others
// have stood twice, which takes solving all of them anew: what the first use costs.
func BenchmarkVanishing(b *testing.B) {
	dice := rand.New(rand.NewPCG(1, 2))
	for name, g := range map[string]engine.Game{
		"first": randomGame(b, dice, engine.Vanishing, 8),
		"anew":  twiceStood(b),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := solver.Solve(context.Background(), g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// twiceStood returns a game in which positions have stood twice that could be won.
func twiceStood(tb testing.TB) engine.Game {
	tb.Helper()
	const round = "a1 b1 c1 a2 c3 c2 a3 b3 "
	g, err := engine.Replay(engine.Vanishing, parseMoves(tb, engine.Vanishing, round+round+"a1 b1 c1 a2"))
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func newGame(tb testing.TB, r engine.Rules) engine.Game {
	tb.Helper()
	g, err := engine.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func parseMoves(tb testing.TB, rules engine.Rules, text string) []engine.Cell {
	tb.Helper()
	moves, err := rules.ParseMoves(text)
	if err != nil {
		tb.Fatal(err)
	}
	return moves
}
