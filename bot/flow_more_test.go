package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
)

// TestMoreWaysOn: what the row below a result has no room for is one click away, private, and
// only what the person who asks can do.
func TestMoreWaysOn(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	won := w.Finished(t)
	if got := fmt.Sprint(won.Snapshot().Labels()); !strings.HasSuffix(got, "Rematch Review More]") {
		t.Errorf("below the result are %s", got)
	}
	if got := fmt.Sprint(w.More(t, w.Cleo, won).Snapshot().Labels()); got != "[Play the winner]" {
		t.Errorf("who watched is led on by %s", got)
	}
	// Buttons that stood there before go on.
	more, of := w.More(t, w.Ada, won), bottest.CustomID(t, won, "Rematch")[len("1:m:"):]
	w.Refused(t, w.Ada.ClickID(t, more, "1:qg", sandbox.Forced), "**Won** against "+w.Bob.Mention())
	w.Refused(t, w.Cleo.ClickID(t, more, "1:ll", sandbox.Forced), "🥇 **3** Ada")
	w.Refused(t, w.Ada.ClickID(t, more, "1:q:"+of, sandbox.Forced), "Review")

	// What is chosen there is a challenge, which the other one accepts by the same choice.
	for _, who := range []*sandbox.User{w.Ada, w.Bob} {
		more := w.More(t, who, won)
		first := map[*sandbox.User]string{w.Ada: "me", w.Bob: "them"}[who]
		choices := fmt.Sprintf("%s:medium:%%s:%%s", of)
		was := map[*sandbox.User]string{w.Ada: "them", w.Bob: "me"}[who]
		who.Select(t, more, "1:mb:"+fmt.Sprintf(choices, "3x3", was), "4x4")
		who.Select(t, more, "1:mf:"+fmt.Sprintf(choices, "4x4", was), first)
		w.Refused(t, w.Cleo.ClickID(t, more, "1:mp:"+fmt.Sprintf(choices, "4x4", first), sandbox.Forced), "Want one of your own?")
		w.Answer(t, who.Click(t, more, "Play"))
	}
	if m := w.Match(t); m.Rules != (engine.Rules{M: 4, N: 4, K: 4}) || string(m.X.User) != w.Ada.ID() {
		t.Errorf("they play %v, and X is %s", m.Rules, m.X.User)
	}
	// Nothing made up is taken.
	for _, made := range []string{"4x4:bot", "4x4:nobody", "4x4:me::2"} {
		w.Refused(t, w.Ada.ClickID(t, more, "1:mp:"+of+":medium:"+made, sandbox.Forced), "I don't know that choice")
	}
}
