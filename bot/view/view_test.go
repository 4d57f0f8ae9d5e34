package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

var updateGolden = flag.Bool("update", false, "write the golden messages anew")

// Discord's limits for messages and components.
const (
	maxComponents  = 40
	maxRowButtons  = 5
	maxRows        = 5
	maxButtonLabel = 80
	maxV2Text      = 4000
	maxContent     = 2000
	maxOptions     = 25
	maxOptionText  = 100
)

// eachScene calls check for every scene on every board in every language.
func eachScene(t *testing.T, check func(t *testing.T, v View, m store.Match)) {
	t.Helper()
	c := loadTexts(t)
	for _, locale := range c.locales {
		for _, r := range match.Boards {
			for _, s := range scenes(t, r) {
				t.Run(fmt.Sprintf("%s/%v/%s", locale, r, s.name), func(t *testing.T) { check(t, testView(c, locale), s.m) })
			}
		}
	}
}

// shown returns the message of the match.
func shown(t testing.TB, v View, m store.Match) discord.Message {
	t.Helper()
	msg, err := v.Match(m)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// walk calls visit for every component, and says how deep it lies.
func walk(parts []discord.Component, depth int, visit func(c discord.Component, depth int)) {
	for _, c := range parts {
		visit(c, depth)
		walk(c.Components, depth+1, visit)
		if c.Accessory != nil {
			visit(*c.Accessory, depth+1)
		}
	}
}

// buttonsOf returns the buttons of cells, in order, and the others.
func buttonsOf(t testing.TB, msg discord.Message) (grid, controls []discord.Component) {
	t.Helper()
	walk(msg.Components, 0, func(c discord.Component, _ int) {
		if c.Type != discord.TypeButton {
			return
		}
		id, err := customid.Parse(c.CustomID)
		if err != nil {
			t.Errorf("button %q: %v", c.Label, err)
		}
		if id.Action == customid.Cell {
			grid = append(grid, c)
		} else {
			controls = append(controls, c)
		}
	})
	return grid, controls
}

// textOf returns all that can be read in a message, buttons aside.
func textOf(msg discord.Message) string {
	texts := []string{msg.Content}
	walk(msg.Components, 0, func(c discord.Component, _ int) { texts = append(texts, c.Content) })
	return strings.Join(texts, "\n")
}

var (
	userMention = regexp.MustCompile(`<@!?([0-9]*)>`)
	escaped     = regexp.MustCompile(`\\.`)
	timeMark    = regexp.MustCompile(`<t:[0-9]+:[tfR]>`)
	otherMark   = regexp.MustCompile(`<(#302|@&77)>`) // the channel and the role of the scenes
	commandMark = regexp.MustCompile(`</tictactoe [a-z]+:910>`)
	// leftover is what no text holds: mentions of others, places without a value, and
	// keys instead of words.
	leftover = regexp.MustCompile(`[<@]|{{|no value|%!|\b(opponent|goal|button|duration)\.[a-z0-9]`)
)

// checkForm holds a message against what Discord takes, and against the rule that
// nobody but the people named is mentioned.
func checkForm(t *testing.T, msg discord.Message) {
	t.Helper()
	if msg.V2 != (msg.Content == "") {
		t.Errorf("v2 is %v and the content %q", msg.V2, msg.Content)
	}
	if n := utf8.RuneCountInString(msg.Content); n > maxContent {
		t.Errorf("content of %d characters", n)
	}
	total, text, ids := 0, 0, map[string]bool{}
	walk(msg.Components, 0, func(c discord.Component, depth int) {
		total++
		text += utf8.RuneCountInString(c.Content)
		switch c.Type {
		case discord.TypeActionRow:
			if n := len(c.Components); n < 1 || n > maxRowButtons {
				t.Errorf("a row of %d buttons", n)
			}
		case discord.TypeButton:
			if n := utf8.RuneCountInString(c.Label); n < 1 || n > maxButtonLabel {
				t.Errorf("button %s has a label of %d characters", c.CustomID, n)
			}
			if len(c.CustomID) > customid.MaxLength || ids[c.CustomID] {
				t.Errorf("custom ID %q is too long or there twice", c.CustomID)
			}
			ids[c.CustomID] = true
		case discord.TypeSelect:
			if n := len(c.Options); n < 1 || n > maxListed || !fits(c.Placeholder, 0, 150) {
				t.Errorf("select %s has %d options, and the placeholder %q", c.CustomID, n, c.Placeholder)
			}
			for _, o := range c.Options {
				if !fits(o.Label, 1, 100) || !fits(o.Value, 1, 100) || !fits(o.Description, 0, 100) || ids[c.CustomID+" "+o.Value] {
					t.Errorf("select %s has the option %+v, too long or there twice", c.CustomID, o)
				}
				ids[c.CustomID+" "+o.Value] = true
			}
			if len(c.CustomID) > customid.MaxLength || ids[c.CustomID] {
				t.Errorf("custom ID %q is too long or there twice", c.CustomID)
			}
			ids[c.CustomID] = true
			checkOptions(t, c)
		case discord.TypeUserSelect:
			if len(c.CustomID) > customid.MaxLength || ids[c.CustomID] || !fits(c.Placeholder, 1, 150) {
				t.Errorf("select %s of people, too long or there twice, with the placeholder %q", c.CustomID, c.Placeholder)
			}
			ids[c.CustomID] = true
		case discord.TypeRoleSelect:
			if len(c.Options) > 0 || c.Least == nil || len(c.CustomID) > customid.MaxLength || ids[c.CustomID] {
				t.Errorf("a select of roles with %d options and the custom ID %q", len(c.Options), c.CustomID)
			}
			ids[c.CustomID] = true
		case discord.TypeTextDisplay, discord.TypeSeparator:
			if !msg.V2 || c.Type == discord.TypeTextDisplay && c.Content == "" {
				t.Errorf("component of type %d with %q", c.Type, c.Content)
			}
		case discord.TypeSection:
			if !msg.V2 || len(c.Components) != 1 || c.Accessory == nil || c.Accessory.Type != discord.TypeButton {
				t.Errorf("a section of %d parts with %+v", len(c.Components), c.Accessory)
			}
		case discord.TypeContainer:
			if !msg.V2 || depth > 0 {
				t.Errorf("a container at depth %d", depth)
			}
		default:
			t.Errorf("component of type %d", c.Type)
		}
	})
	if total > maxComponents || text > maxV2Text || !msg.V2 && len(msg.Components) > maxRows {
		t.Errorf("%d components, %d characters, %d parts", total, text, len(msg.Components))
	}
	all := textOf(msg)
	for _, found := range userMention.FindAllStringSubmatch(escaped.ReplaceAllString(all, ""), -1) {
		if !slices.Contains(msg.People, found[1]) {
			t.Errorf("%s is none of the people %v: %q", found[0], msg.People, all)
		}
	}
	for _, marks := range []*regexp.Regexp{escaped, userMention, timeMark, otherMark, commandMark} {
		all = marks.ReplaceAllString(all, "")
	}
	if bad := leftover.FindString(all); bad != "" {
		t.Errorf("%q is in the text %q", bad, all)
	}
}

// fits reports whether a text has so many characters.
func fits(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return n >= least && n <= most
}

func TestMatchViewForm(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		msg := shown(t, v, m)
		checkForm(t, msg)
		if !msg.V2 || !msg.Quiet || msg.Ephemeral != m.Private() {
			t.Errorf("v2 %v, quiet %v, ephemeral %v", msg.V2, msg.Quiet, msg.Ephemeral)
		}
		want := people(m)
		if m.EndReason == store.Stopped {
			want = append(want, string(matchtest.Cleo)) // named, and not notified: the message is quiet
		}
		if got := msg.People; !slices.Equal(got, want) {
			t.Errorf("may mention %v, want %v", got, want)
		}
		picture, err := v.Snapshot(m)
		if err != nil {
			t.Fatal(err)
		}
		checkForm(t, picture)
		grid, controls := buttonsOf(t, picture)
		for _, b := range slices.Concat(grid, controls) {
			if !b.Disabled {
				t.Errorf("%q can be pressed in a picture", b.Label)
			}
		}
		if text := textOf(picture); strings.Count(text, "⬜")+strings.Count(text, "❌")+strings.Count(text, "⭕")+strings.Count(text, "❎")+strings.Count(text, "🟢")+strings.Count(text, "🇽")+strings.Count(text, "🇴") < m.Rules.Cells() {
			t.Errorf("the board of a picture does not stand as text: %q", text)
		}
		if len(controls) != 0 || !picture.Ephemeral {
			t.Errorf("a picture has %d controls, ephemeral %v", len(controls), picture.Ephemeral)
		}
	})
}

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
		picture, err := v.Snapshot(m)
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
			got = append(got, id.Action)
		}
		if want := expectedControls(m); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func expectedControls(m store.Match) []customid.Action {
	switch {
	case m.State == store.Active:
		return append(expectedViews(m), customid.Resign)
	case m.EndReason == store.Unreachable:
		return nil
	}
	var review []customid.Action
	if len(m.Moves) > 0 {
		review = append(review, customid.Review)
	}
	if m.Next != 0 {
		return review
	}
	want := []customid.Action{customid.Rematch}
	if m.Rules == engine.Standard && m.EndReason == store.FullBoard {
		want = []customid.Action{customid.TryVanishing, customid.Rematch}
	}
	bot := m.Player(match.ProgramMark(m)).Opponent
	plays := func(name string, ok bool) bool {
		o, _ := strategy.ByName(name)
		return ok && o.Plays(m.Rules)
	}
	switch {
	case (m.Player(m.Winner).IsUser() || m.EndReason.Draw()) && plays(strategy.Stronger(bot)):
		want = append(want, customid.Harder)
	case m.Player(m.Winner).Opponent != "" && m.Lost > 0 && plays(strategy.Weaker(bot)):
		want = append(want, customid.Easier)
	}
	want = append(want, review...)
	if winner := m.Player(m.Winner); winner.User != "" && m.Guild != "" && m.Place != 0 {
		want = append(want, customid.PlayWinner)
	}
	return want
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
		case m.EndReason == store.ByLine && !strings.Contains(first, m.Rules.FormatMoves(slices.Collect(m.Rules.CellsOf(winningCells(t, m))))):
			t.Errorf("the first line does not name the line: %q", first)
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
	v := testView(loadTexts(t), DefaultLocale)
	if _, err := v.Match(m); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("got %v, want ErrOccupied", err)
	}
	if _, err := v.Snapshot(m); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("picture: got %v, want ErrOccupied", err)
	}
}

func TestChallengeView(t *testing.T) {
	c := loadTexts(t)
	want := map[string][]customid.Action{
		"challenge open":    {customid.Accept, customid.Decline, customid.Cancel},
		"table open":        {customid.Accept, customid.Cancel},
		"challenge expired": {customid.ChallengeAgain},
		"table expired":     {customid.ChallengeAgain},
	}
	for _, locale := range c.locales {
		for name, ch := range challengeScenes() {
			t.Run(locale+"/"+name, func(t *testing.T) {
				msg := testView(c, locale).Challenge(ch)
				checkForm(t, msg)
				if msg.V2 || msg.Quiet != (ch.Opponent == "") || msg.Ephemeral {
					t.Errorf("v2 %v, quiet %v, ephemeral %v: want a plain message that notifies whoever is asked", msg.V2, msg.Quiet, msg.Ephemeral)
				}
				wantPeople := []string{string(matchtest.Ada), string(matchtest.Bob)}
				if ch.Opponent == "" {
					wantPeople = wantPeople[:1]
				}
				if !slices.Equal(msg.People, wantPeople) {
					t.Errorf("may mention %v, want %v", msg.People, wantPeople)
				}
				_, buttons := buttonsOf(t, msg)
				var got []customid.Action
				for _, b := range buttons {
					id, _ := customid.Parse(b.CustomID)
					if id.Challenge != ch.ID {
						t.Errorf("%q belongs to challenge %d, want %d", b.Label, id.Challenge, ch.ID)
					}
					got = append(got, id.Action)
				}
				if !slices.Equal(got, want[name]) {
					t.Errorf("buttons %q, want %q", got, want[name])
				}
			})
		}
	}
}

func TestPrivateViews(t *testing.T) {
	c := loadTexts(t)
	for _, locale := range c.locales {
		for name, msg := range privateScenes(t, testView(c, locale)) {
			t.Run(locale+"/"+name, func(t *testing.T) {
				public := name == "stats shown" || name == "lobby" || name == "review shown" || strings.HasPrefix(name, "puzzle shared") || strings.HasPrefix(name, "puzzle post")
				if public {
					if len(msg.People) > 0 || msg.Quiet != (msg.Role == "") {
						t.Errorf("people %v, quiet %v, want a message that notifies nobody", msg.People, msg.Quiet)
					}
				}
				checkForm(t, msg)
				kind, _, _ := strings.Cut(name, " ")
				rich := slices.Contains([]string{"games", "stats", "standings", "settings", "preferences", "review", "find", "puzzle", "check", "choose"}, kind) &&
					name != "standings direct message" && name != "review list of nobody" && !strings.HasPrefix(name, "puzzle shared") && !strings.HasPrefix(name, "puzzle post") || name == "lobby"
				if msg.V2 != rich || msg.Ephemeral == public {
					t.Errorf("v2 %v, ephemeral %v, want v2 %v, ephemeral %v", msg.V2, msg.Ephemeral, rich, !public)
				}
			})
		}
	}
}

func TestMovedAndNotice(t *testing.T) {
	c := loadTexts(t)
	m := matchtest.Between(t, engine.Standard, "a1")
	link := discord.MessageLink(m.Guild, m.Channel, "402")
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, to := range []string{"", link} {
			msg := v.Relocated(m, to)
			checkForm(t, msg)
			if !msg.V2 || !strings.Contains(textOf(msg), to) {
				t.Errorf("%s: v2 %v, %q does not lead to %q", locale, msg.V2, textOf(msg), to)
			}
		}
		notice := v.Notice(m, matchtest.Ada, matchtest.Bob, link)
		checkForm(t, notice)
		if notice.V2 || notice.Quiet || !strings.Contains(notice.Content, link) || !strings.Contains(notice.Content, mention(matchtest.Ada)) {
			t.Errorf("%s: a notice that tells nobody: %+v", locale, notice)
		}
	}
	if got, want := discord.MessageLink("", "302", ""), "https://discord.com/channels/@me/302"; got != want {
		t.Errorf("got the link %s, want %s", got, want)
	}
}

func jsonOf(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// callback is a message as an answer to an interaction.
func callback(kind rest.CallbackType, data json.RawMessage) []byte {
	return jsonOf(map[string]any{"type": kind, "data": data})
}

func TestViewsAreAsDescribed(t *testing.T) {
	c := loadTexts(t)
	check := func(t *testing.T, msg discord.Message) {
		t.Helper()
		checkAgainstDescription(t, http.MethodPost, "/interactions/1/token/callback", callback(rest.CallbackMessage, msg.Create()))
	}
	checkEdits := func(t *testing.T, msg discord.Message) {
		t.Helper()
		checkAgainstDescription(t, http.MethodPost, "/interactions/1/token/callback", callback(rest.CallbackUpdate, msg.Edit()))
		checkAgainstDescription(t, http.MethodPatch, "/channels/301/messages/401", msg.Edit())
		checkAgainstDescription(t, http.MethodPost, "/channels/301/messages", msg.Create())
	}
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, s := range scenes(t, engine.Standard) {
			check(t, shown(t, v, s.m))
		}
		for _, ch := range challengeScenes() {
			check(t, v.Challenge(ch))
		}
		for _, msg := range privateScenes(t, v) {
			check(t, msg)
		}
	}
	// What depends on the board or on the request does not depend on the language.
	v := testView(c, DefaultLocale)
	for _, r := range match.Boards[1:] {
		for _, s := range scenes(t, r)[:10] {
			check(t, shown(t, v, s.m))
		}
	}
	for _, s := range scenes(t, engine.Standard) {
		checkEdits(t, shown(t, v, s.m))
	}
	for _, ch := range challengeScenes() {
		checkEdits(t, v.Challenge(ch))
	}
}

// readable writes a payload for people: indented, and with what cannot be seen
// written out.
func readable(t testing.TB, raw json.RawMessage) []byte {
	t.Helper()
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(tree); err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(b.Bytes(), []byte("\u200b"), []byte(`\u200b`))
}

func TestGoldenMessages(t *testing.T) {
	v := testView(loadTexts(t), DefaultLocale)
	messages := privateScenes(t, v)
	for _, s := range scenes(t, engine.Standard) {
		messages["3x3 "+s.name] = shown(t, v, s.m)
	}
	for _, s := range scenes(t, engine.Rules{M: 5, N: 5, K: 4}) {
		if slices.Contains([]string{"middle", "cell names", "line", "line just now", "line with cell names", "list"}, s.name) {
			messages["5x5-4 "+s.name] = shown(t, v, s.m)
		}
	}
	for _, s := range vanishingScenes(t) {
		messages["vanishing "+s.name] = shown(t, v, s.m)
	}
	for name, ch := range challengeScenes() {
		messages[name] = v.Challenge(ch)
	}
	dir := "testdata"
	known := map[string]bool{}
	for name, msg := range messages {
		file := strings.ReplaceAll(name, " ", "_") + ".json"
		known[file] = true
		got := readable(t, msg.Create())
		file = filepath.Join(dir, file)
		if *updateGolden {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v (write it with -update)", err)
			continue
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s has changed (-want +got); if that is meant, run with -update:\n%s", name, d)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s shows no message any more", filepath.Join(dir, f.Name()))
		}
	}
}

// TestChallengeUntil checks that a time of day which could be read as today's has its
// date.
func TestChallengeUntil(t *testing.T) {
	v := testView(loadTexts(t), "en-US")
	for ahead, style := range map[time.Duration]string{
		time.Minute: "t", 12*time.Hour - time.Second: "t", 12 * time.Hour: "f", 24 * time.Hour: "f",
	} {
		c := matchtest.OpenChallenge()
		c.Deadline = v.Uptime(c.Guild) + ahead
		want := fmt.Sprintf("<t:%d:%s>", v.Now.Add(ahead).Unix(), style)
		if got := v.Challenge(c).Content; !strings.Contains(got, want) {
			t.Errorf("open for %v: %q does not contain %s", ahead, got, want)
		}
	}
}

// TestNobodyIsNotifiedOfWhatTheyDid looks at whom the creation of a message notifies.
func TestNobodyIsNotifiedOfWhatTheyDid(t *testing.T) {
	v := testView(loadTexts(t), "en-US")
	m := matchtest.Between(t, engine.Standard, "")
	for name, c := range map[string]struct {
		msg  discord.Message
		want []string
	}{
		"challenge": {v.Challenge(matchtest.OpenChallenge()), []string{string(matchtest.Bob)}},
		"table":     {v.Challenge(matchtest.OpenTable()), nil},
		"notice":    {v.Notice(m, matchtest.Ada, matchtest.Bob, "link"), []string{string(matchtest.Ada)}},
	} {
		var p struct {
			Mentions struct{ Users []string } `json:"allowed_mentions"`
			Flags    int
		}
		if err := json.Unmarshal(c.msg.Create(), &p); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Mentions.Users, c.want) {
			t.Errorf("%s notifies %v, want %v", name, p.Mentions.Users, c.want)
		}
		if quiet := p.Flags&(1<<12) != 0; quiet != (len(c.want) == 0) {
			t.Errorf("%s is quiet: %v", name, quiet)
		}
	}
}
