package view

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

func TestMatchViewGrid(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		if byList(m) {
			return
		}
		msg := shown(t, v, m)
		g, err := match.Position(m)
		if err != nil {
			t.Fatal(err)
		}
		outside, depths := m.Rules.M == engine.MaxSide, map[int]int{}
		walk(msg.Components, 0, func(c discord.Component, depth int) {
			if c.Type == discord.TypeActionRow && strings.HasPrefix(c.Components[0].CustomID, "1:k:") {
				depths[depth]++
				if len(c.Components) != int(m.Rules.M) {
					t.Errorf("a row of %d cells on %v", len(c.Components), m.Rules)
				}
			}
		})
		if m.State == store.Ended && !m.GridStands {
			if grid, _ := buttonsOf(t, msg); len(grid) > 0 {
				t.Errorf("%d cells stand for ever", len(grid))
			}
			return
		}
		if want := map[bool]map[int]int{true: {0: int(m.Rules.N)}, false: {1: int(m.Rules.N)}}[outside]; !cmp.Equal(depths, want) {
			t.Errorf("rows of the grid by depth: %v, want %v", depths, want)
		}
		grid, _ := buttonsOf(t, msg)
		if len(grid) != m.Rules.Cells() {
			t.Fatalf("%d cells, want %d", len(grid), m.Rules.Cells())
		}
		won := g.WinningCells()
		now, _ := oldest(m, g)
		for i, b := range grid {
			c := engine.Cell(i)
			if want := (customid.ID{Action: customid.Cell, Match: m.ID, Cell: c}).String(); b.CustomID != want {
				t.Errorf("cell %d has the custom ID %s, want %s", i, b.CustomID, want)
			}
			if b.Disabled {
				t.Errorf("%s is disabled: a click on it would fail without an answer", m.Rules.CellName(c))
			}
			want := cellLook(m, g.At(c), won&m.Rules.Bit(c) != 0, won != 0, c)
			switch c {
			case now:
				want = [2]any{g.At(c).String() + "⏳", discord.StyleSecondary}
			}
			if n := len(m.Moves); n > 0 && m.State == store.Active && c == m.Moves[n-1] {
				want[0] = fmt.Sprint(want[0]) + lastSign
			}
			if got := [2]any{b.Label, b.Style}; got != want {
				t.Errorf("%s looks like %v, want %v", m.Rules.CellName(c), got, want)
			}
		}
	})
}

// oldest returns the marks that vanish next, of the side to move and of the other one;
// noCell where none does.
func oldest(m store.Match, g engine.Game) (now, later engine.Cell) {
	now, later = noCell, noCell
	if c, ok := g.Vanishes(g.SideToMove()); ok && m.State == store.Active {
		now = c
	}
	if c, ok := g.Vanishes(g.SideToMove().Other()); ok && m.State == store.Active {
		later = c
	}
	return now, later
}

const noCell = engine.Cell(engine.MaxCells)

// TestWhatGoesNextIsSaid reads the texts of matches in which marks vanish: the first line
// names the mark that goes with the coming move, and the board as text tells every age.
func TestWhatGoesNextIsSaid(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		g, err := match.Position(m)
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(shown(t, v, m))
		first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
		now, later := oldest(m, g)
		if got := strings.Contains(first, "⏳"); got != (now != noCell) || got && !strings.Contains(first, m.Rules.CellName(now)) {
			t.Errorf("the first line names what goes: %v, want %v: %q", got, now != noCell, first)
		}
		rule := m.Rules == engine.Vanishing && m.State == store.Active && !m.Series.Played() && g.Repeats() == 0
		if got := strings.Contains(rest, "⏳"); got != rule {
			t.Errorf("the rule is explained: %v, want %v: %q", got, rule, text)
		}
		picture, err := v.Board().Snapshot(m)
		if err != nil {
			t.Fatal(err)
		}
		text = textOf(picture)
		for _, cell := range []engine.Cell{now, later} {
			symbol := map[engine.Mark]string{engine.X: "🇽", engine.O: "🇴"}[g.At(cell)]
			if symbol == "" {
				continue
			}
			var older []string // the other marks of that side, oldest first
			for age := 2; age >= 1; age-- {
				for c := range m.Rules.CellsOf(g.Marks(g.At(cell))) {
					if g.Age(c) == age {
						older = append(older, m.Rules.CellName(c))
					}
				}
			}
			if strings.Count(text, symbol) != 2 || !strings.Contains(text, strings.Join(older, " ")) {
				t.Errorf("%s goes next and stands as %s on the board and in the list, then %v: %q", m.Rules.CellName(cell), symbol, older, text)
			}
		}
		if now == noCell && later == noCell && strings.ContainsAny(text, "🇽🇴") {
			t.Errorf("nothing goes next: %q", text)
		}
	})
}

// TestWinningCellsInText checks that the marks of the winning line stand out in the
// text board in the shape of the winner's mark, and that nothing else does.
func TestWinningCellsInText(t *testing.T) {
	symbols := map[engine.Mark]string{engine.X: "❎", engine.O: "🟢"}
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		text := textOf(shown(t, v, m))
		for mark, symbol := range symbols {
			want := 0
			if m.EndReason == store.ByLine && m.Winner == mark && (!m.GridStands || byList(m)) {
				want = winningCells(t, m).Count()
			}
			if got := strings.Count(text, symbol); got != want {
				t.Errorf("%d times %s, want %d: %q", got, symbol, want, text)
			}
		}
	})
}

// byList reports whether all who play the match do so by a list.
func byList(m store.Match) bool {
	by := func(p store.Player) bool { return !p.IsUser() || matchtest.PlaysBy(p.User) == store.ByList }
	return by(m.X) && by(m.O)
}

// byNames reports whether somebody wants names on the buttons.
func byNames(m store.Match) bool {
	return matchtest.PlaysBy(m.X.User) == store.ByNames || matchtest.PlaysBy(m.O.User) == store.ByNames
}

// cellLook returns the label and style that a cell should have.
func cellLook(m store.Match, mark engine.Mark, onLine, lineThere bool, c engine.Cell) [2]any {
	switch {
	case mark == engine.None && byNames(m):
		return [2]any{m.Rules.CellName(c), discord.StyleSecondary}
	case mark == engine.None:
		return [2]any{"\u200b", discord.StyleSecondary}
	case onLine:
		return [2]any{mark.String(), discord.StyleSuccess}
	case lineThere:
		return [2]any{mark.String(), discord.StyleSecondary}
	case mark == engine.X:
		return [2]any{"X", discord.StylePrimary}
	default:
		return [2]any{"O", discord.StyleDanger}
	}
}

func TestMatchViewControls(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		_, controls := buttonsOf(t, shown(t, v, m))
		var got []customid.Action
		for _, b := range controls {
			id, err := customid.Parse(b.CustomID)
			if err != nil || id.Match != m.ID || b.Disabled {
				t.Errorf("%q: match %d, disabled %v, error %v", b.Label, id.Match, b.Disabled, err)
			}
			got = append(got, id.Action)
		}
		want := expectedControls(m)
		if m.Gain.Throne {
			want = append(want, customid.ChallengeKing)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestNoRematchWithWhoIsErased: a game with somebody who has erased their data can be looked at,
// and nobody is led to them.
func TestNoRematchWithWhoIsErased(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "a1 a2 b1 b2 c1")
	m.State, m.EndReason, m.Winner, m.X.User = store.Ended, store.ByLine, engine.X, store.ErasedID(1)
	_, controls := buttonsOf(t, shown(t, testView(Load(), DefaultLocale), m))
	if len(controls) != 1 || controls[0].Label != "Review" || WinnerPlays(m) {
		t.Errorf("it has %+v, and its winner plays: %t", controls, WinnerPlays(m))
	}
}

func expectedControls(m store.Match) []customid.Action {
	switch {
	case m.State == store.Active:
		var want []customid.Action
		if match.AgainstProgram(m) {
			want = append(want, customid.HintAsk)
		} else if !byList(m) && (matchtest.PlaysBy(m.X.User) == store.ByList || matchtest.PlaysBy(m.O.User) == store.ByList) {
			want = append(want, customid.MyList)
		}
		return append(want, customid.More)
	case match.Paused(m):
		return []customid.Action{customid.GoOn}
	case m.EndReason == store.Unreachable:
		return nil
	}
	var review []customid.Action
	if len(m.Moves) > 0 {
		review = append(review, customid.Review)
	}
	if m.Next != 0 || m.EndReason == store.PlayerErased {
		return review
	}
	if match.BetweenGames(m) {
		return slices.Concat([]customid.Action{customid.NextGame}, review, []customid.Action{customid.More})
	}
	if rematchWished(m) {
		return []customid.Action{customid.Rematch, customid.DeclineRematch, customid.More}
	}
	return slices.Concat([]customid.Action{customid.Rematch}, review, []customid.Action{customid.More})
}

// TestMore: who played chooses what comes next, against the program the level too, and who
// watched plays the winner.
func TestMore(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		if m.State != store.Ended {
			return
		}
		want := []customid.Action{customid.MoreBoard, customid.MoreFirst, customid.MoreSeries, customid.MorePlay}
		if match.AgainstProgram(m) {
			want = []customid.Action{customid.MoreLevel, customid.MoreBoard, customid.MoreFirst, customid.MorePlay}
		}
		for _, who := range []store.UserID{match.FirstUser(m).User, matchtest.Cleo} {
			if who == matchtest.Cleo {
				want = []customid.Action{customid.PlayWinner}
			}
			more := v.Board().More(m, who, match.Another(m, who))
			checkForm(t, more)
			var got []customid.Action
			eachPart(more.Components, func(c discord.Component) {
				if id, err := customid.Parse(c.CustomID); err == nil && id.Match == m.ID {
					got = append(got, id.Action)
				}
			})
			if !slices.Equal(got, want) {
				t.Errorf("More offers %s %q, want %q", who, got, want)
			}
		}
	})
}

func eachPart(parts []discord.Component, f func(discord.Component)) {
	for _, c := range parts {
		f(c)
		eachPart(c.Components, f)
	}
}

// rematchWished reports whether one of two people waits for the other's answer.
func rematchWished(m store.Match) bool {
	return m.State == store.Ended && m.Next == 0 && m.RematchX != m.RematchO && m.X.IsUser() && m.O.IsUser()
}

func TestMatchViewText(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		msg := shown(t, v, m)
		text := textOf(msg)
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		switch {
		case m.State == store.Active && len(m.Moves) > 0:
			if cell := m.Rules.CellName(m.Moves[len(m.Moves)-1]); strings.Contains(first, v.say("status.moved", args{"Cell": cell})) != byList(m) {
				t.Errorf("the first line names the last move %s, or does not in a list: %q", cell, first)
			}
		case m.State == store.Ended && strings.HasPrefix(first, "# ") != (!m.GridStands && (m.Winner != engine.None || m.EndReason.Draw())):
			t.Errorf("the first line is large, or is not: %q", first)
		case m.EndReason == store.ByLine && strings.Contains(afterResult(text), m.Rules.FormatMoves(slices.Collect(m.Rules.CellsOf(winningCells(t, m))))) != byList(m):
			t.Errorf("it names the line, or does not in a list: %q", text)
		}
		clock := m.State == store.Active && !match.AgainstProgram(m) && m.Clock > 0
		if due := fmt.Sprintf("<t:%d:R>", matchtest.TestEpoch.Add(30*time.Minute).Unix()); strings.Contains(text, due) != clock {
			t.Errorf("a clock is shown: %v, want %v: %q", !clock, clock, text)
		}
		pictured := byList(m) || m.State == store.Ended && !m.GridStands
		if got := strings.Contains(text, "⬜") || strings.Contains(text, "❎") || strings.Contains(text, "🟢") || m.EndReason.Draw(); got != pictured {
			t.Errorf("the board stands as text: %v, want %v", got, pictured)
		}
		side := match.SideToMove(m)
		if m.State == store.Ended {
			side = m.Winner
		}
		want := map[engine.Mark]int{engine.X: accentX, engine.O: accentO, engine.None: accentOver}[side]
		if c := msg.Components[0]; c.Type != discord.TypeContainer || *c.AccentColor != want {
			t.Errorf("the first part is of type %d, colour %x, want a container, %x", c.Type, *c.AccentColor, want)
		}
	})
}

// afterResult is what follows who won, up to the board.
func afterResult(text string) string {
	_, after, _ := strings.Cut(text, "**")
	_, after, _ = strings.Cut(after, "**")
	after, _, _ = strings.Cut(after, "`")
	return after
}

func winningCells(t testing.TB, m store.Match) engine.Bitboard {
	t.Helper()
	g, err := match.Position(m)
	if err != nil {
		t.Fatal(err)
	}
	return g.WinningCells()
}

func TestDamagedMatchHasNoView(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "a1 b2")
	m.Moves = append(m.Moves, 0)
	v := testView(Load(), DefaultLocale)
	if _, err := v.Board().Match(m); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("got %v, want ErrOccupied", err)
	}
	if _, err := v.Board().Snapshot(m); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("picture: got %v, want ErrOccupied", err)
	}
}

// TestHintShowsItsCell: beside buttons without names a hint has a picture with the cell that
// it names; who has names, or a list, needs none.
func TestHintShowsItsCell(t *testing.T) {
	v := testView(Load(), DefaultLocale)
	for who, want := range map[store.UserID]string{
		matchtest.Ada: "💡 **b2** keeps the draw.\n`·` 🇦\u200b🇧\u200b🇨\u200b\n`1` ❌⬜⬜\n`2` ⬜✅⬜\n`3` ⬜⬜⭕", matchtest.Nora: "💡 **b2** keeps the draw.", matchtest.Lena: "💡 **b2** keeps the draw.",
	} {
		m := matchtest.Against(t, "easy", engine.Standard, "a1 c3")
		m.X.User = who
		if got := v.Reviews().Hint(m, coach.Move{Cell: 4}).Content; got != want {
			t.Errorf("%s is told %q, want %q", who, got, want)
		}
	}
}
