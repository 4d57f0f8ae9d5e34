package storetest

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"time"

	"pgregory.net/rapid"

	"tictactoe/engine"
	"tictactoe/store"
)

// pick draws one of the values.
func pick[T any](rt *rapid.T, what string, of ...T) T { return rapid.SampledFrom(of).Draw(rt, what) }

// draw draws a number.
func draw(rt *rapid.T, what string, from, to int) int { return rapid.IntRange(from, to).Draw(rt, what) }

// once says yes once in so many times.
func once(rt *rapid.T, in int, what string) bool { return draw(rt, what, 1, in) == 1 }

// few are the values that anything is drawn from, so that records meet each other.
var few = rapid.MakeConfig{
	Types: generators(
		[]store.UserID{ada.User, bob.User, "2"},
		[]store.Player{ada, bob, {User: "2"}, easy},
		[]store.GuildID{"", "1", "1", "1", in(63)},
		[]store.ChannelID{"1", "1", "01", "2"},
		[]store.MessageID{"", "50", "51"},
		[]store.RoleID{"", "8"},
		[]store.ApplicationID{ours, ours, theirs},
		[]store.MatchID{1, 2, 3, 4, 5, 6, math.MaxInt64},
		[]store.ChallengeID{1, 2, 3, 4, 5, 6, math.MaxInt64},
		[]engine.Rules{engine.Standard, engine.Standard, engine.Vanishing, {M: 4, N: 5, K: 4}},
		[]engine.Mark{engine.None, engine.X, engine.O},
		[][]engine.Cell{nil, {4}, {24, 0}, {4, 0, 8, 1}},
		[]store.EndReason{
			store.Resignation, store.Clock, store.Idle, store.PutAside, store.Stopped,
			store.Abandoned, store.Unreachable, store.ThreadLocked, store.PlayerErased,
		},
		[]store.Verdict{
			{},
			{Kind: store.NoMistake},
			{Kind: store.Flawless},
			{Kind: store.ThrewDraw, Cell: 4},
			{Kind: store.ThrewDraw, Cell: 8},
			{Kind: store.ThrewWin, Cell: 8},
			{Kind: store.ThrewDraw, Ply: 1, Cell: 8},
		},
		[]store.First{store.FirstChallenger, store.FirstOpponent, store.FirstRandom},
		[]store.ChallengeState{
			store.Open, store.Open, store.Open, store.Open, store.Accepted, store.Declined, store.Declined,
			store.Cancelled, store.Expired, store.Renewed, store.Dismissed, store.Hidden,
		},
		[]store.Why{store.Counts, store.Counts, store.Counts, store.TooShort, store.AgainstProgram},
		[]store.Honours{0, feat, another, feat | another},
		[]store.Switch{0, store.On, store.Off},
		[]store.Threads{0, store.ThreadsNever, store.ThreadsOffered, store.ThreadsAlways},
		[]store.Marks{0, store.MarksBlocks, store.MarksHearts, store.MarksSky},
		[]store.OwnMark{0, store.MarkStar, store.MarkRocket, store.AlwaysXO},
		[]store.PlaysBy{0, store.ByNames, store.ByList},
		[]store.ChannelFault{0, store.ChannelGone, store.ChannelNotPermitted},
		[]store.ClockSetting{{}, {Set: true}, {Set: true, Limit: math.MaxInt64}},
		[]store.PuzzleState{store.PuzzleOpen, store.PuzzleSolved, store.PuzzleSolved, store.PuzzleFailed},
		[]int{0, 1, 2, 3},
		[]int64{0, 19998, 19999, 20000, 20001}, // days
		[]string{"", "de", "pt-BR"},
		[]time.Duration{0, 0, 1, 2, 3, math.MaxInt64},
		[]time.Time{
			noon, noon.Add(-time.Hour), noon.Add(time.Hour),
			noon.AddDate(0, 0, 1), noon.AddDate(0, 0, -7), noon.AddDate(0, 0, -8),
		},
	),
	Fields: map[reflect.Type]map[string]*rapid.Generator[any]{
		reflect.TypeFor[store.Match](): {
			"Next": one([]store.MatchID{0, 0, 0, 0, 99}), "BestOf": one([]int{0, 3, 5}), "Thread": one([]store.ChannelID{"", "", "900"}),
		},
		reflect.TypeFor[store.Challenge](): {
			"Next": one([]store.ChallengeID{0, 99}), "BestOf": one([]int{0, 3, 5}),
			"Opponent": one([]store.UserID{"", ada.User, bob.User, "2"}), "Crown": one([]store.ChannelID{"", "1", "2"}),
		},
		reflect.TypeFor[store.PuzzlePost](): {
			"Channel": one([]store.ChannelID{"5", "6"}),
			"Due":     one([]time.Time{{}, noon, noon.Add(time.Hour), noon.Add(store.PostsAhead + time.Second)}),
		},
		reflect.TypeFor[store.Puzzler](): {"Best": one([]int{3, 4}), "Solved": one([]int{4, 5})},
		reflect.TypeFor[store.Block]():   {"From": one([]store.UserID{"", ada.User, bob.User, "2"})},
		reflect.TypeFor[store.Delivery](): {
			"Notice": one([]store.MessageID{"", "", "60", "61"}), "Removed": one([]store.MessageID{"", "", "60", "61"}),
		},
		reflect.TypeFor[store.Session](): {"Count": one([]int{4, 5})}, // more than shards
	},
}

// one draws one of the values of the list.
func one(list any) *rapid.Generator[any] {
	v := reflect.ValueOf(list)
	return rapid.Map(rapid.IntRange(0, v.Len()-1), func(i int) any { return v.Index(i).Interface() })
}

// generators draw one of the values of the list of their type.
func generators(lists ...any) map[reflect.Type]*rapid.Generator[any] {
	all := map[reflect.Type]*rapid.Generator[any]{}
	for _, list := range lists {
		all[reflect.TypeOf(list).Elem()] = one(list)
	}
	return all
}

// anything draws a record with few of the values that its fields can have.
func anything[R any](rt *rapid.T) R {
	return rapid.MakeCustom[R](few).Draw(rt, reflect.TypeFor[R]().Name())
}

// over draws a record, mostly one that is to be stored over the version that is read.
func over[R any](rt *rapid.T, read func(R) (R, error)) R {
	r := anything[R](rt)
	stored, _ := read(r)
	version := reflect.ValueOf(&r).Elem().FieldByName("Version")
	version.Set(reflect.ValueOf(stored).FieldByName("Version"))
	if once(rt, 6, "late") {
		version.SetInt(version.Int() + 1)
	}
	return r
}

// drawChange returns a change that has a good chance both to be stored and to be
// refused.
func drawChange(rt *rapid.T, w *walk) store.Change {
	if once(rt, 2, "one thing alone") {
		if once(rt, 4, "a puzzle") {
			return changeOf(drawPuzzles(rt, w)...)
		}
		return changeOf(drawOther(rt, w))
	}
	var parts []any
	add := func(more ...any) {
		if changeOf(append(parts, more...)...).Validate() == nil || once(rt, 10, "invalid") {
			parts = append(parts, more...)
		}
	}
	if n := draw(rt, "interaction", -60, 40); n > 0 {
		add(claim(n))
	}
	for _, m := range drawMatches(rt, w) {
		if add(m); !once(rt, 6, "without an award") {
			add(drawAward(rt, m))
		}
	}
	if once(rt, 3, "puzzles") {
		add(drawPuzzles(rt, w)...)
	}
	for range draw(rt, "others", 0, 3) {
		add(drawOther(rt, w))
	}
	return changeOf(parts...)
}

// drawOther draws something of a change other than a match.
func drawOther(rt *rapid.T, w *walk) any {
	ctx := rt.Context()
	switch draw(rt, "kind", 0, 10) {
	case 0, 1:
		return drawChallenge(rt, w)
	case 2:
		return over(rt, func(p store.Person) (store.Person, error) { return w.Person(ctx, p.User) })
	case 3:
		return over(rt, func(g store.GuildSettings) (store.GuildSettings, error) { return w.GuildSettings(ctx, g.Guild) })
	case 4:
		return over(rt, func(p store.Post) (store.Post, error) { return w.Post(ctx, p.Key) })
	case 5:
		return over(rt, func(c store.Crown) (store.Crown, error) { return w.Crown(ctx, c.Guild, c.Channel) })
	case 6, 7:
		return anything[store.Block](rt)
	case 8:
		return anything[store.Consent](rt)
	case 9:
		return anything[store.Absence](rt)
	default:
		return anything[store.Epoch](rt)
	}
}

// drawAward draws what the match is worth if it ends.
func drawAward(rt *rapid.T, m store.Match) store.Award {
	award := anything[store.Award](rt)
	award.Match, award.FromPosition = m.ID, once(rt, 6, "from a position")
	return award
}

// drawPuzzles draws a try, and what it makes of who tries: they have solved none later than their
// last one.
func drawPuzzles(rt *rapid.T, w *walk) []any {
	try := over(rt, func(t store.PuzzleTry) (store.PuzzleTry, error) { return w.PuzzleTry(rt.Context(), t.User, t.Day) })
	try.Lost = try.Lost && try.State != store.PuzzleSolved
	was := sure(w.Puzzler(rt.Context(), try.User))
	p := anything[store.Puzzler](rt)
	p.User, p.Version, p.Last = try.User, was.Version, max(p.Last, was.Last, try.Day)
	return []any{try, p}
}

// drawMatches draws up to two matches.
func drawMatches(rt *rapid.T, w *walk) (all []store.Match) {
	for range draw(rt, "matches", 0, 2) {
		m := drawMatch(rt, w)
		if len(all) == 0 || all[0].ID != m.ID {
			all = append(all, m)
		}
	}
	return all
}

// drawMatch draws a match that is new, or what comes of one that is stored.
func drawMatch(rt *rapid.T, w *walk) store.Match {
	drawn := anything[store.Match](rt)
	was, err := w.Match(rt.Context(), drawn.ID)
	if err != nil {
		was = drawNew(rt, drawn)
	}
	m := drawn
	m.Guild, m.Channel, m.Thread, m.Place = was.Guild, was.Channel, was.Thread, was.Place
	m.Rules, m.X, m.O, m.BestOf, m.Moves, m.Given = was.Rules, was.X, was.O, was.BestOf, slices.Clone(was.Moves), was.Given
	m.State, m.EndReason, m.Winner, m.EndedBy, m.Verdict = was.State, was.EndReason, was.Winner, was.EndedBy, was.Verdict
	m.GoesOn, m.Next, m.Version = was.GoesOn, cmp.Or(was.Next, m.Next), was.Version
	switch draw(rt, "what", 0, 11) {
	case 0, 1, 2, 3:
		m.Moves = append(m.Moves, engine.Cell(draw(rt, "cell", 0, 8))) //nolint:gosec // small
		if game, err := engine.Replay(m.Rules, m.Moves); err == nil && game.Over() {
			m.State = store.Ended
			m.EndReason, m.Winner = store.EndOf(game)
		}
	case 4, 5:
		if m.State == store.Active {
			drawEnd(rt, &m, drawn)
		}
	case 6:
		m.Moves = m.Moves[:len(m.Moves)/2]
	case 7:
		m.Version += pick(rt, "version", -1, 1)
	case 8, 9, 10: // what never changes
		name := pick(rt, "field", "Guild", "Channel", "Thread", "Place", "Rules", "Given", "X", "O")
		if m.State == store.Ended {
			name = pick(rt, "field of the end", "EndReason", "Winner", "EndedBy", "Verdict", "Winner")
		}
		reflect.ValueOf(&m).Elem().FieldByName(name).Set(reflect.ValueOf(drawn).FieldByName(name))
		m.Version += pick(rt, "version of what never changes", 0, 0, 0, 1)
	}
	if m.State == store.Ended && m.Verdict.Kind == store.NotJudged {
		m.Verdict = drawn.Verdict
	}
	if m.Gain.Throne = m.Gain.Throne && m.Gain.Crown > 0; m.State == store.Active {
		m.Gain, m.RematchDeclined = store.Gain{}, engine.None
	}
	if m.HintPly = min(m.HintPly, len(m.Moves)); !m.Hinted {
		m.HintPly = 0
	}
	// Once a series has ended it does not go on.
	mayGoOn := m.BestOf > 0 && m.Place > 0 && m.State == store.Ended && (was.State == store.Active || was.GoesOn)
	m.GoesOn = mayGoOn && !once(rt, 4, "is over")
	return m
}

// drawNew makes a new match of what was drawn.
func drawNew(rt *rapid.T, m store.Match) store.Match {
	was := match(m.ID, m.Channel, m.Place)
	if was.Guild, was.Rules = m.Guild, m.Rules; m.X != m.O {
		was.X, was.O = m.X, m.O
	}
	if was.X.IsUser() && was.O.IsUser() {
		was.BestOf = m.BestOf
	}
	if m.Place > 0 {
		was.Thread = m.Thread
	}
	if once(rt, 6, "given") {
		was.Moves, was.Given = []engine.Cell{4}, 1
	}
	return was
}

// drawEnd ends the match for a reason that was drawn.
func drawEnd(rt *rapid.T, m *store.Match, drawn store.Match) {
	switch m.State, m.EndReason = store.Ended, drawn.EndReason; m.EndReason {
	case store.Resignation, store.Clock:
		m.Winner = pick(rt, "winner", engine.X, engine.O)
	case store.PutAside, store.Stopped:
		if m.EndedBy = drawn.EndedBy; m.Seat(m.EndedBy) != engine.None {
			m.EndedBy = "9"
		}
	}
}

func drawChallenge(rt *rapid.T, w *walk) store.Challenge {
	c := over(rt, func(c store.Challenge) (store.Challenge, error) { return w.Challenge(rt.Context(), c.ID) })
	if c.Version == 0 { // a channel knows the last one for its crown
		c.Created = noon.Add(time.Duration(c.ID%8) * time.Second)
	}
	if c.Opponent == c.Challenger {
		c.Opponent = ""
	}
	if c.Opponent == "" || c.Guild == "" {
		c.Crown = ""
	}
	if c.State != store.Accepted {
		c.Match = 0
	}
	if c.State != store.Renewed {
		c.Next = 0
	}
	return c
}
