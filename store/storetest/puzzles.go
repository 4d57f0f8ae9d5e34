package storetest

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// streakRow writes a row as user:rank:days.
func streakRow(r store.Standing) string {
	return fmt.Sprintf("%s:%d:%d", r.User, r.Rank, r.Points)
}

// wantStreaks compares the rows of a guild's streaks that go on, and what is found of each of
// their people.
func (f *fixture) wantStreaks(t tester, guild store.GuildID, on []store.Lasting, want ...string) {
	rows, total, err := f.PuzzleStreaks(t.Context(), guild, on, 0, 100)
	wantEach(t, fmt.Sprintf("PuzzleStreaks of %q", guild), streakRow, want...)(rows, err)
	wantEqual(t, "total of PuzzleStreaks", len(want))(total, nil)
	for _, r := range rows {
		wantEqual(t, "PuzzleStreak", r)(f.PuzzleStreak(t.Context(), guild, on, r.User))
	}
}

var puzzleCases = []testCase{
	{"PuzzleTry", "how somebody stands with the puzzle of a day is stored over the version that was read; who has not seen it has an open one without a version", func(t *testing.T, f *fixture) {
		keeps(t, f, store.PuzzleTry{User: "7", Day: 20000, State: store.PuzzleOpen},
			func(t *store.PuzzleTry, i int) { t.Wrong = 1 + i },
			func(t *store.PuzzleTry) { t.Guild = "5" },
			func(t *store.PuzzleTry) { t.Moves, t.CellNames = []engine.Cell{24, 0}, true },
			func(t *store.PuzzleTry) { t.Moves, t.Lost, t.AsList = []engine.Cell{24, 0, 3, 4}, true, true },
			func(t *store.PuzzleTry) { t.Moves, t.Lost, t.Guild = nil, false, "" },
			func(t *store.PuzzleTry) { t.Moves, t.State, t.CellNames = []engine.Cell{1}, store.PuzzleSolved, false })
	}},
	{"Puzzler", "how somebody solves puzzles is stored over the version that was read, with the try that it comes of or not at all", func(t *testing.T, f *fixture) {
		keeps(t, f, store.Puzzler{User: "7"},
			func(p *store.Puzzler, i int) { p.Solved = 9 + i },
			func(p *store.Puzzler) { p.Streak, p.Tries, p.Best, p.Last, p.Excused = 3, 5, 4, 20000, 19998 },
			func(p *store.Puzzler) { p.Streak, p.Last, p.Excused = 4, 20001, 20000 })
		p := sure(f.Puzzler(t.Context(), "7"))
		try := store.PuzzleTry{User: "7", Day: 20002, State: store.PuzzleOpen, Version: 3}
		f.refuses(t, changeOf(try, with(p, func(p *store.Puzzler) { p.Last = 20002 })), store.ErrNotFound)
	}},
	{"PuzzleDay", "how a day went in a guild names those of its solvers who have shown it there, want that and are members, fewer tries first", func(t *testing.T, f *fixture) {
		day := func(user store.UserID, state store.PuzzleState, wrong int, shared bool, recap store.Switch) {
			try := store.PuzzleTry{User: user, Day: 20000, Guild: "5", State: state, Wrong: wrong, Shared: shared, Lost: state == store.PuzzleFailed}
			f.apply(t, changeOf(try, store.Person{User: user, Recap: recap}))
		}
		day("1", store.PuzzleOpen, 0, false, store.On)
		f.look(t)
		day("2", store.PuzzleSolved, 2, true, store.On)
		day("3", store.PuzzleSolved, 0, true, store.On)
		day("4", store.PuzzleSolved, 0, true, store.Off)
		day("6", store.PuzzleSolved, 0, true, 0)
		day("7", store.PuzzleSolved, 0, false, store.On)
		day("8", store.PuzzleFailed, 3, true, store.On)
		day("9", store.PuzzleSolved, 0, true, store.On)
		f.apply(t, changeOf(store.PuzzleTry{User: "10", Day: 20000, Guild: "6", State: store.PuzzleSolved}))
		f.apply(t, changeOf(store.PuzzleTry{User: "10", Day: 20001, Guild: "5", State: store.PuzzleOpen}))
		f.leave(t, "5", true, "9")
		f.reopen(t)
		want := store.PuzzleDay{Tried: true, Solved: 6, Named: []store.PuzzleSolver{{User: "3"}, {User: "2", Wrong: 2}}}
		wantEqual(t, "PuzzleDay", want)(f.PuzzleDay(t.Context(), "5", 20000))
		wantEqual(t, "PuzzleDay of another day", store.PuzzleDay{Tried: true})(f.PuzzleDay(t.Context(), "5", 20001))
	}},
	{"PuzzleStreaks", "of those who have lately solved puzzles in a guild the longest streaks that go on are listed, of as many days those before that took fewer tries; as many of both are one rank", func(t *testing.T, f *fixture) {
		const today = 20000
		on := []store.Lasting{{First: today - 1, Last: today, Excused: today}, {First: today - 2, Last: today - 2, Excused: today - 8}}
		stands := func(user store.UserID, streak, tries int, last, excused int64) {
			p := sure(f.Puzzler(t.Context(), user))
			p.Solved, p.Best = p.Solved+streak, max(p.Best, streak)
			p.Streak, p.Tries, p.Last, p.Excused = streak, tries, last, excused
			f.apply(t, changeOf(p))
		}
		solved := func(user store.UserID, guild store.GuildID, day int64) {
			f.apply(t, changeOf(store.PuzzleTry{User: user, Day: day, Guild: guild, State: store.PuzzleSolved}))
		}
		solves := func(user store.UserID, guild store.GuildID, streak, tries int, last, excused int64) {
			solved(user, guild, last)
			stands(user, streak, tries, last, excused)
		}
		f.wantStreaks(t, "5", on)
		solves("1", "5", 3, 3, today, today)
		solves("2", "5", 3, 9, today-1, today-3)
		solves("3", "5", 7, 21, today-2, today-8)
		solves("4", "5", 80, 80, today-2, today-7) // nothing more is forgiven
		solves("5", "5", 90, 90, today-3, 0)
		solves("6", "6", 50, 50, today, 0)
		solves("7", "5", 3, 3, today-2, 0)
		solves("8", "5", 0, 0, today, 0)
		solved("9", "5", today) // of whom nothing else is known
		solved("10", "", today)
		stands("10", 60, 60, today, 0)
		f.wantStreaks(t, "5", on, "3:1:7", "1:2:3", "7:2:3", "2:4:3")
		f.wantStreaks(t, "6", on, "6:1:50")
		f.wantStreaks(t, "", on)
		f.wantStreaks(t, "5", nil)
		f.wantStreaks(t, "5", on[:1], "1:1:3", "2:2:3")

		// One who goes on in another guild stays for as long as they have solved lately.
		solves("2", "6", 60, 60, today, 0)
		solved("5", "6", today)
		stands("5", 90, 90, today, 0)
		f.wantStreaks(t, "5", on, "2:1:60", "3:2:7", "1:3:3", "7:3:3")
		f.wantStreaks(t, "6", on, "5:1:90", "2:2:60", "6:3:50")
		f.reopen(t)
		solved("1", "6", today-5) // behind a later one elsewhere
		solved("11", "6", today+9)
		solves("11", "6", 70, 70, today, 0)
		f.wantStreaks(t, "6", on, "5:1:90", "11:2:70", "2:3:60", "6:4:50")
		stands("11", 0, 0, today, 0)
		f.wantStreaks(t, "6", on, "5:1:90", "2:2:60", "6:3:50")
		stands("1", 1, 1, today, 0)
		f.wantStreaks(t, "5", on, "2:1:60", "3:2:7", "7:3:3", "1:4:1")

		// Who has left is no longer ranked there, until they are back.
		f.leave(t, "5", true, "3")
		f.wantStreaks(t, "5", on, "2:1:60", "7:2:3", "1:3:1")
		f.wantStreaks(t, "6", on, "5:1:90", "2:2:60", "6:3:50")
		wantNone(t, "PuzzleStreak of somebody who has left")(f.PuzzleStreak(t.Context(), "5", on, "3"))
		f.leave(t, "5", false, "3")
		f.wantStreaks(t, "5", on, "2:1:60", "3:2:7", "7:3:3", "1:4:1")
	}},
	{"PuzzleStreaksOfMany", "where more solve puzzles than are counted, the best are listed whoever they are, and everybody has their place", func(t *testing.T, f *fixture) {
		const today, many = 20000, store.MostListed + 5
		on := []store.Lasting{{First: today - 1, Last: today}}
		var c store.Change
		for i := range many {
			streak, user := 1+i%7, store.UserID(fmt.Sprint(10_000+i))
			if i == many-1 {
				streak = 9 // the last to be stored, and of the greatest id
			}
			c.Tries = append(c.Tries, store.PuzzleTry{User: user, Day: today - int64(i%2), Guild: "5", State: store.PuzzleSolved})
			c.Puzzlers = append(c.Puzzlers, store.Puzzler{User: user, Solved: 9, Streak: streak, Tries: 2 * streak, Best: 9, Last: today - int64(i%2)})
		}
		f.apply(t, c)
		rows, total, err := f.PuzzleStreaks(t.Context(), "5", on, 0, 3)
		wantEach(t, "the first", streakRow, "11004:1:9", "10006:2:7", "10013:2:7")(rows, err)
		wantEqual(t, "total", store.MostListed+1)(total, nil)
		rows, _, err = f.PuzzleStreaks(t.Context(), "5", on, store.MostListed-1, 9)
		wantEach(t, "the last that is listed", streakRow, "10966:862:1")(rows, err)
		for user, want := range map[store.UserID]string{"11004": "11004:1:9", "10006": "10006:2:7", "11003": "11003:574:3", "11001": "11001:862:1"} {
			wantEqual(t, "PuzzleStreak", want)(streakRow(sure(f.PuzzleStreak(t.Context(), "5", on, user))), nil)
		}
	}},
	{"DuePuzzles", "guilds whose puzzle is due are listed by when it is, with their settings", func(t *testing.T, f *fixture) {
		for i, due := range []time.Time{noon.Add(2 * time.Hour), noon, {}, noon.Add(time.Hour)} {
			g := store.GuildSettings{Guild: in(store.Domain(i)), Locale: "de", Puzzle: store.PuzzlePost{Channel: "7", Hour: 23, Role: "8", Due: due}}
			if i == 2 {
				g.Puzzle.Fault = store.ChannelGone
			}
			f.apply(t, changeOf(g))
		}
		f.reopen(t)
		due := func(what string, now time.Time, want ...store.GuildID) {
			wantEach(t, what, func(g store.GuildSettings) store.GuildID { return g.Guild }, want...)(f.DuePuzzles(t.Context(), now, 9))
		}
		due("DuePuzzles", noon.Add(time.Hour), in(1), in(3))
		wantEqual(t, "DuePuzzles, one", []store.GuildSettings{{Guild: in(1), Locale: "de", Version: 1, Puzzle: store.PuzzlePost{Channel: "7", Hour: 23, Role: "8", Due: noon}}})(f.DuePuzzles(t.Context(), noon.Add(3*time.Hour), 1))
		due("DuePuzzles, stored by a clock that was ahead", noon.Add(2*time.Hour-store.PostsAhead-time.Second), in(0))
		due("DuePuzzles, as far ahead as can be", noon.Add(2*time.Hour-store.PostsAhead))
		post := sure(f.GuildSettings(t.Context(), in(2))).Puzzle
		wantEqual(t, "PuzzlePost", store.PuzzlePost{Channel: "7", Hour: 23, Role: "8", Fault: store.ChannelGone})(post, nil)
	}},
}
