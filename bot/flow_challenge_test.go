package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

func TestAcceptTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Offer(t, w.Ada, w.Bob)
	first, second := w.Bob.PrepareClick(t, m, "Accept"), w.Bob.PrepareClick(t, m, "Accept")
	w.Discord.DispatchTogether(first, second)
	a, b := first.Wait(t), second.Wait(t)
	// The second is refused, or shown the board if that is not known to have arrived.
	if a.Type != sandbox.CallbackUpdate && b.Type != sandbox.CallbackUpdate {
		t.Errorf("two Accepts were answered with types %d and %d: no board", a.Type, b.Type)
	}
	if made := len(w.Channel.Messages(w.Cleo)); made != 1 { // refusals are private
		t.Errorf("two Accepts left %d messages, want one board", made)
	}
	for _, r := range []*sandbox.Reply{a, b} {
		if r.Type == sandbox.CallbackMessage {
			w.Refused(t, r, "no longer open")
		}
	}
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
}

// TestChallengesThatCross: two people challenge each other in the same instant. Either
// way one board comes of it.
func TestChallengesThatCross(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for i := range 20 {
		w.Elsewhere(fmt.Sprint("crossing ", i))
		challenge := func(who, whom *sandbox.User) *sandbox.Call {
			return who.MustPrepare(t, sandbox.SlashCommand{
				Channel: w.Channel, Path: "tictactoe challenge", Args: []sandbox.Arg{sandbox.OptUser("user", whom)},
			})
		}
		a, b := challenge(w.Ada, w.Bob), challenge(w.Bob, w.Ada)
		w.Discord.DispatchTogether(a, b)
		for _, r := range []*sandbox.Reply{a.Wait(t), b.Wait(t)} {
			if !r.Answered() || r.Ephemeral {
				t.Fatalf("answered %v privately %v: %v", r.Answered(), r.Ephemeral, r.Problems)
			}
		}
		if m, ok := w.Active(t); !ok || m.X.User == m.O.User {
			t.Fatalf("no game came of two challenges: %+v", m)
		}
	}
}

// takeBack has a challenger take the challenge back.
func takeBack(t *testing.T, w *bottest.World, who *sandbox.User, m *sandbox.Message) {
	t.Helper()
	who.Click(t, w.Refused(t, who.Click(t, m, "Decline"), "Take your challenge back?"), "Yes, take it back")
	bottest.WantText(t, m, "withdrew the challenge")
}

// TestRenewedWhereTheBotMayNotEdit: whoever clicks an expired challenge that was made anew, and
// that the bot could not redraw, is shown the way to the new one, also by a process that has not
// made it.
func TestRenewedWhereTheBotMayNotEdit(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.ChallengeTTL(16*time.Minute), bottest.ClicksDelivered)
	w.Channel = w.Discord.Guild().Channel("closed", sandbox.NoBotView)
	old := w.Offer(t, w.Ada, w.Bob)
	clock.Advance(17 * time.Minute)
	id, err := customid.Parse(bottest.CustomID(t, old, "Accept"))
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "a challenge that has expired", func() bool {
		c, err := w.Store.Challenge(t.Context(), id.Challenge)
		return err == nil && c.State == store.Expired
	})
	w.Discord.Faults().ExpireTokens()
	again := customid.ID{Action: customid.ChallengeAgain, Challenge: id.Challenge}
	renewed := w.Answer(t, w.Ada.ClickID(t, old, again.String(), sandbox.Forced)) // which another message had
	w.Discord.Faults().ExpireTokens()
	w.Restart(t)
	waittest.Until(t, "the way to the new one", func() bool {
		if strings.Contains(old.Snapshot().Content, "→ Challenged again: "+renewed.Link()) {
			return true
		}
		w.Bob.Click(t, old, "Accept")
		return false
	})
}
