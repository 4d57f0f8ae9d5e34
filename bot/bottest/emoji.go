package bottest

import (
	"testing"

	"tictactoe/bot/marks"
	"tictactoe/bot/rest"
)

// Emoji returns what stands in texts for a picture of a mark, such as "star_win". The
// application has to have it: see [OwnMarks].
func Emoji(t testing.TB, w *World, name string) string {
	t.Helper()
	api := rest.New(rest.Options{BaseURL: w.Discord.APIURL(), Token: w.Discord.Token()})
	defer api.Close()
	if _, err := api.Application(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := api.Emojis(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range marks.All() {
		for _, e := range list {
			if m.Name == name && e.Name == m.Emoji {
				return "<:" + e.Name + ":" + e.ID + ">"
			}
		}
	}
	t.Fatalf("the application has no emoji of %q", name)
	return ""
}
