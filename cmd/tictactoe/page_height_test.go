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

// endings are games that have given somebody points, a place and a streak, so that the result
// has its usual lines, and how high it may be on a phone of 360 px, in CSS pixels, with every
// text a quarter wider.
var endings = []struct {
	rules engine.Rules
	moves string
	most  float64
}{
	{engine.Standard, "b2 a1 c2 a2 c1 c3 a3", 310},
	{engine.Vanishing, "c3 b1 c2 c1 b2 a1", 310},
	{engine.Rules{M: 4, N: 4, K: 4}, "a1 a2 b1 b2 c1 c2 d1", 332},
	{engine.Rules{M: 5, N: 5, K: 5}, "a1 a2 b1 b2 c1 c2 d1 d2 e1", 354},
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

// plain is a view of people and guilds that have set nothing.
func plain(words view.Words) view.View {
	return view.View{
		Words: words, Now: time.Now(), Uptime: func(store.GuildID) time.Duration { return 0 },
		Person: func(store.UserID) (p store.Person) { return p }, Guild: func(store.GuildID) (g store.GuildSettings) { return g },
	}
}

// TestPageResultsOnAPhone: when it is over, what came of it, the board and the ways on stand
// together in a small room, in every language of the page's own face, with one row of buttons.
func TestPageResultsOnAPhone(t *testing.T) {
	browser := pagetest.Start(t)
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.REST.GlobalLimit = -1
		o.Handler = func(s *sandbox.Server) http.Handler {
			page.Furnish(s)
			return page.New(s, nil)
		}
	})
	ada, ben := srv.User("Ada"), srv.User("Ben")
	texts := view.Load()
	locales := ownScripts(t)
	for _, locale := range locales {
		v := plain(texts.In(locale))
		for _, e := range endings {
			// Somebody else's words before it give it a head of its own.
			if _, err := ada.Say(srv.Guild().Channel(locale), e.rules.String()); err != nil {
				t.Fatal(err)
			}
			m := won(t, e.rules, e.moves)
			m.X.User, m.O.User = store.UserID(ada.ID()), store.UserID(ben.ID())
			msg, err := v.Board().Match(m)
			if err != nil {
				t.Fatal(err)
			}
			msg.Calls = msg.People // as an edit does, which results are
			post(t, srv, locale, msg)
		}
	}
	tab := browser.Open(t, srv.URL()+"/?as=ada", pagetest.Phone)
	tab.Widen()
	for _, locale := range locales {
		pagetest.Eval[bool](tab, fmt.Sprintf(`(location.hash = %q, true)`, locale))
		tab.Wait("the results", fmt.Sprintf(`document.querySelector("#channel-title").innerText.includes(%q) && document.querySelectorAll(".message .button-primary").length === %d`,
			locale, len(endings)))
		for i, got := range pagetest.Eval[[]struct{ Height, Rows float64 }](tab, `[...document.querySelectorAll(".message:has(.button)")].map((m) => ({
			Height: m.getBoundingClientRect().height,
			Rows: new Set([...m.querySelectorAll(".button")].map((b) => b.getBoundingClientRect().top)).size,
		}))`) {
			e := endings[i]
			if got.Height > e.most || got.Rows != 1 {
				t.Errorf("%s, %v: %.0f px high, want at most %.0f; %.0f rows of buttons", locale, e.rules, got.Height, e.most, got.Rows)
			}
		}
		if locale == view.DefaultLocale {
			tab.WantAccessible()
		}
	}
}

// TestPageMatchesOfALongName: a name of twenty letters leaves a board and its result in their
// small rooms, with one row of buttons, also while one of them wishes for a rematch.
func TestPageMatchesOfALongName(t *testing.T) {
	browser := pagetest.Start(t)
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler {
			page.Furnish(s)
			return page.New(s, nil)
		}
	})
	max, eva := srv.User("Maximilian Sternberg"), srv.User("Eva")
	v := plain(view.Load().In("de"))
	v.UsualClock = 10 * time.Minute
	m := won(t, engine.Standard, "b2 a1 c2 a2 c1 c3 a3")
	m.X.User, m.O.User = store.UserID(max.ID()), store.UserID(eva.ID())
	wished := m
	wished.RematchO = true
	running := m
	running.State, running.EndReason, running.Winner, running.Moves = store.Active, store.NotEnded, engine.None, m.Moves[:4]
	running.Gain, running.Clock, running.Deadline = store.Gain{}, 10*time.Minute, 10*time.Minute
	last, again := m, wished
	last.BestOf, again.BestOf = 5, 5
	for _, m := range []store.Match{m, wished, running, last, again} {
		if _, err := eva.Say(srv.Guild().Channel("general"), "-"); err != nil { // the result gets a head of its own
			t.Fatal(err)
		}
		msg, err := v.Board().Match(m)
		if err != nil {
			t.Fatal(err)
		}
		msg.Calls = msg.People
		post(t, srv, "general", msg)
	}
	tab := browser.Open(t, srv.URL()+"/?as=maximilian-sternberg#general", pagetest.Phone)
	tab.Wait("them", `document.querySelectorAll(".message:has(.button)").length === 5`)
	most, rows := []float64{302, 326, 380, 346, 370}, []float64{1, 1, 4, 1, 1} // a wish takes a line, and a series two for such a name; a board has three rows of cells, and 330 px below the name of the bot
	for i, got := range pagetest.Eval[[]struct{ Height, Rows float64 }](tab, `[...document.querySelectorAll(".message:has(.button)")].map((m) => ({
		Height: m.getBoundingClientRect().height,
		Rows: new Set([...m.querySelectorAll(".button")].map((b) => b.getBoundingClientRect().top)).size,
	}))`) {
		t.Logf("%.0f px", got.Height)
		if got.Height > most[i] || got.Rows != rows[i] {
			t.Errorf("message %d is %.0f px high, want at most %.0f; %.0f rows of buttons", i, got.Height, most[i], got.Rows)
		}
	}
}

// TestResultsInOtherScripts counts what the fonts of a machine decide how wide it is: the row
// holds three buttons, whose labels are ten characters together that fill a square, or twenty
// that fill half of one; the lines twice as many as one holds.
func TestResultsInOtherScripts(t *testing.T) {
	texts := view.Load()
	mention := regexp.MustCompile(`<@\d+>`)
	for _, locale := range otherScripts {
		v := plain(texts.In(locale))
		for _, e := range endings {
			msg, err := v.Board().Match(won(t, e.rules, e.moves))
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

// won is a match that came to its end by a line, in a series, and is folded.
func won(t *testing.T, r engine.Rules, moves string) store.Match {
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
