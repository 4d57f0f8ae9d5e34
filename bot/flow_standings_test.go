package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
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
	says(t, w, w.Ada.Command(t, w.Channel, "tictactoe stats"), "**Ada**", "No finished games yet.")
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
	mine := says(t, w, r, "**Ada** · 3 games", "**People** 2 won · 1 lost\n", "✅✅❌ · 🔥 Best: 2 in a row\n", "Rival: **Cleo** leads 1–0")
	says(t, w, of(w.Bob, w.Ada), "You against "+w.Ada.Mention()+": 2 lost", "✅✅❌")
	says(t, w, of(w.Ada, w.Bob), "You against "+w.Bob.Mention()+": 2 won", "Rival: **Ada** leads 2–0")

	r = w.Ada.Click(t, mine, "Show here")
	if r.Ephemeral {
		t.Error("only one person sees what was to be shown")
	}
	shown := says(t, w, r, "**Ada**", "Rival: **Cleo** leads 1–0")
	if _, ok := shown.Snapshot().Button("Show here"); ok || strings.Contains(shown.Snapshot().Text(), "<@") {
		t.Errorf("shown is %s", shown.Snapshot().Text())
	}
	if pinged := shown.Snapshot().Pinged; len(pinged) > 0 {
		t.Errorf("%v are notified", pinged)
	}
	says(t, w, w.Ada.Command(t, w.Ada.DM(), "tictactoe stats"), "**People** 2 won · 1 lost")
	says(t, w, w.Ada.Click(t, mine, "Challenge \u2068Cleo\u2069"), w.Cleo.Mention()+", "+w.Ada.Mention()+" challenges you")
}

// TestChallengeFromStatistics: for a day, whoever sees shown statistics challenges whose they
// are, with what any challenge asks of the two; later, and to whom that is not open, it says
// so privately.
func TestChallengeFromStatistics(t *testing.T) {
	t.Parallel()
	w, clock := atMidMonth(t)
	dora := w.Discord.User("Dora")
	finish(t, w, w.Ada, w.Bob)
	shown := w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "Show here"))
	clock.Advance(23 * time.Hour)
	w.Refused(t, w.Ada.Click(t, shown, "Challenge"), "except yourself")
	m := says(t, w, w.Bob.Click(t, shown, "Challenge"), w.Ada.Mention()+", "+w.Bob.Mention()+" challenges you")
	w.Refused(t, w.Bob.Click(t, shown, "Challenge"), "is still open")
	w.Ada.Click(t, m, "Decline")
	w.Refused(t, w.Bob.Click(t, shown, "Challenge"), "can't play right now")
	block := store.Block{User: store.UserID(w.Ada.ID()), From: store.UserID(w.Cleo.ID()), Since: clock.Now()}
	if err := w.Store.Apply(t.Context(), store.Change{Blocks: []store.Block{block}}); err != nil {
		t.Fatal(err)
	}
	w.Refused(t, w.Cleo.Click(t, shown, "Challenge"), "isn't taking challenges")
	clock.Advance(time.Hour + time.Minute)
	w.Refused(t, dora.Click(t, shown, "Challenge"), "more than a day old")

	left := w.Answer(t, w.Bob.Click(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe stats")), "Show here"))
	w.Bob.Leave(w.Discord.Guild())
	clock.Advance(11 * time.Minute) // and his name is not remembered
	w.Refused(t, dora.Click(t, left, "Challenge"), "can't see this channel")
}

// TestLeaderboardWithoutNames: where Discord does not say how people are called they are
// mentioned.
func TestLeaderboardWithoutNames(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Ada, w.Cleo)
	finish(t, w, w.Bob, w.Cleo)
	w.Restart(t)
	for range 60 {
		w.Discord.Faults().HangNext("GET /guilds/{guild_id}/members/{user_id}")
	}
	says(t, w, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **6** "+w.Ada.Mention(), "**you**", "3 points behind "+w.Ada.Mention())
	w.Discord.Faults().Clear()
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
	says(t, w, board(w.Ada), "This month", "Nobody yet – win one and you lead.")
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, dora, w.Cleo)
	finish(t, w, w.Bob, w.Cleo)
	const name = `\*\*D\_ora\*\* \<\@1\>`
	m := says(t, w, board(w.Cleo), "🥇 **6** Ada · 2 won · 0 drawn · 0 lost", "🥈 **3** "+name+" · 1–0–0", "🥉 **3** Bob · 1–0–2")
	if text := m.Snapshot().Text(); strings.Contains(text, "Cleo") || strings.Contains(text, "▶") {
		t.Errorf("who has no points is listed:\n%s", text)
	}
	says(t, w, board(w.Bob), "▶ 🥉 **3** **you** · 1–0–2 · level with **"+name+"**, in more games")
	says(t, w, board(dora), "▶ 🥈 **3** **you** · 1–0–0 · 3 points behind **Ada**")
	says(t, w, board(w.Ada), "▶ 🥇 **6** **you** · 2 won · 0 drawn · 0 lost\n")
	turnsTo(t, w.Cleo, m, "all")
	bottest.WantText(t, m, "All time")
	turnsTo(t, w.Cleo, m, "bots")
	bottest.WantText(t, m, "Nobody yet")
	says(t, w, w.Cleo.Click(t, m, "How it works"), "**3** for a win · **1** for a draw", "At most 4 games a day", "10 in all", "**2** for beating Hard")
	turnsTo(t, w.Cleo, m, "month")
	bottest.WantText(t, m, "🥇 **6** Ada")

	// Names are remembered: nobody is asked for again.
	asked := func() (n int) {
		for _, r := range w.Discord.REST().Requests() {
			if r.Method == "GET" && strings.Contains(r.Path, "/members/") {
				n++
			}
		}
		return n
	}
	if n := asked(); n != 3 {
		t.Errorf("%d members were asked for, want 3, each once", n)
	}

	// Who has left is not known to have, as long as the name is remembered.
	w.Restart(t)
	w.Ada.Leave(w.Discord.Guild())
	says(t, w, board(w.Cleo), "🥇 **3** "+name, "🥈 **3** Bob")
	w.Ada.Join(w.Discord.Guild())
	finish(t, w, w.Bob, w.Ada)
	says(t, w, board(w.Cleo), "🥇 **6** Ada", "🥈 **6** Bob")

	// Where Discord does not say, there are mentions, which notify nobody.
	w.Restart(t)
	w.Discord.Faults().FailNext("GET /guilds/{guild_id}/members/{user_id}", 403, 100)
	says(t, w, board(w.Cleo), "🥇 **6** "+w.Ada.Mention())
	says(t, w, w.Ada.Command(t, w.Ada.DM(), "tictactoe leaderboard"), "Leaderboards are only on servers.")
}

// TestWhoLooksIsThere: where Discord's list of members lags behind, whoever looks stays on the
// leaderboard, and only others who are not on that list leave it.
func TestWhoLooksIsThere(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Bob, w.Ada)
	for range 2 { // the requests for both, in whatever order
		w.Discord.Faults().RefuseNext("GET /guilds/{guild_id}/members/{user_id}", 404, 10007)
	}
	m := says(t, w, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"), "▶ 🥇 **3** **you**")
	if text := m.Snapshot().Text(); strings.Contains(text, w.Bob.Mention()) {
		t.Errorf("who has left is on the leaderboard: %q", text)
	}
	says(t, w, w.Cleo.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **3** Ada")
}

// TestLeaderboardShown: what is shown to all names nobody's own place, notifies nobody, and
// leads whoever presses to their own.
func TestLeaderboardShown(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Bob, w.Ada)
	finish(t, w, w.Bob, w.Ada)
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"))
	shown := w.Answer(t, w.Ada.Click(t, m, "Show here"))
	s := shown.Snapshot()
	if text := s.Text(); s.Ephemeral() || len(s.Pinged) > 0 || strings.Contains(text, "you") || strings.Contains(text, "<@") {
		t.Errorf("shown privately %v, notifying %v: %s", s.Ephemeral(), s.Pinged, text)
	}
	bottest.WantText(t, shown, "🥇 **6** Bob")
	r := w.Ada.Click(t, shown, "Leaderboard")
	if says(t, w, r, "▶ 🥈 **3** **you**"); !r.Ephemeral {
		t.Error("everybody sees what one person looks at")
	}
	turnsTo(t, w.Ada, m, "all")
	all := w.Answer(t, w.Ada.Click(t, m, "Show here"))
	bottest.WantText(t, all, "All time")
	says(t, w, w.Bob.Click(t, all, "Leaderboard"), "All time", "▶ 🥇 **6** **you**")
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
		finish(t, w, pair[0], pair[1])
		finish(t, w, pair[1], pair[0])
	}
	says(t, w, people[11].Command(t, w.Channel, "tictactoe leaderboard"), "…\n▶ ` 7` **3** **you** · 1–0–2 · 3 points behind **Pk**")
	m := says(t, w, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **6** Pa", "` 7`")
	wantPages(t, m, "1/2", "▶")
	w.Ada.Click(t, m, "▶")
	wantPages(t, m, "◀", "2/2")
	if s := m.Snapshot(); strings.Count(s.Text(), "` 7`") != 2 {
		t.Errorf("the second page:\n%s", s.Text())
	}
	for _, p := range people[:4] {
		p.Leave(w.Discord.Guild())
	}
	w.Restart(t)
	w.Ada.Click(t, m, "◀")
	bottest.WantText(t, m, "🥇 **6** Pe")
}

// wantPages wants these to be the first buttons below a leaderboard.
func wantPages(t *testing.T, m *sandbox.Message, want ...string) {
	t.Helper()
	if labels := m.Snapshot().Labels(); !slices.Equal(labels[:len(want)], want) {
		t.Errorf("below it are %q, want %q first", labels, want)
	}
}

// TestNoStandingsInDirectMessages: who leads is a server's business, whatever is made up in
// direct messages.
func TestNoStandingsInDirectMessages(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	here := w.Answer(t, w.Ada.Command(t, w.Ada.DM(), "tictactoe help"))
	for _, id := range []string{"1:l:0:0", "1:lk:0:0", "1:ls:0", "1:zr"} {
		w.Refused(t, w.Ada.ClickID(t, here, id, sandbox.Forced), "I don't know that command")
	}
}
