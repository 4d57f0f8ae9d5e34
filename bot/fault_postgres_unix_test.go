//go:build unix

package bot_test

import (
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store/postgres/postgrestest"
)

// TestPostgresRestarts stops the server while people play, and starts it again.
func TestPostgresRestarts(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.NewCluster(t)
	w := bottest.New(t, onPostgres(cluster.URL))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	cluster.Stop(t, "immediate")
	r := w.Bob.ClickCell(t, m, 1, 1)
	if text := r.Text(); !strings.Contains(text, notSaved) && !strings.Contains(text, unknown) {
		t.Errorf("without a server: %q", text)
	}
	cluster.Start(t)
	waittest.Until(t, "the bot to be ready again", func() bool { return w.Service.Health(t.Context()) == nil })
	w.Cells(t, m, w.Bob, w.Ada, "b2", "c3")
	w.Shows(t, m, "X../.O./..X")
}
