package storetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// fullMatch has a value in every field that can have one.
func fullMatch() store.Match {
	return store.Match{
		ID: math.MaxInt64, Guild: "0041", Channel: "000", Thread: "0002", Place: 3,
		Message: "1101", Drawn: 4, Notice: "1102",
		Rules: engine.Rules{M: 4, N: 5, K: 4}, X: ada, O: bob,
		Moves: []engine.Cell{0, 19, 7, 3}, State: store.Ended, EndReason: store.Stopped, EndedBy: "99",
		Verdict: store.Verdict{Kind: store.ThrewWin, Ply: 3, Cell: 16},
		Gain:    store.Gain{Points: 3, Place: 2, Streak: 4, Honours: 5},
		Clock:   10*time.Minute + time.Nanosecond, Deadline: math.MaxInt64, Remind: math.MaxInt64, RematchTold: true, TokenOnly: true, Hinted: true, HintPly: 1, Given: 1, GridStands: true, Lost: 2, Marks: store.MarksSky, Locale: "zh-TW",
		Series: store.Score{X: 1, O: 2, Draws: 3}, RematchX: true, RematchO: true, RematchDeclined: engine.O, Next: 1, BestOf: 5, GoesOn: true,
		Created: noon, Updated: noon.Add(time.Hour),
	}
}

// fullChallenge has a value in every field that can have one.
func fullChallenge() store.Challenge {
	return store.Challenge{
		ID: math.MaxInt64, Guild: "0041", Channel: "000", Message: "1101", Drawn: 7, Challenger: "02", Opponent: "2",
		Rules: engine.Rules{M: 5, N: 3, K: 4}, First: store.FirstOpponent, Clock: 1, BestOf: 3, Locale: "pt-BR", GuildLocale: "sv-SE", OpponentLocale: "el",
		State: store.Accepted, Match: 5, Deadline: math.MaxInt64, TokenOnly: true, InGroup: true, Created: noon, Updated: noon.Add(time.Hour),
	}
}

var recordCases = []testCase{
	{"RoundTrip", "every field of a record is read as it was stored, also by a store that is opened later", func(t *testing.T, f *fixture) {
		m, c := fullMatch(), fullChallenge()
		small := with(match(1, "2", 0), func(m *store.Match) { m.Guild = "" })
		f.apply(t, store.Change{
			Interaction: "3", Matches: []store.Match{m, small}, Challenges: []store.Challenge{c},
		})
		for range 2 {
			f.wantMatch(t, stored(m))
			f.wantMatch(t, stored(small))
			f.wantChallenge(t, storedChallenge(c))
			f.reopen(t)
		}
	}},
	{"ChallengeNext", "a challenge that was renewed knows the one that was made in its place", func(t *testing.T, f *fixture) {
		c := f.putChallenge(t, challenge(1, "1", "2"))
		c.State = store.Expired
		c = f.putChallenge(t, c)
		c.State, c.Next = store.Renewed, 2
		f.putChallenge(t, c)
		f.reopen(t)
		got, err := f.Challenge(t.Context(), 1)
		wantEqual(t, "the next one", store.ChallengeID(2))(got.Next, err)
	}},
	{"LaterFields", "every field that may change is read as it was stored over an earlier version", func(t *testing.T, f *fixture) {
		want := fullMatch()
		m := f.put(t, store.Match{
			ID: want.ID, Guild: want.Guild, Channel: want.Channel, Thread: want.Thread, Place: want.Place, Rules: want.Rules, X: want.X, O: want.O,
			Moves: want.Moves[:1], Given: want.Given, State: store.Active, Created: want.Created, Updated: want.Created,
			Message: want.Message, Drawn: want.Drawn, Notice: want.Notice,
		})
		want.Version = m.Version
		f.wantMatch(t, f.put(t, want))

		wantC := fullChallenge()
		c := f.putChallenge(t, store.Challenge{
			ID: wantC.ID, Guild: "other", Channel: "other", Message: wantC.Message, Drawn: wantC.Drawn, Challenger: wantC.Opponent,
			Rules: engine.Standard, First: store.FirstRandom, State: store.Open, Created: wantC.Created, Updated: wantC.Created,
		})
		wantC.Version = c.Version
		f.wantChallenge(t, f.putChallenge(t, wantC))
	}},
	{"EveryEnding", "every state and end reason is kept", func(t *testing.T, f *fixture) {
		won := []engine.Cell{0, 3, 1, 4, 2}
		full := []engine.Cell{0, 1, 2, 4, 3, 5, 7, 6, 8}
		round := []engine.Cell{0, 1, 2, 3, 8, 5, 6, 7} // where marks vanish it leads back to where it began
		id := store.MatchID(0)
		for _, m := range []store.Match{
			{EndReason: store.ByLine, Winner: engine.X, Moves: won},
			{EndReason: store.FullBoard, Moves: full},
			{EndReason: store.Repetition, Rules: engine.Vanishing, Moves: slices.Concat(round, round, round[:6])},
			{EndReason: store.MoveLimit, Rules: engine.Vanishing, Moves: longest(t)},
			{EndReason: store.Resignation, Winner: engine.O},
			{EndReason: store.Clock, Winner: engine.X, Moves: won[:3]},
			{EndReason: store.Idle},
			{EndReason: store.PutAside, EndedBy: "5"},
			{EndReason: store.Stopped, EndedBy: "5"},
			{EndReason: store.Abandoned},
			{EndReason: store.Unreachable},
		} {
			id++
			m.ID, m.State, m.Channel, m.X, m.O = id, store.Ended, "1", easy, bob
			if m.Rules == (engine.Rules{}) {
				m.Rules = engine.Standard
			}
			m.Created, m.Updated = noon, noon
			f.wantMatch(t, f.put(t, m))
		}
	}},
	{"TimeResolution", "times are kept to the millisecond in UTC, from whatever zone they came, before 1970 and zero too", func(t *testing.T, f *fixture) {
		far := time.FixedZone("far", -9*3600)
		for i, at := range []time.Time{
			noon.Add(1_999_999), noon.In(far), time.Date(1969, 12, 31, 23, 59, 59, 1_500_000, time.UTC), {},
		} {
			m := f.put(t, with(match(store.MatchID(i+1), "1", 0), func(m *store.Match) { m.Created, m.Updated = at, at }))
			f.wantMatch(t, m)
			if m.Created.Location() != time.UTC {
				t.Errorf("Created is in %v, want UTC", m.Created.Location())
			}
		}
	}},
	{"Texts", "ids are opaque texts, compared byte by byte: leading zeros, case and scripts make a difference", func(t *testing.T, f *fixture) {
		for i, channel := range []store.ChannelID{
			"1", "01", "1.0", "1e0", " 1", "1 ", "a", "A", "ß", "ss", "é", "e\u0301", "日本", "🎲", "\u202e", "'; DROP TABLE matches; --", "%", "_",
		} {
			m := f.put(t, match(store.MatchID(i+1), channel, 1))
			wantEqual(t, "ActiveMatches", []store.Match{m})(f.ActiveMatches(t.Context(), channel))
		}
		long := with(match(99, "2", 1), func(m *store.Match) { m.Locale = strings.Repeat("ü", store.MaxText/2) })
		f.wantMatch(t, f.put(t, long))
	}},
	{"Invalid", "a record that breaks its own rules is refused and nothing of its change is stored", invalidRecords},
	{"Whole", "a change is stored whole or not at all", func(t *testing.T, f *fixture) {
		taken := f.put(t, match(1, "1", 1))
		f.refuses(t, store.Change{
			Interaction: "7",
			Matches:     []store.Match{match(2, "2", 1), with(taken, func(m *store.Match) { m.RematchTold = true }), match(3, "1", 1)},
			Challenges:  []store.Challenge{challenge(4, "1", "2")},
		}, store.ErrPlaceTaken)
		f.wantNoMatch(t, 2)
		f.wantNoMatch(t, 3)
		f.wantMatch(t, taken)
		wantNone(t, "Challenge(4)")(f.Challenge(t.Context(), 4))
		if err := f.Apply(t.Context(), store.Change{Interaction: "7", Matches: []store.Match{match(2, "2", 1)}}); err != nil {
			t.Errorf("the interaction of a change that failed cannot be used: %v", err)
		}
	}},
	{"InOrder", "the records of a change are stored in order, so that one can take the place that another leaves, and a record can be stored twice", func(t *testing.T, f *fixture) {
		old := f.put(t, match(1, "1", 1))
		next := match(2, "1", 1)
		again := with(stored(next), func(m *store.Match) { m.Moves = []engine.Cell{8} })
		f.apply(t, store.Change{Matches: []store.Match{ended(old), next, again}})
		wantEqual(t, "ActiveMatches", []store.Match{stored(again)})(f.ActiveMatches(t.Context(), "1"))
	}},
	{"Nothing", "a change of nothing succeeds", func(t *testing.T, f *fixture) {
		if err := f.Apply(t.Context(), store.Change{}); err != nil {
			t.Errorf("Apply of nothing = %v", err)
		}
	}},
	{"CallersRecord", "the records of the caller are neither changed nor kept", func(t *testing.T, f *fixture) {
		m := with(match(1, "1", 1), func(m *store.Match) { m.Moves = []engine.Cell{4, 0} })
		want := f.put(t, m)
		if m.Version != 0 {
			t.Errorf("version of the caller's record = %d, want 0", m.Version)
		}
		m.Moves[0] = 7
		f.wantMatch(t, want)
		got, err := f.Match(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		got.Moves[0] = 7
		f.wantMatch(t, want)
	}},
	{"EndedContext", "a context that has ended stores nothing and is the error", func(t *testing.T, f *fixture) {
		err := f.Apply(cancelled(t), store.Change{Matches: []store.Match{match(1, "1", 1)}})
		if !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrPending) {
			t.Errorf("Apply with an ended context = %v, want %v and not pending", err, context.Canceled)
		}
		f.wantNoMatch(t, 1)
		if _, err := f.Match(cancelled(t), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("Match with an ended context = %v, want %v", err, context.Canceled)
		}
		f.put(t, match(1, "1", 1)) // and everything works as before
		for range 20 {
			f.wantMatch(t, stored(match(1, "1", 1)))
		}
	}},
	{"Closed", "a closed store says so, and closing it again is harmless", func(t *testing.T, f *fixture) {
		f.put(t, match(1, "1", 1))
		for range 2 {
			if err := f.Close(); err != nil {
				t.Fatalf("Close() = %v", err)
			}
		}
		f.Deliver(store.Delivery{Match: 1, Drawn: 1})
		f.refuses(t, store.Change{}, store.ErrClosed)
		_, match := f.Match(t.Context(), 1)
		_, list := f.ActiveMatches(t.Context(), "1")
		_, undrawn := f.UndrawnMatches(t.Context(), noon, store.Cursor{}, 1)
		_, version := f.MatchVersion(t.Context(), 1)
		_, uptime := f.Uptime(t.Context())
		_, lease := f.Lease(t.Context(), everything, store.Uptimes{})
		_, taken := f.TakeSession(t.Context(), store.Session{Count: 1})
		_, next := f.NextDeadlines(t.Context())
		_, due := f.DueReminders(t.Context(), 0, 1, 1)
		_, guild := f.GuildSettings(t.Context(), "1")
		_, person := f.Person(t.Context(), "1")
		_, purge := f.Purge(t.Context(), noon, noon, 1)
		for what, err := range map[string]error{
			"Match": match, "ActiveMatches": list, "UndrawnMatches": undrawn, "MatchVersion": version, "Uptime": uptime,
			"NextDeadlines": next, "DueReminders": due, "GuildSettings": guild, "Person": person, "Purge": purge,
			"Lease": lease, "KeepSession": f.KeepSession(t.Context(), store.Session{Count: 1}), "TakeSession": taken, "Check": f.Check(t.Context()),
		} {
			if !errors.Is(err, store.ErrClosed) {
				t.Errorf("%s after Close: error %v, want %v", what, err, store.ErrClosed)
			}
		}
	}},
}

func invalidRecords(t *testing.T, f *fixture) {
	for what, spoil := range map[string]func(*store.Match){
		"no id":                     func(m *store.Match) { m.ID = 0 },
		"id below zero":             func(m *store.Match) { m.ID = -1 },
		"no channel":                func(m *store.Match) { m.Channel = "" },
		"thread that is no other":   func(m *store.Match) { m.Thread = m.Channel },
		"thread of a private match": func(m *store.Match) { m.Thread, m.Place = "5", 0 },
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
		m := match(1, "1", 1)
		spoil(&m)
		err := f.Apply(t.Context(), store.Change{Interaction: "1", Matches: []store.Match{match(2, "2", 1), m}})
		if !errors.Is(err, store.ErrInvalid) {
			t.Errorf("match with %s: error %v, want %v", what, err, store.ErrInvalid)
		}
	}
	for what, spoil := range map[string]func(*store.Challenge){
		"no id":                  func(c *store.Challenge) { c.ID = 0 },
		"no channel":             func(c *store.Challenge) { c.Channel = "" },
		"no challenger":          func(c *store.Challenge) { c.Challenger = "" },
		"oneself":                func(c *store.Challenge) { c.Opponent = c.Challenger },
		"no rules":               func(c *store.Challenge) { c.Rules = engine.Rules{} },
		"nobody first":           func(c *store.Challenge) { c.First = 0 },
		"unknown state":          func(c *store.Challenge) { c.State = 1 },
		"accepted without match": func(c *store.Challenge) { c.State = store.Accepted },
		"match without accept":   func(c *store.Challenge) { c.Match = 1 },
		"next without renewal":   func(c *store.Challenge) { c.Next = 2 },
		"itself as the next":     func(c *store.Challenge) { c.State, c.Next = store.Renewed, c.ID },
		"deadline below zero":    func(c *store.Challenge) { c.Deadline = -1 },
		"text that is not UTF-8": func(c *store.Challenge) { c.GuildLocale = "\xc0" },
	} {
		c := challenge(1, "1", "2")
		spoil(&c)
		err := f.Apply(t.Context(), store.Change{Interaction: "1", Matches: []store.Match{match(2, "2", 1)}, Challenges: []store.Challenge{c}})
		if !errors.Is(err, store.ErrInvalid) {
			t.Errorf("challenge with %s: error %v, want %v", what, err, store.ErrInvalid)
		}
	}
	f.refuses(t, store.Change{Interaction: "\x00"}, store.ErrInvalid)
	f.wantNoMatch(t, 2)
	if err := f.Apply(t.Context(), store.Change{Interaction: "1"}); err != nil {
		t.Errorf("the interaction was claimed by an invalid change: %v", err)
	}
}

// wonByLine returns the match after X has made a line.
func wonByLine(m store.Match) store.Match {
	m.Moves = []engine.Cell{0, 3, 1, 4, 2}
	m.State, m.EndReason, m.Winner = store.Ended, store.ByLine, engine.X
	return m
}

// longest returns a game under vanishing rules that nothing ends but its length.
func longest(t testing.TB) []engine.Cell {
	t.Helper()
	g, err := engine.New(engine.Vanishing)
	if err != nil {
		t.Fatal(err)
	}
	var moves []engine.Cell
	for !g.Over() {
		cells := slices.Collect(g.Moves())
		dull := slices.DeleteFunc(slices.Clone(cells), func(c engine.Cell) bool {
			next, err := g.Play(c)
			return err != nil || next.Outcome().Winner() != engine.None || next.Repeats() > 0
		})
		if len(dull) > 0 {
			cells = dull
		}
		moves = append(moves, cells[min(1, len(cells)-1)])
		if g, err = g.Play(moves[len(moves)-1]); err != nil {
			t.Fatal(err)
		}
	}
	return moves
}
