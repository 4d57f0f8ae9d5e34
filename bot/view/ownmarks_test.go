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
	own := OwnMarks{Chosen: map[store.OwnMark]MarkForms{}}
	own.X.Plain, own.O.Plain, own.Empty, own.X.Winning, own.O.Winning = emoji("x"), emoji("o"), emoji("empty"), emoji("x_win"), emoji("o_win")
	own.X.Going, own.O.Going, own.X.Moved, own.O.Moved = emoji("x_going"), emoji("o_going"), emoji("x_moved"), emoji("o_moved")
	own.Better = emoji("better")
	for _, p := range peoplesMarks {
		own.Chosen[p.mark] = MarkForms{Plain: emoji(p.name), Winning: emoji(p.name + "_win"), Going: emoji(p.name + "_going"), Moved: emoji(p.name + "_moved")}
	}
	return own
}

// longestMarks has everybody choose one of the marks with the longest names.
func longestMarks(user store.UserID) store.Person {
	mark := markUmbrella
	if user == matchtest.Bob || user == matchtest.Lou {
		mark = markMushroom
	}
	return store.Person{PlaysBy: matchtest.PlaysBy(user), Mark: mark}
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
		v.OwnMarks, v.Person = ownMarks(), longestMarks
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
		check(t, v.People().Preferences(Preferences{Tab: "boards", Person: store.Person{Mark: markUmbrella}}))
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
		own.X.Plain, s.x.Plain, own.O.Plain, s.o.Plain, own.Empty, s.empty, own.X.Winning, s.x.Winning, own.O.Winning, s.o.Winning,
		own.X.Going, s.x.Going, own.O.Going, s.o.Going, own.X.Moved, s.x.Moved, own.O.Moved, s.o.Moved, own.Better, s.better,
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
