package strategy_test

import (
	"math/big"
	"strings"
	"testing"

	"tictactoe/engine"
)

// board reads a position drawn as rows.
func board(t testing.TB, rows ...string) engine.Game {
	t.Helper()
	g, err := engine.Parse(strings.Join(rows, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// playable draws the odds of an opponent over the board: the cells that it may
// choose as *.
func playable(t testing.TB, name string, g engine.Game) string {
	t.Helper()
	drawn := []byte(g.String())
	row := int(g.Rules().M) + 1
	for _, chance := range named(t, name).Odds(g) {
		drawn[g.Rules().Row(chance.Cell)*row+g.Rules().Column(chance.Cell)] = '*'
	}
	return string(drawn)
}

func TestClassics(t *testing.T) {
	tests := []struct {
		opponent, name string
		position, want string
	}{
		{"rules", "wins before it blocks", "XX./OO./X..", "XX./OO*/X.."},
		{"rules", "wins on either of two lines", "X.X/X../OO." /* O wins */, "X.X/X../OO*"},
		{"rules", "blocks", "XX./.../O..", "XX*/.../O.."},
		{"rules", "blocks either of two threats", "XX./X.O/O..", "XX*/X.O/O.."},
		{"rules", "bets on lines with one own mark and two empty cells", "X../.O./...", "X**/*O./*.."},
		{"rules", "bets on no line that is closed", "XO./.../...", "XO./**./*.*"},
		{"rules", "goes anywhere with no bet left", ".../.../...", "***/***/***"},
		{"rules", "on long rows bets on the lines with most own marks", "XX.../OO..O/X..../...../.....-4", "XX**./OO..O/X..../...../.....-4"},

		{"weights", "worked example", "XX./.../O..", "XX*/.../O.."},
		{"weights", "empty board: every weight is 0", ".../.../...", "***/***/***"},
		{"weights", "wins before it blocks", "XX./OO./X..", "XX./OO*/X.."},
		{"weights", "two blocks weigh more than one", "OX../X.../..../....-3", "OX../X*../..../....-3"},

		{"paths", "wins before it blocks", "XX./OO./X..", "XX./OO*/X.."},
		{"paths", "blocks", "XX./.../O..", "XX*/.../O.."},
		{"paths", "takes the cell on most open paths", ".../.../...", ".../.*./..."},
		{"paths", "after the centre a corner", ".../.X./...", "*.*/.X./*.*"},

		{"ranks", "takes the centre at the start", ".../.../...", ".../.*./..."},
		{"ranks", "takes the centre in reply", "X../.../...", "X../.*./..."},
		{"ranks", "first best cell in row order after the centre", ".../.X./...", "*../.X./..."},
		{"ranks", "wins", "XX./OO./X..", "XX./OO*/X.."},
		{"ranks", "wins rather than blocks", "XX./OO./...", "XX*/OO./..."},
		{"ranks", "blocks a run", "XX./.O./...", "XX*/.O./..."},
		{"ranks", "fills the gap to win", "X.X/OO./...", "X*X/OO./..."},
		{"ranks", "fills the gap to block", "X.X/.O./...", "X*X/.O./..."},
		{"ranks", "forks on the next move over a threat", "XO./.X./..O", "XO./*X./..O"},
		{"ranks", "first cell in row order that expands on one line", "X../.O./..X", "X*./.O./..X"},
	}
	for _, tt := range tests {
		t.Run(tt.opponent+"/"+tt.name, func(t *testing.T) {
			if got := playable(t, tt.opponent, board(t, tt.position)); got != tt.want {
				t.Errorf("%s may play: got %s, want %s", tt.position, got, tt.want)
			}
		})
	}
}

// TestPathsDrawsAPath: a cell that ends two paths is drawn twice as often.
func TestPathsDrawsAPath(t *testing.T) {
	g := board(t, "XX.O", ".XO.", "X..O", "O...-3") // X to move
	counts := map[string]int{}
	for _, line := range g.Rules().Lines() {
		rest := line &^ g.Marks(engine.X)
		if rest.Count() == 1 && rest&g.Marks(engine.None) != 0 {
			for c := range g.Rules().CellsOf(rest) {
				counts[g.Rules().CellName(c)]++
			}
		}
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	for _, chance := range named(t, "paths").Odds(g) {
		name := g.Rules().CellName(chance.Cell)
		if want := big.NewRat(int64(counts[name]), int64(total)); chance.P.Cmp(want) != 0 {
			t.Errorf("%s drawn with %v, want %v (paths %v)", name, chance.P, want, counts)
		}
		delete(counts, name)
	}
	if len(counts) != 0 || total < 3 {
		t.Errorf("never drawn: %v of %d paths", counts, total)
	}
}
