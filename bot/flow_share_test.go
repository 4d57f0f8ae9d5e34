package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// shownBetter is the review of a match at its first mistake, with what would have been better.
func shownBetter(t *testing.T, w *bottest.World, who *sandbox.User, board *sandbox.Message) *sandbox.Message {
	t.Helper()
	review := w.Answer(t, who.Click(t, board, "Review"))
	who.Click(t, review, "Show it")
	bottest.WantText(t, review, "✅")
	return review
}

// shared are the private messages from which something is posted, with the button for it.
func shared(t *testing.T, w *bottest.World, clock *bottest.Clock, who *sandbox.User) map[string]func() *sandbox.Call {
	t.Helper()
	review := shownBetter(t, w, who, w.Finished(t))
	stats := w.Answer(t, who.Command(t, w.Channel, "tictactoe stats", sandbox.OptUser("user", w.Ada)))
	leaders := w.Answer(t, who.Command(t, w.Channel, "tictactoe leaderboard"))
	riddle := opens(t, w, who)
	solves(t, w, who, riddle, puzzleAt(t, clock))
	return map[string]func() *sandbox.Call{
		"a leaderboard": func() *sandbox.Call { return who.StartClick(t, leaders, "Show here") },
		"a review":      func() *sandbox.Call { return who.StartClick(t, review, "Share") },
		"statistics":    func() *sandbox.Call { return who.StartClick(t, stats, "Show here") },
		"a puzzle":      func() *sandbox.Call { return who.StartClick(t, riddle, "Share") },
	}
}

// everybodys returns the messages that everybody sees in the channel.
func everybodys(w *bottest.World) (n int) {
	for _, m := range w.Channel.Messages(nil) {
		if !m.Snapshot().Ephemeral() {
			n++
		}
	}
	return n
}

const sharedAlready = "This was posted here a few minutes ago."

// TestSharedOnce: what was posted is not posted again in its channel for ten minutes, whoever
// asks and over a restart: they are led to where it stands. It is in another channel.
func TestSharedOnce(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	stands := map[string]*sandbox.Message{}
	for what, press := range shared(t, w, clock, w.Ada) {
		stands[what] = w.Answer(t, press().Wait(t))
		if s := stands[what].Snapshot(); s.Ephemeral() {
			t.Fatalf("%s is private: %s", what, s.Text())
		}
		before := everybodys(w)
		waittest.Until(t, "the link to "+what, func() bool {
			told := w.Refused(t, press().Wait(t), sharedAlready)
			return strings.HasSuffix(told.Text(), "/"+stands[what].ID())
		})
		if n := everybodys(w) - before; n != 0 {
			t.Errorf("%s again: %d messages more", what, n)
		}
	}
	w.Restart(t)
	others := shared(t, w, clock, w.Bob) // another game, and a puzzle of Bob's
	for _, what := range []string{"statistics", "a leaderboard"} {
		told := w.Refused(t, others[what]().Wait(t), sharedAlready)
		if !strings.HasSuffix(told.Text(), "/"+stands[what].ID()) {
			t.Errorf("told of %q, and %s stand in %s", told.Text(), what, stands[what].ID())
		}
	}
	for _, what := range []string{"a review", "a puzzle"} {
		w.Answer(t, others[what]().Wait(t))
	}
	here := w.Channel
	w.Channel = w.Side("side")
	for what, press := range shared(t, w, clock, w.Cleo) {
		if s := w.Answer(t, press().Wait(t)).Snapshot(); s.Ephemeral() {
			t.Errorf("%s in another channel: %q", what, s.Text())
		}
	}
	w.Channel = here
	clock.Advance(10*time.Minute + time.Second)
	if s := w.Answer(t, others["statistics"]().Wait(t)).Snapshot(); s.Ephemeral() {
		t.Errorf("ten minutes later: %q", s.Text())
	}
}

// TestSharedAtOnce: of many presses at the same moment, in two processes, one posts.
func TestSharedAtOnce(t *testing.T) {
	t.Parallel()
	w, other := twoProcesses(t, bottest.ByHTTP)
	board := w.Finished(t)
	var from []*sandbox.Message
	for range 6 {
		from = append(from, shownBetter(t, w, w.Ada, board))
	}
	before := everybodys(w)
	var calls []*sandbox.Call
	for i, m := range from {
		if w.PostsTo(w.Service, nil); i%2 == 1 {
			w.PostsTo(other.Service, nil)
		}
		calls = append(calls, w.Ada.StartClick(t, m, "Share"))
	}
	refused := 0
	for _, c := range calls {
		if strings.HasPrefix(c.Wait(t).Text(), sharedAlready) {
			refused++
		}
	}
	waittest.Until(t, "the post", func() bool { return everybodys(w) == before+1 })
	if refused != len(calls)-1 {
		t.Errorf("%d of %d presses were refused", refused, len(calls))
	}
}

// TestSharedAgainAfterAFailure: what could not be posted may be by the next.
func TestSharedAgainAfterAFailure(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	press := shared(t, w, clock, w.Ada)["a review"]
	before := everybodys(w)
	w.Discord.Faults().RefuseNext(sandbox.RouteCreateMessage, 403, 50013)
	w.Discord.Faults().RefuseNext(sandbox.RouteFollowUp, 400, 50035)
	press().Wait(t)
	var again *sandbox.Reply
	waittest.Until(t, "the failure to be noted", func() bool {
		again = press().Wait(t)
		return again.Type != sandbox.CallbackMessage
	})
	w.Answer(t, again)
	if n := everybodys(w) - before; n != 1 {
		t.Errorf("%d messages more", n)
	}
}

// TestSharedByWhoMaySend: who may not send messages in a channel has nothing posted there
// either.
func TestSharedByWhoMaySend(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	all := shared(t, w, clock, w.Ada)
	before := everybodys(w)
	everyone := w.Discord.Guild().Role("@everyone")
	w.Channel.Set(sandbox.Deny(everyone, permission.SendMessages), sandbox.Allow(w.Discord.Guild().BotRole(), permission.SendMessages))
	for what, press := range all {
		w.Refused(t, press().Wait(t), "You can't send messages here")
		if n := everybodys(w) - before; n != 0 {
			t.Errorf("%s: %d messages more", what, n)
		}
	}
	w.Channel.Set(sandbox.Allow(everyone, permission.SendMessages))
	w.Answer(t, all["a review"]().Wait(t))

	// In direct messages nobody takes that right away.
	w.Channel = w.Ada.DM()
	stats := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats"))
	if s := w.Answer(t, w.Ada.Click(t, stats, "Show here")).Snapshot(); s.Ephemeral() {
		t.Errorf("in direct messages: %q", s.Text())
	}
	w.Refused(t, w.Ada.Click(t, stats, "Show here"), sharedAlready)
}

// TestSharedReview: what is shown says who shows it, notifies nobody, and leads everybody to
// all of the game, where that stood in the server; else to one against the bot.
func TestSharedReview(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	shown := w.Answer(t, w.Cleo.Click(t, shownBetter(t, w, w.Cleo, w.Finished(t)), "Share"))
	s := bottest.WantText(t, shown, "shared by **Cleo**")
	if s.Ephemeral() || len(s.Pinged) > 0 {
		t.Errorf("private %v, notifies %v", s.Ephemeral(), s.Pinged)
	}
	dora := w.Discord.User("Dora")
	says(t, w, dora.Click(t, shown, "Open the game"), "move 2 of 5")

	over(t, w, 2, func(m *store.Match) { m.Place, m.O, m.Message = 0, store.Player{Opponent: "hard"}, "72" })
	own := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe review", sandbox.Opt("game", "72")))
	w.Ada.Click(t, own, "⏭")
	shown = w.Answer(t, w.Ada.Click(t, own, "Share"))
	bottest.WantText(t, shown, "shared by **Ada**")
	w.Refused(t, dora.ClickID(t, shown, customid.ID{Action: customid.Review, Match: 2}.String(), sandbox.Forced), "This button is")
	if r := dora.Click(t, shown, "Play the bot"); !r.Ephemeral {
		t.Error("everybody sees what one person chooses")
	}
}
