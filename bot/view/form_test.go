package view

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/store"
)

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

// eachScene calls check for every scene on 3×3 in every language, and on each of the other
// boards in English and in a share of the languages: what boards say of themselves is short,
// and all of them in all languages take minutes.
func eachScene(t *testing.T, check func(t *testing.T, v View, m store.Match)) {
	t.Helper()
	c := Load()
	for i, locale := range c.locales {
		for j, r := range match.Boards {
			if others := len(match.Boards) - 1; j > 0 && locale != DefaultLocale && i%others != j%others {
				continue
			}
			for _, s := range scenes(t, r) {
				t.Run(fmt.Sprintf("%s/%v/%s", locale, r, s.name), func(t *testing.T) { check(t, testView(c, locale), s.m) })
			}
		}
	}
}

// shown returns the message of the match.
func shown(t testing.TB, v View, m store.Match) discord.Message {
	t.Helper()
	msg, err := v.Board().Match(m)
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
	userMention = regexp.MustCompile("\u2068<@!?([0-9]*)>\u2069") // isolated
	escaped     = regexp.MustCompile(`\\.`)
	timeMark    = regexp.MustCompile(`<t:[0-9]+:[tfR]>`)
	otherMark   = regexp.MustCompile(`<(#30[12]|@&77)>`) // channels and the role of the scenes
	commandMark = regexp.MustCompile(`</tictactoe(?:-admin)? [a-z]+:910>`)
	// leftover is what no text holds: mentions of others, places without a value, and
	// keys instead of words.
	leftover = regexp.MustCompile(`[<@]|{{|no value|%!|\b(opponent|goal|button|duration)\.[a-z0-9]`)
)

// checkCaption: where a component has a marker there is a text in it, below which the marker can
// stand as a caption, and which ends with none.
func checkCaption(t *testing.T, first discord.Component) {
	t.Helper()
	text := first.Content
	for _, c := range first.Components {
		text = cmp.Or(text, c.Content)
	}
	if _, ok := customid.Captioned(text); ok {
		t.Errorf("%q ends with a caption", text)
	}
	if customid.Caption(first.ID) != "" && text == "" {
		t.Error("there is no text for the caption of its first component")
	}
}

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
	if len(msg.Components) > 0 {
		checkCaption(t, msg.Components[0])
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
		case discord.TypeRoleSelect, discord.TypeChannelSelect:
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
		if m.EndReason == store.Stopped || match.Paused(m) {
			want = append(want, string(matchtest.Cleo)) // named, and not notified: the message is quiet
		}
		if got := msg.People; !slices.Equal(got, want) {
			t.Errorf("may mention %v, want %v", got, want)
		}
		picture, err := v.Board().Snapshot(m)
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

// TestHelpIsShort: whoever asks for help reads how to begin, in five lines with three buttons.
func TestHelpIsShort(t *testing.T) {
	c := Load()
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, inGuild := range []bool{true, false} {
			msg := v.Help(inGuild, inGuild, "")
			for _, name := range []string{"play", "challenge", "puzzle", "leaderboard", "board", "resign", ShortCommand} {
				elsewhere := !inGuild && (name == "challenge" || name == "leaderboard")
				if strings.Contains(msg.Content, v.Command(name)) == elsewhere {
					t.Errorf("%s, in a server %v: help names %s: %v", locale, inGuild, name, !elsewhere)
				}
			}
			if _, buttons := buttonsOf(t, msg); strings.Count(msg.Content, "\n") > 4 || len(buttons) > 3 {
				t.Errorf("%s: help has %d buttons and says %q", locale, len(buttons), msg.Content)
			}
		}
	}
}
