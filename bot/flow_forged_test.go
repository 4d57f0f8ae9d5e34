package bot_test

import (
	"strconv"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// TestForgedClicksLeaveOtherBoardsAlone: an ID of one's own game that is sent from
// somebody else's board turns that board into nothing else.
func TestForgedClicksLeaveOtherBoardsAlone(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	theirs := w.Challenge(t, w.Ada, w.Bob)
	eve := w.Discord.User("Eve")
	side := w.Discord.Guild().Channel("side")
	own := w.Answer(t, eve.Command(t, side, "tictactoe play"))
	before := theirs.Snapshot()
	var free string
	for _, b := range own.Snapshot().Rows()[0] {
		if b.Label == "\u200b" {
			free = b.CustomID
		}
	}
	match := strings.Split(free, ":")[2]
	for _, id := range []string{free, button(t, own, "⋯ More"), "1:c:" + match + ":0:8", "1:n:" + match, "1:kt:" + match, "1:r:" + match, "1:kn:" + match, "1:ko:" + match} {
		r := eve.ClickID(t, theirs, id, sandbox.Forced)
		if !r.Answered() {
			t.Errorf("%s was not answered", id)
		}
		now := theirs.Snapshot()
		if now.Text() != before.Text() || bottest.Grid(now) != bottest.Grid(before) || now.Rows()[0][0].CustomID != before.Rows()[0][0].CustomID {
			t.Fatalf("%s turned somebody else's board into %q", id, now.Text())
		}
	}
	w.Cells(t, theirs, w.Ada, w.Bob, "a1", "b2")
}

// TestForgedAcceptanceLeavesOtherBoardsAlone: who is challenged accepts from somebody else's
// board. Their game begins, and that board stays what it is.
func TestForgedAcceptanceLeavesOtherBoardsAlone(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	theirs := w.Challenge(t, w.Cleo, w.Discord.User("Eve"))
	before := theirs.Snapshot()
	asked := w.Offer(t, w.Ada, w.Bob)
	r := w.Bob.ClickID(t, theirs, button(t, asked, "Accept"), sandbox.Forced)
	if !r.Answered() {
		t.Fatalf("not answered: %v", r.Problems)
	}
	w.Stop(t) // redraws are through
	if _, open := asked.Snapshot().Button("Accept"); open || bottest.Grid(w.Answer(t, r).Snapshot()) == "" {
		t.Errorf("the challenge looks open %v, and the answer is %q", open, r.Text())
	}
	if now := theirs.Snapshot(); now.Text() != before.Text() || bottest.Grid(now) != bottest.Grid(before) {
		t.Errorf("somebody else's board became %q", now.Text())
	}
}

// TestRematchStaysWhereItsGameWas: a rematch that is made up elsewhere would stand where
// nobody looks for it, and take a place by the rules of another server.
func TestRematchStaysWhereItsGameWas(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	over := w.Play(t, w.Ada)
	w.Resign(t, w.Ada, over)
	here := w.Answer(t, w.Ada.Command(t, w.Side("side"), "tictactoe help"))
	w.Refused(t, w.Ada.ClickID(t, here, button(t, over, "Rematch"), sandbox.Forced), "This button is out of date")
	w.Free(t)
	w.Answer(t, w.Ada.Click(t, over, "Rematch"))
}

// TestSeriesEndsForNobodyElsewhere: whoever makes up the button that ends a series, in another
// server or in direct messages, with every right that they have there, ends nothing.
func TestSeriesEndsForNobodyElsewhere(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	more := strings.Split(button(t, series(t, w, "3"), "More"), ":")[2]
	n, _ := strconv.ParseInt(more, 36, 64)
	w.Handled(t)
	before, err := w.Store.Match(t.Context(), store.MatchID(n))
	if err != nil || !before.GoesOn {
		t.Fatalf("the series goes on %v, %v", before.GoesOn, err)
	}
	eve := w.Discord.User("Eve", sandbox.Moderator)
	guild := w.Discord.World().AddGuild("Elsewhere")
	eve.Join(guild)
	for _, elsewhere := range []*sandbox.Channel{guild.Channel("chat"), eve.DM(), w.Side("side")} {
		help := w.Answer(t, eve.Command(t, elsewhere, "tictactoe help"))
		w.Refused(t, eve.ClickID(t, help, "1:me:"+more, sandbox.Forced), "")
	}
	if now, err := w.Store.Match(t.Context(), before.ID); err != nil || now.Version != before.Version || !now.GoesOn {
		t.Errorf("the series goes on %v, at version %d instead of %d, %v", now.GoesOn, now.Version, before.Version, err)
	}
}

// TestForgedValues: whatever a select is said to hold, also on panels of earlier versions, what
// nobody offers is refused and does nothing.
func TestForgedValues(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	table := w.Finished(t)
	over := strings.Split(button(t, table, "Rematch"), ":")[2]
	own := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help"))
	private := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("private", true)))
	before := w.Private(t, w.Ada)[0]
	hidden := strconv.FormatInt(int64(before.ID), 36)
	for _, forged := range []struct {
		on *sandbox.Message
		id string
	}{
		{own, "1:ln:medium:3x3:me"},
		{own, "1:lo:medium:3x3:me"},
		{private, "1:cv:" + hidden + ":medium:3x3:me"},
		{private, "1:cb:" + hidden + ":medium:3x3:me"},
		{own, "1:ml:" + over + ":medium:3x3:me"},
		{own, "1:mb:" + over + ":medium:3x3:me"},
	} {
		for name, values := range map[string][]string{"nothing": nil, "what nobody offers": {"9x9"}, "two": {"4x4", "hard"}} {
			call, err := w.Ada.Do(sandbox.Selection{Message: forged.on, CustomID: forged.id, Values: values, Forced: true})
			if err != nil {
				t.Fatal(err)
			}
			if r := call.Wait(t); !r.Answered() || !r.Ephemeral || !strings.Contains(r.Text(), "I don't know that choice") {
				t.Errorf("%s with %s: answered %v, private %v: %q", forged.id, name, r.Answered(), r.Ephemeral, r.Text())
			}
		}
	}
	if now := w.Private(t, w.Ada); len(now) != 1 || now[0].Version != before.Version {
		t.Errorf("private games, where there was one: %+v", now)
	}
}

func button(t *testing.T, m *sandbox.Message, label string) string {
	t.Helper()
	b, ok := m.Snapshot().Button(label)
	if !ok {
		t.Fatalf("no button %q", label)
	}
	return b.CustomID
}

// TestChallengesStayInTheirGuild: a challenge is accepted, closed and renewed in the
// guild where it was made, and nowhere else.
func TestChallengesStayInTheirGuild(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Offer(t, w.Ada, w.Bob)
	guild := w.Discord.World().AddGuild("Away")
	w.Bob.Join(guild)
	here := w.Answer(t, w.Bob.Command(t, guild.Channel("general"), "tictactoe help"))
	challenge := strings.TrimPrefix(button(t, m, "Accept"), "1:a:")
	for _, action := range []string{"a", "d", "x", "g"} {
		r := w.Bob.ClickID(t, here, "1:"+action+":"+challenge, sandbox.Forced)
		w.Refused(t, r, "This button is out of date")
	}
	bottest.WantText(t, m, "challenges you")
	w.Answer(t, w.Bob.Click(t, m, "Accept"))

	// Nor does one that a game makes leave the guild of that game.
	w.Cells(t, m, w.Ada, w.Bob, "b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")
	w.Refused(t, w.Bob.ClickID(t, here, button(t, w.More(t, w.Ada, m), "Play"), sandbox.Forced), "This button is out of date")
	won := w.Finished(t)
	more, winner := button(t, won, "More"), button(t, w.More(t, w.Cleo, won), "Play the winner")
	w.Cleo.Join(guild)
	for _, ch := range []*sandbox.Channel{guild.Channel("general"), w.Cleo.DM()} {
		here := w.Answer(t, w.Cleo.Command(t, ch, "tictactoe help"))
		w.Refused(t, w.Cleo.ClickID(t, here, winner, sandbox.Forced), "This button is out of date")
		w.Refused(t, w.Cleo.ClickID(t, here, more, sandbox.Forced), "This button is out of date")
	}
}

// TestShowBoardStaysInItsGuild: who does not play sees a board in its server only. Who plays
// finds their own from everywhere, privately.
func TestShowBoardStaysInItsGuild(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Challenge(t, w.Ada, w.Bob)
	id := "1:b:" + button(t, m, "⋯ More")[len("1:mo:"):]
	w.Refused(t, w.Cleo.ClickID(t, m, id, sandbox.Forced), w.Ada.Mention()+", your move")
	guild := w.Discord.World().AddGuild("Away")
	for _, u := range []*sandbox.User{w.Ada, w.Cleo} {
		u.Join(guild)
	}
	for _, ch := range []*sandbox.Channel{guild.Channel("general"), w.Cleo.DM()} {
		here := w.Answer(t, w.Cleo.Command(t, ch, "tictactoe help"))
		w.Refused(t, w.Cleo.ClickID(t, here, id, sandbox.Forced), "This button is out of date")
	}
	here := w.Answer(t, w.Ada.Command(t, guild.Channel("general"), "tictactoe help"))
	w.Refused(t, w.Ada.ClickID(t, here, id, sandbox.Forced), w.Ada.Mention()+", your move")
}

// TestAdminsCommandsNeedTheRight: a server can give the admins' command to anybody, and
// lobbies, settings and what the bot lacks are for who manages it nonetheless.
func TestAdminsCommandsNeedTheRight(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for _, sub := range []string{"lobby", "check", "settings"} {
		c, err := w.Ada.Do(sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe-admin " + sub, Forced: true})
		if err != nil {
			t.Fatal(err)
		}
		w.Refused(t, c.Wait(t), "You need the *Manage Server* permission")
	}
	if n := len(w.Channel.Messages(w.Bob)); n != 0 {
		t.Errorf("%d messages are posted for all to see", n)
	}
}

// TestALobbyDeliveredAgainAfterARestart: there is one message to pin, also where a process
// is asked for it that does not know of the first delivery.
func TestALobbyDeliveredAgainAfterARestart(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	call := manager(w, "Mona").StartCommand(t, w.Channel, "tictactoe-admin lobby")
	call.Wait(t)
	w.Restart(t)
	w.Discord.Faults().Redeliver(call)
	w.Bystander(t) // comes after it
	w.Stop(t)      // when it has been handled
	if n := len(w.Channel.Messages(w.Bob)); n != 1 {
		t.Errorf("%d lobbies are posted, want one", n)
	}
}
