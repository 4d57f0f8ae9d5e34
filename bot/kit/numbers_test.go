package kit

import (
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/quirks"
)

// TestLookAtNumbers: a message that this process has shown and that has no number tells of the
// quirk. One of before, one that is another's, and one that has its number do not.
func TestLookAtNumbers(t *testing.T) {
	start := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	made := func(after time.Duration) string { return discordtest.MadeAt(start.Add(after)) }
	for name, c := range map[string]struct {
		id     string
		edited time.Duration // after the start; 0 for never
		marker int
		text   string
		lacks  bool
		want   bool
	}{
		"posted before":                {made(-time.Second), 0, 1, "Ada", false, false},
		"posted since":                 {made(time.Second), 0, 1, "Ada", false, true},
		"edited before":                {made(-time.Hour), -time.Second, 1, "Ada", false, false},
		"edited since":                 {made(-time.Hour), time.Second, 1, "Ada", false, true},
		"with its number":              {made(time.Second), 0, customid.Marker(3), "Ada", false, false},
		"another's":                    {made(time.Second), 0, 1, "Ada", true, false},
		"without a text, or a message": {made(time.Second), 0, 0, "", false, false},
		"without an id":                {"", 0, 1, "Ada", false, false},
	} {
		in := &Request{Call: &dispatch.Call{Interaction: &discord.Interaction{}}}
		m := &in.Message
		m.ID, m.Marker, m.Text, m.Lacks = c.id, c.marker, c.text, c.lacks
		if c.edited != 0 {
			m.Edited = start.Add(c.edited)
		}
		k := &Kit{Since: start, Quirks: &quirks.Set{}}
		if k.LookAtNumbers(in); k.Quirks.Has(quirks.ChangedNumbers) != c.want {
			t.Errorf("a message %s: found %v", name, !c.want)
		}
		if c.marker == 1 && k.Stale(in, 3) == c.want || c.marker != 1 && c.marker != 0 && (k.Stale(in, 3) || !k.Stale(in, 4)) {
			t.Errorf("a message %s is stale", name)
		}
	}
}
