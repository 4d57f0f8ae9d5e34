package store_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// The records of the tests, which are valid.
func aMatch() store.Match {
	return store.Match{
		ID: 1, Channel: "5", Place: 1, Rules: engine.Standard, State: store.Active,
		X: store.Player{User: "1"}, O: store.Player{Opponent: "easy"},
	}
}

func anEndedMatch() store.Match {
	m := aMatch()
	m.Moves = []engine.Cell{0, 3, 1, 4, 2}
	m.State, m.EndReason, m.Winner = store.Ended, store.ByLine, engine.X
	return m
}

func aChallenge() store.Challenge {
	return store.Challenge{
		ID: 1, Channel: "5", Challenger: "1", Opponent: "2", Rules: engine.Standard,
		First: store.FirstChallenger, State: store.Open,
	}
}

// TestEachRuleOfARecord breaks one rule of a valid record at a time, and says what each number
// and each part of a rule adds to the tests of broken records. That backends ask for the rules is in storetest.
func TestEachRuleOfARecord(t *testing.T) {
	change := func(c store.Change) func() error { return c.Validate }
	match := func(edit func(*store.Match)) func() error {
		m := aMatch()
		edit(&m)
		return m.Validate
	}
	ended := func(edit func(*store.Match)) func() error {
		m := anEndedMatch()
		edit(&m)
		return m.Validate
	}
	challenge := func(edit func(*store.Challenge)) func() error {
		c := aChallenge()
		edit(&c)
		return c.Validate
	}
	guild := func(edit func(*store.GuildSettings)) func() error {
		g := store.GuildSettings{Guild: "7"}
		edit(&g)
		return g.Validate
	}
	try := func(edit func(*store.PuzzleTry)) func() error {
		p := store.PuzzleTry{User: "1", Day: 9, State: store.PuzzleOpen}
		edit(&p)
		return p.Validate
	}
	puzzler := func(edit func(*store.Puzzler)) func() error {
		p := store.Puzzler{User: "1", Solved: 5, Streak: 2, Best: 3, Tries: 4, Last: 9}
		edit(&p)
		return p.Validate
	}
	award := func(a store.Award) func() error {
		a.Match = 1
		return change(store.Change{Matches: []store.Match{anEndedMatch()}, Awards: []store.Award{a}})
	}
	far, near := store.GuildID("4194304"), store.GuildID("8388608") // of two clock domains

	for _, c := range []struct {
		what     string
		validate func() error
		valid    bool
	}{
		{"the first id", match(func(*store.Match) {}), true},
		{"the match's own id 0", match(func(m *store.Match) { m.ID = 0 }), false},
		{"a reminder before the start", match(func(m *store.Match) { m.Remind = -1 }), false},
		{"a next match below zero", ended(func(m *store.Match) { m.Next = -1 }), false},
		{"a score of X below zero", match(func(m *store.Match) { m.Series.X = -1 }), false},
		{"a score of O below zero", match(func(m *store.Match) { m.Series.O = -1 }), false},
		{"draws below zero", match(func(m *store.Match) { m.Series.Draws = -1 }), false},
		{"two in the seat of X", match(func(m *store.Match) { m.X.Opponent = "easy" }), false},
		{"moves below zero that are given", match(func(m *store.Match) { m.Given = -1 }), false},
		{"more moves given than there are", match(func(m *store.Match) { m.Given = 1 }), false},
		{"all moves given", match(func(m *store.Match) { m.Moves, m.Given = []engine.Cell{4}, 1 }), true},
		{"a state that is neither with a winner", ended(func(m *store.Match) { m.State = 99 }), false},
		{"between games that take no place", ended(func(m *store.Match) {
			m.Place, m.O, m.BestOf, m.GoesOn = 0, store.Player{User: "2"}, 3, true
		}), false},
		{"an erased player", match(func(m *store.Match) { m.State, m.EndReason = store.Ended, store.PlayerErased }), true},
		{"one put aside", match(func(m *store.Match) {
			m.State, m.EndReason, m.EndedBy, m.O = store.Ended, store.PutAside, "3", store.Player{Opponent: "easy"}
		}), true},
		{"one put aside for nobody", match(func(m *store.Match) {
			m.State, m.EndReason, m.O = store.Ended, store.PutAside, store.Player{Opponent: "easy"}
		}), false},
		{"one between people put aside", match(func(m *store.Match) {
			m.State, m.EndReason, m.EndedBy, m.O = store.Ended, store.PutAside, "3", store.Player{User: "2"}
		}), false},
		{"a verdict on the first move", ended(func(m *store.Match) { m.Verdict = store.Verdict{Kind: store.ThrewDraw, Cell: 4} }), true},
		{"a verdict on the last move", ended(func(m *store.Match) { m.Verdict = store.Verdict{Kind: store.ThrewDraw, Ply: 4, Cell: 8} }), true},
		{"a verdict behind the last move", ended(func(m *store.Match) { m.Verdict = store.Verdict{Kind: store.ThrewDraw, Ply: 5, Cell: 8} }), false},

		{"a challenge", challenge(func(*store.Challenge) {}), true},
		{"its version below zero", challenge(func(c *store.Challenge) { c.Version = -1 }), false},
		{"its drawn version below zero", challenge(func(c *store.Challenge) { c.Drawn = -1 }), false},
		{"its clock below zero", challenge(func(c *store.Challenge) { c.Clock = -1 }), false},
		{"its match below zero", challenge(func(c *store.Challenge) { c.State, c.Match = store.Accepted, -1 }), false},
		{"a series of two", challenge(func(c *store.Challenge) { c.BestOf = 2 }), false},
		{"the opponent first", challenge(func(c *store.Challenge) { c.First = store.FirstOpponent }), true},

		{"settings of a guild", guild(func(g *store.GuildSettings) { g.Places = store.MostPlaces }), true},
		{"places below zero", guild(func(g *store.GuildSettings) { g.Places = -1 }), false},
		{"a place too many", guild(func(g *store.GuildSettings) { g.Places = store.MostPlaces + 1 }), false},
		{"no hints since 1970", guild(func(g *store.GuildSettings) { g.NoHintsSince = time.Unix(0, 0) }), false},
		{"an hour below zero", guild(func(g *store.GuildSettings) { g.Puzzle.Hour = -1 }), false},
		{"the last hour", guild(func(g *store.GuildSettings) { g.Puzzle.Hour = 23 }), true},
		{"a puzzle due in 1970", guild(func(g *store.GuildSettings) { g.Puzzle.Channel, g.Puzzle.Due = "5", time.Unix(0, 0) }), false},

		{"a try", try(func(p *store.PuzzleTry) { p.Moves = make([]engine.Cell, store.MostPuzzleMoves) }), true},
		{"wrong tries below zero", try(func(p *store.PuzzleTry) { p.Wrong = -1 }), false},
		{"a try's version below zero", try(func(p *store.PuzzleTry) { p.Version = -1 }), false},
		{"a try with too many moves", try(func(p *store.PuzzleTry) { p.Moves = make([]engine.Cell, store.MostPuzzleMoves+1) }), false},

		{"a puzzler", puzzler(func(*store.Puzzler) {}), true},
		{"solved below zero", puzzler(func(p *store.Puzzler) { p.Solved, p.Streak, p.Best = -1, -1, -1 }), false},
		{"a streak below zero", puzzler(func(p *store.Puzzler) { p.Streak = -1 }), false},
		{"tries of a streak below zero", puzzler(func(p *store.Puzzler) { p.Tries = -1 }), false},
		{"excused before 1970", puzzler(func(p *store.Puzzler) { p.Excused = -1 }), false},
		{"a puzzler's version below zero", puzzler(func(p *store.Puzzler) { p.Version = -1 }), false},
		{"a best streak longer than what was solved", puzzler(func(p *store.Puzzler) { p.Best = 6 }), false},

		{"an award", award(store.Award{Why: store.Counts, X: 3, Caps: store.Caps{Seats: 1, Pair: 2, Person: 3}}), true},
		{"points of X below zero", award(store.Award{Why: store.Counts, X: -1}), false},
		{"points of O below zero", award(store.Award{Why: store.Counts, O: -1}), false},
		{"a cap of seats below zero", award(store.Award{Caps: store.Caps{Seats: -1}}), false},
		{"a cap of a pair below zero", award(store.Award{Caps: store.Caps{Pair: -1}}), false},
		{"a cap of a person below zero", award(store.Award{Caps: store.Caps{Person: -1}}), false},
		{"an honour that cannot be kept", award(store.Award{HonoursO: 1 << store.MostHonours}), false},
		{"an award from before the ledger", award(store.Award{Why: store.BeforeLedger}), false},

		{"a past match that goes on", change(store.Change{Past: []store.Match{aMatch()}}), false},
		{"a past match", change(store.Change{Past: []store.Match{anEndedMatch()}}), true},
		{"past matches up to a number below zero", change(store.Change{PastTo: -1}), false},
		{"an epoch of no guild", change(store.Change{Epochs: []store.Epoch{{By: "1"}}}), false},
		{"an absence of nobody", change(store.Change{Absences: []store.Absence{{Guild: "7"}}}), false},
		{"an absence from nowhere", change(store.Change{Absences: []store.Absence{{User: "1"}}}), false},
		{"an erasure of nobody", store.Erasure{Pseudonym: store.NewPseudonym()}.Validate, false},
		{"an erasure", store.Erasure{User: "1", Pseudonym: store.NewPseudonym()}.Validate, true},
		{"matches of two domains", func() error {
			one, other := aMatch(), aMatch()
			one.Guild, other.Guild, other.ID = far, near, 2
			return store.Change{Matches: []store.Match{one, other}}.Validate()
		}, false},
		{"matches of one domain", func() error {
			one, other := aMatch(), aMatch()
			one.Guild, other.Guild, other.ID = far, far, 2
			return store.Change{Matches: []store.Match{one, other}}.Validate()
		}, true},
	} {
		if err := c.validate(); c.valid && err != nil || !c.valid && !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v; want it valid: %t", c.what, err, c.valid)
		}
	}
}

// TestEveryFieldIsValidated gives one field of a valid record after the other a value that none
// may have, so that a field that is added is not left out of validation.
func TestEveryFieldIsValidated(t *testing.T) {
	clock := store.ClockSetting{Set: true}
	spoilEach(t, "guild", &store.GuildSettings{Guild: "7", Clock: clock})
	spoilEach(t, "person", &store.Person{User: "1", Clock: clock})
	m, c := anEndedMatch(), aChallenge()
	spoilEach(t, "match", &m)
	spoilEach(t, "challenge", &c)
	spoilEach(t, "try", &store.PuzzleTry{User: "1", Day: 9, State: store.PuzzleOpen})
	spoilEach(t, "puzzler", &store.Puzzler{User: "1", Solved: 5, Streak: 2, Best: 3, Tries: 4, Last: 9})
	spoilEach(t, "crown", &store.Crown{Guild: "7", Channel: "5"})
	spoilEach(t, "post", &store.Post{Key: "1"})
	spoilEach(t, "lobby", &store.Lobby{Channel: "5", Guild: "7"})
	spoilEach(t, "block", &store.Block{User: "1", From: "2"})
	spoilEach(t, "consent", &store.Consent{By: "1", To: "2"})
}

// free may be anything: bits, and when something was done, by the bot's clock.
var free = []string{
	"match.Gain.Honours", "match.Created", "match.Updated", "challenge.Created", "challenge.Updated",
	"crown.Since", "crown.Last", "post.At", "lobby.Drawn", "block.Since",
}

// spoilEach sets each field of a record, but for those that are true or false, to what cannot be,
// and wants the record refused.
func spoilEach[R interface{ Validate() error }](t *testing.T, what string, record *R) {
	t.Helper()
	if err := (*record).Validate(); err != nil {
		t.Fatalf("%s: %v, before anything is spoilt", what, err)
	}
	var each func(name string, v reflect.Value)
	each = func(name string, v reflect.Value) {
		old := reflect.ValueOf(v.Interface())
		switch {
		case slices.Contains(free, name):
			return
		case v.Type() == reflect.TypeFor[time.Time]():
			v.Set(reflect.ValueOf(time.Unix(0, 0)))
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				each(name+"."+v.Type().Field(i).Name, v.Field(i))
			}
			return
		case v.CanInt():
			v.SetInt(-1)
		case v.CanUint():
			v.SetUint(255)
		case v.Kind() == reflect.String:
			v.SetString(strings.Repeat("x", store.MaxText+1))
		default:
			return
		}
		if err := (*record).Validate(); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s = %v: %v, want %v", name, v, err, store.ErrInvalid)
		}
		v.Set(old)
	}
	each(what, reflect.ValueOf(record).Elem())
}

// TestNamed: whom a change makes or sets something for. Of challenges that is what is new or
// open; one that is only closed names nobody anew.
func TestNamed(t *testing.T) {
	made, opened, closed := aChallenge(), aChallenge(), aChallenge()
	made.State = store.Declined
	opened.Version = 3
	closed.State, closed.Version = store.Declined, 3
	played := aMatch()
	played.Version = 3
	for _, c := range []struct {
		what   string
		change store.Change
		want   []store.UserID
	}{
		{"a challenge that is made closed", store.Change{Challenges: []store.Challenge{made}}, []store.UserID{"1", "2"}},
		{"a challenge that is opened again", store.Change{Challenges: []store.Challenge{opened}}, []store.UserID{"1", "2"}},
		{"a challenge that is closed", store.Change{Challenges: []store.Challenge{closed}}, nil},
		{"a new match", store.Change{Matches: []store.Match{aMatch()}}, []store.UserID{"1"}},
		{"a match that goes on", store.Change{Matches: []store.Match{played}}, nil},
		{"blocks", store.Change{Blocks: []store.Block{{User: "1", From: "2"}, {User: "3", From: "2", Lifted: true}}}, []store.UserID{"1"}},
	} {
		if got := c.change.Named(); !slices.Equal(got, c.want) {
			t.Errorf("%s names %v, want %v", c.what, got, c.want)
		}
	}
}

// TestOr: what somebody has set counts, and where nobody has, what is usual.
func TestOr(t *testing.T) {
	set := store.ClockSetting{Set: true}
	if got := set.Or(time.Minute); got != 0 {
		t.Errorf("no clock, by choice, is %v", got)
	}
	if got := (store.ClockSetting{}).Or(time.Minute); got != time.Minute {
		t.Errorf("the usual clock is %v", got)
	}
	for s, want := range map[store.Switch][2]bool{0: {false, true}, store.On: {true, true}, store.Off: {false, false}} {
		if got := [2]bool{s.Or(false), s.Or(true)}; got != want {
			t.Errorf("Switch %d is %v, want %v", s, got, want)
		}
	}
}

// TestWhere covers where a board stands, and what can change it there.
func TestWhere(t *testing.T) {
	m := aMatch()
	if m.Where() != "5" || m.OnlyByToken() {
		t.Errorf("a public match stands in %q, by token only: %t", m.Where(), m.OnlyByToken())
	}
	m.Thread = "6"
	if m.Where() != "6" {
		t.Errorf("a match in a thread stands in %q", m.Where())
	}
	m.TokenOnly = true
	if !m.OnlyByToken() {
		t.Error("where the bot is no member its token reaches")
	}
	private := aMatch()
	private.Place = 0
	if !private.OnlyByToken() {
		t.Error("a private match can be changed by the bot's token")
	}
}

// TestBlocks: a block that is lifted stands in nobody's way.
func TestBlocks(t *testing.T) {
	b, c := store.Block{User: "1", From: "2"}, store.Consent{By: "2", To: "1"}
	if !b.Blocks(c) {
		t.Errorf("%+v does not block %+v", b, c)
	}
	if b.Lifted = true; b.Blocks(c) {
		t.Errorf("%+v blocks %+v", b, c)
	}
}

// TestEndings: a result is worth what its own award says, and one of a match from before
// the ledger nothing.
func TestEndings(t *testing.T) {
	one, other, past := anEndedMatch(), anEndedMatch(), anEndedMatch()
	other.ID, past.ID = 2, 3
	award := func(id store.MatchID) store.Award {
		return store.Award{Match: id, Why: store.Counts, X: 3, Caps: store.Caps{Pair: 1}, BotWin: true, HonoursX: 1, Hinted: true}
	}
	for i, e := range (store.Change{
		Matches: []store.Match{one, other}, Past: []store.Match{past},
		Awards: []store.Award{award(2), award(3)},
	}).Endings() {
		want := []store.Result{{Why: store.NotWeighed}, {Why: store.Counts, PointsX: 3, BotWin: true}, {Why: store.BeforeLedger}}[i]
		if e.Match != store.MatchID(i+1) || e.Why != want.Why || e.PointsX != want.PointsX || e.BotWin != want.BotWin ||
			(e.Caps.Pair == 1) != want.BotWin || e.Hinted != (i > 0) || (e.HonoursX == 1) != (i > 0) {
			t.Errorf("ending %d is %+v, want %+v", i, e, want)
		}
	}
}
