package bot_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store/sqlite"
)

// byList has people play by a list from now on.
func byList(t *testing.T, w *bottest.World, people ...*sandbox.User) {
	t.Helper()
	for _, who := range people {
		who.Select(t, preferencesOf(t, w, who, "boards"), "1:pb", "list")
	}
}

// listOn waits until the board is a list.
func listOn(t *testing.T, m *sandbox.Message) rules.Component {
	t.Helper()
	list, _ := bottest.List(m.Wait(t, "a list", func(s sandbox.Snapshot) bool {
		_, ok := bottest.List(s)
		return ok
	}))
	return list
}

// chooseAtOnce has somebody choose a cell at once, without looking at the board.
func chooseAtOnce(t *testing.T, who *sandbox.User, m *sandbox.Message, list rules.Component, cell string) *sandbox.Reply {
	t.Helper()
	c, err := who.Do(sandbox.Selection{Message: m, CustomID: list.CustomID, Values: []string{bottest.Choice(t, list, cell)}, Forced: true})
	if err != nil {
		t.Fatal(err)
	}
	return c.Wait(t)
}

// clickModes are what Discord does with clicks on what its message no longer has.
var clickModes = map[string]sandbox.ClickMode{"refused": sandbox.ClicksRefused, "delivered": sandbox.ClicksDelivered}

// TestChoicesAreAnsweredByUpdates: what somebody has chosen stands on their screen until
// the message is edited, so that every refusal is an update of the board, with its words
// behind it for one pair of eyes.
func TestChoicesAreAnsweredByUpdates(t *testing.T) {
	t.Parallel()
	for name, mode := range clickModes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.World.Clicks = mode }), bottest.SQLite(sqlite.WithBusyTimeout(200*time.Millisecond)))
			byList(t, w, w.Ada, w.Bob)
			m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", "5x5-4"))
			list := listOn(t, m)
			w.Cells(t, m, w.Ada, w.Bob, "b2")
			refused := func(who *sandbox.User, cell, words string) {
				t.Helper()
				w.Discord.Settle(t) // while another picture is on its way, that one is the answer
				writes := len(m.Snapshot().Writes)
				r := w.Cell(t, who, m, cell)
				if r.Type != sandbox.CallbackUpdate || len(m.Snapshot().Writes) <= writes {
					t.Errorf("%s by %s: answered with type %d, which resets no list: %s", cell, who.Name(), r.Type, r.Text())
				}
				w.FollowUp(t, r, words)
				if got := bottest.Grid(m.Snapshot()); got != "...../.X.../...../...../....." {
					t.Errorf("%s by %s: the board is %s", cell, who.Name(), got)
				}
			}
			refused(w.Ada, "a1", "Not yet")
			refused(w.Bob, "b2", "b2 is taken")
			refused(w.Cleo, "a1", "Want one of your own?")
			release := bottest.Lock(t, w.Path)
			refused(w.Bob, "a1", notSaved)
			release()
			w.Resign(t, w.Bob, m)
			over := chooseAtOnce(t, w.Ada, m, list, "c3")
			w.FollowUp(t, over, "This game is over.")
			if over.Type != sandbox.CallbackUpdate && over.Type != sandbox.CallbackDeferUpdate { // the picture of the end may be on its way
				t.Errorf("after the end: answered with type %d", over.Type)
			}
		})
	}
}

// TestARefusedChoiceDelaysNobody: a refusal draws the board again, which says nothing of
// when its players have seen it. Somebody who keeps choosing what is not theirs stops
// nobody's move; and a choice too soon after a move stays one.
func TestARefusedChoiceDelaysNobody(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	byList(t, w, w.Ada, w.Bob)
	m := w.Challenge(t, w.Ada, w.Bob)
	list := listOn(t, m)
	for range 2 {
		w.FollowUp(t, w.Cell(t, w.Cleo, m, "c3"), "Want one of your own?") // has looked at the board
		w.FollowUp(t, chooseAtOnce(t, w.Cleo, m, list, "c3"), "Want one of your own?")
	}
	chooseAtOnce(t, w.Ada, m, list, "a1")
	w.Shows(t, m, "X../.../...")

	// Nobody can have seen the move yet.
	edited := m.Snapshot().EditedAt
	soon := func(r *sandbox.Reply, edited time.Time) bool {
		made, _ := discord.Made(r.Call.ID())
		return made-discord.SinceEpoch(edited) < 400*time.Millisecond
	}
	cleo := chooseAtOnce(t, w.Cleo, m, list, "c3")
	again := m.Snapshot().EditedAt
	bob := chooseAtOnce(t, w.Bob, m, list, "b2")
	if !soon(cleo, edited) || !soon(bob, again) {
		return // the machine was too slow to choose sooner than somebody could look
	}
	w.FollowUp(t, bob, "The board has just changed")
	w.Shows(t, m, "X../.../...")
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
}

// TestLateChoicesAreNeitherDeadNorBlind is for lists what
// TestLateTapsAreNeitherDeadNorBlind is for grids.
func TestLateChoicesAreNeitherDeadNorBlind(t *testing.T) {
	const oldest = 250 * time.Millisecond
	t.Parallel()
	for name, mode := range clickModes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.World.Clicks = mode }))
			byList(t, w, w.Ada, w.Bob)
			dice := rand.New(rand.NewPCG(7, 8))
			for game, board := range []string{"3x3", "vanishing"} {
				w.Elsewhere(fmt.Sprint("game-", game))
				m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", board))
				list := listOn(t, m)
				began := time.Now()
				waittest.Until(t, "the board to be older than the oldest picture", func() bool { return time.Since(began) > oldest })
				for !bottest.Over(m.Snapshot()) {
					who, other := w.Ada, w.Bob
					ply := bottest.Ply(m.Snapshot())
					if ply%2 == 1 {
						who, other = other, who
					}
					free := bottest.Empties(m.Snapshot())
					w.Cells(t, m, who, nil, bottest.CellName(free[dice.IntN(len(free))]))
					edited, after := m.Snapshot().EditedAt, bottest.Grid(m.Snapshot())
				taps:
					for _, late := range []time.Duration{time.Millisecond, 50 * time.Millisecond, oldest} {
						for _, tapper := range []*sandbox.User{who, other} {
							cell := bottest.CellName(free[dice.IntN(len(free))])
							c, err := tapper.Do(sandbox.Selection{Message: m, CustomID: list.CustomID, Values: []string{bottest.Choice(t, list, cell)}, Ago: late})
							if err != nil {
								t.Fatal(err)
							}
							r := c.Wait(t)
							if !r.Answered() || r.Refused != "" {
								t.Fatalf("ply %d, %v late: a dead choice: %q", ply, late, r.Refused)
							}
							made, _ := discord.Made(r.Call.ID())
							if made-discord.SinceEpoch(edited) >= 400*time.Millisecond {
								w.Discord.Settle(t)
								break taps // on a slow machine: by now they may have seen the picture, and this was a move
							}
							if now := bottest.Grid(m.Snapshot()); now != after {
								t.Fatalf("ply %d, %v late: a blind move: %s became %s", ply, late, after, now)
							}
						}
					}
				}
			}
			if n := w.Discord.World().RefusedClicks(); n != 0 {
				t.Errorf("%d dead choices", n)
			}
		})
	}
}

// TestForgedChoicesGiveNoPower: a choice can be made up like a click, with any value, and
// sent from any message.
func TestForgedChoicesGiveNoPower(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	eve := w.Discord.User("Eve")
	byList(t, w, w.Ada, w.Bob, w.Cleo, eve)
	theirs := w.Challenge(t, w.Ada, w.Bob)
	id := listOn(t, theirs).CustomID
	hidden := w.PlayPrivately(t, w.Cleo)
	secret := listOn(t, hidden).CustomID
	w.Channel = w.Discord.Guild().Channel("side")
	own := w.Play(t, eve)
	mine := listOn(t, own).CustomID
	private := w.Answer(t, eve.Command(t, w.Channel, "tictactoe help"))
	before, ours := theirs.Snapshot(), own.Snapshot()
	for _, forged := range []struct {
		on     *sandbox.Message
		id     string
		values []string
		says   string
	}{
		{private, id, []string{"4"}, "Want one of your own?"},
		{private, secret, []string{"4"}, "Want one of your own?"},
		{own, id, []string{"4"}, "Want one of your own?"},
		{own, secret, []string{"4"}, "Want one of your own?"},
		{theirs, id, []string{"99"}, "out of date"},
		{theirs, id, []string{"a1"}, "out of date"},
		{theirs, id, nil, "out of date"},
		{theirs, id, []string{"4", "5"}, "out of date"},
		{theirs, strings.ToUpper(id), []string{"4"}, "out of date"},
		{own, mine, []string{"24"}, ""}, // off the board
		{own, strings.Replace(mine, ":kl:", ":kc:", 1), []string{"99"}, "out of date"},
	} {
		c, err := eve.Do(sandbox.Selection{Message: forged.on, CustomID: forged.id, Values: forged.values, Forced: true})
		if err != nil {
			t.Fatal(err)
		}
		r := c.Wait(t)
		says := r.Text()
		if r.Type != sandbox.CallbackMessage {
			waittest.Until(t, "words behind the answer", func() bool { return len(r.Followups()) > 0 })
			says = r.Followups()[0].Text()
		}
		if !r.Answered() || !strings.Contains(says, forged.says) {
			t.Errorf("%s %q: answered %v: %q, want %q", forged.id, forged.values, r.Answered(), says, forged.says)
		}
		if private.Snapshot().V2() {
			t.Fatalf("%s turned Eve's own message into a board: %s", forged.id, private.Text())
		}
		for what, s := range map[string][2]sandbox.Snapshot{"theirs": {before, theirs.Snapshot()}, "own": {ours, own.Snapshot()}} {
			if s[0].Text() != s[1].Text() || bottest.Grid(s[0]) != bottest.Grid(s[1]) {
				t.Fatalf("%s %q turned a board (%s) into %q", forged.id, forged.values, what, s[1].Text())
			}
		}
	}
	// A choice of one's own game, sent from somebody else's board, turns that into nothing
	// else.
	c, err := eve.Do(sandbox.Selection{Message: theirs, CustomID: mine, Values: []string{"8"}, Forced: true})
	if err != nil {
		t.Fatal(err)
	}
	c.Wait(t)
	if now := theirs.Snapshot(); now.Text() != before.Text() {
		t.Errorf("it turned somebody else's board into %q", now.Text())
	}
}

// TestListDeliveredAgainAfterARestart: a choice that is delivered twice plays one move, on the
// board and in a list of one's own.
func TestListDeliveredAgainAfterARestart(t *testing.T) {
	t.Parallel()
	for name, people := range map[string]int{"on the board": 2, "of one's own": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t)
			byList(t, w, []*sandbox.User{w.Ada, w.Bob}[:people]...)
			m := w.Challenge(t, w.Ada, w.Bob)
			on := m
			if people == 1 {
				on = w.Answer(t, w.Ada.Click(t, m, "My list"))
			}
			choice, err := w.Ada.Do(sandbox.Selection{Message: on, CustomID: listOn(t, on).CustomID, Values: []string{"4"}})
			if err != nil {
				t.Fatal(err)
			}
			choice.Wait(t)
			w.Restart(t)
			w.Discord.Faults().Redeliver(choice)
			w.Bystander(t) // comes after it
			w.Stop(t)      // when it has been handled
			w.Start(t)
			if stored := w.Match(t); len(stored.Moves) != 1 {
				t.Errorf("%d moves", len(stored.Moves))
			}
			w.Cells(t, m, w.Bob, w.Ada, "a1")
			w.Shows(t, m, "O../.X./...")
		})
	}
}

// TestAListOfOnesOwnAfterAWhile: somebody comes back to their list a quarter of an hour later,
// when nobody can edit it any more and the bot was started anew, or another process has it. A
// choice that still makes sense plays. Another one draws the list again, and the next plays.
func TestAListOfOnesOwnAfterAWhile(t *testing.T) {
	t.Parallel()
	begin := map[string]func(*testing.T, *bottest.Clock) (w *bottest.World, later func()){
		"after a restart": func(t *testing.T, clock *bottest.Clock) (*bottest.World, func()) {
			w := bottest.New(t, bottest.ByClock(clock))
			return w, func() { w.Restart(t) }
		},
		"two processes": func(t *testing.T, clock *bottest.Clock) (*bottest.World, func()) {
			w, _ := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock))
			return w, func() {}
		},
	}
	for name, begin := range begin {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w, later := begin(t, clock)
			byList(t, w, w.Ada)
			m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("clock", "1d"))
			own := w.Answer(t, w.Ada.Click(t, m, "My list"))
			choose := func(cell string) *sandbox.Reply {
				waittest.Until(t, "the list to be older than what a choice can be late", func() bool { return time.Since(own.Snapshot().EditedAt) > time.Second/2 })
				return chooseAtOnce(t, w.Ada, own, listOn(t, own), cell)
			}
			// Of two processes the one that comes too late may draw an older picture for a moment.
			shows := func(board string) { w.Shows(t, m, board); w.Discord.Settle(t) }
			choose("a1")
			shows("X../.../...")
			list := listOn(t, own)
			clock.Advance(16 * time.Minute)
			w.Discord.Faults().ExpireTokens()
			later()
			w.Cells(t, m, w.Bob, w.Ada, "b2")
			if r := choose("c3"); r.Type != sandbox.CallbackUpdate {
				t.Errorf("answered by type %d", r.Type)
			}
			shows("X../.O./..X")
			w.Cells(t, m, w.Bob, w.Ada, "b1")
			chooseAtOnce(t, w.Ada, own, list, "b1") // taken
			bottest.WantText(t, own, "last move b1")
			choose("b3")
			shows("XO./.O./.XX")
		})
	}
}
