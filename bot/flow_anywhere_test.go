package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// foreign is a server whose members are Ada, Bob and Cleo, and whose bot is no member.
func foreign(w *bottest.World) *sandbox.Guild {
	g := w.Discord.World().AddGuild("Elsewhere")
	g.RemoveBot()
	for _, u := range []*sandbox.User{w.Ada, w.Bob, w.Cleo} {
		u.Join(g)
	}
	return g
}

// away are the places to which Ada brings the application along.
var away = map[string]func(*bottest.World) *sandbox.Channel{
	"two people":                      func(w *bottest.World) *sandbox.Channel { return w.Discord.World().PrivateChannel(w.Ada, w.Bob) },
	"a group":                         func(w *bottest.World) *sandbox.Channel { return w.Discord.World().PrivateChannel(w.Ada, w.Bob, w.Cleo) },
	"a server":                        func(w *bottest.World) *sandbox.Channel { return foreign(w).Channel("general") },
	"a server with the commands only": commandsOnly,
}

// commandsOnly is a server that has installed the commands and not the bot.
func commandsOnly(w *bottest.World) *sandbox.Channel {
	g := foreign(w)
	g.InstallCommands()
	return g.Channel("general")
}

// brought is a world whose scene is such a place.
func brought(t *testing.T, place func(*bottest.World) *sandbox.Channel, options ...bottest.Option) *bottest.World {
	t.Helper()
	w := bottest.New(t, options...)
	w.Ada.Set(sandbox.Installed(true))
	w.Channel = place(w)
	return w
}

// nothingByItself checks that the bot has tried nothing by its own token in the scene's
// channel, where that reaches nothing.
func nothingByItself(t *testing.T, w *bottest.World) {
	t.Helper()
	for _, r := range w.Discord.REST().Requests() {
		if strings.Contains(r.Path, "/channels/"+w.Channel.ID()) {
			t.Errorf("by its own token, where it is no member: %s %s", r.Method, r.Route)
		}
	}
}

// TestPlayAnywhere plays between two people, of whom one has installed the application and
// the other nothing, over a restart, to the end and on to a rematch.
func TestPlayAnywhere(t *testing.T) {
	t.Parallel()
	for name, place := range away {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := brought(t, place)
			board := w.Challenge(t, w.Ada, w.Bob)
			if m := w.Match(t); !m.TokenOnly || m.Private() {
				t.Errorf("the match: by tokens only %v, private %v", m.TokenOnly, m.Private())
			}
			w.Cells(t, board, w.Ada, w.Bob, "a1", "a2")
			w.Restart(t)
			w.Cells(t, board, w.Ada, w.Bob, "b2")
			again := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
			w.Cells(t, again, w.Bob, w.Ada, "a3", "c3")
			bottest.WantText(t, again, "wins")
			w.Ada.Click(t, again, "Rematch")
			next := w.Answer(t, w.Bob.Click(t, again, "Yes, rematch"))
			w.Cells(t, next, w.Bob, w.Ada, "b2")
			w.Resign(t, w.Ada, next)
			w.Stop(t)
			nothingByItself(t, w)
		})
	}
}

// TestOnlyTheNextClickDrawsAnEndOnTime: the clock runs out while no token lives, here over a
// restart, and the board shows it when somebody clicks, or has it shown.
func TestOnlyTheNextClickDrawsAnEndOnTime(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(t *testing.T, w *bottest.World, board *sandbox.Message){
		"a click": func(t *testing.T, w *bottest.World, board *sandbox.Message) {
			w.Cell(t, w.Bob, board, "b2")
		},
		"a bystander's click": func(t *testing.T, w *bottest.World, board *sandbox.Message) {
			w.Cell(t, w.Cleo, board, "b2")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := brought(t, away["a server"], bottest.ByClock(clock), bottest.TimeLimit(time.Hour))
			board := w.Challenge(t, w.Ada, w.Bob)
			w.Cells(t, board, w.Ada, w.Bob, "a1")
			w.Restart(t)
			clock.Advance(time.Hour + time.Second)
			waittest.Until(t, "the end on time", func() bool { _, running := w.Active(t); return !running })
			clock.Looked(t)
			look(t, w, board)
			bottest.WantText(t, board, "ran out of time")
			w.Stop(t)
			nothingByItself(t, w)
		})
	}
}

// TestRemindersByToken: where interaction tokens alone can write, a line comes while the
// token of the last move lives, and with a longer clock there is none.
func TestRemindersByToken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		clock, passes time.Duration
		want          int
		restart       bool
	}{
		"over a restart":               {10 * time.Minute, halfGone, 1, true},
		"half of ten minutes":          {10 * time.Minute, halfGone, 1, false},
		"half an hour, within a token": {30 * time.Minute, 14*time.Minute + time.Second, 1, false},
		"longer than two tokens":       {31 * time.Minute, 30 * time.Minute, 0, false},
		"an hour":                      {time.Hour, 59 * time.Minute, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := brought(t, away["two people"], bottest.ByClock(clock), bottest.TimeLimit(test.clock))
			board := turn(t, w)
			if m := w.Match(t); (m.Remind != 0) != (test.want > 0) {
				t.Fatalf("a reminder at %v", m.Remind)
			}
			clock.Advance(test.passes)
			if test.want > 0 {
				waittest.Until(t, "the line", func() bool { return len(reminded(w)) == test.want })
			}
			if n := len(reminded(w)); n != test.want {
				t.Errorf("%d lines, want %d", n, test.want)
			}
			// The move takes the line away, as long as the token is known that has sent it.
			if test.restart {
				w.Restart(t)
			}
			w.Cells(t, board, w.Bob, w.Ada, "b2")
			w.Stop(t)
			if n := len(reminded(w)); (n > 0) != test.restart {
				t.Errorf("%d lines are left after the move", n)
			}
			nothingByItself(t, w)
		})
	}
}

// TestARemovalThatIsLate: what follows an answer comes after the reminder here, and takes away
// only what was there when its move was made.
func TestARemovalThatIsLate(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(*bottest.World) *sandbox.Channel{
		"where tokens alone can write": away["two people"],
		"where the bot is a member":    func(w *bottest.World) *sandbox.Channel { return w.Channel },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := brought(t, place, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.ByHTTP)
			board := w.Challenge(t, w.Ada, w.Bob)
			answer := make(chan struct{})
			w.PostsTo(w.Service, answer)
			click := w.Ada.StartClickCell(t, board, 0, 0)
			waittest.Until(t, "the move", func() bool { m, _ := w.Active(t); return len(m.Moves) == 1 })
			clock.Advance(halfGone)
			waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
			w.PostsTo(w.Service, nil)
			close(answer)
			click.Wait(t)
			w.Stop(t)
			if n := len(reminded(w)); n != 1 {
				t.Errorf("%d lines, want 1", n)
			}
		})
	}
}

// TestAServerThatKeepsAppsPrivate: a challenge that nobody else would see is withdrawn, in
// words, and leads to a game that needs nobody to see it.
func TestAServerThatKeepsAppsPrivate(t *testing.T) {
	t.Parallel()
	w := brought(t, away["a server"])
	w.Channel.Set(sandbox.Deny(w.Channel.Guild().Role("@everyone"), permission.UseExternalApps))
	hidden := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob)))
	bottest.WantText(t, hidden, "I've withdrawn the challenge")
	if !hidden.Snapshot().Ephemeral() {
		t.Error("everybody sees the challenge")
	}
	w.Ada.Click(t, hidden, "Play privately")
	bottest.WantText(t, hidden, "your move")
	w.Cells(t, hidden, w.Ada, w.Ada, "b2")
	if private := w.Private(t, w.Ada); len(private) != 1 || !private[0].TokenOnly {
		t.Errorf("private games %+v", private)
	}
	w.Play(t, w.Ada)
	w.NoMatch(t) // it takes no place: nobody else would see it
	if private := w.Private(t, w.Ada); len(private) != 2 {
		t.Errorf("%d private games", len(private))
	}

	// Nothing is left in the way once the server lets apps speak.
	w.Channel.Set(sandbox.Allow(w.Channel.Guild().Role("@everyone"), permission.UseExternalApps))
	w.Challenge(t, w.Ada, w.Bob)
	w.Stop(t)
	nothingByItself(t, w)
}

// TestNoStandingsWhereTheBotIsNoMember: nobody has asked for any there. What people play
// counts for themselves, and for no standings of the server, also once the bot joins it.
func TestNoStandingsWhereTheBotIsNoMember(t *testing.T) {
	t.Parallel()
	w := brought(t, away["a server"])
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3")
	w.Restart(t)
	w.Cells(t, board, w.Ada, w.Bob, "c3")
	bottest.WantText(t, board, "wins")
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"), "shows no leaderboard")
	w.Channel.Guild().InviteBot()
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe leaderboard")), "Nobody yet")
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "**People**")
	next := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, next, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe leaderboard")), "**3** **you**")
}

// TestPuzzlesSolvedWhereTheBotIsNoMember count for who solves them, and stand on no list of
// the server.
func TestPuzzlesSolvedWhereTheBotIsNoMember(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	w.Ada.Set(sandbox.Installed(true))
	abroad := foreign(w)
	w.Channel = abroad.Channel("general")
	p := puzzleAt(t, clock)
	m := opens(t, w, w.Ada)
	solves(t, w, w.Ada, m, p)
	if s := bottest.WantText(t, m, "Solved on the first try!"); strings.Contains(s.Text(), "solved here") {
		t.Errorf("the server has a list: %s", s.Text())
	}
	guild, day := store.GuildID(abroad.ID()), store.DayOf(clock.Now())
	if n, err := w.Store.PuzzleDay(t.Context(), guild, day); err != nil || n.Solved != 0 {
		t.Errorf("the server counts %+v, %v", n, err)
	}
	if rows, _, err := w.Store.PuzzleStreaks(t.Context(), guild, match.Lasting(day), 0, 10); err != nil || len(rows) != 0 {
		t.Errorf("the server lists %v, %v", rows, err)
	}
}

// TestTheGuildDecides where both it and a person have installed the application, and where
// the bot is no member nobody's settings do.
func TestTheGuildDecides(t *testing.T) {
	t.Parallel()
	w := brought(t, func(w *bottest.World) *sandbox.Channel { return foreign(w).Channel("general") })
	home := w.Discord.Guild()
	for _, g := range []*sandbox.Guild{home, w.Channel.Guild()} {
		set := store.GuildSettings{Guild: store.GuildID(g.ID()), Locale: "fr"}
		if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{set}}); err != nil {
			t.Fatal(err)
		}
	}
	w.Play(t, w.Ada)
	if m := w.Match(t); m.Locale != "en-US" || !m.TokenOnly {
		t.Errorf("where the bot is no member: in %s, by tokens only %v", m.Locale, m.TokenOnly)
	}
	w.Channel = home.Channel("general")
	w.Play(t, w.Ada)
	if m := w.Match(t); m.Locale != "fr" || m.TokenOnly {
		t.Errorf("where both have installed it: in %s, by tokens only %v", m.Locale, m.TokenOnly)
	}
}

// TestForgedFromOtherDirectMessages: a button stays where it was made, also where no guild
// tells the places apart.
func TestForgedFromOtherDirectMessages(t *testing.T) {
	t.Parallel()
	w := brought(t, away["two people"], bottest.ClicksDelivered)
	offer := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge"))
	w.Bob.Set(sandbox.Installed(true))
	other := w.Discord.World().PrivateChannel(w.Bob, w.Cleo)
	board := w.Answer(t, w.Bob.Command(t, other, "tictactoe play"))
	id := bottest.CustomID(t, offer, "Join")
	w.Refused(t, w.Bob.ClickID(t, board, id, sandbox.Forced), "out of date")
	w.Bob.Click(t, offer, "Join")
	bottest.WantText(t, offer, "your move")
	match := w.Match(t)
	if match.Channel != store.ChannelID(w.Channel.ID()) {
		t.Errorf("it is played in %s", match.Channel)
	}
}

// TestAServerWithTheCommandsOnly: what needs the bot says how to add it, and Use External Apps
// does not concern an application that the server itself has installed.
func TestAServerWithTheCommandsOnly(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := manager(w, "Mona")
	w.Channel = commandsOnly(w)
	mona.Join(w.Channel.Guild())
	w.Channel.Set(sandbox.Deny(w.Channel.Guild().Role("@everyone"), permission.UseExternalApps))
	const add = "can add me: https://discord.com/oauth2/authorize?client_id="
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"), add)
	for _, command := range []string{"lobby", "settings", "check"} {
		w.Refused(t, mona.Command(t, w.Channel, "tictactoe-admin "+command), add)
	}
	if s := w.Play(t, w.Ada).Snapshot(); s.Ephemeral() {
		t.Error("the board is private")
	}
	if m := w.Match(t); !m.TokenOnly {
		t.Error("the bot's own token is tried")
	}
	w.Stop(t)
	nothingByItself(t, w)
}

// TestChallengeInAGroup: Discord does not tell who is in a group. Whoever is challenged there is
// named and not called, and nobody else can accept. Of two people it names the other one.
func TestChallengeInAGroup(t *testing.T) {
	t.Parallel()
	w := brought(t, away["a group"])
	dan := w.Discord.User("Dan")
	for _, whom := range []*sandbox.User{dan, w.Bob} {
		offer := w.Offer(t, w.Ada, whom)
		if s := bottest.WantText(t, offer, "Only "+whom.Mention()+" can accept, if they are in this group."); len(s.Pinged) > 0 {
			t.Errorf("%v are notified", s.Pinged)
		}
		offer.Wait(t, "both to be named", func(s sandbox.Snapshot) bool { return len(s.Unknown) == 0 })
		w.Refused(t, w.Cleo.Click(t, offer, "Accept"), "This challenge is for "+whom.Mention())
		if whom == dan {
			takeBack(t, w, w.Ada, offer)
			continue
		}
		w.Bob.Click(t, offer, "Accept")
		bottest.WantText(t, offer, "your move")
	}
	w.Channel = w.Discord.World().PrivateChannel(w.Ada, w.Cleo)
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", dan)), "can't see this channel")
	w.Offer(t, w.Ada, w.Cleo)
}

// TestWatchersInAGroup: whoever looks on where there is no server is told whose game it was, and
// that of an ended one as of one that runs.
func TestWatchersInAGroup(t *testing.T) {
	t.Parallel()
	w := brought(t, away["a group"])
	board, theirs := w.Challenge(t, w.Ada, w.Bob), w.Ada.Mention()+" and "+w.Bob.Mention()+"'s game"
	w.Refused(t, w.Cleo.Click(t, board, "⋯ More"), theirs)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	w.Refused(t, w.Cleo.Click(t, board, "More"), theirs)
}
