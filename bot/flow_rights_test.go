package bot_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// rights are the permissions that can be taken from the bot in a channel: each that its
// invitation asks for, all of these, and all that there are besides.
func rights() map[string]int64 {
	list, others := map[string]int64{}, int64(0)
	for _, n := range permission.Names() {
		switch {
		case n.Bit&kit.InvitePermissions != 0:
			list[n.Name] = n.Bit
		case n.InChannels:
			others |= n.Bit
		}
	}
	list["all of the invitation's"], list["all others"] = kit.InvitePermissions, others
	return list
}

// home is a kind of channel in a server with the bot. made makes one of a name, where the
// bot has lost the permissions.
type home struct {
	made    func(w *bottest.World, name string, lost int64) *sandbox.Channel
	send    int64 // what it needs to write there by itself
	threads bool  // can be begun there
}

var homes = map[string]home{
	"a text channel": {send: permission.SendMessages, threads: true, made: func(w *bottest.World, name string, lost int64) *sandbox.Channel {
		return w.Discord.Guild().Channel(name, sandbox.DenyBot(lost))
	}},
	"a voice channel's chat": {send: permission.SendMessages, made: func(w *bottest.World, name string, lost int64) *sandbox.Channel {
		return w.Discord.Guild().Channel(name, sandbox.Voice, sandbox.DenyBot(lost))
	}},
	"a thread": {send: permission.SendInThreads, made: func(w *bottest.World, name string, lost int64) *sandbox.Channel {
		return w.Discord.Guild().Channel(name, sandbox.Thread(w.Discord.Guild().Channel("of-"+name, sandbox.DenyBot(lost))))
	}},
	"a forum post": {send: permission.SendInThreads, made: func(w *bottest.World, name string, lost int64) *sandbox.Channel {
		return w.Discord.Guild().Channel(name, sandbox.Thread(w.Discord.Guild().Channel("of-"+name, sandbox.Forum, sandbox.DenyBot(lost))))
	}},
}

// elsewhere are the actions that the tour does not come to, and why.
var elsewhere = map[customid.Action]string{
	customid.CellAtPly:      "is in messages of older versions only: TestForgedButtonsGiveNoPower",
	customid.ChallengeAgain: "is there when a challenge has expired",
	customid.CloseLocked:    "is in questions of older versions only: TestTheQuestionAboutALockedThread",
	customid.EraseGuild:     "leaves nothing to go on with: TestManagerErasesServer",
	customid.PlayInThread:   "is in messages of older versions only: TestThreadsThatCannotBe",
	customid.GoOn:           "is there when a game was paused: TestScripts/aside",
	customid.AcceptInstead:  "is there for who plays somebody else: TestScripts/resign_and_accept",
	customid.AcceptSure:     "is there for who plays somebody else: TestScripts/resign_and_accept",
	customid.NextGame:       "is there in a series: TestSeries",
	customid.EndSeries:      "is there between two games of a series: TestSeriesEndsWithItsPeople",
	customid.RematchInstead: "is there for who plays somebody else: TestScripts/resign_and_accept",
	customid.RematchSure:    "is there for who plays somebody else: TestScripts/resign_and_accept",
	customid.BlockPage:      "is there for who has blocked many: TestManyBlocks",
	customid.ChallengeKing:  "is there where a channel has a king: TestKingIsChallenged",
	customid.LobbyKing:      "is there where a channel has a king: TestCrownInTheLobby",
	customid.ChallengeUser:  "is on statistics that were shown: TestChallengeFromStatistics",
	customid.Leaderboard:    "is there when a leaderboard has pages",
	customid.Standings:      "is in messages of older versions only: TestLeaderboardIsTurnedOffAndBeginsAnew",
	customid.OwnMark:        "is there where the application has emojis: TestScripts/own_mark",
	customid.AsList:         "is on boards of older versions only: TestButtonsOfOlderBoards",
	customid.CellNames:      "is on boards of older versions only: TestButtonsOfOlderBoards",
	customid.Resign:         "is on boards of older versions only: TestButtonsOfOlderBoards",
	customid.Harder:         "is on boards of older versions only: TestButtonsOfOlderBoards",
	customid.TryVanishing:   "is on boards of older versions only: TestTryVanishing",
	customid.CellInList:     "is there for who plays by a list: TestScripts/list",
	customid.ListCell:       "is there for who plays by a list: TestScripts/list_private",
	customid.ReviewTry:      "is there when a move was a mistake: TestScripts/review_find",
	customid.ReviewTryNext:  "is there when a move was a mistake: TestScripts/review_find",
	customid.Easier:         "is there after some losses in a row",
	customid.LobbyLevel:     "is in messages of older versions only: TestChoicesOfBefore",
	customid.LobbyBoard:     "is in messages of older versions only: TestChoicesOfBefore",
	customid.SetupChannel:   "leaves no games elsewhere: TestFirstSettings",
	customid.SettingsPage:   "is on panels of older versions only: TestPanelsOfBefore",
	customid.PuzzleSolve:    "is on posts of puzzles: TestPuzzlePost",
	customid.PuzzleRecap:    "is there when a solution was shared where posts are: TestRecap",
	customid.PuzzleGoOn:     "is on the last post before a pause: TestPostsPause",
	customid.PuzzleNames:    "is there on the days of small boards",
	customid.PuzzleAgain:    "is there after a wrong move, and the tour knows no right from wrong",
}

// TestEveryRightAndEveryCommand sends every command, and presses what follows from it, in
// every kind of channel, while the bot lacks one permission, all that its invitation asks
// for, or all others. Everything is answered in time, and never as a mistake of ours. What
// differs from what it does with all permissions is in the table below, and says in words
// what is missing and who can grant it.
func TestEveryRightAndEveryCommand(t *testing.T) {
	for place, h := range homes {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			with := walk(t, clock, h, 0)
			if place == "a text channel" {
				with.complete(t)
			}
			for name, lost := range rights() {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					compare(t, h, lost, with, walk(t, clock, h, lost))
				})
			}
		})
	}
}

// refusedWithout tells of a step what the answer says when the bot lacks permissions, empty
// where it is to say the same as with them.
func refusedWithout(h home, lost int64, step, with string) (says []string) {
	names := func(bits int64) (list []string) {
		for _, n := range permission.Names() {
			if n.Bit&bits&lost != 0 {
				list = append(list, n.Name)
			}
		}
		return list
	}
	action := strings.TrimRight(step[strings.LastIndex(step, " ")+1:], "0123456789#")
	threads := permission.ViewChannel | permission.CreateThreads | permission.SendInThreads
	switch {
	case step == "lobby", action == string(customid.PostLobby):
		says = names(permission.ViewChannel | h.send)
	case (step == "check" || action == string(customid.CheckHere)) && h.threads:
		says = names(kit.InvitePermissions)
	case step == "check", action == string(customid.CheckHere):
		says = names(permission.ViewChannel | h.send)
	case !h.threads:
	case action == string(customid.AcceptInThread):
		if says = names(threads); len(says) > 0 {
			return append(says, "To fix this")
		}
	case strings.HasPrefix(step, "settings") && strings.Contains(with, "**Threads**") && lost&threads != 0:
		return []string{"Create Public Threads", "Send Messages in Threads"}
	}
	if len(says) > 0 {
		says = append(says, "tictactoe-admin check")
	}
	return says
}

// compare holds a tour without some permissions to one with all.
func compare(t *testing.T, h home, lost int64, with, without *tour) {
	t.Helper()
	var refused []string
	for _, step := range with.order {
		want, got := with.answers[step], without.answers[step]
		says := refusedWithout(h, lost, step, want)
		for _, word := range says {
			if word == "tictactoe-admin check" && (step == "check" || strings.HasSuffix(step, " "+string(customid.CheckHere))) {
				word = "To fix this"
			}
			if !strings.Contains(got, word) {
				t.Errorf("%s: %q, want %q in it", step, got, word)
			}
		}
		switch {
		case len(says) > 0:
			refused = append(refused, step+" ")
		case strings.HasPrefix(want, "type 6") && strings.Contains(got, "private false"):
			// What it posts by itself where it may, it answers where it may not.
			refused = append(refused, step+" ")
		case got != want && !slices.ContainsFunc(refused, func(r string) bool { return strings.HasPrefix(step, r) }):
			t.Errorf("%s: %q, with all permissions %q", step, got, want)
		}
	}
	for step, got := range without.answers {
		if _, ok := with.answers[step]; !ok && !slices.ContainsFunc(refused, func(r string) bool { return strings.HasPrefix(step, r) }) {
			t.Errorf("%s: %q, with all permissions nothing", step, got)
		}
	}
}

// tour is a way through all that the bot offers. Each step is an interaction: a command by
// its name, and what is pressed on the answer by the actions that lead there.
type tour struct {
	t       *testing.T
	w       *bottest.World
	pressed map[customid.Action]bool
	sent    map[string]bool
	order   []string
	answers map[string]string
}

// walk goes the way in a world of its own, where the bot has lost the permissions.
func walk(t *testing.T, clock *bottest.Clock, h home, lost int64) *tour {
	t.Helper()
	w := bottest.New(t, bottest.ClicksDelivered, bottest.ByClock(clock), bottest.Places(1), bottest.Bot(func(o *bot.Options) {
		o.Dice = func() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) } //nolint:gosec // the same game on every tour
	}))
	tr := &tour{t: t, w: w, pressed: map[customid.Action]bool{}, sent: map[string]bool{}, answers: map[string]string{}}
	for i, part := range tourParts {
		w.Channel = h.made(w, fmt.Sprint("part-", i), lost)
		part(tr, h)
	}
	if n := w.Log.Lines(slog.LevelError); n > 0 {
		t.Errorf("%d errors are in the log:\n%s", n, w.Log.Tail())
	}
	return tr
}

// complete checks that the tour has come to every command and to every button.
func (tr *tour) complete(t *testing.T) {
	t.Helper()
	for _, c := range tr.w.Discord.App().Commands("") {
		if c.Type == discord.CommandUser {
			if !tr.sent[c.Name] {
				t.Errorf("the tour lacks the entry %q", c.Name)
			}
			continue
		}
		for _, sub := range c.Options {
			if sub.Type != discord.OptionSubcommand {
				sub.Name = ""
			}
			if !tr.sent[strings.TrimSpace(c.Name+" "+sub.Name)] {
				t.Errorf("the tour lacks /%s %s", c.Name, sub.Name)
			}
		}
	}
	for _, action := range customid.Actions() {
		if _, ok := elsewhere[action]; !ok && !tr.pressed[action] {
			t.Errorf("the tour lacks the action %q", action)
		}
	}
}

var figures = regexp.MustCompile(`[0-9]+(/[0-9]+)*`)

// note holds an answer to what is promised of each, and keeps it.
func (tr *tour) note(step string, r *sandbox.Reply) *sandbox.Reply {
	tr.t.Helper()
	if !r.Answered() || len(r.Problems) > 0 || strings.Contains(r.Text(), "went wrong") {
		tr.t.Errorf("%s: answered %v, %v: %q", step, r.Answered(), r.Problems, r.Text())
	}
	for i := 2; tr.answers[step] != ""; i++ {
		step = fmt.Sprint(strings.TrimRight(step, "0123456789#"), "#", i)
	}
	tr.order = append(tr.order, step)
	tr.answers[step] = fmt.Sprintf("type %d, private %v: %s", r.Type, r.Ephemeral, figures.ReplaceAllString(r.Text(), "0"))
	return r
}

// command sends one, and presses all that follows from it for the first time.
func (tr *tour) command(who *sandbox.User, path string, args ...sandbox.Arg) *sandbox.Message {
	tr.t.Helper()
	tr.sent[path] = true
	_, step, _ := strings.Cut(path, " ")
	r := tr.note(step, who.Command(tr.t, tr.w.Channel, path, args...))
	return r.Message
}

// press presses the button or chooses in the select, and returns what shows what came of it.
func (tr *tour) press(step string, who *sandbox.User, m *sandbox.Message, c rules.Component) *sandbox.Reply {
	tr.t.Helper()
	id, err := customid.Parse(c.CustomID)
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.pressed[id.Action] = true
	action := func(forced bool) sandbox.Action {
		if c.Type == rules.TypeButton {
			return sandbox.ButtonClick{Message: m, CustomID: c.CustomID, Forced: forced}
		}
		return sandbox.Selection{Message: m, CustomID: c.CustomID, Values: []string{tr.choice(c)}, Forced: forced}
	}
	call, err := who.Do(action(false)) // which looks at the board first
	if errors.Is(err, sandbox.ErrNoComponent) {
		call, err = who.Do(action(true))
	}
	if err != nil {
		tr.t.Fatalf("%s %s: %v", step, id.Action, err)
	}
	r := call.Wait(tr.t)
	if id.Action == customid.Export && r.Message != nil { // the answer says that it comes
		r.Message.Wait(tr.t, "the file", func(s sandbox.Snapshot) bool { return len(s.Attachments) > 0 })
	}
	return tr.note(step+" "+string(id.Action), r)
}

// choice is what is chosen in a select.
func (tr *tour) choice(c rules.Component) string {
	switch c.Type {
	case rules.TypeUserSelect:
		return tr.w.Cleo.ID()
	case rules.TypeChannelSelect:
		return tr.w.Discord.Guild().Channel("general").ID()
	case rules.TypeRoleSelect:
		return tr.w.Discord.Guild().Role("puzzlers").ID()
	}
	for _, o := range slices.Backward(c.Options) {
		if !o.Default {
			return o.Value
		}
	}
	return c.Options[0].Value
}

// all presses whatever is on the message and has not been pressed before, and goes on with
// what comes of it. Buttons are pressed also when a later picture of the message lacks them:
// when it follows is no matter of permissions.
func (tr *tour) all(step string, who *sandbox.User, m *sandbox.Message) {
	tr.t.Helper()
	for m != nil {
		fresh := tr.fresh(m)
		if len(fresh) == 0 {
			return
		}
		for _, c := range fresh {
			id, _ := customid.Parse(c.CustomID)
			if tr.pressed[id.Action] {
				continue
			}
			if r := tr.press(step, who, m, c); r.Message != nil && r.Message != m {
				tr.all(step+" "+string(id.Action), who, r.Message)
			}
		}
	}
}

// fresh returns what can be pressed on the message and has not been pressed before. The way
// to a thread has its own part.
func (tr *tour) fresh(m *sandbox.Message) (found []rules.Component) {
	for c := range rules.All(m.Snapshot().Components) {
		id, err := customid.Parse(c.CustomID)
		if err == nil && !c.Disabled && !tr.pressed[id.Action] && id.Action != customid.PlayInThread && id.Action != customid.AcceptInThread {
			found = append(found, *c)
		}
	}
	return found
}

// button returns what is pressed to do something on a message, which has to be there.
func (tr *tour) button(m *sandbox.Message, action customid.Action) (found rules.Component, ok bool) {
	for c := range rules.All(m.Snapshot().Components) {
		if id, err := customid.Parse(c.CustomID); err == nil && id.Action == action {
			return *c, true
		}
	}
	return found, false
}

// do presses the button of an action, and all that comes of it. Where there is none, that is
// for the comparison to say.
func (tr *tour) do(step string, who *sandbox.User, m *sandbox.Message, action customid.Action) *sandbox.Message {
	tr.t.Helper()
	if m == nil {
		return nil
	}
	b, ok := tr.button(m, action)
	if !ok {
		return nil
	}
	r := tr.press(step, who, m, b)
	if r.Answered() && r.Type == sandbox.CallbackDeferUpdate && r.Message == nil {
		return tr.w.Posted(tr.t, r.Call)
	}
	return r.Message
}
