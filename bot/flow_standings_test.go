package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
)

// finish plays a game of the two that the first wins.
func finish(t *testing.T, w *bottest.World, winner, loser *sandbox.User) {
	t.Helper()
	m := w.Challenge(t, winner, loser)
	w.Cells(t, m, winner, loser, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, m, "wins")
}

// says wants the private answer to hold the texts.
func says(t *testing.T, w *bottest.World, r *sandbox.Reply, texts ...string) *sandbox.Message {
	t.Helper()
	m := w.Answer(t, r)
	got := strings.ReplaceAll(m.Snapshot().Text(), "\u2060", "") // which keeps scores on one line
	for _, text := range texts {
		if !strings.Contains(got, text) {
			t.Errorf("the answer lacks %q:\n%s", text, got)
		}
	}
	return m
}

// turnsTo chooses other standings from the list of all.
func turnsTo(t *testing.T, who *sandbox.User, m *sandbox.Message, kind string) {
	t.Helper()
	if r := who.Select(t, m, "1:lt", kind); !r.Answered() || r.Type != sandbox.CallbackUpdate {
		t.Fatalf("to %s: answered %v with type %d: %s", kind, r.Answered(), r.Type, r.Text())
	}
	if got := chosen(t, m, "1:lt"); got != kind {
		t.Errorf("the list says %q, want %q", got, kind)
	}
}

// TestStats looks at how people play: privately, and shown to all without notifying
// anybody.
func TestStats(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	says(t, w, w.Ada.Command(t, w.Channel, "tictactoe stats"), w.Ada.Mention(), "No finished game yet.")
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Cleo, w.Ada)
	of := func(who, whom *sandbox.User) *sandbox.Reply {
		return who.Command(t, w.Channel, "tictactoe stats", sandbox.OptUser("user", whom))
	}
	r := w.Ada.Command(t, w.Channel, "tictactoe stats")
	if !r.Ephemeral {
		t.Error("everybody sees the statistics")
	}
	mine := says(t, w, r, "With people**  2–0–1", "Wins in a row: 0 (best 2)", "Toughest opponent: "+w.Cleo.Mention()+" 0–0–1")
	says(t, w, of(w.Bob, w.Ada), "You against "+w.Ada.Mention()+": 0–0–2")
	says(t, w, of(w.Ada, w.Bob), "You against "+w.Bob.Mention()+": 2–0–0", "Toughest opponent: "+w.Ada.Mention()+" 0–0–2")

	r = w.Ada.Click(t, mine, "Show here")
	if r.Ephemeral {
		t.Error("only one person sees what was to be shown")
	}
	shown := says(t, w, r, "**Ada**", "Toughest opponent: **Cleo** 0–0–1")
	if _, ok := shown.Snapshot().Button("Show here"); ok || strings.Contains(shown.Snapshot().Text(), "<@") {
		t.Errorf("shown is %s", shown.Snapshot().Text())
	}
	if pinged := shown.Snapshot().Pinged; len(pinged) > 0 {
		t.Errorf("%v are notified", pinged)
	}
	says(t, w, w.Ada.Command(t, w.Ada.DM(), "tictactoe stats"), "With people**  2–0–1")
}

// TestLeaderboard looks at the standings: names as people wrote them, ties, one's own
// row, other standings, and who has left.
func TestLeaderboard(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	dora := w.Discord.User("Dora", sandbox.Nick("**D_ora** <@1>"))
	board := func(who *sandbox.User) *sandbox.Reply {
		return who.Command(t, w.Channel, "tictactoe leaderboard")
	}
	says(t, w, board(w.Ada), "This month", "Nobody is here yet", "You are not on this list yet.")
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, dora, w.Cleo)
	finish(t, w, w.Bob, w.Cleo)
	const name = `**\*\*D\_ora\*\* \<\@1\>**`
	m := says(t, w, board(w.Cleo), "🥇 **Ada** · 6 points · 2–0–0", "🥈 **Bob** · 3 points · 1–0–2", "🥈 "+name+" · 3 points · 1–0–0",
		"` 4` **Cleo** · 0 points · 0–0–2", "Your place: **4** · 0 points")
	turnsTo(t, w.Cleo, m, "all")
	bottest.WantText(t, m, "All time")
	turnsTo(t, w.Cleo, m, "bots")
	bottest.WantText(t, m, "Nobody is here yet")
	says(t, w, w.Cleo.Click(t, m, "How points work"), "3 points for a win, 1 for a draw", "at most 4 games", "10 games", "2 for beating Hard")
	turnsTo(t, w.Cleo, m, "month")
	bottest.WantText(t, m, "🥇 **Ada** · 6 points")

	// Names are remembered: nobody is asked for again.
	asked := func() (n int) {
		for _, r := range w.Discord.REST().Requests() {
			if r.Method == "GET" && strings.Contains(r.Path, "/members/") {
				n++
			}
		}
		return n
	}
	if n := asked(); n != 4 {
		t.Errorf("%d members were asked for, want 4, each once", n)
	}

	// Who has left is not known to have, as long as the name is remembered.
	w.Restart(t)
	w.Ada.Leave(w.Discord.Guild())
	says(t, w, board(w.Cleo), "🥇 **Bob** · 3 points", "🥇 "+name, "🥉 **Cleo** · 0 points", "Your place: **3**")
	w.Ada.Join(w.Discord.Guild())
	finish(t, w, w.Bob, w.Ada)
	says(t, w, board(w.Cleo), "🥇 **Ada** · 6 points", "🥇 **Bob** · 6 points")

	// Where Discord does not say, there are mentions, which notify nobody.
	w.Restart(t)
	w.Discord.Faults().FailNext("GET /guilds/{guild_id}/members/{user_id}", 403, 100)
	says(t, w, board(w.Cleo), "🥇 "+w.Ada.Mention()+" · 6 points")
	says(t, w, w.Ada.Command(t, w.Ada.DM(), "tictactoe leaderboard"), "Leaderboards belong to servers.")
}

// TestWhoLooksIsThere: where Discord's list of members lags behind, whoever looks stays on the
// leaderboard, and only others who are not on that list leave it.
func TestWhoLooksIsThere(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	finish(t, w, w.Ada, w.Bob)
	for range 2 { // the requests for both, in whatever order
		w.Discord.Faults().RefuseNext("GET /guilds/{guild_id}/members/{user_id}", 404, 10007)
	}
	m := says(t, w, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"), "**Ada** · 3 points", "Your place: **1**")
	if text := m.Snapshot().Text(); strings.Contains(text, w.Bob.Mention()) {
		t.Errorf("who has left is on the leaderboard: %q", text)
	}
	says(t, w, w.Cleo.Command(t, w.Channel, "tictactoe leaderboard"), "**Ada** · 3 points")
}

// TestLeaderboardPages turns pages, and meets one that is there no more.
func TestLeaderboardPages(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.StartLimit("none"))
	var people []*sandbox.User
	for _, name := range strings.Fields("a b c d e f g h i j k l") {
		people = append(people, w.Discord.User("P"+name))
	}
	for pair := range slices.Chunk(people, 2) {
		finish(t, w, pair[0], pair[1])
	}
	m := says(t, w, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **Pa** · 3 points", "` 7`", "Page 1 of 2", "You are not on this list yet.")
	if _, ok := m.Snapshot().Button("Higher up"); ok {
		t.Error("the first page has one above it")
	}
	w.Ada.Click(t, m, "Further down")
	s := bottest.WantText(t, m, "Page 2 of 2")
	if _, ok := s.Button("Further down"); ok || strings.Count(s.Text(), "` 7`") != 2 {
		t.Errorf("the second page:\n%s", s.Text())
	}
	for _, p := range people[:4] {
		p.Leave(w.Discord.Guild())
	}
	w.Restart(t)
	w.Ada.Click(t, m, "Higher up")
	bottest.WantText(t, m, "🥇 **Pe** · 3 points")
}

// TestNoStandingsInDirectMessages: who leads is a server's business, whatever is made up in
// direct messages.
func TestNoStandingsInDirectMessages(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	here := w.Answer(t, w.Ada.Command(t, w.Ada.DM(), "tictactoe help"))
	for _, id := range []string{"1:l:0:0", "1:lk:0:0", "1:zr"} {
		w.Refused(t, w.Ada.ClickID(t, here, id, sandbox.Forced), "I don't know that command")
	}
}
