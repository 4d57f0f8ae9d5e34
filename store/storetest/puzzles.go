package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// tryKey names a try.
type tryKey struct {
	user store.UserID
	day  int64
}

// putPuzzles stores the tries and puzzlers of a change.
func (o model) putPuzzles(c store.Change) error {
	for _, t := range c.Tries {
		key := tryKey{t.User, t.Day}
		if err := overVersion(t.Version, o.tries[key].Version); err != nil {
			return err
		}
		t.Version++
		t.Moves = slices.Clone(t.Moves)
		o.tries[key] = t
	}
	for _, p := range c.Puzzlers {
		if err := overVersion(p.Version, o.puzzlers[p.User].Version); err != nil {
			return err
		}
		p.Version++
		o.puzzlers[p.User] = p
	}
	return nil
}

// solvers is how many have solved the puzzle of the day in the guild.
func (o model) solvers(guild store.GuildID, day int64) (n int) {
	for _, t := range o.tries {
		if t.Guild == guild && t.Day == day && t.State == store.PuzzleSolved {
			n++
		}
	}
	return n
}

func tryChange(t store.PuzzleTry) store.Change { return store.Change{Tries: []store.PuzzleTry{t}} }

var puzzleCases = []testCase{
	{
		"PuzzleTry", "how somebody stands with the puzzle of a day is stored over the version that was read; who has not seen it has an open one without a version",
		func(t *testing.T, f *fixture) {
			try, err := f.PuzzleTry(t.Context(), "7", 20000)
			wantEqual(t, "PuzzleTry of somebody new", try, store.PuzzleTry{User: "7", Day: 20000, State: store.PuzzleOpen}, err)
			f.refuses(t, tryChange(with(try, func(t *store.PuzzleTry) { t.Version = 1 })), store.ErrNotFound)
			for _, step := range []func(*store.PuzzleTry){
				func(t *store.PuzzleTry) { t.Guild = "5" },
				func(t *store.PuzzleTry) { t.Moves, t.CellNames = []engine.Cell{24, 0}, true },
				func(t *store.PuzzleTry) {
					t.Moves, t.Wrong, t.Lost, t.AsList = []engine.Cell{24, 0, 3, 4}, 1, true, true
				},
				func(t *store.PuzzleTry) { t.Moves, t.Lost, t.Guild = nil, false, "" },
				func(t *store.PuzzleTry) { t.Moves, t.State, t.CellNames = []engine.Cell{1}, store.PuzzleSolved, false },
			} {
				before := try
				step(&try)
				if err := f.Apply(t.Context(), tryChange(try)); err != nil {
					t.Fatalf("Apply(%+v) = %v", try, err)
				}
				try.Version++
				f.refuses(t, tryChange(before), store.ErrConflict)
				f.reopen(t)
				got, err := f.PuzzleTry(t.Context(), "7", 20000)
				wantEqual(t, "PuzzleTry", got, try, err)
			}
			got, err := f.PuzzleTry(t.Context(), "7", 20001)
			wantEqual(t, "PuzzleTry of the next day", got, store.PuzzleTry{User: "7", Day: 20001, State: store.PuzzleOpen}, err)
		},
	},
	{
		"Puzzler", "how somebody solves puzzles is stored over the version that was read, with the try that it comes of or not at all",
		func(t *testing.T, f *fixture) {
			p, err := f.Puzzler(t.Context(), "7")
			wantEqual(t, "Puzzler who has solved none", p, store.Puzzler{User: "7"}, err)
			p.Solved, p.Streak, p.Tries, p.Best, p.Last, p.Excused = 9, 3, 5, 4, 20000, 19998
			c := tryChange(store.PuzzleTry{User: "7", Day: 20000, State: store.PuzzleSolved, Moves: []engine.Cell{1}})
			c.Puzzlers, c.Interaction = []store.Puzzler{p}, "1"
			if err := f.Apply(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			f.refuses(t, c, store.ErrClaimed)
			f.refuses(t, store.Change{Puzzlers: []store.Puzzler{p}}, store.ErrConflict)
			p.Version, p.Streak, p.Last = 1, 4, 20001
			f.refuses(t, store.Change{Puzzlers: []store.Puzzler{p}, Tries: []store.PuzzleTry{{User: "7", Day: 20001, State: store.PuzzleOpen, Version: 3}}}, store.ErrNotFound)
			if err := f.Apply(t.Context(), store.Change{Puzzlers: []store.Puzzler{p}}); err != nil {
				t.Fatal(err)
			}
			p.Version = 2
			f.reopen(t)
			got, err := f.Puzzler(t.Context(), "7")
			wantEqual(t, "Puzzler", got, p, err)
		},
	},
	{
		"PuzzleSolvers", "who has solved the puzzle of a day in a guild is counted there",
		func(t *testing.T, f *fixture) {
			for _, try := range []store.PuzzleTry{
				{User: "1", Day: 20000, Guild: "5", State: store.PuzzleSolved},
				{User: "2", Day: 20000, Guild: "5", State: store.PuzzleSolved, Wrong: 2},
				{User: "3", Day: 20000, Guild: "5", State: store.PuzzleOpen},
				{User: "4", Day: 20000, Guild: "5", State: store.PuzzleFailed, Wrong: 3, Lost: true},
				{User: "5", Day: 20000, Guild: "6", State: store.PuzzleSolved},
				{User: "6", Day: 20001, Guild: "5", State: store.PuzzleSolved},
			} {
				if err := f.Apply(t.Context(), tryChange(try)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := f.PuzzleSolvers(t.Context(), "5", 20000)
			wantEqual(t, "PuzzleSolvers", got, 2, err)
			got, err = f.PuzzleSolvers(t.Context(), "7", 20000)
			wantEqual(t, "PuzzleSolvers elsewhere", got, 0, err)
		},
	},
	{
		"PuzzleStreaks", "who has solved puzzles lately in a guild is listed there, as a puzzler",
		func(t *testing.T, f *fixture) {
			solved := func(user store.UserID, guild store.GuildID, day int64) {
				t.Helper()
				p, err := f.Puzzler(t.Context(), user)
				if err != nil {
					t.Fatal(err)
				}
				p.Solved, p.Last = p.Solved+1, day
				c := tryChange(store.PuzzleTry{User: user, Day: day, Guild: guild, State: store.PuzzleSolved})
				c.Puzzlers = []store.Puzzler{p}
				if err := f.Apply(t.Context(), c); err != nil {
					t.Fatal(err)
				}
			}
			solved("1", "5", 20000)
			solved("1", "5", 20001)
			solved("2", "5", 19999)
			solved("3", "6", 20001)
			got, err := f.PuzzleStreaks(t.Context(), "5", 20000, 9)
			wantEqual(t, "PuzzleStreaks", got, []store.Puzzler{{User: "1", Solved: 2, Last: 20001, Version: 2}}, err)
			got, err = f.PuzzleStreaks(t.Context(), "5", 0, 1)
			if len(got) != 1 || err != nil {
				t.Errorf("with a limit of 1: %+v, %v", got, err)
			}
		},
	},
	{
		"DuePuzzles", "guilds whose puzzle is due are listed by when it is, with their settings",
		func(t *testing.T, f *fixture) {
			for i, due := range []time.Time{noon.Add(2 * time.Hour), noon, {}, noon.Add(time.Hour)} {
				g := store.GuildSettings{Guild: in(store.Domain(i)), Locale: "de", Puzzle: store.PuzzlePost{Channel: "7", Hour: 23, Role: "8", Due: due}}
				if i == 2 {
					g.Puzzle.Fault = store.ChannelGone
				}
				if err := f.Apply(t.Context(), guildChange(g)); err != nil {
					t.Fatal(err)
				}
			}
			f.reopen(t)
			got, err := f.DuePuzzles(t.Context(), noon.Add(time.Hour), 9)
			var guilds []store.GuildID
			for _, g := range got {
				guilds = append(guilds, g.Guild)
			}
			wantEqual(t, "DuePuzzles", guilds, []store.GuildID{in(1), in(3)}, err)
			one, err := f.DuePuzzles(t.Context(), noon.Add(3*time.Hour), 1)
			wantEqual(t, "DuePuzzles, one", one, []store.GuildSettings{{Guild: in(1), Locale: "de", Version: 1, Puzzle: store.PuzzlePost{Channel: "7", Hour: 23, Role: "8", Due: noon}}}, err)
			stored, err := f.GuildSettings(t.Context(), in(2))
			wantEqual(t, "GuildSettings", stored.Puzzle, store.PuzzlePost{Channel: "7", Hour: 23, Role: "8", Fault: store.ChannelGone}, err)
			for what, p := range map[string]store.PuzzlePost{
				"an hour of no day": {Hour: 24}, "due nowhere": {Due: noon}, "no fault": {Fault: 1}, "no text": {Role: "\xff"},
			} {
				if err := f.Apply(t.Context(), guildChange(store.GuildSettings{Guild: "9", Puzzle: p})); !errors.Is(err, store.ErrInvalid) {
					t.Errorf("%s: error %v, want %v", what, err, store.ErrInvalid)
				}
			}
		},
	},
	{
		"InvalidPuzzles", "tries and puzzlers that cannot be are refused",
		func(t *testing.T, f *fixture) {
			good := store.PuzzleTry{User: "1", Day: 1, State: store.PuzzleOpen}
			if err := good.Validate(); err != nil {
				t.Fatal(err)
			}
			for what, c := range map[string]store.Change{
				"nobody":                tryChange(with(good, func(t *store.PuzzleTry) { t.User = "" })),
				"day below zero":        tryChange(with(good, func(t *store.PuzzleTry) { t.Day = -1 })),
				"no state":              tryChange(with(good, func(t *store.PuzzleTry) { t.State = 0 })),
				"solved by a wrong one": tryChange(with(good, func(t *store.PuzzleTry) { t.State, t.Lost, t.Wrong = store.PuzzleSolved, true, 1 })),
				"failed by a right one": tryChange(with(good, func(t *store.PuzzleTry) { t.State, t.Wrong = store.PuzzleFailed, 3 })),
				"lost without a wrong":  tryChange(with(good, func(t *store.PuzzleTry) { t.Lost = true })),
				"off every board":       tryChange(with(good, func(t *store.PuzzleTry) { t.Moves = []engine.Cell{25} })),
				"too many moves":        tryChange(with(good, func(t *store.PuzzleTry) { t.Moves = make([]engine.Cell, 26) })),
				"no text":               tryChange(with(good, func(t *store.PuzzleTry) { t.Guild = "\xff" })),
				"no puzzler":            {Puzzlers: []store.Puzzler{{}}},
				"a streak above best":   {Puzzlers: []store.Puzzler{{User: "1", Solved: 5, Streak: 5, Best: 4}}},
				"below zero":            {Puzzlers: []store.Puzzler{{User: "1", Last: -1}}},
			} {
				if err := f.Apply(t.Context(), c); !errors.Is(err, store.ErrInvalid) {
					t.Errorf("%s: error %v, want %v", what, err, store.ErrInvalid)
				}
			}
		},
	},
	{
		"RacePuzzle", "of many who store one try over the same version one succeeds",
		func(t *testing.T, f *fixture) {
			for version := range 3 {
				try := store.PuzzleTry{User: "1", Day: 20000, State: store.PuzzleOpen, Version: version}
				winner := wantOne(t, race(func(i int) error {
					return f.Apply(t.Context(), tryChange(with(try, func(t *store.PuzzleTry) { t.Wrong = i })))
				}), store.ErrConflict)
				try.Wrong, try.Version = winner, version+1
				got, err := f.PuzzleTry(t.Context(), "1", 20000)
				wantEqual(t, "PuzzleTry", got, try, err)
			}
		},
	},
}
