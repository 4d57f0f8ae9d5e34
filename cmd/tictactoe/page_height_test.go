package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/width"

	wire "tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/page"
	"tictactoe/bot/sandbox/pagetest"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// endings are games that somebody has lost by a mistake, so that the result has all of its
// lines, and how high it may be on a phone of 360 px, in CSS pixels, with every text a quarter
// wider: of 3×3's 283 the frame with the name above it takes 61, the buttons with the gap
// before them 54, the text board 66, the score 20, and the first line and the mistake, in two
// lines each, 44 and 36.
var endings = []struct {
	rules engine.Rules
	moves string
	most  float64
}{
	{engine.Standard, "b2 a1 c2 a2 c1 c3 a3", 284},
	{engine.Vanishing, "c3 b1 c2 c1 b2 a1", 284},
	{engine.Rules{M: 4, N: 4, K: 4}, "a1 a2 b1 b2 c1 c2 d1", 306},
	{engine.Rules{M: 5, N: 5, K: 5}, "a1 a2 b1 b2 c1 c2 d1 d2 e1", 328},
}

// otherScripts are the languages that the page's own face has no letters for: how wide they
// are is a matter of each machine's fonts.
var otherScripts = strings.Fields("hi ja ko th zh-CN zh-TW")

// ownScripts are all the other languages.
func ownScripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../bot/view/locales/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	var own []string
	for _, f := range files {
		if locale := strings.TrimSuffix(filepath.Base(f), ".json"); !slices.Contains(otherScripts, locale) {
			own = append(own, locale)
		}
	}
	return own
}

// TestPageResultsOnAPhone: when it is over, what came of it, the board and the ways on stand
// together in a small room, in every language of the page's own face: one row of buttons, and
// at most two lines for the move that lost.
func TestPageResultsOnAPhone(t *testing.T) {
	browser := pagetest.Start(t)
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler { return page.New(s, page.Options{}) }
	})
	ada, ben := srv.User("Ada"), srv.User("Ben")
	texts := view.Load()
	for _, locale := range ownScripts(t) {
		v := view.View{Words: texts.In(locale), Now: time.Now()}
		for _, e := range endings {
			// Somebody else's words before it give it a head of its own.
			if _, err := ada.Say(srv.Guild().Channel(locale), e.rules.String()); err != nil {
				t.Fatal(err)
			}
			m := lost(t, e.rules, e.moves)
			m.X.User, m.O.User = store.UserID(ada.ID()), store.UserID(ben.ID())
			msg, err := v.Board().Match(m)
			if err != nil {
				t.Fatal(err)
			}
			msg.Calls = msg.People // as an edit does, which results are
			post(t, srv, locale, msg)
		}
		tab := browser.Open(t, srv.URL()+"/?as=ada#"+locale, pagetest.Phone)
		tab.Wait("the results", fmt.Sprintf(`document.querySelectorAll(".message .button-primary").length === %d`, len(endings)))
		tab.Widen()
		for i, got := range pagetest.Eval[[]struct{ Height, Rows, Mistake float64 }](tab, `[...document.querySelectorAll(".message:has(.button)")].map((m) => ({
			Height: m.getBoundingClientRect().height,
			Rows: new Set([...m.querySelectorAll(".button")].map((b) => b.getBoundingClientRect().top)).size,
			Mistake: [...m.querySelectorAll(".small")].at(-1).getBoundingClientRect().height,
		}))`) {
			e := endings[i]
			if got.Height > e.most || got.Rows != 1 || got.Mistake > 38 {
				t.Errorf("%s, %v: %.0f px high, want at most %.0f; %.0f rows of buttons; the mistake takes %.0f px, want two lines",
					locale, e.rules, got.Height, e.most, got.Rows, got.Mistake)
			}
		}
		if locale == view.DefaultLocale {
			tab.WantAccessible()
		}
		tab.Close()
	}
}

// TestResultsInOtherScripts counts what the fonts of a machine decide how wide it is: the row
// holds three buttons, whose labels are ten characters together that fill a square, or twenty
// that fill half of one; the lines twice as many as one holds.
func TestResultsInOtherScripts(t *testing.T) {
	texts := view.Load()
	mention := regexp.MustCompile(`<@\d+>`)
	for _, locale := range otherScripts {
		v := view.View{Words: texts.In(locale), Now: time.Now()}
		for _, e := range endings {
			msg, err := v.Board().Match(lost(t, e.rules, e.moves))
			if err != nil {
				t.Fatal(err)
			}
			var all component
			if err := json.Unmarshal(msg.Create(), &all); err != nil {
				t.Fatal(err)
			}
			var rows int
			all.each(func(c component) {
				for line := range strings.Lines(mention.ReplaceAllString(c.Content, "@Ada")) {
					if n := columns(strings.TrimPrefix(line, "-# ")); n > 56 {
						t.Errorf("%s, %v: a line of %d columns: %s", locale, e.rules, n, line)
					}
				}
				if c.Type != 1 {
					return
				}
				rows++
				var labels string
				for _, b := range c.Components {
					labels += b.Label
				}
				if n := columns(labels); len(c.Components) > 3 || n > 20 {
					t.Errorf("%s, %v: %d buttons of %d columns: %s", locale, e.rules, len(c.Components), n, labels)
				}
			})
			if rows != 1 {
				t.Errorf("%s, %v: %d rows of buttons", locale, e.rules, rows)
			}
		}
	}
}

// component is what a message consists of, as it is sent.
type component struct {
	Type           int
	Content, Label string
	Components     []component
}

func (c component) each(do func(component)) {
	do(c)
	for _, inner := range c.Components {
		inner.each(do)
	}
}

// columns counts a text's characters: those that fill a square twice, marks that stand above
// or below others not at all.
func columns(text string) (n int) {
	for _, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			if !unicode.In(r, unicode.Mn, unicode.Cf) {
				n++
			}
		}
	}
	return n
}

// lost is a match that came to its end by a line, judged and folded.
func lost(t *testing.T, r engine.Rules, moves string) store.Match {
	t.Helper()
	m := matchtest.Between(t, r, moves)
	g, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		t.Fatal(err)
	}
	m = matchtest.Over(m, store.ByLine, g.Outcome().Winner())
	m.Gain, m.Series = store.Gain{Points: 3, Place: 2, Streak: 3}, store.Score{X: 1, O: 1}
	return match.Fold(m, 0)
}

// post has the local Discord's bot post a message.
func post(t *testing.T, srv *sandbox.Server, channel string, m wire.Message) {
	t.Helper()
	url := srv.APIURL() + "/channels/" + srv.Guild().Channel(channel).ID() + "/messages"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(m.Create()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+srv.Token())
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var made struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || made.ID == "" {
		t.Fatalf("posted with %s, %v", resp.Status, err)
	}
}
