package bot_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/postgres/postgrestest"
)

// choosesMark has somebody choose a mark of their own.
func choosesMark(t *testing.T, w *bottest.World, who *sandbox.User, name string) {
	t.Helper()
	panel := preferencesOf(t, w, who, "boards")
	who.Select(t, panel, "1:om", name)
	if name != "usual" {
		bottest.WantText(t, panel, bottest.Emoji(t, w, name))
	}
}

// markOf returns the mark that is stored for somebody.
func markOf(t *testing.T, w *bottest.World, who *sandbox.User) store.OwnMark {
	t.Helper()
	p, err := w.Store.Person(t.Context(), store.UserID(who.ID()))
	if err != nil {
		t.Fatal(err)
	}
	return p.Mark
}

// TestAlwaysXAndO: where somebody plays who always wants X and O, neither another's mark nor a
// server's set is on the board, on its buttons or in its lists. Where they do not play both are.
func TestAlwaysXAndO(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.OwnMarks)
	guild := store.GuildSettings{Guild: store.GuildID(w.Discord.Guild().ID()), Marks: store.MarksHearts}
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{guild}}); err != nil {
		t.Fatal(err)
	}
	x, o, fish := bottest.Emoji(t, w, "x"), bottest.Emoji(t, w, "o"), bottest.Emoji(t, w, "fish")
	choosesMark(t, w, w.Bob, "fish")
	with := w.Challenge(t, w.Cleo, w.Bob)
	bottest.WantText(t, with, "💙 "+w.Cleo.Mention())
	bottest.WantText(t, with, fish+"⭐ "+w.Bob.Mention())
	panel := preferencesOf(t, w, w.Ada, "boards")
	w.Ada.Click(t, panel, "Always X and O")
	w.Elsewhere("beside")
	m := w.Challenge(t, w.Ada, w.Bob)
	bottest.WantText(t, m, x+" "+w.Ada.Mention())
	bottest.WantText(t, m, o+" "+w.Bob.Mention())
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	for _, label := range []string{"X", "O•"} {
		if _, ok := m.Snapshot().Button(label); !ok {
			t.Errorf("there is no button %q on %s", label, m.Snapshot().Text())
		}
	}
	w.Ada.Click(t, panel, "Turn off")
	w.Cells(t, m, w.Ada, w.Bob, "a2")
	bottest.WantText(t, m, fish+"⭐ "+w.Bob.Mention())
	bottest.WantText(t, m, "💙 "+w.Ada.Mention())
	if got := markOf(t, w, w.Ada); got != 0 {
		t.Errorf("mark %d is stored", got)
	}
}

// TestMarkThatCannotBeUploaded: whose mark has lost an emoji that Discord does not take again
// has X or O, others keep theirs, and no board waits. It is there once Discord takes it.
func TestMarkThatCannotBeUploaded(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Stop(t)
	w.Configure(func(o *service.Options) { o.PlainMarks = false })
	w.Start(t)
	waittest.Until(t, "the emojis to be uploaded", w.Service.Marked)
	choosesMark(t, w, w.Ada, "star")
	choosesMark(t, w, w.Bob, "heart")
	gone := bottest.Emoji(t, w, "heart_going")
	w.Stop(t)
	deleteEmoji(t, w.Discord, strings.TrimSuffix(gone[strings.LastIndex(gone, ":")+1:], ">"))
	w.Discord.Faults().FailNext(createEmoji, http.StatusForbidden, 1000)
	w.Start(t)
	waittest.Until(t, "a refusal to be logged", func() bool { return strings.Contains(w.Log.String(), "marks not uploaded, trying again") })
	star, heart, o := bottest.Emoji(t, w, "star"), bottest.Emoji(t, w, "heart"), bottest.Emoji(t, w, "o")
	m := w.Challenge(t, w.Ada, w.Bob)
	bottest.WantText(t, m, star+bottest.Emoji(t, w, "x")+" "+w.Ada.Mention())
	bottest.WantText(t, m, o+" "+w.Bob.Mention())
	if text := m.Text(); strings.Contains(text, heart) {
		t.Errorf("a board shows a mark of which there are not all forms: %q", text)
	}
	w.Discord.Faults().Clear()
	waittest.Until(t, "the emojis to be uploaded", w.Service.Marked)
	w.Cell(t, w.Ada, m, "b2")
	bottest.WantText(t, m, heart+o+" "+w.Bob.Mention())
}

// TestMarkIsKeptAndErased: it is in the copy of one's data, and goes with it, so that what was
// played before shows X and O when it is drawn again.
func TestMarkIsKeptAndErased(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.OwnMarks)
	choosesMark(t, w, w.Ada, "rocket")
	if rows := exportOf(t, w, w.Ada).rows("people"); len(rows) != 1 || rows[0]["mark"] != float64(store.MarkRocket) {
		t.Errorf("the copy says %v", rows)
	}
	rocket := bottest.Emoji(t, w, "rocket")
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	bottest.WantText(t, m, rocket)
	eraseMe(t, w, w.Ada)
	waittest.Until(t, "the board to name nobody who was erased", func() bool {
		return strings.Contains(m.Text(), "deleted player") && !strings.Contains(m.Text(), rocket)
	})
	if got := markOf(t, w, w.Ada); got != 0 {
		t.Errorf("mark %d is left", got)
	}
}

// TestMarksReachOtherProcesses: another process draws what somebody has chosen here.
func TestMarksReachOtherProcesses(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.OwnMarks, bottest.ByHTTP, bottest.GoesBack(), bottest.ByClock(clock), onPostgres(postgrestest.Empty(t)))
	other := w.Beside(t)
	waittest.Until(t, "the other one to have emojis", other.Service.Marked)
	w.PostsTo(other.Service, nil)
	m := w.Challenge(t, w.Ada, w.Bob) // which reads what both have set
	w.PostsTo(w.Service, nil)
	choosesMark(t, w, w.Bob, "anchor")
	clock.Advance(4*time.Second + time.Millisecond)
	w.PostsTo(other.Service, nil)
	w.Cell(t, w.Ada, m, "b2")
	bottest.WantText(t, m, bottest.Emoji(t, w, "anchor")+bottest.Emoji(t, w, "o")+" "+w.Bob.Mention())
	w.Discord.Settle(t)
}

// TestForgedMarks: only the marks of the list can be chosen, and only on a panel of one's own.
func TestForgedMarks(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.OwnMarks, bottest.ClicksDelivered)
	panel := preferencesOf(t, w, w.Ada, "boards")
	board := w.Challenge(t, w.Ada, w.Bob)
	for _, forged := range []sandbox.Selection{
		{Message: panel, CustomID: "1:om", Values: []string{"dog"}, Forced: true},
		{Message: panel, CustomID: "1:om", Values: []string{"100"}, Forced: true},
		{Message: board, CustomID: "1:om", Values: []string{"star"}, Forced: true},
	} {
		c, err := w.Ada.Do(forged)
		if err != nil {
			t.Fatal(err)
		}
		w.Refused(t, c.Wait(t), "out of date")
		if got := markOf(t, w, w.Ada); got != 0 {
			t.Errorf("%v makes mark %d", forged.Values, got)
		}
	}
}
