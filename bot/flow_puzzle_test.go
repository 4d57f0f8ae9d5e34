package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

// puzzled returns a world at noon, by UTC, of the next such day of the week.
func puzzled(t *testing.T, day time.Weekday, options ...bottest.Option) (*bottest.World, *bottest.Clock) {
	t.Helper()
	clock := bottest.NewClock()
	now := clock.Now().UTC()
	noon := now.Truncate(24 * time.Hour).Add(36 * time.Hour)
	for noon.Weekday() != day {
		noon = noon.Add(24 * time.Hour)
	}
	clock.Advance(noon.Sub(now))
	return bottest.New(t, append(options, bottest.ByClock(clock))...), clock
}

// puzzleAt returns the puzzle of the clock's day.
func puzzleAt(t *testing.T, clock *bottest.Clock) puzzle.Puzzle {
	t.Helper()
	p, err := puzzle.Of(t.Context(), store.DayOf(clock.Now()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wrongFirst returns the name of a first move that is wrong.
func wrongFirst(p puzzle.Puzzle) string {
	for c := range p.Start.Moves() {
		if c != p.Solution {
			return p.Start.Rules().CellName(c)
		}
	}
	return ""
}

// opens has somebody open the puzzle of the day.
func opens(t *testing.T, w *bottest.World, who *sandbox.User) *sandbox.Message {
	t.Helper()
	m := w.Answer(t, who.Command(t, w.Channel, "tictactoe puzzle"))
	if s := m.Snapshot(); !s.Ephemeral() || len(s.Pinged) > 0 {
		t.Errorf("the puzzle is private %v and notifies %v", s.Ephemeral(), s.Pinged)
	}
	return m
}

// solves plays right moves to the end, from where the puzzle stands after the moves.
func solves(t *testing.T, w *bottest.World, who *sandbox.User, m *sandbox.Message, p puzzle.Puzzle, moves ...engine.Cell) {
	t.Helper()
	for {
		g, err := p.Start.After(moves)
		if err != nil {
			t.Fatal(err)
		}
		best, err := solver.Solve(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		step, err := p.Play(t.Context(), moves, best.Best)
		if err != nil {
			t.Fatal(err)
		}
		if r := w.Cell(t, who, m, p.Start.Rules().CellName(best.Best)); r.Type == sandbox.CallbackMessage {
			t.Fatalf("the right move was refused: %s", r.Text())
		}
		if step.Verdict == puzzle.Solved {
			return
		}
		moves = step.Moves
	}
}

// TestPuzzle plays a puzzle from the first look to the end: a wrong move ends a try and gives
// no answer away, the next try may come after a restart, and what solved it is
// told in a sentence. What is shared gives nothing away and notifies nobody.
func TestPuzzle(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Wednesday)
	p := puzzleAt(t, clock)
	m := opens(t, w, w.Ada)
	bottest.WantText(t, m, "win in 2 moves")
	board, _, _ := strings.Cut(p.Start.String(), "-")
	w.Shows(t, m, board)

	wrong := wrongFirst(p)
	w.Cell(t, w.Ada, m, wrong)
	bottest.WantText(t, m, "✖️ **"+wrong+"** only draws.\n2 tries left.")
	w.Refused(t, w.Cell(t, w.Ada, m, p.Start.Rules().CellName(p.Solution)), "This try is over.")

	w.Restart(t)
	w.Ada.Click(t, m, "Try again")
	bottest.WantText(t, m, "try 2 of 3")
	w.Shows(t, m, board)
	taken := engine.Cell(0)
	for p.Start.At(taken) == engine.None {
		taken++
	}
	w.Refused(t, w.Cell(t, w.Ada, m, p.Start.Rules().CellName(taken)), "is taken")

	first, err := p.Play(t.Context(), nil, p.Solution)
	if err != nil {
		t.Fatal(err)
	}
	w.Cell(t, w.Ada, m, p.Start.Rules().CellName(p.Solution))
	bottest.WantText(t, m, "answers "+p.Start.Rules().CellName(first.Reply))
	w.Restart(t)
	again := opens(t, w, w.Ada) // lost from sight
	bottest.WantText(t, again, "answers "+p.Start.Rules().CellName(first.Reply))
	w.Ada.Click(t, again, "List")
	solves(t, w, w.Ada, again, p, first.Moves...)
	bottest.WantText(t, again, "Solved on the second try!")
	bottest.WantText(t, again, "two threats: only one can be stopped.")
	bottest.WantText(t, again, "🔥\u00a01 (best 1)")
	bottest.WantText(t, again, "solved here by 1 person")

	shared := w.Answer(t, w.Ada.Click(t, again, "Share")).Snapshot()
	if text := shared.Text(); shared.Ephemeral() || len(shared.Pinged) > 0 || !strings.Contains(text, " ✖✅ 2/3 · 🔥\u00a01") || strings.Contains(text, p.Start.Rules().CellName(p.Solution)) {
		t.Errorf("shared: %q, private %v, notifies %v", text, shared.Ephemeral(), shared.Pinged)
	}
	bottest.WantText(t, w.Answer(t, w.Ada.Click(t, again, "Streaks")), "🔥")

	// The board that was left behind shows what is stored at the next click.
	r := w.Cell(t, w.Ada, m, wrong)
	w.FollowUp(t, r, "You've already finished this puzzle")
	bottest.WantText(t, m, "Solved on the second try!")
}

// TestPuzzleOfSunday: the puzzle on the widest board begins as a list, which wraps on no
// phone.
func TestPuzzleOfSunday(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Sunday)
	m := opens(t, w, w.Ada)
	if _, ok := bottest.List(m.Snapshot()); !ok {
		t.Errorf("%q is no list", m.Text())
	}
	solves(t, w, w.Ada, m, puzzleAt(t, clock))
	bottest.WantText(t, m, "Solved on the first try!")
}

// TestPuzzleFails: after three wrong tries the solution is told, and no other try begins.
func TestPuzzleFails(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Saturday)
	p := puzzleAt(t, clock)
	m := opens(t, w, w.Ada)
	bottest.WantText(t, m, "hold the draw")
	for try := range 3 {
		if try > 0 {
			w.Ada.Click(t, m, "Try again")
		}
		w.Cell(t, w.Ada, m, wrongFirst(p))
		bottest.WantText(t, m, "✖️ **"+wrongFirst(p)+"** loses")
	}
	bottest.WantText(t, m, "Out of tries.")
	bottest.WantText(t, m, "💡")
	bottest.WantText(t, opens(t, w, w.Ada), "Out of tries.")
	shared := w.Answer(t, w.Ada.Click(t, m, "Share"))
	bottest.WantText(t, shared, "✖✖✖ –/3")
	if who, err := w.Store.Puzzler(t.Context(), store.UserID(w.Ada.ID())); who.Solved != 0 || err != nil {
		t.Errorf("Puzzler = %+v, %v, want nothing solved", who, err)
	}
}

// TestPuzzleMidnight: who has begun a puzzle may finish it for an hour after its day, and
// is told no solution so long; nobody else may.
func TestPuzzleMidnight(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Thursday)
	p := puzzleAt(t, clock)
	ada, cleo := opens(t, w, w.Ada), opens(t, w, w.Cleo)
	clock.Advance(12*time.Hour + 30*time.Minute)
	today := opens(t, w, w.Ada)
	bottest.WantText(t, today, "win in 3 moves")
	early := w.Refused(t, w.Ada.Click(t, today, "Yesterday's solution"), "You can still solve yesterday's puzzle", "Finish yesterday's")
	bottest.WantText(t, w.Answer(t, w.Ada.Click(t, early, "Finish yesterday's")), "hold the draw")
	bottest.WantText(t, w.Answer(t, w.Ada.Click(t, today, "Finish yesterday's")), "hold the draw")
	solves(t, w, w.Ada, ada, p)
	bottest.WantText(t, ada, "Solved on the first try!")
	told := w.Answer(t, w.Bob.Click(t, opens(t, w, w.Bob), "Yesterday's solution"))
	bottest.WantText(t, told, "💡 **"+p.Start.Rules().CellName(p.Solution)+"**")

	clock.Advance(31 * time.Minute)
	closed := w.Refused(t, w.Cell(t, w.Cleo, cleo, wrongFirst(p)), "That puzzle is over.", "Today's puzzle")
	solves(t, w, w.Ada, today, puzzleAt(t, clock))
	bottest.WantText(t, today, "🔥\u00a02 (best 2)")
	bottest.WantText(t, w.Answer(t, w.Cleo.Click(t, closed, "Today's puzzle")), "win in 3 moves")
}

// TestPuzzleStreakOverALeapDay: days count by UTC, one after the other, over the end of
// February, a restart, and wherever somebody is.
func TestPuzzleStreakOverALeapDay(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	year := clock.Now().UTC().Year() + 1
	for year%4 != 0 || year%100 == 0 && year%400 != 0 {
		year++
	}
	clock.Advance(time.Date(year, 2, 28, 23, 0, 0, 0, time.UTC).Sub(clock.Now()))
	w := bottest.New(t, bottest.ByClock(clock))
	there := w.Discord.World().AddGuild("Away")
	w.Ada.Join(there)
	for n, where := range []*sandbox.Channel{w.Channel, w.Ada.DM(), there.Channel("general")} {
		w.Channel = where
		want := fmt.Sprintf("🔥\u00a0%d (best %d)", n+1, n+1)
		m := opens(t, w, w.Ada)
		solves(t, w, w.Ada, m, puzzleAt(t, clock))
		bottest.WantText(t, m, want)
		w.Restart(t)
		clock.Advance(24 * time.Hour)
	}
	if got := clock.Now().UTC().Format("01-02"); got != "03-02" {
		t.Errorf("it is %s by now", got)
	}
}

// TestPuzzleDeliveredTwice: each click has one effect, however often it is delivered.
func TestPuzzleDeliveredTwice(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Monday)
	p := puzzleAt(t, clock)
	m := opens(t, w, w.Ada)
	w.Discord.Faults().RedeliverNext(1)
	w.Cell(t, w.Ada, m, wrongFirst(p))
	waittest.Until(t, "the second delivery", func() bool { return w.Service.Counts().Duplicates == 1 })
	bottest.WantText(t, m, "2 tries left.")
	w.Ada.Click(t, m, "Try again")
	line, err := p.Line(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.Cell(t, w.Ada, m, p.Start.Rules().CellName(line[0]))
	last := line[2]
	call := w.Ada.StartClickCell(t, m, p.Start.Rules().Row(last), p.Start.Rules().Column(last))
	call.Wait(t)
	bottest.WantText(t, m, "Solved on the second try!")
	w.Restart(t)
	w.Discord.Faults().Redeliver(call)
	w.Bystander(t)
	who, err := w.Store.Puzzler(t.Context(), store.UserID(w.Ada.ID()))
	if who.Solved != 1 || who.Streak != 1 || err != nil {
		t.Errorf("Puzzler = %+v, %v, want one puzzle solved", who, err)
	}
}

// TestForgedPuzzleClicks: a made up click gives nothing away, and turns nobody's message
// into a puzzle.
func TestForgedPuzzleClicks(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Monday, bottest.ClicksDelivered)
	p := puzzleAt(t, clock)
	// A board that all see, with the number of the picture that Ada's puzzle shows.
	m, public := opens(t, w, w.Ada), w.Play(t, w.Bob, sandbox.Opt("first", "bot"))
	if public.Snapshot().Components[0].ID != m.Snapshot().Components[0].ID {
		t.Fatal("the two boards show different numbers")
	}
	today := strings.TrimPrefix(bottest.CustomID(t, m, "Yesterday's solution"), "1:zy:")
	forge := func(on *sandbox.Message, id string) *sandbox.Reply {
		return w.Ada.ClickID(t, on, id, sandbox.Forced)
	}
	solution := p.Start.Rules().CellName(p.Solution)
	for _, id := range []string{"1:zc:" + today + ":0", "1:za:" + today, "1:zn:" + today, "1:zt:" + today} {
		w.Refused(t, forge(public, id), "out of date")
	}
	for _, id := range []string{"1:zc:1:0", "1:zs:" + today, "1:zy:999999", "1:zy:0", "1:za:20000"} {
		if text := w.Refused(t, forge(m, id), "out of date").Text(); strings.Contains(text, solution) {
			t.Errorf("%s tells %q", id, text)
		}
	}
	w.Refused(t, forge(m, "1:zo:999999"), "That puzzle is over.")

	stale := w.Stale(t, w.Ada, m, "Cell names")
	w.Ada.Click(t, m, "Cell names")
	if r := stale(); r.Type == sandbox.CallbackMessage {
		t.Errorf("a click on what stands there was refused: %s", r.Text())
	}
	again := opens(t, w, w.Ada)
	w.Ada.Click(t, again, "List")
	r := w.Cell(t, w.Ada, m, solution)
	w.FollowUp(t, r, "has just changed")
	if try, err := w.Store.PuzzleTry(t.Context(), store.UserID(w.Ada.ID()), p.Day); len(try.Moves) != 0 || err != nil {
		t.Errorf("a click on an older picture played %v, %v", try.Moves, err)
	}
}
