package bot_test

import (
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/store"
)

// running returns the private games of somebody that are running.
func running(t *testing.T, w *bottest.World, who *sandbox.User) []store.Match {
	t.Helper()
	all, err := w.Store.PrivateMatches(t.Context(), "", store.UserID(who.ID()), 25)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestChangedGame: a private game that nobody has moved in gives way to another one, as often as
// its player likes, and counts for nothing. Where they have moved meanwhile it goes on.
func TestChangedGame(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("private", true), sandbox.Opt("clock", "3d")))
	for _, board := range []string{"4x4", "5x5", "4x4", "5x5", "4x4", "5x5", "4x4"} {
		w.Ada.Click(t, m, "Change")
		for c := range rules.All(m.Snapshot().Components) {
			id, err := customid.Parse(c.CustomID)
			if err == nil && id.Action == customid.ChangeBoard {
				w.Ada.Select(t, m, c.CustomID, board)
				break
			}
		}
		w.Ada.Click(t, m, "Play")
		if all := running(t, w, w.Ada); len(all) != 1 || all[0].Rules.String() != board || all[0].Clock != 72*time.Hour {
			t.Fatalf("running are %+v, want one on %s with the clock that was chosen", all, board)
		}
	}
	before := running(t, w, w.Ada)[0]
	w.Ada.Click(t, m, "Change")
	w.Ada.Click(t, m, "Play") // the same
	bottest.WantText(t, m, "your move")
	if after := running(t, w, w.Ada)[0]; after.ID != before.ID {
		t.Error("nothing else was chosen, and another game began")
	}

	w.Cell(t, w.Ada, m, "a1")
	late := customid.ID{Action: customid.ChangePlay, Match: before.ID, Choice: match.DefaultChoice}
	w.Ada.ClickID(t, m, late.String(), sandbox.Forced)
	if all := running(t, w, w.Ada); len(all) != 1 || all[0].ID != before.ID || len(all[0].Moves) != 2 {
		t.Errorf("running are %+v", all)
	}
	if _, ok := m.Snapshot().Button("Change"); ok {
		t.Error("a game in which somebody has moved can be changed")
	}
	w.Refused(t, w.Bob.ClickID(t, w.Play(t, w.Cleo), customid.ID{Action: customid.Change, Match: before.ID}.String(), sandbox.Forced), "out of date")
}

// TestChoicesOfBefore: the choice that older lobbies led to goes on working.
func TestChoicesOfBefore(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("private", true)))
	for id, value := range map[string]string{"1:ln:medium:4x4:me": "easy", "1:lo:medium:3x3:me": "4x4"} {
		c, err := w.Ada.Do(sandbox.Selection{Message: m, CustomID: id, Values: []string{value}, Forced: true})
		if err != nil {
			t.Fatal(err)
		}
		c.Wait(t)
		bottest.WantText(t, m, "Who do you want to play")
	}
	w.Ada.Click(t, m, "Play privately")
	bottest.WantText(t, m, "four in a row")
}
