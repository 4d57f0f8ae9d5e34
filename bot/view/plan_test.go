package view

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/engine/puzzle"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

var (
	moves = regexp.MustCompile(`\d+ (more )?moves?\b`)
	plans = regexp.MustCompile(`wins? in \d+ (more )?moves?\b`)
	rules = regexp.MustCompile(`so are 100 moves`)
)

// TestMovesMeanOneThing: puzzle, hint and review count a plan
// in the same moves, those of the side that carries it out, and these are as many as it then
// makes. No scene says another number of moves, and no result says one.
func TestMovesMeanOneThing(t *testing.T) {
	v := testView(Load(), DefaultLocale)
	for day := int64(puzzleDay); day < puzzleDay+7; day++ {
		if p := puzzleOf(t, day); p.Goal.Value == solver.Win {
			oneThing(t, v, p)
		}
	}
	for name, msg := range goldenScenes(t, v) {
		text := rules.ReplaceAllString(string(msg.Create()), "")
		if said := moves.FindAllString(text, -1); len(said) != len(plans.FindAllString(text, -1)) {
			t.Errorf("%s: says %q", name, said)
		}
	}
}

// oneThing looks at the position of a puzzle wherever it can come up.
func oneThing(t *testing.T, v View, p puzzle.Puzzle) {
	t.Helper()
	m := matchtest.Between(t, p.Start.Rules(), "")
	xs := slices.Collect(m.Rules.CellsOf(p.Start.Marks(engine.X)))
	os := slices.Collect(m.Rules.CellsOf(p.Start.Marks(engine.O)))
	for i, c := range xs {
		m.Moves = append(m.Moves, c)
		if i < len(os) {
			m.Moves = append(m.Moves, os[i])
		}
	}
	n := len(m.Moves)
	line, err := p.Line(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m.Moves = append(m.Moves, line...)
	if made := (len(line) + 1) / 2; made != p.Goal.Moves {
		t.Errorf("%d moves are made of %d", made, p.Goal.Moves)
	}
	judged := make([]coach.Verdict, len(m.Moves))
	for i := n - 1; i <= n; i++ { // the move that led there, and the solution
		g, err := engine.Replay(m.Rules, m.Moves[:i])
		if err != nil {
			t.Fatal(err)
		}
		if judged[i], err = coach.Judge(t.Context(), g, m.Moves[i]); err != nil {
			t.Fatal(err)
		}
	}
	best, err := coach.Best(t.Context(), p.Start)
	if err != nil {
		t.Fatal(err)
	}
	over := match.End(m, store.ByLine, p.Side())
	running := m
	running.Moves = m.Moves[:n]
	review := func(ply int) string {
		msg, err := v.Reviews().Review(Review{Match: over, Verdicts: judged, Ply: ply})
		if err != nil {
			t.Fatal(err)
		}
		return string(msg.Create())
	}
	in := fmt.Sprintf("wins in %d moves", p.Goal.Moves)
	left := strings.Replace(fmt.Sprintf("wins in %d more moves", p.Goal.Moves-1), "1 more moves", "1 more move", 1)
	for where, said := range map[string][2]string{
		"puzzle":               {v.Puzzles().puzzleTitle(p), strings.Replace(in, "wins", "win", 1)},
		"hint":                 {string(v.Reviews().Hint(running, best).Create()), in},
		"review":               {review(n), in},
		"review, a move later": {review(n + 1), left},
	} {
		if !strings.Contains(said[0], said[1]) {
			t.Errorf("day %d, %s: %s, want %s", p.Day, where, said[0], said[1])
		}
	}
	if card := string(shown(t, v, over).Create()); moves.MatchString(card) || !strings.Contains(card, "wins!**") {
		t.Errorf("the card says %s", card)
	}
}
