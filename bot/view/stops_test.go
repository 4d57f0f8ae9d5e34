package view

import (
	"net/http"
	"strings"
	"testing"

	"tictactoe/bot/discord"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
)

// TestStopsTold: what is said of a moderator's stop names people and where it was, and
// notifies nobody, in every language.
func TestStopsTold(t *testing.T) {
	c := Load()
	for _, locale := range c.locales {
		v := testView(c, locale)
		m := matchtest.Between(t, engine.Standard, "a1 b2")
		for what, msg := range map[string]discord.Message{
			"a match": v.Games().StopTold(m, matchtest.Cleo),
			"all":     v.Games().StopAllTold(matchtest.Cleo, matchtest.Bob, "301"),
		} {
			if msg.V2 || msg.Ephemeral || len(msg.People) > 0 || msg.Role != "" || !msg.Quiet {
				t.Errorf("%s, %s: %+v", locale, what, msg)
			}
			for _, name := range []string{v.mention(matchtest.Cleo), v.mention(matchtest.Bob), "<#301>"} {
				if !strings.Contains(msg.Content, name) {
					t.Errorf("%s, %s: no %s in %q", locale, what, name, msg.Content)
				}
			}
			checkAgainstDescription(t, http.MethodPost, "/channels/301/messages", msg.Create())
		}
	}
}
