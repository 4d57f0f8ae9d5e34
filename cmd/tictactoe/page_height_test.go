package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

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
// lines, and how high it may be on a phone of 360 px, in CSS pixels. With two rows of
// buttons the standing board of 3×3 and Vanishing took 434 (455 in German, where the first
// line takes two), that of 4×4 507 and that of 5×5 796.
//
// Half of that is not reached on the small ones: of 3×3's 243 the frame with the name above
// it takes 61, the buttons with the gap before them 54, the text board 66, the first line
// 22, the score 20 and the mistake 18. Each of them is needed.
var endings = []struct {
	rules engine.Rules
	moves string
	most  map[string]int // by language, "" for the others
}{
	{engine.Standard, "b2 a1 c2 a2 c1 c3 a3", map[string]int{"": 245, "de": 266}},
	{engine.Vanishing, "c3 b1 c2 c1 b2 a1", map[string]int{"": 245, "de": 266}},
	{engine.Rules{M: 4, N: 4, K: 4}, "a1 a2 b1 b2 c1 c2 d1", map[string]int{"": 288}},
	{engine.Rules{M: 5, N: 5, K: 5}, "a1 a2 b1 b2 c1 c2 d1 d2 e1", map[string]int{"": 310}},
}

// TestPageResultsOnAPhone: when it is over, what came of it, the board and the ways on stand
// together in a small room, in every language: one row of buttons, and a line for the move
// that lost.
func TestPageResultsOnAPhone(t *testing.T) {
	browser := pagetest.Start(t)
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler { return page.New(s, page.Options{}) }
	})
	ada, ben := srv.User("Ada"), srv.User("Ben")
	texts := view.Load()
	for _, locale := range []string{"en-US", "de", "fr", "ja"} {
		v := view.View{Words: texts.In(locale), Now: time.Now()}
		for _, e := range endings {
			// Somebody else's words before it give it a head of its own.
			if _, err := ada.Say(srv.Guild().Channel(locale), e.rules.String()); err != nil {
				t.Fatal(err)
			}
			m := lost(t, e.rules, e.moves)
			m.X.User, m.O.User = store.UserID(ada.ID()), store.UserID(ben.ID())
			msg, err := v.Match(m)
			if err != nil {
				t.Fatal(err)
			}
			post(t, srv, locale, msg)
		}
		tab := browser.Open(t, srv.URL()+"/?as=ada#"+locale, pagetest.Phone)
		tab.Wait("the results", fmt.Sprintf(`document.querySelectorAll(".message .button-primary").length === %d`, len(endings)))
		for i, got := range pagetest.Eval[[]struct{ Height, Rows, Mistake float64 }](tab, `[...document.querySelectorAll(".message:has(.button)")].map((m) => ({
			Height: m.getBoundingClientRect().height,
			Rows: new Set([...m.querySelectorAll(".button")].map((b) => b.getBoundingClientRect().top)).size,
			Mistake: [...m.querySelectorAll(".small")].at(-1).getBoundingClientRect().height,
		}))`) {
			e := endings[i]
			most, own := e.most[locale]
			if !own {
				most = e.most[""]
			}
			if got.Height > float64(most) || got.Rows != 1 || got.Mistake > 20 {
				t.Errorf("%s, %v: %.0f px high, want at most %d; %.0f rows of buttons; the mistake takes %.0f px, want one line",
					locale, e.rules, got.Height, most, got.Rows, got.Mistake)
			}
			t.Logf("%s, %v: %.0f px", locale, e.rules, got.Height)
		}
		tab.WantAccessible()
		tab.Close()
	}
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
	if m.Verdict, err = match.Judge(t.Context(), m); err != nil {
		t.Fatal(err)
	}
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
