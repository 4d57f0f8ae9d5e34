package bot_test

import (
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
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
	old := "1:c:" + strings.Split(free, ":")[2] + ":0:8"
	for _, id := range []string{free, button(t, own, "Names"), button(t, own, "Resign"), old} {
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
	guild := w.Discord.AddGuild("Away")
	w.Bob.Join(guild)
	here := w.Answer(t, w.Bob.Command(t, guild.Channel("general"), "tictactoe help"))
	for _, label := range []string{"Accept", "Decline", "Withdraw"} {
		r := w.Bob.ClickID(t, here, button(t, m, label), sandbox.Forced)
		w.Refused(t, r, "This button is out of date")
	}
	bottest.WantText(t, m, "challenges you")
	w.Answer(t, w.Bob.Click(t, m, "Accept"))
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
		w.Refused(t, c.Wait(t), "Only members who may manage this server")
	}
	if n := len(w.Channel.Messages(w.Bob)); n != 0 {
		t.Errorf("%d messages are posted for all to see", n)
	}
}
