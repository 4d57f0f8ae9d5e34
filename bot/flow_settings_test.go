package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

const manageGuild = 1 << 5

// manager is somebody who may manage the server.
func manager(w *bottest.World, name string) *sandbox.User {
	return w.Discord.User(name, sandbox.Permissions(manageGuild))
}

// panel opens the settings.
func panel(t *testing.T, w *bottest.World, who *sandbox.User) *sandbox.Message {
	t.Helper()
	m := w.Answer(t, who.Command(t, w.Channel, "tictactoe-admin settings"))
	skips(t, who, m)
	if s := m.Snapshot(); !s.Ephemeral() || len(s.Pinged) > 0 {
		t.Fatalf("the panel is private %v and notifies %v", s.Ephemeral(), s.Pinged)
	}
	return m
}

// skips skips the questions that come before the panel for the first time.
func skips(t *testing.T, who *sandbox.User, m *sandbox.Message) {
	t.Helper()
	for range 3 {
		if _, asked := m.Snapshot().Button("Skip"); asked {
			who.Click(t, m, "Skip")
		}
	}
}

// choose sets one setting on the panel.
func choose(t *testing.T, who *sandbox.User, m *sandbox.Message, setting, value string) {
	t.Helper()
	r := who.Select(t, m, "1:se:"+setting, value)
	if !r.Answered() || r.Type != sandbox.CallbackUpdate {
		t.Fatalf("%s to %s: answered %v with type %d: %s", setting, value, r.Answered(), r.Type, r.Text())
	}
}

// chosen is the value that a select of the message shows as chosen.
func chosen(t *testing.T, m *sandbox.Message, customID string) string {
	t.Helper()
	c, ok := m.Snapshot().Find(customID)
	if !ok {
		t.Fatalf("there is no select %s on %q", customID, m.Text())
	}
	for _, o := range c.Options {
		if o.Default {
			return o.Value
		}
	}
	return ""
}

// wantTab checks which tab of the panel is open.
func wantTab(t *testing.T, m *sandbox.Message, label string) {
	t.Helper()
	for _, tab := range []string{"Games", "Boards", "Messages", "Leaderboard", "Puzzle"} {
		b, ok := m.Snapshot().Button(tab)
		if !ok || (b.Style == discord.StylePrimary) != (tab == label) {
			t.Errorf("the tab %s is there %v with style %d, and %s is to be open", tab, ok, b.Style, label)
		}
	}
}

// stored returns the settings of the server.
func stored(t *testing.T, w *bottest.World) store.GuildSettings {
	t.Helper()
	g, err := w.Store.GuildSettings(t.Context(), store.GuildID(w.Discord.Guild().ID()))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestSettingsCountAtOnce sets all there is on one panel. What is set counts for the next
// game, takes nothing from one that runs, is in the log, and is there after a restart.
func TestSettingsCountAtOnce(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.TimeLimit(10*time.Minute))
	mona := manager(w, "Mona")
	running, second := w.Play(t, w.Ada), w.Play(t, w.Bob)
	before := w.Match(t)
	m := panel(t, w, mona)
	wantTab(t, m, "Games")
	for id, want := range map[string]string{"1:se:places": "3", "1:se:clock": "usual"} {
		if got := chosen(t, m, id); got != want {
			t.Errorf("%s shows %q, want %q", id, got, want)
		}
	}
	choose(t, mona, m, "places", "1")
	choose(t, mona, m, "clock", "1h")
	mona.ClickID(t, m, "1:st:messages")
	choose(t, mona, m, "locale", "de")
	choose(t, mona, m, "reminders", "off")
	wantTab(t, m, "Messages")
	for id, want := range map[string]string{"1:se:locale": "de", "1:se:reminders": "off"} {
		if got := chosen(t, m, id); got != want {
			t.Errorf("%s shows %q, want %q", id, got, want)
		}
	}
	if n := strings.Count(w.Log.String(), "setting changed"); n != 4 {
		t.Errorf("%d changes are in the log, want 4", n)
	}
	w.FollowUp(t, w.Cleo.Command(t, w.Channel, "tictactoe play"), "This channel is full")
	w.Cell(t, w.Ada, running, "a1")
	w.Resign(t, w.Bob, second)
	if after := w.Match(t); after.Clock != before.Clock || after.Locale != before.Locale || after.Place != before.Place {
		t.Errorf("the game that ran has %v, %s, place %d, had %v, %s, place %d", after.Clock, after.Locale, after.Place, before.Clock, before.Locale, before.Place)
	}
	w.FollowUp(t, w.Cleo.Command(t, w.Channel, "tictactoe play"), "This channel is full")
	w.Restart(t)
	w.Resign(t, w.Ada, running)
	w.Play(t, w.Cleo)
	if next := w.Match(t); next.Clock != time.Hour || next.Locale != "de" {
		t.Errorf("the next game has %v and is in %s", next.Clock, next.Locale)
	}
	m = panel(t, w, mona)
	choose(t, mona, m, "clock", "none")
	if g := stored(t, w); !g.Clock.Set || g.Clock.Limit != 0 || g.Places != 1 || g.Locale != "de" || g.Reminders != store.Off {
		t.Errorf("stored are %+v", g)
	}
	choose(t, mona, m, "clock", "usual")
	mona.ClickID(t, m, "1:st:messages")
	choose(t, mona, m, "locale", "usual")
	if g := stored(t, w); g.Clock.Set || g.Locale != "" {
		t.Errorf("stored are %+v, want nothing but the places", g)
	}
}

// TestTwoAdminsDoNotOverwriteEachOther: who chooses on a panel that shows older settings
// sees the newer ones first, and has saved nothing.
func TestTwoAdminsDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona, nils := manager(w, "Mona"), manager(w, "Nils")
	hers, his := panel(t, w, mona), panel(t, w, nils)
	choose(t, mona, hers, "places", "5")
	choose(t, nils, his, "places", "7")
	bottest.WantText(t, his, "your choice wasn't saved")
	if got := chosen(t, his, "1:se:places"); got != "5" || stored(t, w).Places != 5 {
		t.Errorf("he sees %s places, stored are %d, want 5", got, stored(t, w).Places)
	}
	choose(t, nils, his, "places", "7")
	if strings.Contains(his.Text(), "saved. This is how") || stored(t, w).Places != 7 {
		t.Errorf("once he has seen them, %d are stored and he reads %q", stored(t, w).Places, his.Text())
	}
	// Both at once: one is told.
	hers, his = panel(t, w, mona), panel(t, w, nils)
	calls := []*sandbox.Call{
		mona.MustPrepare(t, sandbox.Selection{Message: hers, CustomID: "1:se:places", Values: []string{"8"}}),
		nils.MustPrepare(t, sandbox.Selection{Message: his, CustomID: "1:se:clock", Values: []string{"1m"}}),
	}
	w.Discord.DispatchTogether(calls...)
	for _, c := range calls {
		c.Wait(t)
	}
	told := strings.Count(hers.Text()+his.Text(), "your choice wasn't saved")
	if g := stored(t, w); told != 1 || (g.Places == 8) == g.Clock.Set {
		t.Errorf("%d of them were told, stored are %+v", told, g)
	}
}

// TestSettingsNeedTheRight: it is looked at with every choice, and nothing that was made
// up changes a setting.
func TestSettingsNeedTheRight(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona := manager(w, "Mona")
	m := panel(t, w, mona)
	before := stored(t, w)
	forge := func(who *sandbox.User, on *sandbox.Message, id string, values ...string) *sandbox.Reply {
		t.Helper()
		c, err := who.Do(sandbox.Selection{Message: on, CustomID: id, Values: values, Forced: true})
		if err != nil {
			t.Fatal(err)
		}
		return c.Wait(t)
	}
	const only = "You need the *Manage Server* permission"
	w.Refused(t, forge(w.Ada, m, "1:se:places", "9"), only)
	w.Refused(t, forge(w.Ada, m, "1:sp", "messages"), only)
	for _, id := range []string{"1:st:messages", "1:sz", "1:sb", "1:sc"} {
		w.Refused(t, w.Ada.ClickID(t, m, id, sandbox.Forced), only)
	}
	board := w.Play(t, w.Ada)
	const old, unknown = "This button is out of date.", "I don't know that choice."
	w.Refused(t, forge(mona, board, "1:se:places", "9"), old)
	w.Refused(t, forge(mona, m, "1:se:places", "4", "5"), old)
	for _, r := range []*sandbox.Reply{
		forge(mona, m, "1:se:crown", "9"), forge(mona, m, "1:se:places", "26"),
		forge(mona, m, "1:se:places", "0"), forge(mona, m, "1:se:clock", "2h"), forge(mona, m, "1:se:locale", "tlh"),
		forge(mona, m, "1:se:places"), forge(mona, m, "1:sp"),
	} {
		w.Refused(t, r, unknown)
	}
	mona.Set(sandbox.Permissions(0))
	w.Refused(t, forge(mona, m, "1:se:places", "9"), only)
	if g := stored(t, w); g != before {
		t.Errorf("stored are %+v", g)
	}
	if _, err := mona.Do(sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe-admin settings"}); err == nil {
		t.Error("Discord shows the command to everybody")
	}
	mona.Set(sandbox.Permissions(manageGuild))
	if _, err := mona.Do(sandbox.SlashCommand{Channel: mona.DM(), Path: "tictactoe-admin settings"}); err == nil {
		t.Error("Discord shows the command in direct messages")
	}
}

// TestFirstSettings: who opens the settings of a server in which nothing was set is asked three
// things, with a press each. They are asked once, also where all were skipped.
func TestFirstSettings(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona, den := manager(w, "Mona"), w.Discord.Guild().Channel("den")
	open := func() *sandbox.Message {
		t.Helper()
		return w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin settings"))
	}
	m := open()
	bottest.WantText(t, m, "Where can games be played?")
	const only = "You need the *Manage Server* permission"
	w.Refused(t, w.Ada.ClickID(t, m, "1:sq:channel:yes", sandbox.Forced), only)
	bottest.WantText(t, open(), "Where can games be played?") // nobody has answered
	mona.Select(t, m, "1:sv", den.ID())
	bottest.WantText(t, m, "a puzzle every day** in <#"+den.ID()+">")
	mona.Click(t, m, "Yes, every day")
	bottest.WantText(t, m, "the lobby** in <#"+den.ID()+">")
	w.FollowUp(t, mona.Click(t, m, "Post it"), "The lobby is up: "+den.Messages(nil)[0].Link())
	wantTab(t, m, "Games")
	if g := stored(t, w); string(g.Games) != den.ID() || string(g.Puzzle.Channel) != den.ID() || g.Puzzle.Due.IsZero() {
		t.Errorf("stored are %+v", g)
	}
	w.Restart(t)
	wantTab(t, open(), "Games")
}

// TestFirstSettingsAreSkipped: nothing is set, and nobody is asked again. Of two who answer at once
// one sees what the other has set.
func TestFirstSettingsAreSkipped(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona, nils := manager(w, "Mona"), manager(w, "Nils")
	open := func(who *sandbox.User) *sandbox.Message {
		t.Helper()
		return w.Answer(t, who.Command(t, w.Channel, "tictactoe-admin settings"))
	}
	hers, his := open(mona), open(nils)
	mona.Click(t, hers, "Skip")
	nils.Click(t, his, "Everywhere")
	bottest.WantText(t, his, "your choice wasn't saved")
	bottest.WantText(t, hers, "a puzzle every day** in <#"+w.Channel.ID()+">")
	mona.Click(t, hers, "Skip")
	mona.Click(t, hers, "Skip")
	wantTab(t, hers, "Games")
	g := stored(t, w)
	if g.Version == 0 {
		t.Error("nothing is stored")
	}
	if g.Version = 0; g != (store.GuildSettings{Guild: g.Guild}) {
		t.Errorf("stored are %+v", g)
	}
	wantTab(t, open(nils), "Games")
}

// TestGamesInOneChannel: elsewhere games against the bot are private, and nobody is challenged.
// What is under way goes on.
func TestGamesInOneChannel(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona, den := manager(w, "Mona"), w.Discord.Guild().Channel("den")
	before := w.Play(t, w.Ada)
	open := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob)))
	m := panel(t, w, mona)
	choose(t, mona, m, "channel", den.ID())

	r := w.Cleo.Command(t, w.Channel, "tictactoe play")
	if !r.Ephemeral {
		t.Errorf("everybody sees %q", r.Text())
	}
	in := "games are played in <#" + den.ID() + ">"
	w.FollowUp(t, r, in)
	w.Refused(t, w.Cleo.Command(t, w.Channel, "tictactoe challenge"), in)
	w.Refused(t, w.Cleo.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Ada)), in)

	w.Resign(t, w.Ada, before)
	again := w.Answer(t, w.Ada.Click(t, before, "Rematch"))
	w.Resign(t, w.Ada, again)
	w.Bob.Click(t, open, "Accept")
	bottest.WantText(t, open, "your move")

	thread := w.Discord.Guild().Channel("corner", sandbox.Thread(den))
	for _, there := range []*sandbox.Channel{den, thread} {
		if r := w.Cleo.Command(t, there, "tictactoe play"); r.Ephemeral || !r.Answered() {
			t.Errorf("in %s the answer is private: %q", there.ID(), r.Text())
		}
	}
	mona.Select(t, m, "1:se:channel")
	if r := w.Cleo.Command(t, w.Channel, "tictactoe play"); r.Ephemeral {
		t.Errorf("games are everywhere, and this one is private: %q", r.Text())
	}
}

// TestPanelsOfBefore: the select that panels of a version before have leads to the tabs.
func TestPanelsOfBefore(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona := manager(w, "Mona")
	m := panel(t, w, mona)
	c, err := mona.Do(sandbox.Selection{Message: m, CustomID: "1:sp", Values: []string{"boards"}, Forced: true})
	if err != nil {
		t.Fatal(err)
	}
	c.Wait(t)
	wantTab(t, m, "Boards")
}

// TestWaysOnThePanel: what the other commands of managers do is a press away.
func TestWaysOnThePanel(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona := manager(w, "Mona")
	m := panel(t, w, mona)
	bottest.WantText(t, w.Answer(t, mona.Click(t, m, "Check")), "My permissions here")
	bottest.WantText(t, w.Answer(t, mona.Click(t, m, "Post the lobby")), "The lobby is up")
	mona.ClickID(t, m, "1:st:puzzle")
	for _, ofAnother := range []string{"Check", "Post the lobby", "Post today's puzzle now"} { // the puzzle where nobody has said
		if _, ok := m.Snapshot().Button(ofAnother); ok {
			t.Errorf("the puzzle has %q", ofAnother)
		}
	}
	w.Refused(t, mona.ClickID(t, m, "1:sz", sandbox.Forced), "no longer wants the puzzle posted")
}

// TestSettingDeliveredTwice: a choice that arrives again is made once.
func TestSettingDeliveredTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := manager(w, "Mona")
	m := panel(t, w, mona)
	before := stored(t, w).Version
	w.Discord.Faults().RedeliverNext(2)
	mona.Select(t, m, "1:se:places", "4")
	waittest.Until(t, "the panel to show it", func() bool { return chosen(t, m, "1:se:places") == "4" })
	if g := stored(t, w); g.Version != before+1 || strings.Contains(m.Text(), "saved. This is how") {
		t.Errorf("stored are %+v, and the panel says %q", g, m.Text())
	}
}

// TestLeaderboardIsTurnedOffAndBeginsAnew: a server can do without its leaderboard, and
// begin it anew, which is asked twice, is in the log, and takes nothing from how people
// play. A button of a leaderboard that stands shows no more than the command.
func TestLeaderboardIsTurnedOffAndBeginsAnew(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona := manager(w, "Mona")
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	table := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"))
	bottest.WantText(t, table, "**3** Ada")

	m := panel(t, w, mona)
	mona.ClickID(t, m, "1:st:standings")
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe help")), "Who leads: </tictactoe leaderboard:")
	choose(t, mona, m, "leaderboard", "off")
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe help")), "Your statistics: ")
	w.Refused(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"), "shows no leaderboard")
	w.Refused(t, w.Bob.Select(t, table, "1:lt", "all"), "shows no leaderboard")
	w.Refused(t, w.Bob.Click(t, table, "Show here"), "shows no leaderboard")
	w.Refused(t, w.Bob.ClickID(t, table, "1:lk:0:0", sandbox.Forced), "shows no leaderboard") // as older messages have it
	w.Refused(t, w.Bob.ClickID(t, table, "1:zr", sandbox.Forced), "shows no leaderboard")     // streaks, below a puzzle
	choose(t, mona, m, "leaderboard", "on")
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard")), "**3** Ada")

	question := w.Answer(t, mona.ClickID(t, m, "1:sa"))
	bottest.WantText(t, question, "gone for good")
	mona.ClickID(t, question, "1:sk")
	bottest.WantText(t, question, "stays as it is")
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard")), "**3** Ada")

	question = w.Answer(t, mona.ClickID(t, m, "1:sa"))
	mona.ClickID(t, question, "1:sx")
	bottest.WantText(t, question, "has been reset")
	if !strings.Contains(w.Log.String(), "standings begin anew") {
		t.Error("the log does not say who let the standings begin anew")
	}
	w.Restart(t)
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard")), "Nobody yet")
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "**People**")
}

// TestOnlyManagersLetStandingsBeginAnew: who has lost the right, and who never had it, is
// told so, and nothing begins anew.
func TestOnlyManagersLetStandingsBeginAnew(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	mona := manager(w, "Mona")
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	m := panel(t, w, mona)
	mona.ClickID(t, m, "1:st:standings")
	question := w.Answer(t, mona.ClickID(t, m, "1:sa"))
	forged, err := mona.Do(sandbox.ButtonClick{Message: board, CustomID: "1:sx", Forced: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Refused(t, forged.Wait(t), "out of date")
	mona.Set(sandbox.Permissions(0))
	w.Refused(t, mona.ClickID(t, m, "1:sa"), "Manage Server")
	w.Refused(t, mona.ClickID(t, question, "1:sx"), "Manage Server")
	bottest.WantText(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard")), "**3** Ada")
}
