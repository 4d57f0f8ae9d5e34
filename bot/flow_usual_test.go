package bot_test

import (
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/store"
)

// opened opens the settings on a page.
func opened(t *testing.T, w *bottest.World, who *sandbox.User, page string) *sandbox.Message {
	t.Helper()
	m := panel(t, w, who)
	who.ClickID(t, m, "1:st:"+page)
	return m
}

// TestUsualGamesOfAServer: who chooses nothing plays what the server has set, in its marks:
// by the command, by a button, against people and in the lobby. Who has chosen something gets
// that, a game that runs stays as it began, and all of it outlives a restart.
func TestUsualGamesOfAServer(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := manager(w, "Mona")
	running := w.Play(t, w.Ada)
	before := w.Match(t)
	m := opened(t, w, mona, "boards")
	for id, want := range map[string]string{"1:se:board": "3x3", "1:se:opponent": "medium", "1:se:marks": "crosses", "1:se:hints": "on"} {
		if got := chosen(t, m, id); got != want {
			t.Errorf("%s shows %q, want %q", id, got, want)
		}
	}
	choose(t, mona, m, "board", "4x4")
	choose(t, mona, m, "opponent", "ranks")
	bottest.WantText(t, m, "Retro 2014 doesn't play this board: 4×4. There it's Hard.")
	choose(t, mona, m, "opponent", "easy")
	choose(t, mona, m, "marks", "blocks")

	w.Cell(t, w.Ada, running, "a1")
	if after := w.Match(t); after.Rules != before.Rules || after.Marks != 0 || after.X != before.X || after.O != before.O {
		t.Errorf("the game that ran is %+v", after)
	}
	w.Resign(t, w.Ada, running)
	w.Restart(t)

	four := engine.Rules{M: 4, N: 4, K: 4}
	plays := func(what string, rules engine.Rules, opponent string) {
		t.Helper()
		if got := w.Match(t); got.Rules != rules || got.O.Opponent != opponent || got.Marks != store.MarksBlocks {
			t.Errorf("%s: %v against %q in marks %d, want %v against %q in blocks", what, got.Rules, got.O.Opponent, got.Marks, rules, opponent)
		}
	}
	board := w.Play(t, w.Ada)
	plays("without options", four, "easy")
	bottest.WantText(t, board, "🟦")
	w.Cell(t, w.Ada, board, "a1")
	if b, ok := board.Snapshot().Button("■"); !ok {
		t.Errorf("no square among %q", board.Snapshot().Labels())
	} else if b.Style != 1 {
		t.Errorf("the square has style %d", b.Style)
	}
	w.Resign(t, w.Ada, board)
	w.Ada.Click(t, board, "Rematch")
	if got := w.Match(t); got.Marks != store.MarksBlocks || got.Rules != four {
		t.Errorf("the rematch is %v in marks %d", got.Rules, got.Marks)
	}
	w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe resign")), "Resign")
	w.NoMatch(t)
	for _, choice := range []struct {
		name     string
		args     []sandbox.Arg
		rules    engine.Rules
		opponent string
	}{
		{"another board", []sandbox.Arg{sandbox.Opt("board", "3x3")}, engine.Standard, "easy"},
		{"another opponent", []sandbox.Arg{sandbox.Opt("difficulty", "hard")}, four, "hard"},
		{"one who does not play the board", []sandbox.Arg{sandbox.Opt("difficulty", "ranks")}, engine.Standard, "ranks"},
	} {
		m := w.Answer(t, commandOfBefore(t, w, w.Ada, "tictactoe play", choice.args...))
		plays(choice.name, choice.rules, choice.opponent)
		w.Resign(t, w.Ada, m)
	}
	offer := w.Offer(t, w.Ada, w.Bob)
	bottest.WantText(t, offer, "4×4")
	w.Bob.Click(t, offer, "Accept")
	plays("a challenge", four, "")
	w.Resign(t, w.Ada, offer)

	hi := w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin lobby"))
	bottest.WantText(t, hi, "http")
	for _, post := range w.Channel.Messages(w.Cleo) {
		if b, ok := post.Snapshot().Button("Play the bot"); ok {
			started := w.Answer(t, w.Cleo.ClickID(t, post, b.CustomID))
			bottest.WantText(t, started, "Easy")
			if _, ok := started.Snapshot().Button("Change"); !ok || !started.Snapshot().Ephemeral() {
				t.Errorf("the lobby leads to %q", started.Text())
			}
		}
	}
}

// TestHintsAreTurnedOff: a server can do without hints, for games that begin from then on,
// whose boards offer none: one that runs keeps the hint that it began with, also when the
// question stands already. Once there are hints again, the next move brings the button.
func TestHintsAreTurnedOff(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.ClicksDelivered)
	mona := manager(w, "Mona")
	adas := w.Play(t, w.Ada)
	offers := func(board *sandbox.Message, when string, want bool) {
		t.Helper()
		if _, ok := board.Snapshot().Button("Hint"); ok != want {
			t.Errorf("%s the board offers a hint: %t, want %t", when, ok, want)
		}
	}
	clock.Advance(time.Minute)
	m := opened(t, w, mona, "boards")
	choose(t, mona, m, "hints", "off")
	w.Cell(t, w.Ada, adas, "a1")
	offers(adas, "begun with hints,", true)
	question := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe hint"))
	w.Ada.Click(t, question, "Show me a hint")
	bottest.WantText(t, question, "**")

	clock.Advance(time.Minute)
	choose(t, mona, m, "hints", "off") // which changes nothing for those that began meanwhile
	bobs := w.Play(t, w.Bob)
	offers(bobs, "begun without hints,", false)
	w.Bob.Click(t, w.More(t, w.Bob, bobs), "Cell names")
	offers(bobs, "drawn again,", false)
	private := w.PlayPrivately(t, w.Cleo)
	offers(private, "begun privately without hints,", false)
	w.Cell(t, w.Cleo, private, "a1")
	offers(private, "after a move,", false)
	w.Restart(t)
	w.Refused(t, w.Bob.Command(t, w.Channel, "tictactoe hint"), "This server gives no hints")
	made, err := w.Bob.Do(sandbox.ButtonClick{Message: bobs, CustomID: customid.ID{Action: customid.HintConfirm, Match: of(t, w, w.Bob).ID}.String(), Forced: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Refused(t, made.Wait(t), "This server gives no hints")
	choose(t, mona, m, "hints", "on")
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe hint")), "One hint per game")
	w.Cell(t, w.Bob, bobs, "a1")
	offers(bobs, "with hints again,", true)
}

// of returns the public match of a person in the server.
func of(t *testing.T, w *bottest.World, who *sandbox.User) store.Match {
	t.Helper()
	all, err := w.Store.SeatedMatches(t.Context(), store.GuildID(w.Discord.Guild().ID()), store.UserID(who.ID()), 2)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d matches: %v", len(all), err)
	}
	return all[0]
}
