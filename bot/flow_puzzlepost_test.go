package bot_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine/puzzle"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// posting returns a world in which Mod has the puzzle posted in the channel, and the moment
// at which the next is due.
func posting(t *testing.T, options ...bottest.Option) (w *bottest.World, clock *bottest.Clock, mod *sandbox.User, due time.Time) {
	t.Helper()
	w, clock = puzzled(t, time.Wednesday, options...)
	mod = manager(w, "Mod")
	m := panel(t, w, mod)
	mod.ClickID(t, m, "1:st:puzzle")
	choose(t, mod, m, "puzzle_hour", "18")
	choose(t, mod, m, "puzzle", w.Channel.ID())
	bottest.WantText(t, m, "Next in")
	if due = stored(t, w).Puzzle.Due; due.Before(clock.Now()) || due.UTC().Hour() != 18 || due.Sub(clock.Now()) > 24*time.Hour {
		t.Fatalf("the puzzle is due %v, at %v", due, clock.Now())
	}
	return w, clock, mod, due
}

// posts returns the messages with a puzzle in the channel.
func posts(t *testing.T, w *bottest.World) (all []*sandbox.Message) {
	t.Helper()
	for _, m := range w.Channel.Messages(w.Bob) {
		if s := m.Snapshot(); !s.Ephemeral() && strings.Contains(s.Text(), "🧩 **Puzzle") {
			all = append(all, m)
		}
	}
	return all
}

// TestPuzzlePost: the bot posts the day's puzzle once, where and when a guild wants it, and
// again the next day over a restart; its buttons lead to private answers. It gives no
// solution away and notifies nobody.
func TestPuzzlePost(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the post", func() bool { return len(posts(t, w)) == 1 })
	post := posts(t, w)[0]
	p := puzzleAt(t, clock)
	if s := post.Snapshot(); len(s.Pinged) > 0 || strings.Contains(s.Text(), "💡") || strings.Contains(s.Text(), p.Start.Rules().CellName(p.Solution)) {
		t.Errorf("the post says %q and notifies %v", s.Text(), s.Pinged)
	}
	m := w.Answer(t, w.Bob.Click(t, post, "Solve it"))
	solves(t, w, w.Bob, m, p)
	bottest.WantText(t, m, "solved here by 1 person")
	bottest.WantText(t, w.Answer(t, w.Ada.Click(t, post, "Yesterday's solution")), "Best play")
	bottest.WantText(t, w.Answer(t, w.Bob.Click(t, post, "Streaks")), "Your place: **1** · 🔥 1 in 1 try")
	w.Restart(t)
	clock.Advance(24 * time.Hour)
	waittest.Until(t, "the next post", func() bool { return len(posts(t, w)) == 2 })
	past := w.Answer(t, w.Ada.Click(t, post, "Solve it"))
	bottest.WantText(t, past, "That puzzle is over.")
	bottest.WantText(t, past, "Best play")
	if !past.Snapshot().Ephemeral() {
		t.Error("the solution of a day that is over is there for everybody")
	}
	next := puzzleAt(t, clock)
	today := w.Answer(t, w.Ada.Click(t, past, "Today's puzzle"))
	bottest.WantText(t, today, fmt.Sprintf("Puzzle %d", puzzle.Number(next.Day)))
}

// TestPuzzleStreaksAreALeaderboard: they are a tab of the leaderboard, by days and then by
// tries, with pages and one's own place on each.
func TestPuzzleStreaksAreALeaderboard(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	day, guild := store.DayOf(clock.Now()), store.GuildID(w.Discord.Guild().ID())
	var c store.Change
	var people []*sandbox.User
	for n := range 12 {
		u := store.UserID(w.Bob.ID())
		if n < 11 {
			people = append(people, w.Discord.User(fmt.Sprintf("P%02d", n)))
			u = store.UserID(people[n].ID())
		}
		c.Tries = append(c.Tries, store.PuzzleTry{User: u, Day: day, Guild: guild, State: store.PuzzleSolved})
		c.Puzzlers = append(c.Puzzlers, store.Puzzler{User: u, Solved: 4, Streak: 4, Best: 4, Tries: 4 + n/2, Last: day})
	}
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	table := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"))
	turnsTo(t, w.Bob, table, "streaks")
	bottest.WantText(t, table, "🥇 **P00** · 🔥 4 in 4 tries\n🥇 **P01** · 🔥 4 in 4 tries\n🥉 **P02** · 🔥 4 in 5 tries")
	bottest.WantText(t, table, "Your place: **11** · 🔥 4 in 9 tries")
	wantPages(t, table, "1/2", "▶")
	w.Bob.Click(t, table, "▶")
	bottest.WantText(t, table, "`11` **P10** · 🔥 4 in 9 tries")
	bottest.WantText(t, table, "`11` **Bob** · 🔥 4 in 9 tries")
	bottest.WantText(t, table, "Your place: **11**")

	// Who has left is not ranked any more, and the others move up; with the next puzzle that
	// they solve here they are back.
	people[0].Leave(w.Discord.Guild())
	people[4].Leave(w.Discord.Guild())
	w.Restart(t) // and forgets names
	turnsTo(t, w.Bob, table, "streaks")
	bottest.WantText(t, table, "🥇 **P01** · 🔥 4 in 4 tries\n🥈 **P02** · 🔥 4 in 5 tries\n🥈 **P03** · 🔥 4 in 5 tries\n` 4` **P05**")
	bottest.WantText(t, table, "Your place: **9** · 🔥 4 in 9 tries")
	people[4].Join(w.Discord.Guild())
	clock.Advance(24 * time.Hour)
	solves(t, w, people[4], opens(t, w, people[4]), puzzleAt(t, clock))
	turnsTo(t, w.Bob, table, "streaks")
	bottest.WantText(t, table, "🥇 **P04** · 🔥 5 in 7 tries\n🥈 **P01**")
	turnsTo(t, w.Bob, table, "month")
	bottest.WantText(t, table, "🏆 **This month**")
	turnsTo(t, w.Bob, table, "streaks")
	clock.Advance(3 * 24 * time.Hour)
	turnsTo(t, w.Bob, table, "all")
	turnsTo(t, w.Bob, table, "streaks")
	bottest.WantText(t, table, "Nobody has a streak yet.")
	bottest.WantText(t, table, "You're not on this leaderboard yet.")
}

// TestPuzzleStreaksOfMany: the best of a server are at the top however many there are, and who
// comes last has their place; more pages than can be turned to are not counted.
func TestPuzzleStreaksOfMany(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	day, guild := store.DayOf(clock.Now()), store.GuildID(w.Discord.Guild().ID())
	const many = store.MostListed + 5
	best := store.UserID(strconv.Itoa(900_000 + many))
	var c store.Change
	for n := range many {
		p := store.Puzzler{User: store.UserID(strconv.Itoa(900_000 + n)), Solved: 9, Streak: 4, Best: 9, Tries: 6, Last: day}
		switch n {
		case many - 2:
			p.User, p.Streak = store.UserID(w.Bob.ID()), 1
		case many - 1:
			p.User, p.Streak = best, 9
		}
		c.Tries = append(c.Tries, store.PuzzleTry{User: p.User, Day: day, Guild: guild, State: store.PuzzleSolved})
		c.Puzzlers = append(c.Puzzlers, p)
	}
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	w.Discord.Faults().FailNext("GET /guilds/{guild_id}/members/{user_id}", 403, 100) // whether they are members is not told
	table := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"))
	turnsTo(t, w.Bob, table, "streaks")
	bottest.WantText(t, table, "🥇 <@"+string(best)+"> · 🔥 9 in 6 tries\n🥈 <@900000> · 🔥 4 in 6 tries\n🥈 <@900001>")
	bottest.WantText(t, table, "Your place: **1005** · 🔥 1 in 6 tries")
	wantPages(t, table, "1/100+", "▶")
	turnsTo(t, w.Bob, table, "all") // nobody is left on the screen whom Discord does not know
	bottest.WantText(t, table, "Nobody yet – win one and you lead.")
}

// TestPuzzlePostGone: where the channel has been deleted posting ends, too, and the settings
// say why.
func TestPuzzlePostGone(t *testing.T) {
	t.Parallel()
	w, clock, mod, due := posting(t)
	w.Discord.Faults().RefuseNext(createMessage, 404, 10003)
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the end of posting", func() bool {
		p := stored(t, w).Puzzle
		return p.Fault == store.ChannelGone && p.Channel == "" && p.Due.IsZero()
	})
	m := panel(t, w, mod)
	mod.ClickID(t, m, "1:st:puzzle")
	bottest.WantText(t, m, "channel is gone")
}

// TestPuzzleIsPostedAtOnce: who manages a server need not wait for its hour. There is one post a
// day nonetheless, and one where it was pressed twice.
func TestPuzzleIsPostedAtOnce(t *testing.T) {
	t.Parallel()
	w, clock, mod, due := posting(t)
	m := opened(t, w, mod, "puzzle")
	press := func(says string) {
		t.Helper()
		w.FollowUp(t, mod.Click(t, m, "Post today's puzzle now"), says)
	}
	press("Today's puzzle is posted: ")
	press(posts(t, w)[0].Link())
	wantTab(t, m, "Puzzle")
	choose(t, mod, m, "puzzle_hour", "19")
	choose(t, mod, m, "puzzle_hour", "18")
	if next := stored(t, w).Puzzle.Due; !next.Equal(due.Add(24 * time.Hour)) {
		t.Errorf("the next one is due %v, and that of today was %v", next, due)
	}
	clock.Advance(due.Add(time.Minute).Sub(clock.Now()))
	w.Bystander(t)
	if n := len(posts(t, w)); n != 1 {
		t.Errorf("%d posts on one day", n)
	}
	clock.Advance(24 * time.Hour)
	waittest.Until(t, "the post of the next day", func() bool { return len(posts(t, w)) == 2 })

	w.Discord.Faults().FailNext(createMessage, 500, 1000)
	press("I'll try again shortly")
	w.Discord.Faults().Clear()
	for range 10 {
		w.Discord.Faults().SlowNext(createMessage, waittest.Limit(1500*time.Millisecond)) // and the answer waits for a second
	}
	press("I'll try again shortly")
	w.Discord.Faults().Clear()
}

// TestPuzzlePostedAtOnceIsForbidden: who manages a server reads why nothing was posted.
func TestPuzzlePostedAtOnceIsForbidden(t *testing.T) {
	t.Parallel()
	w, _, mod, _ := posting(t)
	w.Discord.Faults().RefuseNext(createMessage, 403, 50013)
	w.FollowUp(t, mod.Click(t, opened(t, w, mod, "puzzle"), "Post today's puzzle now"), "I can't post in that channel")
	if p := stored(t, w).Puzzle; p.Channel != "" || p.Fault != store.ChannelNotPermitted {
		t.Errorf("stored is %+v", p)
	}
}

// TestPuzzlePostNotifiesItsRole: the one that was set, and nobody else.
func TestPuzzlePostNotifiesItsRole(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	role := store.RoleID("77")
	g := stored(t, w)
	g.Puzzle.Role = role
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the post", func() bool { return len(posts(t, w)) == 1 })
	if text := posts(t, w)[0].Snapshot().Text(); !strings.Contains(text, "<@&77>") {
		t.Errorf("the post says %q", text)
	}
	for _, r := range w.Discord.REST().Requests() {
		if body := string(r.Body); strings.HasSuffix(r.Path, "/messages") && !strings.Contains(body, `"allowed_mentions":{"parse":[],"roles":["77"]}`) {
			t.Errorf("the post was sent as %s", body)
		}
	}
}

// TestPuzzlePostClaimedByAnother: of two who look at the same time one posts.
func TestPuzzlePostClaimedByAnother(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	g := stored(t, w)
	w.Stop(t)
	g.Puzzle.Due = due.Add(24 * time.Hour) // as another process leaves it
	w.Tamper(t, func(s *sqlite.Store) error {
		return s.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}})
	})
	clock.Advance(due.Sub(clock.Now()))
	w.Start(t)
	w.Bystander(t)
	clock.Advance(24 * time.Hour)
	waittest.Until(t, "the post of the next day", func() bool { return len(posts(t, w)) > 0 })
	if n := len(posts(t, w)); n != 1 {
		t.Errorf("%d posts, want that of the next day alone", n)
	}
}

// TestPuzzlePostForbidden: where the bot may not post it stops, and the settings say why
// until somebody sets it again.
func TestPuzzlePostForbidden(t *testing.T) {
	t.Parallel()
	w, clock, mod, due := posting(t)
	w.Discord.Faults().RefuseNext(createMessage, 403, 50013)
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the end of posting", func() bool {
		p := stored(t, w).Puzzle
		return p.Fault == store.ChannelNotPermitted && p.Channel == "" && p.Due.IsZero()
	})
	m := panel(t, w, mod)
	mod.ClickID(t, m, "1:st:puzzle")
	bottest.WantText(t, m, "I can't post in that channel")
	choose(t, mod, m, "puzzle", w.Channel.ID())
	bottest.WantText(t, m, "Next in")
	clock.Advance(24 * time.Hour)
	waittest.Until(t, "the post", func() bool { return len(posts(t, w)) == 1 })
}

// TestAClockThatWasAhead: what was stored while the clock was ahead by a month is as if it had
// not been once that is right again: the puzzle is posted the next day, who was declined may
// challenge, and a streak begins and is listed.
func TestAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	const ahead = 30 * 24 * time.Hour
	clock.Advance(ahead)
	waittest.Until(t, "the post to be claimed", func() bool { return stored(t, w).Puzzle.Due.After(clock.Now()) })
	solves(t, w, w.Cleo, opens(t, w, w.Cleo), puzzleAt(t, clock))
	asked := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob)))
	w.Bob.Click(t, asked, "Decline")
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob)), "can't play right now")

	clock.Advance(-ahead)
	w.Restart(t) // a process measures its own times by a clock that nobody sets
	w.Bystander(t)
	clock.Advance(2 * time.Second) // it looks for posts every second
	waittest.Until(t, "the right time of the post", func() bool { return stored(t, w).Puzzle.Due.Equal(due) })
	before := len(posts(t, w))
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the post", func() bool { return len(posts(t, w)) == before+1 })
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob))), "challenges you")
	m := opens(t, w, w.Cleo)
	solves(t, w, w.Cleo, m, puzzleAt(t, clock))
	bottest.WantText(t, m, "🔥\u00a01 (best 1)")
	table := w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe leaderboard"))
	turnsTo(t, w.Cleo, table, "streaks")
	bottest.WantText(t, table, "Your place: **1** · 🔥 1 in 1 try")
}

// TestRecap: who has shared how it went and wants that is named in the next post, whoever else
// solved it is counted where they are at least three, and the server's streak goes on for as
// long as two people solve it each day. Nobody is named who has turned it off meanwhile.
func TestRecap(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	next := func(n int) *sandbox.Message {
		t.Helper()
		clock.Advance(due.Add(time.Duration(n-1) * 24 * time.Hour).Sub(clock.Now()))
		waittest.Until(t, fmt.Sprintf("post %d", n), func() bool { return len(posts(t, w)) == n })
		return posts(t, w)[n-1]
	}
	solve := func(post *sandbox.Message, who *sandbox.User) *sandbox.Message {
		t.Helper()
		m := w.Answer(t, who.Click(t, post, "Solve it"))
		solves(t, w, who, m, puzzleAt(t, clock))
		return m
	}
	first := next(1)
	if text := first.Text(); strings.Contains(text, "yesterday") || strings.Contains(text, "streak") {
		t.Errorf("the first post tells of a day before: %q", text)
	}
	r := w.Ada.Click(t, solve(first, w.Ada), "Share")
	w.Answer(t, r)
	w.Ada.Click(t, w.FollowUp(t, r, "Can tomorrow's recap here name you?"), "Yes, name me")
	r = w.Bob.Click(t, solve(first, w.Bob), "Share")
	w.Answer(t, r)
	w.Bob.Click(t, w.FollowUp(t, r, "Can tomorrow's recap here name you?"), "No")
	w.Restart(t)

	second := next(2)
	bottest.WantText(t, second, fmt.Sprintf("Puzzle %d, yesterday: 1/3 Ada\n", puzzle.Number(store.DayOf(clock.Now())-1)))
	bottest.WantText(t, second, "Best play: ")
	if s := second.Snapshot(); strings.Contains(s.Text(), "Bob") || strings.Contains(s.Text(), "streak") || len(s.Pinged) > 0 || len(s.Badged) > 0 {
		t.Errorf("%q notifies %v", s.Text(), s.Pinged)
	}
	for _, who := range []*sandbox.User{w.Ada, w.Bob} {
		w.Answer(t, who.Click(t, solve(second, who), "Share"))
	}
	for _, name := range []string{"Dan", "Eve"} {
		solve(second, w.Discord.User(name))
	}
	prefs := preferencesOf(t, w, w.Ada, "messages")
	w.Ada.ClickID(t, prefs, "1:pf:recap:off")

	third := next(3)
	bottest.WantText(t, third, "🔥 **This server's streak: 2 days.**")
	bottest.WantText(t, third, "yesterday: solved here by 4 people")
	if strings.Contains(third.Text(), "Ada") {
		t.Errorf("who has turned it off is named: %q", third.Text())
	}
	if fourth := next(4).Text(); strings.Contains(fourth, "streak") || strings.Contains(fourth, "yesterday") {
		t.Errorf("after a day without anybody: %q", fourth)
	}
}

// TestPostsPause: after seven days on which nobody has opened the puzzle the last post says
// that no other follows, and they go on once somebody wants that.
func TestPostsPause(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	for n := range match.PuzzleIdle + 1 {
		clock.Advance(due.Add(time.Duration(n) * 24 * time.Hour).Sub(clock.Now()))
		waittest.Until(t, fmt.Sprintf("post %d", n+1), func() bool { return len(posts(t, w)) == n+1 })
	}
	last := posts(t, w)[match.PuzzleIdle]
	bottest.WantText(t, last, "this is the last one for now")
	if before := posts(t, w)[match.PuzzleIdle-1].Text(); strings.Contains(before, "the last one") {
		t.Errorf("a day too early: %q", before)
	}
	clock.Advance(48 * time.Hour)
	w.Bystander(t)
	if n := len(posts(t, w)); n != match.PuzzleIdle+1 {
		t.Fatalf("%d posts in spite of the pause", n)
	}
	w.Restart(t)
	for range 2 { // the second press changes nothing
		bottest.WantText(t, w.Answer(t, w.Ada.Click(t, last, "Go on")), "The next puzzle comes")
	}
	clock.Advance(24 * time.Hour)
	waittest.Until(t, "the posts to go on", func() bool { return len(posts(t, w)) == match.PuzzleIdle+2 })
	g, err := w.Store.GuildSettings(t.Context(), store.GuildID(w.Discord.Guild().ID()))
	if err != nil {
		t.Fatal(err)
	}
	g.Puzzle.Channel, g.Puzzle.Due = "", time.Time{}
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}}); err != nil {
		t.Fatal(err)
	}
	w.Restart(t) // which reads the settings anew
	w.Refused(t, w.Ada.Click(t, last, "Go on"), "This server no longer wants the puzzle posted.")
}
