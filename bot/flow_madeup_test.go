package bot_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestEveryActionMadeUp: an ID of each kind that names what is somebody else's, pressed or with
// values that nobody offers, on messages of each kind, is answered in words, is no mistake of
// ours, and leaves what is theirs as it is.
func TestEveryActionMadeUp(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered, bottest.StartLimit("none"))
	eve := w.Discord.User("Eve")
	theirs := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, theirs, w.Ada, w.Bob, "a1")
	running := w.Match(t)
	w.Channel = w.Side("side")
	open := w.Offer(t, w.Cleo, w.Ada)
	asked, err := customid.Parse(button(t, open, "Accept"))
	if err != nil {
		t.Fatal(err)
	}
	w.Channel = w.Side("own")
	public := w.Play(t, eve)
	private := w.Answer(t, eve.Command(t, w.Channel, "tictactoe help"))
	direct := w.Answer(t, eve.Command(t, eve.DM(), "tictactoe help"))
	for _, action := range customid.Actions() {
		id := customid.ID{
			Action: action, Match: running.ID, Challenge: asked.Challenge, Resign: running.ID, Ply: 1, Tries: 1, Cell: 4, Wrong: 5,
			Choice: match.Choice{Opponent: "hard", Rules: engine.Standard, First: match.FirstMe},
			User:   store.UserID(w.Ada.ID()), Setting: "nothing", Preference: "nothing", Value: "nothing", Day: store.DayOf(time.Now()),
		}.String()
		on := map[string]*sandbox.Message{"public": public, "theirs": theirs, "private": private, "direct": direct}
		if action == customid.ShowStats {
			delete(on, "direct") // where nothing tells their name, and what others see notifies nobody
		}
		for place, m := range on {
			answers := map[string]*sandbox.Reply{"pressed": eve.ClickID(t, m, id, sandbox.Forced)}
			call, err := eve.Do(sandbox.Selection{Message: m, CustomID: id, Values: []string{"what nobody offers"}, Forced: true})
			switch {
			case err == nil:
				answers["chosen"] = call.Wait(t)
			case !errors.Is(err, sandbox.ErrNoComponent): // it is a button there
				t.Fatal(err)
			}
			for how, r := range answers {
				if !r.Answered() || strings.Contains(r.Text(), "went wrong") {
					t.Errorf("%s (%s), %s, %s: answered %v: %q", action, action.Name(), place, how, r.Answered(), r.Text())
				}
			}
		}
	}
	if now, err := w.Store.Match(t.Context(), running.ID); err != nil || now.State != store.Active || len(now.Moves) != 1 || now.X != running.X || now.O != running.O {
		t.Errorf("the match is %+v, %v, and was %+v", now, err, running)
	}
	if now, err := w.Store.Challenge(t.Context(), asked.Challenge); err != nil || now.State != store.Open {
		t.Errorf("the challenge is %+v, %v", now, err)
	}
	w.Cells(t, theirs, w.Bob, w.Ada, "b2")
}
