package view

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tictactoe/bot/discord"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// ownMarks are emojis with names and ids as long as Discord's.
func ownMarks() OwnMarks {
	n := 0
	emoji := func(name string) string {
		n++
		return fmt.Sprintf("<:ttt_%s_1a2b3c:1573000000000000%03d>", name, n)
	}
	own := OwnMarks{
		X: emoji("x"), O: emoji("o"), Empty: emoji("empty"), WinningX: emoji("x_win"), WinningO: emoji("o_win"),
		GoingX: emoji("x_going"), GoingO: emoji("o_going"), MovedX: emoji("x_moved"), MovedO: emoji("o_moved"), Better: emoji("better"),
		Chosen: map[store.OwnMark]MarkForms{},
	}
	for _, p := range peoplesMarks {
		own.Chosen[p.mark] = MarkForms{Plain: emoji(p.name), Winning: emoji(p.name + "_win"), Going: emoji(p.name + "_going"), Moved: emoji(p.name + "_moved")}
	}
	return own
}

// longestMarks has everybody choose one of the marks with the longest names.
func longestMarks(user store.UserID) store.OwnMark {
	if user == matchtest.Bob || user == matchtest.Lou {
		return store.MarkMushroom
	}
	return store.MarkUmbrella
}

var ownMark = regexp.MustCompile(`<:(ttt_[a-z_]+)_1a2b3c:[0-9]{19}>`)

// TestOwnMarksFit: an emoji of the application takes forty characters where a symbol takes
// one, and the largest board has 25 of them.
func TestOwnMarksFit(t *testing.T) {
	bare := func(msg discord.Message) discord.Message { // checkForm knows the other tags
		msg.Components = strippedOfMarks(msg.Components)
		return msg
	}
	own, most := 0, 0
	check := func(t *testing.T, msg discord.Message) {
		t.Helper()
		checkForm(t, bare(msg))
		text := 0
		walk(msg.Components, 0, func(c discord.Component, _ int) {
			text += len([]rune(c.Content))
			own += len(ownMark.FindAllString(c.Content, -1))
			for _, o := range c.Options {
				if strings.Contains(o.Emoji.Name, "ttt") {
					t.Errorf("a choice has the emoji %q, which may be gone", o.Emoji.Name)
				}
			}
		})
		if most = max(most, text); text > maxV2Text {
			t.Errorf("a message of %d characters", text)
		}
		if ownMark.MatchString(msg.Content) {
			t.Errorf("plain content, which notifications show, has an emoji of our own: %q", msg.Content)
		}
	}
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		v.OwnMarks, v.MarkOf = ownMarks(), longestMarks
		check(t, shown(t, v, m))
		picture, err := v.Board().Snapshot(m)
		if err != nil {
			t.Fatal(err)
		}
		check(t, picture)
		if n := len(ownMark.FindAllString(textOf(picture), -1)); n < m.Rules.Cells() && m.Marks == 0 {
			t.Errorf("a picture has %d marks of our own: %q", n, textOf(picture))
		}
	})
	c := Load()
	for _, locale := range c.locales {
		v := testView(c, locale)
		v.OwnMarks = ownMarks()
		for _, msg := range privateScenes(t, v) {
			check(t, msg)
		}
		check(t, v.People().Preferences(Preferences{Person: store.Person{Mark: store.MarkUmbrella}, Guild: store.GuildSettings{Guild: "201"}, Blocks: blocks(7), Page: 1}))
	}
	t.Logf("the longest message has %d of %d characters", most, maxV2Text)
	if own == 0 || most > maxV2Text/2 {
		t.Errorf("%d marks of our own in all; the longest message has %d characters, which leaves little room", own, most)
	}
}

func strippedOfMarks(parts []discord.Component) []discord.Component {
	out := make([]discord.Component, len(parts))
	for i, c := range parts {
		c.Content = ownMark.ReplaceAllString(c.Content, "$1")
		c.Components = strippedOfMarks(c.Components)
		out[i] = c
	}
	return out
}

// TestOwnMarksSayWhatSymbolsSay: both kinds of marks make the same messages otherwise.
func TestOwnMarksSayWhatSymbolsSay(t *testing.T) {
	own, s := ownMarks(), marks
	symbols := strings.NewReplacer(
		own.X, s.x, own.O, s.o, own.Empty, s.empty, own.WinningX, s.winningX, own.WinningO, s.winningO,
		own.GoingX, s.goingX, own.GoingO, s.goingO, own.MovedX, s.movedX, own.MovedO, s.movedO, own.Better, s.better,
	)
	with, without := testView(Load(), DefaultLocale), testView(Load(), DefaultLocale)
	with.OwnMarks = own
	with.OwnMarks.Chosen = nil // with those there is more to set
	compare := func(name string, got, want discord.Message) {
		if got, want := symbols.Replace(textOf(got)), textOf(want); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
	for _, s := range append(scenes(t, engine.Standard), vanishingScenes(t)...) {
		compare(s.name, shown(t, with, s.m), shown(t, without, s.m))
	}
	want := privateScenes(t, without)
	for name, msg := range privateScenes(t, with) {
		compare(name, msg, want[name])
	}
}
