package bot

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
)

// eachScene calls check for every scene on every board in every language.
func eachScene(t *testing.T, check func(t *testing.T, v view, m store.Match)) {
	t.Helper()
	c := loadTexts(t)
	for _, locale := range c.locales {
		for _, r := range boards {
			for _, s := range scenes(t, r) {
				t.Run(fmt.Sprintf("%s/%v/%s", locale, r, s.name), func(t *testing.T) { check(t, testView(c, locale), s.m) })
			}
		}
	}
}

// shown returns the message of the match.
func shown(t testing.TB, v view, m store.Match) message {
	t.Helper()
	msg, err := v.match(m)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// walk calls visit for every component, and says how deep it lies.
func walk(parts []component, depth int, visit func(c component, depth int)) {
	for _, c := range parts {
		visit(c, depth)
		walk(c.Components, depth+1, visit)
	}
}

// buttonsOf returns the buttons of cells, in order, and the others.
func buttonsOf(t testing.TB, msg message) (grid, controls []component) {
	t.Helper()
	walk(msg.components, 0, func(c component, _ int) {
		if c.Type != typeButton {
			return
		}
		id, err := parseCustomID(c.CustomID)
		if err != nil {
			t.Errorf("button %q: %v", c.Label, err)
		}
		if id.action == actCell {
			grid = append(grid, c)
		} else {
			controls = append(controls, c)
		}
	})
	return grid, controls
}

// textOf returns all that can be read in a message, buttons aside.
func textOf(msg message) string {
	texts := []string{msg.content}
	walk(msg.components, 0, func(c component, _ int) { texts = append(texts, c.Content) })
	return strings.Join(texts, "\n")
}

var (
	userMention = regexp.MustCompile(`<@!?([0-9]*)>`)
	timeMark    = regexp.MustCompile(`<t:[0-9]+:[tR]>`)
	commandMark = regexp.MustCompile(`</tictactoe [a-z]+:910>`)
	// leftover is what no text holds: mentions of others, places without a value, and
	// keys instead of words.
	leftover = regexp.MustCompile(`[<@]|{{|no value|%!|\b(opponent|goal|button|duration)\.[a-z0-9]`)
)

// checkForm holds a message against what Discord takes, and against the rule that
// nobody but the people named is mentioned.
func checkForm(t *testing.T, msg message) {
	t.Helper()
	if msg.v2 != (msg.content == "") {
		t.Errorf("v2 is %v and the content %q", msg.v2, msg.content)
	}
	if n := utf8.RuneCountInString(msg.content); n > maxContent {
		t.Errorf("content of %d characters", n)
	}
	total, text, ids := 0, 0, map[string]bool{}
	walk(msg.components, 0, func(c component, depth int) {
		total++
		text += utf8.RuneCountInString(c.Content)
		switch c.Type {
		case typeActionRow:
			if n := len(c.Components); n < 1 || n > maxRowButtons {
				t.Errorf("a row of %d buttons", n)
			}
		case typeButton:
			if n := utf8.RuneCountInString(c.Label); n < 1 || n > maxButtonLabel {
				t.Errorf("button %s has a label of %d characters", c.CustomID, n)
			}
			if len(c.CustomID) > maxCustomID || ids[c.CustomID] {
				t.Errorf("custom ID %q is too long or there twice", c.CustomID)
			}
			ids[c.CustomID] = true
		case typeTextDisplay, typeSeparator:
			if !msg.v2 || c.Type == typeTextDisplay && c.Content == "" {
				t.Errorf("component of type %d with %q", c.Type, c.Content)
			}
		case typeContainer:
			if !msg.v2 || depth > 0 {
				t.Errorf("a container at depth %d", depth)
			}
		default:
			t.Errorf("component of type %d", c.Type)
		}
	})
	if total > maxComponents || text > maxV2Text || !msg.v2 && len(msg.components) > maxRows {
		t.Errorf("%d components, %d characters, %d parts", total, text, len(msg.components))
	}
	all := textOf(msg)
	for _, found := range userMention.FindAllStringSubmatch(all, -1) {
		if !slices.Contains(msg.people, found[1]) {
			t.Errorf("%s is none of the people %v: %q", found[0], msg.people, all)
		}
	}
	for _, marks := range []*regexp.Regexp{userMention, timeMark, commandMark} {
		all = marks.ReplaceAllString(all, "")
	}
	if bad := leftover.FindString(all); bad != "" {
		t.Errorf("%q is in the text %q", bad, all)
	}
}

func TestMatchViewForm(t *testing.T) {
	eachScene(t, func(t *testing.T, v view, m store.Match) {
		msg := shown(t, v, m)
		checkForm(t, msg)
		if !msg.v2 || !msg.quiet || msg.ephemeral != m.Private() {
			t.Errorf("v2 %v, quiet %v, ephemeral %v", msg.v2, msg.quiet, msg.ephemeral)
		}
		want := people(m)
		if m.EndReason == store.Stopped {
			want = append(want, string(cleo)) // named, and not notified: the message is quiet
		}
		if got := msg.people; !slices.Equal(got, want) {
			t.Errorf("may mention %v, want %v", got, want)
		}
		picture, err := v.picture(m)
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
		if text := textOf(picture); strings.Count(text, "⬜")+strings.Count(text, "❌")+strings.Count(text, "⭕")+strings.Count(text, "❎") < m.Rules.Cells() {
			t.Errorf("the board of a picture does not stand as text: %q", text)
		}
		if len(controls) != 0 || !picture.ephemeral {
			t.Errorf("a picture has %d controls, ephemeral %v", len(controls), picture.ephemeral)
		}
	})
}

func TestMatchViewGrid(t *testing.T) {
	eachScene(t, func(t *testing.T, v view, m store.Match) {
		msg := shown(t, v, m)
		g, err := position(m)
		if err != nil {
			t.Fatal(err)
		}
		outside, depths := m.Rules.M == engine.MaxSide, map[int]int{}
		walk(msg.components, 0, func(c component, depth int) {
			if c.Type == typeActionRow && strings.HasPrefix(c.Components[0].CustomID, "1:c:") {
				depths[depth]++
				if len(c.Components) != int(m.Rules.M) {
					t.Errorf("a row of %d cells on %v", len(c.Components), m.Rules)
				}
			}
		})
		if want := map[bool]map[int]int{true: {0: int(m.Rules.N)}, false: {1: int(m.Rules.N)}}[outside]; !cmp.Equal(depths, want) {
			t.Errorf("rows of the grid by depth: %v, want %v", depths, want)
		}
		grid, _ := buttonsOf(t, msg)
		if len(grid) != m.Rules.Cells() {
			t.Fatalf("%d cells, want %d", len(grid), m.Rules.Cells())
		}
		won := g.WinningCells()
		for i, b := range grid {
			c := engine.Cell(i)
			if want := (customID{action: actCell, match: m.ID, ply: len(m.Moves), cell: c}).String(); b.CustomID != want {
				t.Errorf("cell %d has the custom ID %s, want %s", i, b.CustomID, want)
			}
			if b.Disabled != (m.State == store.Ended) {
				t.Errorf("%s is disabled: %v", m.Rules.CellName(c), b.Disabled)
			}
			if got, want := [2]any{b.Label, b.Style}, cellLook(m, g.At(c), won&m.Rules.Bit(c) != 0, won != 0, c); got != want {
				t.Errorf("%s looks like %v, want %v", m.Rules.CellName(c), got, want)
			}
		}
	})
}

// cellLook returns the label and style that a cell should have.
func cellLook(m store.Match, mark engine.Mark, onLine, lineThere bool, c engine.Cell) [2]any {
	switch {
	case mark == engine.None && m.CellNames:
		return [2]any{m.Rules.CellName(c), styleSecondary}
	case mark == engine.None:
		return [2]any{"\u200b", styleSecondary}
	case onLine:
		return [2]any{mark.String(), styleSuccess}
	case lineThere:
		return [2]any{mark.String(), styleSecondary}
	case mark == engine.X:
		return [2]any{"X", stylePrimary}
	default:
		return [2]any{"O", styleDanger}
	}
}

func TestMatchViewControls(t *testing.T) {
	eachScene(t, func(t *testing.T, v view, m store.Match) {
		_, controls := buttonsOf(t, shown(t, v, m))
		var got []action
		for _, b := range controls {
			id, err := parseCustomID(b.CustomID)
			if err != nil || id.match != m.ID || b.Disabled {
				t.Errorf("%q: match %d, disabled %v, error %v", b.Label, id.match, b.Disabled, err)
			}
			got = append(got, id.action)
		}
		if want := expectedControls(m); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func expectedControls(m store.Match) []action {
	switch {
	case m.State == store.Active:
		return []action{actNames, actResign}
	case m.Next != 0, m.EndReason == store.Unreachable:
		return nil
	}
	want := []action{actRematch}
	if next, ok := strategy.Stronger(m.Player(botMark(m)).Opponent); ok {
		if o, _ := strategy.ByName(next); o.Plays(m.Rules) {
			want = append(want, actHarder)
		}
	}
	if winner := m.Player(m.Winner); winner.User != "" && m.Guild != "" && m.Place != 0 {
		want = append(want, actPlayWinner)
	}
	return want
}

func TestMatchViewText(t *testing.T) {
	eachScene(t, func(t *testing.T, v view, m store.Match) {
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
		clock := m.State == store.Active && !againstBot(m) && m.Clock > 0
		if due := fmt.Sprintf("<t:%d:R>", testEpoch.Add(30*time.Minute).Unix()); strings.Contains(text, due) != clock {
			t.Errorf("a clock is shown: %v, want %v: %q", !clock, clock, text)
		}
		pictured := m.CellNames || m.State == store.Ended
		if got := strings.Contains(text, "⬜") || strings.Contains(text, "❎") || m.EndReason == store.FullBoard; got != pictured {
			t.Errorf("the board stands as text: %v, want %v", got, pictured)
		}
		want := map[engine.Mark]int{engine.X: accentX, engine.O: accentO}[sideToMove(m)]
		if m.State == store.Ended {
			want = accentOver
		}
		if c := msg.components[0]; c.Type != typeContainer || *c.AccentColor != want {
			t.Errorf("the first part is of type %d, colour %x, want a container, %x", c.Type, *c.AccentColor, want)
		}
	})
}

func winningCells(t testing.TB, m store.Match) engine.Bitboard {
	t.Helper()
	g, err := position(m)
	if err != nil {
		t.Fatal(err)
	}
	return g.WinningCells()
}

func TestDamagedMatchHasNoView(t *testing.T) {
	m := between(t, engine.Standard, "a1 b2")
	m.Moves = append(m.Moves, 0)
	v := testView(loadTexts(t), defaultLocale)
	if _, err := v.match(m); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("got %v, want ErrOccupied", err)
	}
	if _, err := v.picture(m); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("picture: got %v, want ErrOccupied", err)
	}
}

func TestChallengeView(t *testing.T) {
	c := loadTexts(t)
	want := map[string][]action{
		"challenge open":    {actAccept, actDecline, actCancel},
		"table open":        {actAccept, actCancel},
		"challenge expired": {actChallengeAgain},
		"table expired":     {actChallengeAgain},
	}
	for _, locale := range c.locales {
		for name, ch := range challengeScenes() {
			t.Run(locale+"/"+name, func(t *testing.T) {
				msg := testView(c, locale).challenge(ch)
				checkForm(t, msg)
				if msg.v2 || msg.quiet || msg.ephemeral {
					t.Errorf("v2 %v, quiet %v, ephemeral %v: want a plain message that notifies", msg.v2, msg.quiet, msg.ephemeral)
				}
				wantPeople := []string{string(ada), string(bob)}
				if ch.Opponent == "" {
					wantPeople = wantPeople[:1]
				}
				if !slices.Equal(msg.people, wantPeople) {
					t.Errorf("may mention %v, want %v", msg.people, wantPeople)
				}
				_, buttons := buttonsOf(t, msg)
				var got []action
				for _, b := range buttons {
					id, _ := parseCustomID(b.CustomID)
					if id.challenge != ch.ID {
						t.Errorf("%q belongs to challenge %d, want %d", b.Label, id.challenge, ch.ID)
					}
					got = append(got, id.action)
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
				checkForm(t, msg)
				if msg.v2 || !msg.ephemeral {
					t.Errorf("v2 %v, ephemeral %v, want a plain private message", msg.v2, msg.ephemeral)
				}
			})
		}
	}
}

func TestMovedAndNotice(t *testing.T) {
	c := loadTexts(t)
	m := between(t, engine.Standard, "a1")
	link := messageLink(m.Guild, m.Channel, "402")
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, to := range []string{"", link} {
			msg := v.moved(m, to)
			checkForm(t, msg)
			if !msg.v2 || !strings.Contains(textOf(msg), to) {
				t.Errorf("%s: v2 %v, %q does not lead to %q", locale, msg.v2, textOf(msg), to)
			}
		}
		notice := v.notice(m, openChallenge(), link)
		checkForm(t, notice)
		if notice.v2 || notice.quiet || !strings.Contains(notice.content, link) || !strings.Contains(notice.content, mention(ada)) {
			t.Errorf("%s: a notice that tells nobody: %+v", locale, notice)
		}
	}
	if got, want := messageLink("", "302", ""), "https://discord.com/channels/@me/302"; got != want {
		t.Errorf("got the link %s, want %s", got, want)
	}
}

// callback is a message as an answer to an interaction.
func callback(kind rest.CallbackType, data json.RawMessage) []byte {
	return mustJSON(map[string]any{"type": kind, "data": data})
}

func TestViewsAreAsDescribed(t *testing.T) {
	c := loadTexts(t)
	check := func(t *testing.T, msg message) {
		t.Helper()
		checkAgainstDescription(t, http.MethodPost, "/interactions/1/token/callback", callback(rest.CallbackMessage, msg.create()))
	}
	checkEdits := func(t *testing.T, msg message) {
		t.Helper()
		checkAgainstDescription(t, http.MethodPost, "/interactions/1/token/callback", callback(rest.CallbackUpdate, msg.edit()))
		checkAgainstDescription(t, http.MethodPatch, "/channels/301/messages/401", msg.edit())
		checkAgainstDescription(t, http.MethodPost, "/channels/301/messages", msg.create())
	}
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, s := range scenes(t, engine.Standard) {
			check(t, shown(t, v, s.m))
		}
		for _, ch := range challengeScenes() {
			check(t, v.challenge(ch))
		}
		for _, msg := range privateScenes(t, v) {
			check(t, msg)
		}
	}
	// What depends on the board or on the request does not depend on the language.
	v := testView(c, defaultLocale)
	for _, r := range boards[1:] {
		for _, s := range scenes(t, r)[:10] {
			check(t, shown(t, v, s.m))
		}
	}
	for _, s := range scenes(t, engine.Standard) {
		checkEdits(t, shown(t, v, s.m))
	}
	for _, ch := range challengeScenes() {
		checkEdits(t, v.challenge(ch))
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
	v := testView(loadTexts(t), defaultLocale)
	messages := privateScenes(t, v)
	for _, s := range scenes(t, engine.Standard) {
		messages["3x3 "+s.name] = shown(t, v, s.m)
	}
	for _, s := range scenes(t, engine.Rules{M: 5, N: 5, K: 4}) {
		if slices.Contains([]string{"middle", "cell names", "line with cell names"}, s.name) {
			messages["5x5-4 "+s.name] = shown(t, v, s.m)
		}
	}
	for name, ch := range challengeScenes() {
		messages[name] = v.challenge(ch)
	}
	dir := filepath.Join("testdata", "view")
	known := map[string]bool{}
	for name, msg := range messages {
		file := strings.ReplaceAll(name, " ", "_") + ".json"
		known[file] = true
		got := readable(t, msg.create())
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
