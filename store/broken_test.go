package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// TestBrokenMatches breaks one match at a time.
func TestBrokenMatches(t *testing.T) {
	bob, easy := store.Player{User: "2"}, store.Player{Opponent: "easy"}
	ended := func(m store.Match) store.Match {
		m.State, m.EndReason, m.Winner = store.Ended, store.Resignation, engine.X
		return m
	}
	wonByLine := func(m store.Match) store.Match {
		m.Moves = []engine.Cell{0, 3, 1, 4, 2}
		m.State, m.EndReason, m.Winner = store.Ended, store.ByLine, engine.X
		return m
	}
	for _, m := range []store.Match{aMatch(), ended(aMatch()), wonByLine(aMatch())} {
		if err := m.Validate(); err != nil {
			t.Fatalf("what is to be broken: %v", err)
		}
	}
	for what, spoil := range map[string]func(*store.Match){
		"no id":                     func(m *store.Match) { m.ID = 0 },
		"id below zero":             func(m *store.Match) { m.ID = -1 },
		"no channel":                func(m *store.Match) { m.Channel = "" },
		"thread that is no other":   func(m *store.Match) { m.Thread = m.Channel },
		"thread of a private match": func(m *store.Match) { m.Thread, m.Place = "6", 0 },
		"told before the beginning": func(m *store.Match) { m.Hinted, m.HintPly = true, -1 },
		"told ahead":                func(m *store.Match) { m.Hinted, m.HintPly = true, len(m.Moves)+1 },
		"told without a hint":       func(m *store.Match) { m.HintPly = 1 },
		"declined before the end":   func(m *store.Match) { m.RematchDeclined = engine.X },
		"declined by no seat":       func(m *store.Match) { *m = ended(*m); m.RematchDeclined = 3 },
		"series of two":             func(m *store.Match) { m.O, m.BestOf = bob, 2 },
		"series with the program":   func(m *store.Match) { m.BestOf = 3 },
		"goes on before the end":    func(m *store.Match) { m.O, m.BestOf, m.GoesOn = bob, 3, true },
		"goes on without a series":  func(m *store.Match) { *m = ended(*m); m.GoesOn = true },
		"no set of marks":           func(m *store.Match) { m.Marks = 11 },
		"place below zero":          func(m *store.Match) { m.Place = -1 },
		"version below zero":        func(m *store.Match) { m.Version = -1 },
		"clock below zero":          func(m *store.Match) { m.Clock = -1 },
		"deadline below zero":       func(m *store.Match) { m.Deadline = -1 },
		"score below zero":          func(m *store.Match) { m.Series.Draws = -1 },
		"own rematch":               func(m *store.Match) { m.Next = m.ID },
		"no rules":                  func(m *store.Match) { m.Rules = engine.Rules{} },
		"unknown rules":             func(m *store.Match) { m.Rules.K = 9 },
		"unknown limit of marks":    func(m *store.Match) { m.Rules.Limit = 2 },
		"empty seat":                func(m *store.Match) { m.O = store.Player{} },
		"two in a seat":             func(m *store.Match) { m.O.User = "5" },
		"one person twice":          func(m *store.Match) { m.O = m.X },
		"no person":                 func(m *store.Match) { m.X = easy },
		"cell off the board":        func(m *store.Match) { m.Moves = []engine.Cell{9} },
		"cell twice":                func(m *store.Match) { m.Moves = []engine.Cell{1, 1} },
		"move after the end":        func(m *store.Match) { m.Moves = []engine.Cell{0, 3, 1, 4, 2, 5} },
		"active after a line":       func(m *store.Match) { m.Moves = []engine.Cell{0, 3, 1, 4, 2} },
		"active with an end reason": func(m *store.Match) { m.EndReason = store.Idle },
		"active with a winner":      func(m *store.Match) { m.Winner = engine.X },
		"ended without end reason":  func(m *store.Match) { m.State = store.Ended },
		"line that is not there":    func(m *store.Match) { m.State, m.EndReason, m.Winner = store.Ended, store.ByLine, engine.X },
		"line of the other":         func(m *store.Match) { *m = wonByLine(*m); m.Winner = engine.O },
		"resignation after a line":  func(m *store.Match) { *m = wonByLine(*m); m.EndReason = store.Resignation },
		"resignation, nobody wins":  func(m *store.Match) { *m = ended(*m); m.Winner = engine.None },
		"full board that is not":    func(m *store.Match) { m.State, m.EndReason = store.Ended, store.FullBoard },
		"repetition that is none":   func(m *store.Match) { m.State, m.EndReason = store.Ended, store.Repetition },
		"draw for another reason": func(m *store.Match) {
			m.Moves = []engine.Cell{0, 1, 2, 4, 3, 5, 7, 6, 8}
			m.State, m.EndReason = store.Ended, store.MoveLimit
		},
		"abandoned and won":         func(m *store.Match) { *m = ended(*m); m.EndReason = store.Abandoned },
		"stopped by nobody":         func(m *store.Match) { m.State, m.EndReason = store.Ended, store.Stopped },
		"stopped without being so":  func(m *store.Match) { m.EndedBy = "5" },
		"unknown state":             func(m *store.Match) { m.State = 30 },
		"unknown end reason":        func(m *store.Match) { *m = ended(*m); m.EndReason = 99 },
		"unknown winner":            func(m *store.Match) { *m = ended(*m); m.Winner = 3 },
		"text that is not UTF-8":    func(m *store.Match) { m.Locale = "\xff" },
		"text with a zero byte":     func(m *store.Match) { m.Channel = "1\x00" },
		"text that is far too long": func(m *store.Match) { m.O.Opponent = strings.Repeat("x", store.MaxText+1) },
		"message that is not UTF-8": func(m *store.Match) { m.Message = "\xff" },
		"too many moves":            func(m *store.Match) { m.Moves = make([]engine.Cell, 1<<20) },
		"verdict while it goes on":  func(m *store.Match) { m.Verdict.Kind = store.NoMistake },
		"gain while it goes on":     func(m *store.Match) { m.Gain.Points = 3 },
		"gain of less than nothing": func(m *store.Match) { *m = wonByLine(*m); m.Gain.Place = -1 },
		"unknown verdict":           func(m *store.Match) { *m = wonByLine(*m); m.Verdict.Kind = 99 },
		"verdict on no move": func(m *store.Match) {
			*m = wonByLine(*m)
			m.Verdict = store.Verdict{Kind: store.ThrewDraw, Ply: 5, Cell: 8}
		},
		"verdict on a move before": func(m *store.Match) {
			*m = wonByLine(*m)
			m.Verdict = store.Verdict{Kind: store.ThrewDraw, Ply: -1, Cell: 8}
		},
		"verdict for the move made": func(m *store.Match) {
			*m = wonByLine(*m)
			m.Verdict = store.Verdict{Kind: store.ThrewWin, Ply: 1, Cell: 3}
		},
		"verdict for a taken cell": func(m *store.Match) {
			*m = wonByLine(*m)
			m.Verdict = store.Verdict{Kind: store.ThrewWin, Ply: 1, Cell: 0}
		},
		"no mistake, but a move":      func(m *store.Match) { *m = wonByLine(*m); m.Verdict = store.Verdict{Kind: store.NoMistake, Ply: 1} },
		"not judged, but a move":      func(m *store.Match) { *m = wonByLine(*m); m.Verdict = store.Verdict{Cell: 1} },
		"drawn version below zero":    func(m *store.Match) { m.Drawn = -1 },
		"player that is far too long": func(m *store.Match) { m.X.User = store.UserID(strings.Repeat("1", store.MaxText+1)) },
	} {
		m := aMatch()
		spoil(&m)
		if err := m.Validate(); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("match with %s: error %v, want %v", what, err, store.ErrInvalid)
		}
	}
}

// TestBrokenChallenges breaks one challenge at a time.
func TestBrokenChallenges(t *testing.T) {
	for what, spoil := range map[string]func(*store.Challenge){
		"no id":                     func(c *store.Challenge) { c.ID = 0 },
		"no channel":                func(c *store.Challenge) { c.Channel = "" },
		"no challenger":             func(c *store.Challenge) { c.Challenger = "" },
		"oneself":                   func(c *store.Challenge) { c.Opponent = c.Challenger },
		"no rules":                  func(c *store.Challenge) { c.Rules = engine.Rules{} },
		"nobody first":              func(c *store.Challenge) { c.First = 0 },
		"unknown state":             func(c *store.Challenge) { c.State = 1 },
		"accepted without match":    func(c *store.Challenge) { c.State = store.Accepted },
		"match without accept":      func(c *store.Challenge) { c.Match = 1 },
		"next without renewal":      func(c *store.Challenge) { c.Next = 2 },
		"itself as the next":        func(c *store.Challenge) { c.State, c.Next = store.Renewed, c.ID },
		"deadline below zero":       func(c *store.Challenge) { c.Deadline = -1 },
		"text that is not UTF-8":    func(c *store.Challenge) { c.GuildLocale = "\xc0" },
		"a crown that nobody wears": func(c *store.Challenge) { c.Crown, c.Opponent = "1", "" },
	} {
		c := aChallenge()
		spoil(&c)
		if err := c.Validate(); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("challenge with %s: error %v, want %v", what, err, store.ErrInvalid)
		}
	}
}

// TestBroken breaks one of the other records at a time.
func TestBroken(t *testing.T) {
	try := func(spoil func(*store.PuzzleTry)) store.PuzzleTry {
		t := store.PuzzleTry{User: "1", Day: 1, State: store.PuzzleOpen}
		spoil(&t)
		return t
	}
	post := func(p store.PuzzlePost) store.GuildSettings { return store.GuildSettings{Guild: "9", Puzzle: p} }
	m, c := aMatch(), aChallenge()
	m.Guild, c.Guild = "4194304", "8388608" // of two clock domains
	pseudonym := store.NewPseudonym()
	for what, record := range map[string]interface{ Validate() error }{
		"no guild":               store.GuildSettings{},
		"no person":              store.Person{},
		"clock below zero":       store.GuildSettings{Guild: "1", Clock: store.ClockSetting{Set: true, Limit: -1}},
		"limit that is not set":  store.Person{User: "1", Clock: store.ClockSetting{Limit: 1}},
		"a switch between":       store.Person{User: "1", Reminders: 15},
		"a recap between":        store.Person{User: "1", Recap: 15},
		"crown calls between":    store.Person{User: "1", CrownCalls: 15},
		"crowns between":         store.GuildSettings{Guild: "1", Crowns: 15},
		"version below zero":     store.Person{User: "1", Version: -1},
		"no way to play":         store.Person{User: "1", PlaysBy: 15},
		"a mark that is none":    store.Person{User: "1", Mark: store.MarkRocket + 1},
		"a mark beyond X and O":  store.Person{User: "1", Mark: store.AlwaysXO + 1},
		"no way of threads":      store.GuildSettings{Guild: "1", Threads: 1},
		"neither on nor off":     store.GuildSettings{Guild: "1", Reminders: 30},
		"a leaderboard between":  store.GuildSettings{Guild: "1", Leaderboard: 1},
		"no fault of a channel":  store.GuildSettings{Guild: "1", Stops: store.StopPosts{Fault: 1}},
		"games in no UTF-8":      store.GuildSettings{Guild: "1", Games: "\xff"},
		"stops in no UTF-8":      store.GuildSettings{Guild: "1", Stops: store.StopPosts{Channel: "\xff"}},
		"no set of marks":        store.GuildSettings{Guild: "1", Marks: 15},
		"hints before 1970":      store.GuildSettings{Guild: "1", NoHintsSince: time.UnixMilli(-1)},
		"a board in no UTF-8":    store.GuildSettings{Guild: "1", Board: "\xff"},
		"no opponent in UTF-8":   store.GuildSettings{Guild: "1", Opponent: "\xff"},
		"text that is not UTF-8": store.GuildSettings{Guild: "1", Locale: "\xff"},

		"an hour of no day": post(store.PuzzlePost{Hour: 24}), "due nowhere": post(store.PuzzlePost{Due: time.Unix(1<<30, 0)}),
		"no fault": post(store.PuzzlePost{Fault: 1}), "no text of a role": post(store.PuzzlePost{Role: "\xff"}),
		"a post without a key": store.Post{At: time.Unix(1<<30, 0)},

		"nobody":                try(func(t *store.PuzzleTry) { t.User = "" }),
		"day below zero":        try(func(t *store.PuzzleTry) { t.Day = -1 }),
		"no state":              try(func(t *store.PuzzleTry) { t.State = 0 }),
		"solved by a wrong one": try(func(t *store.PuzzleTry) { t.State, t.Lost, t.Wrong = store.PuzzleSolved, true, 1 }),
		"failed by a right one": try(func(t *store.PuzzleTry) { t.State, t.Wrong = store.PuzzleFailed, 3 }),
		"lost without a wrong":  try(func(t *store.PuzzleTry) { t.Lost = true }),
		"off every board":       try(func(t *store.PuzzleTry) { t.Moves = []engine.Cell{25} }),
		"too many moves":        try(func(t *store.PuzzleTry) { t.Moves = make([]engine.Cell, 26) }),
		"a try of no text":      try(func(t *store.PuzzleTry) { t.Guild = "\xff" }),
		"no puzzler":            store.Puzzler{},
		"a streak above best":   store.Puzzler{User: "1", Solved: 5, Streak: 5, Best: 4},
		"last below zero":       store.Puzzler{User: "1", Last: -1},

		"somebody who blocks themselves": store.Block{User: "1", From: "1"}, "a block of nobody": store.Block{From: "1"},
		"a block with a zero byte": store.Block{User: "1", From: "\x00"},
		"consent of nobody":        store.Consent{By: "1"}, "consent to nobody": store.Consent{To: "1"}, "consent to oneself": store.Consent{By: "1", To: "1"},

		"a crown of no channel": store.Crown{Guild: "5", User: "1"}, "a crown of no guild": store.Crown{Channel: "1", User: "1"},
		"wins of nobody": store.Crown{Channel: "1", Guild: "5", Wins: 1}, "a negative wins": store.Crown{Channel: "1", Guild: "5", User: "1", Wins: -1},
		"a crown with a zero byte": store.Crown{Channel: "1", Guild: "5", User: "\x00"},

		"a pseudonym that is a person's":     store.Erasure{User: "1", Pseudonym: "5"},
		"one that is erased already":         store.Erasure{User: pseudonym, Pseudonym: pseudonym},
		"match and challenge of two domains": store.Change{Matches: []store.Match{m}, Challenges: []store.Challenge{c}},
		"match and guild of two domains":     store.Change{Matches: []store.Match{m}, Guilds: []store.GuildSettings{{Guild: "8388608"}}},
		"an interaction with a zero byte":    store.Change{Interaction: "\x00"},
	} {
		if err := record.Validate(); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: error %v, want %v", what, err, store.ErrInvalid)
		}
	}
	for _, good := range []interface{ Validate() error }{
		try(func(*store.PuzzleTry) {}),
		store.GuildSettings{Guild: "1"},
		store.Person{User: "1"},
		store.Puzzler{User: "1"},
		post(store.PuzzlePost{Channel: "5", Hour: 23, Due: time.Unix(1<<30, 0)}),
		store.Block{User: "1", From: "2"},
		store.Consent{By: "1", To: "2"},
		store.Crown{Channel: "1", Guild: "5", User: "1", Wins: 1},
		store.Post{Key: "1"},
		store.Erasure{User: "1", Pseudonym: pseudonym},
		store.Change{Matches: []store.Match{m}},
		store.Change{Challenges: []store.Challenge{c}},
	} {
		if err := good.Validate(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
}
