package bot_test

import (
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// languages sets a language of the server, empty for none, and those of people.
func languages(t *testing.T, w *bottest.World, guild string, people map[*sandbox.User]string) {
	t.Helper()
	c := store.Change{Guilds: []store.GuildSettings{{Guild: store.GuildID(w.Discord.Guild().ID()), Locale: guild}}}
	for who, locale := range people {
		c.People = append(c.People, store.Person{User: store.UserID(who.ID()), Locale: locale})
	}
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// TestBoardsInAChosenLanguage: a board that nobody else sees is in the language that its person
// has chosen, and one that others see in the server's.
func TestBoardsInAChosenLanguage(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	languages(t, w, "de", map[*sandbox.User]string{w.Bob: "fr"})
	bottest.WantText(t, w.PlayPrivately(t, w.Bob), "Au tour de ❌ "+w.Bob.Mention())
	bottest.WantText(t, w.PlayPrivately(t, w.Ada), w.Ada.Mention()+" ist am Zug")
	bottest.WantText(t, w.Play(t, w.Bob), w.Bob.Mention()+" ist am Zug")
}

// TestForgedLanguages: a language that there is not, or one for somebody on a message of
// another, changes nothing.
func TestForgedLanguages(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	panel := preferencesOf(t, w, w.Bob, "messages")
	public := w.Play(t, w.Ada)
	for _, s := range []sandbox.Selection{
		{Message: panel, CustomID: "1:la:0", Values: []string{"xx"}},
		{Message: panel, CustomID: "1:la:0", Values: []string{""}},
		{Message: public, CustomID: "1:la:0", Values: []string{"de"}},
	} {
		s.Forced = true
		c, err := w.Bob.Do(s)
		if err != nil {
			t.Fatal(err)
		}
		w.Refused(t, c.Wait(t), "out of date")
	}
	if p, err := w.Store.Person(t.Context(), store.UserID(w.Bob.ID())); p.Locale != "" || err != nil {
		t.Errorf("Bob has %q, %v", p.Locale, err)
	}
}

// TestChallengeInAChosenLanguage: a challenge is in the language that who is asked has chosen,
// else in the one that the server has set, else in the challenger's; a small line says it in the
// server's where that is another.
func TestChallengeInAChosenLanguage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		guild, chosen      string // what is set
		want, small, board string
	}{
		"nothing":           {"", "", "fordert dich zu", "challenges you to", "your move"},
		"by the server":     {"fr", "", "te défie", "", "Au tour de"},
		"by who is asked":   {"", "es-ES", "te reta", "challenges you to", "your move"},
		"by both":           {"fr", "es-ES", "te reta", "te défie", "Au tour de"},
		"by both, the same": {"es-419", "es-ES", "te reta", "", "Turno de"},
		"the challenger's":  {"fr", "de", "fordert dich zu", "te défie", "Au tour de"},
		"as the challenger": {"", "de", "fordert dich zu", "challenges you to", "ist am Zug"},
		"as the server":     {"", "en-GB", "challenges you to", "", "your move"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			w.Ada.Set(sandbox.Locale("de"))
			w.Bob.Set(sandbox.Locale("ja"))
			languages(t, w, test.guild, map[*sandbox.User]string{w.Bob: test.chosen, w.Cleo: "tr"})
			m := w.Offer(t, w.Ada, w.Bob)
			lines := strings.Split(m.Snapshot().Content, "\n-# ")
			if !strings.Contains(lines[0], test.want) {
				t.Errorf("%q, want %q", lines[0], test.want)
			}
			if last := lines[len(lines)-1]; test.small == "" && len(lines) != 2 || test.small != "" && (len(lines) != 3 || !strings.Contains(last, test.small)) {
				t.Errorf("below it is %q, want %q", lines[1:], test.small)
			}
			w.Bob.Click(t, m, m.Snapshot().Labels()[0])
			bottest.WantText(t, m, test.board)
		})
	}
}
