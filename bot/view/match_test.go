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
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

func TestMatchViewGrid(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		if m.AsList {
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
		now, later := oldest(m, g)
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
			case later:
				want[0] = g.At(c).String() + "⏳"
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
			if m.EndReason == store.ByLine && m.Winner == mark && (m.CellNames || (!m.GridStands || m.AsList)) {
				want = winningCells(t, m).Count()
			}
			if got := strings.Count(text, symbol); got != want {
				t.Errorf("%d times %s, want %d: %q", got, symbol, want, text)
			}
		}
	})
}

// cellLook returns the label and style that a cell should have.
func cellLook(m store.Match, mark engine.Mark, onLine, lineThere bool, c engine.Cell) [2]any {
	switch {
	case mark == engine.None && m.CellNames:
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
			if id.Action != customid.DeclineRematch { // which stands elsewhere
				got = append(got, id.Action)
			}
		}
		if want := expectedControls(m); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func expectedControls(m store.Match) []customid.Action {
	switch {
	case m.State == store.Active:
		want := expectedViews(m)
		if match.AgainstProgram(m) {
			want = append(want, customid.HintAsk)
		}
		return append(want, customid.Resign)
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
	if rematchWished(m) {
		review = nil // it is behind More
	}
	return slices.Concat([]customid.Action{customid.Rematch}, review, []customid.Action{customid.More})
}

// TestMoreOffersVariations: what else somebody who played can play next is behind More, on no
// board that the opponent does not play.
func TestMoreOffersVariations(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		if m.State != store.Ended {
			return
		}
		var want []customid.Action
		bot := m.Player(match.ProgramMark(m)).Opponent
		plays := func(name string, ok bool) bool {
			o, _ := strategy.ByName(name)
			return ok && o.Plays(m.Rules)
		}
		if m.Rules == engine.Standard && m.EndReason == store.FullBoard {
			want = append(want, customid.TryVanishing)
		}
		switch {
		case (m.Player(m.Winner).IsUser() || m.EndReason.Draw()) && plays(strategy.Stronger(bot)):
			want = append(want, customid.Harder)
		case m.Player(m.Winner).Opponent != "" && m.Lost > 0 && plays(strategy.Weaker(bot)):
			want = append(want, customid.Easier)
		}
		if m.Next != 0 {
			want = nil
		}
		for _, who := range []store.UserID{match.FirstUser(m).User, matchtest.Cleo} {
			if who == matchtest.Cleo {
				want = []customid.Action{customid.PlayWinner}
			}
			more := v.Board().More(m, who, match.Another(m, who))
			checkForm(t, more)
			_, buttons := buttonsOf(t, more)
			var got []customid.Action
			for _, b := range buttons {
				if id, err := customid.Parse(b.CustomID); err == nil && id.Match == m.ID && id.Action != customid.Review && id.Action != customid.PlayWinner {
					got = append(got, id.Action)
				}
			}
			if who == matchtest.Cleo {
				want = nil // who only looks
			}
			if !slices.Equal(got, want) {
				t.Errorf("More offers %s %q, want %q", who, got, want)
			}
		}
	})
}

// rematchWished reports whether one of two people waits for the other's answer.
func rematchWished(m store.Match) bool {
	return m.State == store.Ended && m.Next == 0 && m.RematchX != m.RematchO && m.X.IsUser() && m.O.IsUser()
}

// TestDeclineStandsBesideTheWish: the way to decline a rematch is beside the words that one
// is wished for, and not where nothing can be pressed.
func TestDeclineStandsBesideTheWish(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		still, err := v.Board().Snapshot(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			msg  discord.Message
			want bool
		}{{shown(t, v, m), rematchWished(m) && m.EndReason != store.Unreachable && m.EndReason != store.PlayerErased}, {still, false}} {
			var beside []string
			sections(test.msg.Components, func(c discord.Component) {
				if id, err := customid.Parse(c.Accessory.CustomID); err == nil && id.Action == customid.DeclineRematch {
					beside = append(beside, c.Components[0].Content)
				}
			})
			if got := len(beside) == 1 && strings.Contains(beside[0], "<@"); got != test.want || len(beside) > 1 {
				t.Errorf("beside %q, want a way to decline: %v", beside, test.want)
			}
		}
	})
}

// sections calls f with every section.
func sections(parts []discord.Component, f func(discord.Component)) {
	for _, c := range parts {
		if c.Type == discord.TypeSection {
			f(c)
		}
		sections(c.Components, f)
	}
}

func TestMatchViewText(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		msg := shown(t, v, m)
		text := textOf(msg)
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		switch {
		case m.State == store.Active && len(m.Moves) > 0:
			if cell := m.Rules.CellName(m.Moves[len(m.Moves)-1]); !strings.Contains(first, cell) {
				t.Errorf("the first line does not name the last move %s: %q", cell, first)
			}
		case m.EndReason == store.ByLine && strings.Contains(first, m.Rules.FormatMoves(slices.Collect(m.Rules.CellsOf(winningCells(t, m))))) != m.AsList:
			t.Errorf("the first line names the line, or does not in a list: %q", first)
		}
		clock := m.State == store.Active && !match.AgainstProgram(m) && m.Clock > 0
		if due := fmt.Sprintf("<t:%d:R>", matchtest.TestEpoch.Add(30*time.Minute).Unix()); strings.Contains(text, due) != clock {
			t.Errorf("a clock is shown: %v, want %v: %q", !clock, clock, text)
		}
		pictured := m.CellNames || m.AsList || m.State == store.Ended && !m.GridStands
		if got := strings.Contains(text, "⬜") || strings.Contains(text, "❎") || strings.Contains(text, "🟢") || m.EndReason.Draw(); got != pictured {
			t.Errorf("the board stands as text: %v, want %v", got, pictured)
		}
		want := map[engine.Mark]int{engine.X: accentX, engine.O: accentO}[match.SideToMove(m)]
		if m.State == store.Ended {
			want = accentOver
		}
		if c := msg.Components[0]; c.Type != discord.TypeContainer || *c.AccentColor != want {
			t.Errorf("the first part is of type %d, colour %x, want a container, %x", c.Type, *c.AccentColor, want)
		}
	})
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
