package view

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/store"
)

// puzzleDay is a Sunday, whose puzzle is on the largest board.
const puzzleDay = 20786

func puzzleOf(t testing.TB, day int64) puzzle.Puzzle {
	t.Helper()
	p, err := puzzle.Of(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stands returns how somebody stands who plays the cells, each lost try but the last
// followed by another.
func stands(t testing.TB, p puzzle.Puzzle, cells ...engine.Cell) Puzzle {
	t.Helper()
	s := Puzzle{Puzzle: p, InGuild: true, Try: store.PuzzleTry{User: matchtest.Ada, Day: p.Day, State: store.PuzzleOpen, Version: len(cells) + 1}}
	for _, c := range cells {
		if s.Try.Lost {
			s.Try = match.PuzzleAgain(s.Try)
		}
		step, err := p.Play(t.Context(), s.Try.Moves, c)
		if err != nil {
			t.Fatal(err)
		}
		s.Step, s.Try = step, match.PuzzleStep(s.Try, step)
	}
	return s
}

// wrongMove is a first move that does not solve the puzzle.
func wrongMove(p puzzle.Puzzle) engine.Cell {
	for c := range p.Start.Moves() {
		if c != p.Solution {
			return c
		}
	}
	panic("every move is right")
}

// puzzleScenes are puzzles at every moment that looks like no other.
func puzzleScenes(t testing.TB, v View) map[string]discord.Message {
	t.Helper()
	all := map[string]discord.Message{}
	add := func(name string, s Puzzle) {
		msg, err := v.Puzzles().Puzzle(s)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSpace("puzzle "+name)] = msg
	}
	with := func(s Puzzle, change func(*Puzzle)) Puzzle { change(&s); return s }
	sunday, saturday, monday := puzzleOf(t, puzzleDay), puzzleOf(t, puzzleDay-1), puzzleOf(t, puzzleDay+1)
	wrong := wrongMove(sunday)
	line, err := monday.Line(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	who := func(s *Puzzle) {
		s.Puzzler, s.Solvers = store.Puzzler{Solved: 30, Streak: 5, Best: 12, Last: s.Day}, 14
	}
	solved := with(stands(t, monday, wrongMove(monday), line[0], line[2]), who)
	add("", stands(t, sunday))
	add("in a list", with(stands(t, sunday), func(s *Puzzle) { s.Try.AsList = true }))
	add("with names", with(stands(t, saturday), func(s *Puzzle) { s.Try.CellNames, s.FinishFirst = true, true }))
	add("going on", stands(t, sunday, sunday.Solution))
	add("lost a try", stands(t, sunday, wrong))
	add("held badly", stands(t, saturday, wrongMove(saturday)))
	add("failed", with(stands(t, sunday, wrong, wrong, wrong), func(s *Puzzle) { s.InGuild = false }))
	add("solved", solved)
	goesOn := store.PuzzlePost{Due: v.Now}
	one, named := v.Puzzles(), v.Puzzles()
	one.Names = map[store.UserID]string{matchtest.Ada: "_Ada_"}
	named.Names = map[store.UserID]string{matchtest.Ada: "_Ada_", matchtest.Bob: "Ben", matchtest.Cleo: "Cleo"}
	shared := func(s Puzzle) discord.Message {
		s.Try.User = matchtest.Ada
		return named.PuzzleShared(s.Try, s.Puzzler)
	}
	all["puzzle past"] = v.Puzzles().PuzzleSolution(sunday, nil, true)
	all["puzzle solution"] = v.Puzzles().PuzzleSolution(monday, line, false)
	all["puzzle post"] = v.Puzzles().PuzzlePost(PuzzlePost{Puzzle: sunday, PuzzlePost: goesOn})
	all["puzzle post for a role"] = v.Puzzles().PuzzlePost(PuzzlePost{Puzzle: monday, PuzzlePost: store.PuzzlePost{Role: "77", Due: v.Now}})
	all["puzzle post that pauses"] = v.Puzzles().PuzzlePost(PuzzlePost{Puzzle: sunday})
	all["puzzle post with a recap"] = named.PuzzlePost(PuzzlePost{Puzzle: monday, PuzzlePost: store.PuzzlePost{Streak: 12, Due: v.Now}, Before: PuzzleRecap{
		Puzzle: sunday, Line: line,
		PuzzleDay: store.PuzzleDay{Solved: 6, Named: []store.PuzzleSolver{{User: matchtest.Ada}, {User: "9"}, {User: matchtest.Bob}, {User: matchtest.Cleo, Wrong: 2}}},
	}})
	all["puzzle post with a recap of nobody"] = v.Puzzles().PuzzlePost(PuzzlePost{Puzzle: monday, PuzzlePost: goesOn, Before: PuzzleRecap{Puzzle: sunday, PuzzleDay: store.PuzzleDay{Solved: 2}}})
	all["recap question"] = v.Puzzles().RecapQuestion()
	all["goes on"] = v.Puzzles().GoesOn(v.Now)
	streaks := []store.Standing{{User: matchtest.Ada, Rank: 1, Points: 5, Tries: 6}, {User: matchtest.Bob, Rank: 2, Points: 5, Tries: 8}}
	all["puzzle streaks"] = one.PuzzleStreaks(Standings{Rows: streaks, Mine: &streaks[0], Leaf: Leaf{Period: store.StreakTab, Page: 1, Pages: 3}})
	behind := store.Standing{User: matchtest.Cleo, Rank: store.MostRanked + 1, Points: 1, Tries: 3}
	all["puzzle streaks of very many"] = one.PuzzleStreaks(Standings{Rows: streaks, Mine: &behind, Leaf: Leaf{Period: store.StreakTab, Pages: 100, More: true}})
	all["puzzle streaks shown"] = named.PuzzleStreaks(Standings{Rows: streaks, Mine: &streaks[0], Leaf: Leaf{Period: store.StreakTab, Pages: 3, Shown: true}})
	all["puzzle streaks of nobody"] = v.Puzzles().PuzzleStreaks(Standings{Leaf: Leaf{Period: store.StreakTab}})
	failed := stands(t, sunday, wrong, wrong, wrong)
	all["puzzle shared"] = shared(solved)
	all["puzzle shared failed"] = shared(failed)
	return all
}

// TestSharedPuzzle: what is shared tells how it went by shape, and nothing of the
// solution.
func TestSharedPuzzle(t *testing.T) {
	all := puzzleScenes(t, testView(Load(), DefaultLocale))
	for name, want := range map[string]string{
		"puzzle shared":        "🧩 **Tic-tac-toe puzzle 330** · **\u2068\\_Ada\\_\u2069** ✖✅ 2/3 · 🔥\u00a05",
		"puzzle shared failed": "🧩 **Tic-tac-toe puzzle 329** · **\u2068\\_Ada\\_\u2069** ✖✖✖ –/3",
	} {
		if got := all[name]; got.Content != want || got.Ephemeral || !got.Quiet || len(got.People) > 0 {
			t.Errorf("%s: %+v, want %s for everybody, notifying nobody", name, got, want)
		}
	}
}

// TestLostTryTellsNoAnswer: as long as there is another try, a wrong move shows no answer of
// the other side, neither in words nor on the board: in a draw that is to be held that may be
// the solution.
func TestLostTryTellsNoAnswer(t *testing.T) {
	v, cell, given := testView(Load(), DefaultLocale), regexp.MustCompile(`\b[a-e][1-5]\b`), 0
	for day := int64(puzzleDay); day < puzzleDay+7; day++ {
		p := puzzleOf(t, day)
		for wrong := range p.Start.Moves() {
			s := stands(t, p, wrong)
			if !s.Try.Lost {
				continue
			}
			if len(s.Step.Moves)%2 == 0 && s.Step.Reply == p.Solution {
				given++
			}
			s.Try.AsList = true // its text has all that is on the board
			msg, err := v.Puzzles().Puzzle(s)
			if err != nil {
				t.Fatal(err)
			}
			at, err := p.Start.After([]engine.Cell{wrong})
			if err != nil {
				t.Fatal(err)
			}
			head, picture, _ := strings.Cut(textOf(msg), "`·`")
			if named := cell.FindAllString(head, -1); !slices.Equal(named, []string{p.Start.Rules().CellName(wrong)}) {
				t.Errorf("day %d: %q names %v", day, head, named)
			}
			if want := v.Puzzles().puzzlePicture(at, true, nil); "`·`"+strings.TrimRight(picture, "\n") != want {
				t.Errorf("day %d: behind %s the board is\n%s\nwant\n%s", day, p.Start.Rules().CellName(wrong), picture, want)
			}
		}
	}
	if given == 0 {
		t.Error("no answer to a wrong move was the solution: nothing was tried")
	}
}

// TestPuzzleSaysUntilWhen: a puzzle that was begun in time says behind its day how long it goes
// on, and not when that day has ended.
func TestPuzzleSaysUntilWhen(t *testing.T) {
	v, p := testView(Load(), DefaultLocale), puzzleOf(t, puzzleDay)
	ends := match.PuzzleEnds(puzzleDay)
	for now, until := range map[time.Time]time.Time{ends.Add(-time.Second): ends, ends: ends.Add(match.PuzzleGrace)} {
		v.Now = now
		msg, err := v.Puzzles().Puzzle(Puzzle{Puzzle: p, Try: store.PuzzleTry{Day: puzzleDay, State: store.PuzzleOpen}})
		if want := timestamp(until, 't'); err != nil || !strings.Contains(textOf(msg), want) {
			t.Errorf("%v: %v, %q lacks %q", now, err, textOf(msg), want)
		}
	}
}

// TestPuzzlePostTellsNoAnswer: on every day of the week what is posted is plain content, with
// three buttons, and names neither the solution nor any other cell.
func TestPuzzlePostTellsNoAnswer(t *testing.T) {
	v, cell := testView(Load(), DefaultLocale), regexp.MustCompile(`\b[a-e][1-5]\b`)
	for day := int64(puzzleDay); day < puzzleDay+7; day++ {
		p := puzzleOf(t, day)
		msg := v.Puzzles().PuzzlePost(PuzzlePost{Puzzle: p, PuzzlePost: store.PuzzlePost{Due: v.Now}})
		if msg.V2 || msg.Ephemeral || !strings.HasPrefix(msg.Content, "🧩 **Puzzle ") || !strings.Contains(msg.Content, "<t:") || cell.MatchString(msg.Content) || strings.Contains(msg.Content, "💡") {
			t.Errorf("day %d: %+v", day, msg)
		}
		var ids []string
		for _, row := range msg.Components {
			for _, b := range row.Components {
				ids = append(ids, b.CustomID)
			}
		}
		want := []string{customid.ID{Action: customid.PuzzleSolve, Day: day}.String(), customid.ID{Action: customid.PuzzleYesterday, Day: day}.String(), customid.ID{Action: customid.PuzzleStreaks}.String()}
		if !slices.Equal(ids, want) {
			t.Errorf("day %d has the buttons %v, want %v", day, ids, want)
		}
	}
}

// TestPuzzleWords: in every language each idea and each end of a try has words of its own.
func TestPuzzleWords(t *testing.T) {
	c := Load()
	for _, locale := range c.locales {
		v, said := testView(c, locale), map[string]puzzle.Idea{}
		for idea := puzzle.Fork; idea <= puzzle.Holds; idea++ {
			p := puzzleOf(t, puzzleDay)
			p.Idea = idea
			text := v.Puzzles().idea(p)
			if before, ok := said[text]; ok || strings.Contains(text, "puzzle.") {
				t.Errorf("%s: idea %d and %d are %q", locale, before, idea, text)
			}
			said[text] = idea
		}
	}
}

// solvesALot is how somebody solves puzzles who did so yesterday too.
func solvesALot(v View) store.Puzzler {
	return store.Puzzler{User: matchtest.Ada, Solved: 30, Streak: 5, Tries: 6, Best: 12, Last: store.DayOf(v.Now) - 1}
}

// withPuzzles adds the scenes of puzzles.
func withPuzzles(t testing.TB, v View, all map[string]discord.Message) map[string]discord.Message {
	maps.Copy(all, puzzleScenes(t, v))
	return all
}
