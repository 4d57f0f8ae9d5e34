package storetest

import (
	"cmp"
	"errors"
	"flag"
	"maps"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tictactoe/engine"
	"tictactoe/store"
)

// model is what a store keeps, in the plainest form that is right.
type model struct {
	matches    map[store.MatchID]store.Match
	challenges map[store.ChallengeID]store.Challenge
	claims     map[store.InteractionID]bool
	uptime     time.Duration
}

func newModel() model {
	return model{map[store.MatchID]store.Match{}, map[store.ChallengeID]store.Challenge{}, map[store.InteractionID]bool{}, 0}
}

// apply returns the model after the change, or the sentinel that it is refused
// with.
func (o model) apply(c store.Change) (model, error) {
	next := model{maps.Clone(o.matches), maps.Clone(o.challenges), maps.Clone(o.claims), o.uptime}
	if next.claims[c.Interaction] {
		return o, store.ErrClaimed
	}
	next.claims[c.Interaction] = c.Interaction != ""
	for _, m := range c.Matches {
		if err := next.put(m); err != nil {
			return o, err
		}
	}
	for _, ch := range c.Challenges {
		if err := next.putChallenge(ch); err != nil {
			return o, err
		}
	}
	return next, nil
}

func (o model) put(m store.Match) error {
	old, exists := o.matches[m.ID]
	switch {
	case exists && old.Version != m.Version:
		return store.ErrConflict
	case !exists && m.Version > 0:
		return store.ErrNotFound
	case exists && (old.Guild != m.Guild || old.Rules != m.Rules || old.X != m.X || old.O != m.O ||
		len(old.Moves) > len(m.Moves) || !slices.Equal(old.Moves, m.Moves[:len(old.Moves)])):
		return store.ErrImmutable
	case exists && old.State == store.Ended && (len(old.Moves) != len(m.Moves) || old.State != m.State ||
		old.EndReason != m.EndReason || old.Winner != m.Winner || old.EndedBy != m.EndedBy):
		return store.ErrImmutable
	}
	for _, other := range o.matches {
		if m.State == store.Active && m.Place > 0 && other.ID != m.ID && other.State == store.Active &&
			other.Channel == m.Channel && other.Place == m.Place {
			return store.ErrPlaceTaken
		}
	}
	m = stored(m)
	if exists {
		m.Message, m.Drawn, m.Notice, m.Created = old.Message, old.Drawn, old.Notice, old.Created
	}
	o.matches[m.ID] = m
	return nil
}

func (o model) putChallenge(c store.Challenge) error {
	old, exists := o.challenges[c.ID]
	switch {
	case exists && old.Version != c.Version:
		return store.ErrConflict
	case !exists && c.Version > 0:
		return store.ErrNotFound
	}
	for _, other := range o.challenges {
		if c.State == store.Open && other.ID != c.ID && other.State == store.Open && other.Guild == c.Guild && samePair(other, c) {
			return store.ErrPairTaken
		}
	}
	c = storedChallenge(c)
	if exists {
		c.Message, c.Created = old.Message, old.Created
	}
	o.challenges[c.ID] = c
	return nil
}

func samePair(a, b store.Challenge) bool {
	return a.Challenger == b.Challenger && a.Opponent == b.Opponent || a.Challenger == b.Opponent && a.Opponent == b.Challenger
}

func (o model) note(n store.Note) {
	if m, ok := o.matches[n.Match]; ok {
		if n.Message != "" && n.Message != m.Message {
			m.Message, m.Drawn = n.Message, n.Drawn
		}
		m.Drawn = max(m.Drawn, n.Drawn)
		if n.Notice != nil {
			m.Notice = *n.Notice
		}
		o.matches[n.Match] = m
	}
	if c, ok := o.challenges[n.Challenge]; ok && n.Message != "" {
		c.Message = n.Message
		o.challenges[n.Challenge] = c
	}
}

// list returns the matches that are chosen, in order.
func (o model) list(choose func(store.Match) bool, order func(a, b store.Match) int) []store.Match {
	var list []store.Match
	for _, m := range o.matches {
		if choose(m) {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, order)
	return list
}

func byID(a, b store.Match) int { return cmp.Compare(a.ID, b.ID) }

var modelCases = []testCase{
	{
		"Model", "random changes, notes and reopenings leave what a plain model of the promises holds, and are refused for the same reasons",
		func(t *testing.T, f *fixture) {
			setUnlessGiven(t, "rapid.checks", "30") // opening takes long,
			setUnlessGiven(t, "rapid.steps", "70")  // steps do not
			rapid.Check(t, func(rt *rapid.T) {
				s, want := f.open(t), newModel()
				defer func() { _ = s.Close() }()
				rt.Repeat(map[string]func(*rapid.T){
					"apply": func(rt *rapid.T) {
						c := drawChange(rt, want)
						if c.Validate() != nil {
							if err := s.Apply(t.Context(), c); !errors.Is(err, store.ErrInvalid) {
								rt.Fatalf("Apply(%+v) = %v, want %v", c, err, store.ErrInvalid)
							}
							return
						}
						next, wantErr := want.apply(c)
						if err := s.Apply(t.Context(), c); !errors.Is(err, wantErr) {
							rt.Fatalf("Apply(%+v) = %v, want %v", c, err, wantErr)
						}
						want = next
					},
					"note": func(rt *rapid.T) {
						n := drawNote(rt)
						s.Note(n)
						want.note(n)
					},
					"uptime": func(rt *rapid.T) {
						up := time.Duration(rapid.Int64Range(-2, 20).Draw(rt, "uptime"))
						if err := s.SaveUptime(t.Context(), up); err != nil {
							rt.Fatal(err)
						}
						want.uptime = max(want.uptime, up)
					},
					"reopen": func(rt *rapid.T) {
						if rapid.IntRange(0, 9).Draw(rt, "skip") > 0 {
							rt.Skip("opening takes long")
						}
						s = f.reopenStore(t, s)
					},
					"read": func(rt *rapid.T) { compare(rt, t, s, want) },
				})
				compare(rt, t, s, want)
			})
		},
	},
}

// setUnlessGiven sets a flag for the time of the test, unless it was given on the
// command line.
func setUnlessGiven(t *testing.T, name, value string) {
	f := flag.Lookup(name)
	if before := f.Value.String(); before == f.DefValue && f.Value.Set(value) == nil {
		t.Cleanup(func() { _ = f.Value.Set(before) }) // it had that value
	}
}

// drawChange returns a change that has a good chance both to be stored and to be
// refused.
func drawChange(rt *rapid.T, o model) store.Change {
	c := store.Change{Interaction: rapid.SampledFrom([]store.InteractionID{"", "", "1", "2", "3", "4", "5"}).Draw(rt, "interaction")}
	for range rapid.IntRange(0, 2).Draw(rt, "matches") {
		c.Matches = append(c.Matches, drawMatch(rt, o))
	}
	for range rapid.IntRange(0, 2).Draw(rt, "challenges") {
		c.Challenges = append(c.Challenges, drawChallenge(rt, o))
	}
	return c
}

func drawMatch(rt *rapid.T, o model) store.Match {
	id := store.MatchID(rapid.IntRange(1, 5).Draw(rt, "match"))
	m, exists := o.matches[id]
	if !exists {
		m = match(id, rapid.SampledFrom([]store.ChannelID{"1", "01"}).Draw(rt, "channel"), rapid.IntRange(0, 2).Draw(rt, "place"))
		m.X, m.O = ada, rapid.SampledFrom([]store.Player{easy, bob}).Draw(rt, "opponent")
		m.Guild = rapid.SampledFrom([]store.GuildID{"", "1"}).Draw(rt, "guild")
	}
	switch rapid.IntRange(0, 7).Draw(rt, "what") {
	case 0, 1, 2:
		m.Moves = append(slices.Clone(m.Moves), engine.Cell(rapid.IntRange(0, 8).Draw(rt, "cell"))) //nolint:gosec // small
		if game, err := engine.Replay(m.Rules, m.Moves); err == nil && game.Over() {
			m.State, m.EndReason, m.Winner = store.Ended, store.FullBoard, game.Outcome().Winner()
			if m.Winner != engine.None {
				m.EndReason = store.ByLine
			}
		}
	case 3:
		m = ended(m)
	case 4:
		m.Moves = slices.Clone(m.Moves[:len(m.Moves)/2])
	case 5:
		m.Version += rapid.SampledFrom([]int{-1, 1}).Draw(rt, "version")
	case 6:
		m.Place = rapid.IntRange(0, 2).Draw(rt, "to place")
	}
	m.Deadline = time.Duration(rapid.IntRange(0, 3).Draw(rt, "deadline"))
	m.Clock = time.Duration(rapid.IntRange(0, 1).Draw(rt, "clock"))
	m.Updated = noon.Add(time.Duration(rapid.IntRange(-1, 1).Draw(rt, "updated")) * time.Hour)
	return m
}

func drawChallenge(rt *rapid.T, o model) store.Challenge {
	id := store.ChallengeID(rapid.IntRange(1, 5).Draw(rt, "challenge"))
	users := rapid.SampledFrom([]store.UserID{"", "1", "2", "3"})
	c, exists := o.challenges[id]
	if !exists {
		c = challenge(id, users.Draw(rt, "challenger"), users.Draw(rt, "challenged"))
	}
	c.State = rapid.SampledFrom([]store.ChallengeState{store.Open, store.Open, store.Declined, store.Accepted}).Draw(rt, "state")
	if c.Match = 0; c.State == store.Accepted {
		c.Match = 1
	}
	if rapid.IntRange(0, 5).Draw(rt, "take") == 0 {
		c.Opponent = users.Draw(rt, "taker")
	}
	if rapid.IntRange(0, 5).Draw(rt, "old") == 0 {
		c.Version++
	}
	c.Deadline = time.Duration(rapid.IntRange(0, 3).Draw(rt, "deadline"))
	return c
}

func drawNote(rt *rapid.T) store.Note {
	n := store.Note{
		Message: rapid.SampledFrom([]store.MessageID{"", "50", "51"}).Draw(rt, "message"),
		Drawn:   rapid.IntRange(0, 4).Draw(rt, "drawn"),
	}
	if rapid.Bool().Draw(rt, "of a match") {
		n.Match = store.MatchID(rapid.IntRange(1, 5).Draw(rt, "match"))
	} else {
		n.Challenge = store.ChallengeID(rapid.IntRange(1, 5).Draw(rt, "challenge"))
	}
	if rapid.Bool().Draw(rt, "with notice") {
		n.Notice = ptr(rapid.SampledFrom([]store.MessageID{"", "60"}).Draw(rt, "notice"))
	}
	return n
}

// compare compares everything that can be read with the model. Lists whose order
// the promises leave open are compared without it.
func compare(rt *rapid.T, t *testing.T, s Store, want model) {
	ctx := t.Context()
	same := func(what string, got, want any, err error) {
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			rt.Fatalf("%s: error %v, got + want -:\n%s", what, err, diff)
		}
	}
	for id := store.MatchID(1); id <= 5; id++ {
		got, err := s.Match(ctx, id)
		if _, ok := want.matches[id]; !ok && errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		same("Match", got, want.matches[id], err)
	}
	for id := store.ChallengeID(1); id <= 5; id++ {
		got, err := s.Challenge(ctx, id)
		if _, ok := want.challenges[id]; !ok && errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		same("Challenge", got, want.challenges[id], err)
	}
	active := func(m store.Match) bool { return m.State == store.Active }
	got, err := s.ActiveMatches(ctx, "1")
	same("ActiveMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Place > 0 && m.Channel == "1" },
		func(a, b store.Match) int { return cmp.Compare(a.Place, b.Place) }), err)
	got, err = s.PrivateMatches(ctx, "1", ada.User)
	slices.SortFunc(got, byID) // all of them are equally new
	same("PrivateMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Place == 0 && m.Channel == "1" }, byID), err)
	got, err = s.GuildMatches(ctx, "1", 2, 9)
	same("GuildMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Guild == "1" && m.ID > 2 }, byID), err)
	got, err = s.ClockedMatches(ctx, 1, 9)
	same("ClockedMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Clock > 0 && m.O == bob && m.ID > 1 }, byID), err)
	got, err = s.UndrawnMatches(ctx, 1, 9, noon)
	same("UndrawnMatches", got, want.list(
		func(m store.Match) bool { return m.Drawn < m.Version && !m.Updated.Before(noon) && m.ID > 1 }, byID), err)
	got, err = s.DueMatches(ctx, 2, 9)
	slices.SortStableFunc(got, func(a, b store.Match) int {
		return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), byID(a, b))
	})
	same("DueMatches", got, want.list(
		func(m store.Match) bool { return m.Deadline > 0 && m.Deadline <= 2 },
		func(a, b store.Match) int { return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), byID(a, b)) }), err)

	var open []store.ChallengeID
	next := time.Duration(0)
	for _, id := range slices.Sorted(maps.Keys(want.challenges)) {
		if c := want.challenges[id]; c.State == store.Open {
			open = append(open, id)
			if c.Deadline > 0 && (next == 0 || c.Deadline < next) {
				next = c.Deadline
			}
		}
	}
	for _, m := range want.matches {
		if m.Deadline > 0 && (next == 0 || m.Deadline < next) {
			next = m.Deadline
		}
	}
	challenges, err := s.OpenChallenges(ctx, 0, 9)
	same("OpenChallenges", challengeIDs(challenges), open, err)
	at, ok, err := s.NextDeadline(ctx)
	same("NextDeadline", at, next, err)
	same("NextDeadline, whether there is one", ok, next > 0, nil)
	uptime, err := s.Uptime(ctx)
	same("Uptime", uptime, want.uptime, err)
}
