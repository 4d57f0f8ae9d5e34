package storetest

import (
	"fmt"
	"testing"

	"tictactoe/store"
)

// streakRow writes a row as user:rank:days.
func streakRow(r store.Standing) string {
	return fmt.Sprintf("%s:%d:%d", r.User, r.Rank, r.Points)
}

var puzzleCases = []testCase{
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
		f.leave(t, "5", "9")
		f.reopen(t)
		want := store.PuzzleDay{Tried: true, Solved: 6, Named: []store.PuzzleSolver{{User: "3"}, {User: "2", Wrong: 2}}}
		wantEqual(t, "PuzzleDay", want)(f.PuzzleDay(t.Context(), "5", 20000))
		wantEqual(t, "PuzzleDay of another day", store.PuzzleDay{Tried: true})(f.PuzzleDay(t.Context(), "5", 20001))
	}},
	{"PuzzleStreaks", "streaks go on whose last days and forgiven days are the latest that count, and everybody has their place", func(t *testing.T, f *fixture) {
		for i, user := range []store.UserID{"1", "2", "3"} {
			f.apply(t, changeOf(
				store.PuzzleTry{User: user, Day: 20000, Guild: "5", State: store.PuzzleSolved},
				store.Puzzler{User: user, Solved: 9, Best: 9, Streak: 4 - min(i, 1), Tries: 9 + i, Last: 20001, Excused: 20001}))
		}
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
}
