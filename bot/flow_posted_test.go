package bot_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// plays has somebody play in the channel, and returns the board and the private message that
// they get who want to play another game there.
func plays(t *testing.T, w *bottest.World, who *sandbox.User) (board, private *sandbox.Message) {
	t.Helper()
	board = w.Play(t, who)
	return board, w.Refused(t, who.Command(t, w.Channel, "tictactoe play"), "already have a game here", "Resign and start this one")
}

// instead presses the button of such a message that starts a match in public.
func instead(t *testing.T, who *sandbox.User, private *sandbox.Message) *sandbox.Reply {
	t.Helper()
	return who.Click(t, private, "Resign and start this one")
}

// normally checks that a message is one that the bot has posted by its own right, under the
// number of the click, and no reply to anything.
func normally(t *testing.T, w *bottest.World, c *sandbox.Call, m *sandbox.Message) {
	t.Helper()
	s := m.Wait(t, "everybody to be named", func(s sandbox.Snapshot) bool { return len(s.Unknown) == 0 })
	if s.ReplyTo != "" || s.CommandName != "" || s.InvokerID != "" || s.Ephemeral() || slices.Contains(s.Badged, c.User().ID()) {
		t.Errorf("it replies to %q, is by %q of %q, private %v, and has %v see a badge", s.ReplyTo, s.CommandName, s.InvokerID, s.Ephemeral(), s.Badged)
	}
	var body struct {
		Nonce   string `json:"nonce"`
		Enforce bool   `json:"enforce_nonce"`
	}
	if err := json.Unmarshal(s.Writes[0].Body, &body); err != nil || body.Nonce != c.ID() || !body.Enforce {
		t.Errorf("posted under %q, once %v, want %s; %v", body.Nonce, body.Enforce, c.ID(), err)
	}
	if r := c.Reply(); r.Type != sandbox.CallbackDeferUpdate || r.Acks != 1 {
		t.Errorf("the click had %d answers, of type %d", r.Acks, r.Type)
	}
	for _, f := range c.Reply().Followups() {
		if !f.Snapshot().Ephemeral() {
			t.Errorf("a public message follows the click: %q", f.Text())
		}
	}
}

// TestPostedNormallyFromAPrivateMessage: what everybody is to see of a button on a private
// message is an ordinary message of the channel.
func TestPostedNormallyFromAPrivateMessage(t *testing.T) {
	t.Parallel()
	for name, press := range map[string]func(t *testing.T, w *bottest.World) *sandbox.Reply{
		"start instead": func(t *testing.T, w *bottest.World) *sandbox.Reply {
			_, private := plays(t, w, w.Ada)
			return instead(t, w.Ada, private)
		},
		"a table from the help": func(t *testing.T, w *bottest.World) *sandbox.Reply {
			return w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help")), "Find an opponent")
		},
		"stats": func(t *testing.T, w *bottest.World) *sandbox.Reply {
			w.Finished(t)
			return w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "Show here")
		},
		"a moment of a review": func(t *testing.T, w *bottest.World) *sandbox.Reply {
			return w.Ada.Click(t, shownBetter(t, w, w.Ada, w.Finished(t)), "Share")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			r := press(t, w)
			normally(t, w, r.Call, w.Posted(t, r.Call))
		})
	}
}

// TestPlayedOnWhatWasPosted: the board that was posted so is played to its end, over a
// restart, and what draws it without a click is the bot's own token.
func TestPlayedOnWhatWasPosted(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]bottest.Option{"gateway": bottest.Places(3), "http": bottest.ByHTTP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, how, bottest.ByClock(clock), bottest.TimeLimit(time.Hour))
			before, private := plays(t, w, w.Ada)
			r := instead(t, w.Ada, private)
			board := w.Answer(t, r)
			normally(t, w, r.Call, board)
			bottest.WantText(t, before, "resigned")
			waittest.Until(t, "the store to know the message", func() bool { return string(w.Match(t).Message) == board.ID() })
			w.Cell(t, w.Ada, board, "b2")
			w.Restart(t)
			clock.Advance(time.Hour + time.Second)
			clock.Looked(t)
			s := bottest.WantText(t, board, "Closed after")
			if by := s.Writes[len(s.Writes)-1].Auth; by != s.Writes[0].Auth {
				t.Errorf("it was drawn at last by %q and posted by %q", by, s.Writes[0].Auth)
			}
		})
	}
}

// TestNotPostedWhereTheBotMayNot: where it is told beforehand that it may not write, or finds
// out, the message belongs to the interaction, and is played on like any other.
func TestNotPostedWhereTheBotMayNot(t *testing.T) {
	t.Parallel()
	for name, forbid := range map[string]func(*bottest.World){
		"as it knows": func(w *bottest.World) { w.Channel.Set(sandbox.NoBotPosts) },
		"no right":    func(w *bottest.World) { w.Discord.Faults().RefuseNext(sandbox.RouteCreateMessage, 403, 50013) },
		"no access":   func(w *bottest.World) { w.Discord.Faults().RefuseNext(sandbox.RouteCreateMessage, 403, 50001) },
		"without a word": func(w *bottest.World) {
			w.Discord.Faults().FailNext(sandbox.RouteCreateMessage, 403)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			_, private := plays(t, w, w.Ada)
			forbid(w)
			r := instead(t, w.Ada, private)
			board := w.Answer(t, r)
			if len(w.PostedUnder(w.Channel, r.Call.ID())) != 0 || board.Snapshot().Ephemeral() {
				t.Errorf("posted under the click's number, private %v", board.Snapshot().Ephemeral())
			}
			waittest.Until(t, "the store to know the message", func() bool { return string(w.Match(t).Message) == board.ID() })
			w.Cell(t, w.Ada, board, "b2")
			w.Resign(t, w.Ada, board)
		})
	}
}

// TestPostedOnce: a click that is delivered twice, at once or when all is done, to a process
// that has had it or to one that has not, posts one message.
func TestPostedOnce(t *testing.T) {
	t.Parallel()
	for name, press := range map[string]func(t *testing.T, w *bottest.World) *sandbox.Reply{
		"a match": func(t *testing.T, w *bottest.World) *sandbox.Reply {
			_, private := plays(t, w, w.Ada)
			w.Discord.Faults().RedeliverNext()
			return instead(t, w.Ada, private)
		},
		"stats": func(t *testing.T, w *bottest.World) *sandbox.Reply {
			w.Finished(t)
			private := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats"))
			w.Discord.Faults().RedeliverNext()
			return w.Ada.Click(t, private, "Show here")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			r := press(t, w)
			m := w.Answer(t, r)
			normally(t, w, r.Call, m)
			w.Restart(t)
			w.Discord.Faults().Redeliver(r.Call)
			w.Bystander(t)
			w.Stop(t)
			if n := len(w.PostedUnder(w.Channel, r.Call.ID())); n != 1 || len(r.Followups()) != 0 {
				t.Errorf("%d messages and %d behind the click, want one", n, len(r.Followups()))
			}
		})
	}
}

// TestPostedOnceByTwoProcesses: Discord sends everything to both, and one message comes of it.
func TestPostedOnceByTwoProcesses(t *testing.T) {
	t.Parallel()
	w, other := toBothProcesses(t)
	w.Finished(t)
	var shown []*sandbox.Reply
	for _, of := range []*sandbox.User{w.Ada, w.Bob} {
		r := w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats", sandbox.OptUser("user", of))), "Show here")
		w.Answer(t, r)
		shown = append(shown, r)
	}
	_, private := plays(t, w, w.Ada)
	r := instead(t, w.Ada, private)
	board := w.Answer(t, r)
	w.Resign(t, w.Ada, board)
	other.Stop(t)
	w.Stop(t)
	for _, r := range append(shown, r) {
		if n := len(w.PostedUnder(w.Channel, r.Call.ID())); n != 1 || postTries(w, r.Call) != 1 || len(r.Followups()) != 0 {
			t.Errorf("%v has %d messages, posted %d times, and %d behind the click, want one", r.Call, n, postTries(w, r.Call), len(r.Followups()))
		}
	}
}

// postTries counts how often the bot has tried to post under the number of a click.
func postTries(w *bottest.World, c *sandbox.Call) (n int) {
	for _, r := range w.Discord.REST().Requests() {
		if strings.Contains(string(r.Body), `"nonce":"`+c.ID()+`"`) {
			n++
		}
	}
	return n
}

// TestPostedAgainWithoutAWord: a post whose outcome was not told is sent again, and there is
// one message.
func TestPostedAgainWithoutAWord(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	_, private := plays(t, w, w.Ada)
	w.Discord.Faults().ResetNext(sandbox.RouteCreateMessage, true)
	r := instead(t, w.Ada, private)
	board := w.Answer(t, r)
	w.Disarmed(t)
	w.Cell(t, w.Ada, board, "b2")
	if n := len(w.PostedUnder(w.Channel, r.Call.ID())); n != 1 || len(r.Followups()) != 0 {
		t.Errorf("%d messages and %d behind the click, want one", n, len(r.Followups()))
	}
}

// TestKilledBeforeItIsPosted: the match is kept, and the command brings its board.
func TestKilledBeforeItIsPosted(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	before, private := plays(t, w, w.Ada)
	w.Discord.Faults().RefuseNext(sandbox.RouteCreateMessage, 403, 50013)
	w.Discord.Faults().RefuseNext(sandbox.RouteFollowUp, 403, 50013)
	r := instead(t, w.Ada, private)
	w.Disarmed(t)
	bottest.WantText(t, before, "resigned")
	w.Crash(t)
	w.Start(t)
	if m := w.Match(t); m.Message != "" || len(w.PostedUnder(w.Channel, r.Call.ID())) != 0 {
		t.Errorf("the match that nobody has seen stands at %q", m.Message)
	}
	board := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	w.Cell(t, w.Ada, board, "b2")
	w.Resign(t, w.Ada, board)
}

// TestAcceptedOnAPrivateMessage: the board is an ordinary message, and so is the line that
// calls the challenger.
func TestAcceptedOnAPrivateMessage(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Offer(t, w.Ada, w.Bob)
	asked := w.Refused(t, w.Bob.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Ada), sandbox.Opt("board", "4x4")), w.Ada.Mention()+" has already challenged you", "Accept")
	r := w.Bob.Click(t, asked, "Accept")
	normally(t, w, r.Call, w.Posted(t, r.Call))
	var lines []*sandbox.Message
	waittest.Until(t, "the line", func() bool {
		lines = w.PostedUnder(w.Channel, "n"+r.Call.ID())
		return len(lines) > 0
	})
	if s := lines[0].Snapshot(); len(lines) != 1 || s.ReplyTo != "" || len(s.Unknown) > 0 || len(s.Pinged) != 1 || s.Pinged[0] != w.Ada.ID() {
		t.Errorf("%d lines; the first replies to %q, does not know %v and calls %v, want Ada", len(lines), s.ReplyTo, s.Unknown, s.Pinged)
	}
}

// TestWhoIsNotCalledIsNamed: a challenge that is sent back from a private message calls the
// other one alone, and names both.
func TestWhoIsNotCalledIsNamed(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ClicksDelivered, bottest.ByClock(clock), bottest.ChallengeTTL(time.Minute))
	offer := w.Offer(t, w.Ada, w.Bob)
	late := w.Stale(t, w.Bob, offer, "Accept")
	clock.Advance(time.Minute + time.Second)
	bottest.WantText(t, offer, "No answer")
	r := w.Bob.Click(t, w.Refused(t, late(), "no longer open", "Challenge again"), "Challenge again")
	back := w.Answer(t, r)
	s := back.Wait(t, "both to be named", func(s sandbox.Snapshot) bool { return len(s.Unknown) == 0 && len(s.Mentions) == 2 })
	if len(s.Pinged) != 1 || s.Pinged[0] != w.Ada.ID() {
		t.Errorf("it calls %v, want Ada", s.Pinged)
	}
	normally(t, w, r.Call, back)
	w.Ada.Click(t, back, "Accept")
	bottest.WantText(t, back, "your move")
}
