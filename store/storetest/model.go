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
	guilds     map[store.GuildID]store.GuildSettings
	people     map[store.UserID]store.Person
	tries      map[tryKey]store.PuzzleTry
	puzzlers   map[store.UserID]store.Puzzler
	solvedIn   map[solverKey]int64 // the last day, by whoever has solved one in a guild
	posts      map[string]store.Post
	claims     map[store.InteractionID]bool
	blocks     map[store.Block]time.Time // without their times
	uptime     store.Uptimes
	erasures   map[store.UserID]store.Erasure // that have begun, by whom they erase
	ledger     ledger
	presences  map[presenceKey]presence
}

func newModel() model {
	return model{
		matches: map[store.MatchID]store.Match{}, challenges: map[store.ChallengeID]store.Challenge{},
		guilds: map[store.GuildID]store.GuildSettings{}, people: map[store.UserID]store.Person{},
		tries: map[tryKey]store.PuzzleTry{}, puzzlers: map[store.UserID]store.Puzzler{}, solvedIn: map[solverKey]int64{},
		posts:  map[string]store.Post{},
		claims: map[store.InteractionID]bool{}, blocks: map[store.Block]time.Time{}, ledger: newLedger(),
		erasures: map[store.UserID]store.Erasure{}, presences: map[presenceKey]presence{},
	}
}

// clone returns a model that can be changed by itself.
func (o model) clone() model {
	o.matches, o.challenges = maps.Clone(o.matches), maps.Clone(o.challenges)
	o.guilds, o.people, o.claims = maps.Clone(o.guilds), maps.Clone(o.people), maps.Clone(o.claims)
	o.tries, o.puzzlers, o.solvedIn = maps.Clone(o.tries), maps.Clone(o.puzzlers), maps.Clone(o.solvedIn)
	o.posts = maps.Clone(o.posts)
	o.blocks, o.ledger, o.erasures = maps.Clone(o.blocks), o.ledger.clone(), maps.Clone(o.erasures)
	o.presences = maps.Clone(o.presences)
	return o
}

// apply returns the model after the change, or the sentinel that it is refused
// with.
func (o model) apply(c store.Change) (model, error) {
	next := o.clone()
	if next.claims[c.Interaction] {
		return o, store.ErrClaimed
	}
	next.claims[c.Interaction] = c.Interaction != ""
	if slices.ContainsFunc(c.Consents, next.blocked) {
		return o, store.ErrBlocked
	}
	for _, user := range c.Named() {
		if _, ok := next.erasures[user]; ok {
			return o, store.ErrErasing
		}
	}
	for _, e := range c.Erasures {
		if _, ok := next.erasures[e.User]; !ok {
			next.erasures[e.User] = e
		}
	}
	next.putBlocks(c.Blocks)
	next.ledger.write(c, o.matches)
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
	for _, g := range c.Guilds {
		if err := overVersion(g.Version, next.guilds[g.Guild].Version); err != nil {
			return o, err
		}
		g.Version++
		next.guilds[g.Guild] = g
	}
	for _, p := range c.People {
		if err := overVersion(p.Version, next.people[p.User].Version); err != nil {
			return o, err
		}
		p.Version++
		next.people[p.User] = p
	}
	if err := next.putPuzzles(c); err != nil {
		return o, err
	}
	for _, p := range c.Posts {
		if err := overVersion(p.Version, next.posts[p.Key].Version); err != nil {
			return o, err
		}
		p.Version++
		next.posts[p.Key] = p
	}
	return next, nil
}

func (o *model) saveUptime(d store.Domain, uptime time.Duration) {
	o.uptime[d] = max(o.uptime[d], uptime)
}

// overVersion returns the sentinel that a record is refused with whose stored version
// is another one, 0 for none.
func overVersion(version, stored int) error {
	switch stored {
	case version:
		return nil
	case 0:
		return store.ErrNotFound
	default:
		return store.ErrConflict
	}
}

func (o model) put(m store.Match) error {
	old, exists := o.matches[m.ID]
	if err := overVersion(m.Version, old.Version); err != nil {
		return err
	}
	switch {
	case exists && (old.Guild != m.Guild || old.Channel != m.Channel || old.Thread != m.Thread || old.Place != m.Place || old.Rules != m.Rules || old.Given != m.Given || old.X != m.X || old.O != m.O ||
		len(old.Moves) > len(m.Moves) || !slices.Equal(old.Moves, m.Moves[:len(old.Moves)])):
		return store.ErrImmutable
	case exists && old.State == store.Ended && (len(old.Moves) != len(m.Moves) || old.State != m.State ||
		old.EndReason != m.EndReason || old.Winner != m.Winner || old.EndedBy != m.EndedBy),
		old.Verdict.Kind != store.NotJudged && old.Verdict != m.Verdict:
		return store.ErrImmutable
	}
	for _, other := range o.matches {
		if m.State == store.Active && m.Place > 0 && other.ID != m.ID && other.State == store.Active &&
			other.Channel == m.Channel && other.Place == m.Place {
			return store.ErrPlaceTaken
		}
	}
	for _, other := range o.matches {
		if seated(m) && seated(other) && other.ID != m.ID && other.Channel == m.Channel && sharePlayer(m, other) {
			return store.ErrSeatTaken
		}
	}
	m = stored(m)
	if exists {
		m.Message, m.Drawn, m.Notice, m.Created = old.Message, old.Drawn, old.Notice, old.Created
	}
	o.matches[m.ID] = m
	return nil
}

// seated reports whether the people of the match have seats in its channel.
func seated(m store.Match) bool { return m.State == store.Active && m.Place > 0 }

// sharePlayer reports whether a person plays both.
func sharePlayer(a, b store.Match) bool {
	return a.Seat(b.X.User) != engine.None || a.Seat(b.O.User) != engine.None
}

func (o model) putChallenge(c store.Challenge) error {
	old, exists := o.challenges[c.ID]
	if err := overVersion(c.Version, old.Version); err != nil {
		return err
	}
	for _, other := range o.challenges {
		if c.State == store.Open && other.ID != c.ID && other.State == store.Open && other.Guild == c.Guild && samePair(other, c) {
			return store.ErrPairTaken
		}
	}
	c = storedChallenge(c)
	if exists {
		c.Message, c.Drawn, c.Created = old.Message, old.Drawn, old.Created
	}
	o.challenges[c.ID] = c
	return nil
}

func samePair(a, b store.Challenge) bool {
	return a.Challenger == b.Challenger && a.Opponent == b.Opponent || a.Challenger == b.Opponent && a.Opponent == b.Challenger
}

func (o model) deliver(d store.Delivery) {
	if m, ok := o.matches[d.Match]; ok {
		m.Message, m.Drawn = shownAfter(m.Message, m.Drawn, d)
		if d.Notice != nil {
			m.Notice = *d.Notice
		}
		o.matches[d.Match] = m
	}
	if c, ok := o.challenges[d.Challenge]; ok {
		c.Message, c.Drawn = shownAfter(c.Message, c.Drawn, d)
		o.challenges[d.Challenge] = c
	}
}

func shownAfter(message store.MessageID, drawn int, d store.Delivery) (store.MessageID, int) {
	if d.Message == "" || d.Message == message {
		return message, max(drawn, d.Drawn)
	}
	return d.Message, d.Drawn
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
		"Model", "random changes, deliveries and reopenings leave what a plain model of the promises holds, and are refused for the same reasons",
		func(t *testing.T, f *fixture) {
			setUnlessGiven(t, "rapid.checks", "30") // opening takes long,
			setUnlessGiven(t, "rapid.steps", "70")  // steps do not
			rapid.Check(t, func(rt *rapid.T) {
				s, want := f.open(t), newModel()
				defer func() { _ = s.Close() }()
				var waiting []store.Delivery
				stored := func() { // something was committed, and with it what was waiting
					for _, d := range waiting {
						want.deliver(d)
					}
					waiting = nil
				}
				rt.Repeat(map[string]func(*rapid.T){
					"apply": func(rt *rapid.T) {
						c := drawChange(rt, want)
						if c.Validate() != nil {
							if err := s.Apply(t.Context(), c); !errors.Is(err, store.ErrInvalid) {
								rt.Fatalf("Apply(%+v) = %v, want %v", c, err, store.ErrInvalid)
							}
							return
						}
						if _, wantErr := want.apply(c); wantErr == nil {
							stored() // before the records of the change
						}
						next, wantErr := want.apply(c)
						if err := s.Apply(t.Context(), c); !errors.Is(err, wantErr) {
							rt.Fatalf("Apply(%+v) = %v, want %v", c, err, wantErr)
						}
						want = next
					},
					"deliver": func(rt *rapid.T) {
						d := drawDelivery(rt)
						s.Deliver(d)
						waiting = append(waiting, d)
					},
					"uptime": func(rt *rapid.T) {
						d := store.Domain(rapid.IntRange(0, 1).Draw(rt, "domain"))
						up := time.Duration(rapid.Int64Range(-2, 20).Draw(rt, "uptime"))
						for _, u := range []store.Uptimes{{}, uptimes(d, up)} { // what is owned is saved
							if _, err := s.Lease(t.Context(), everything, u); err != nil {
								rt.Fatal(err)
							}
						}
						stored()
						want.saveUptime(d, up)
					},
					"reopen": func(rt *rapid.T) {
						if rapid.IntRange(0, 9).Draw(rt, "skip") > 0 {
							rt.Skip("opening takes long")
						}
						s = f.reopenStore(t, s)
						stored()
					},
					"recount": func(rt *rapid.T) {
						if wrong, err := s.Recount(t.Context()); wrong != 0 || err != nil {
							rt.Fatalf("Recount() = %d, %v, want no sum to be wrong", wrong, err)
						}
						stored()
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
	for _, m := range c.Matches {
		if m.State == store.Ended {
			c.Awards = append(c.Awards, drawAward(rt, m))
		}
	}
	drawConsent(rt, &c)
	if rapid.IntRange(0, 9).Draw(rt, "standings") == 0 {
		c.Epochs = []store.Epoch{{Guild: "1", At: noon, By: "9"}}
	}
	if rapid.IntRange(0, 9).Draw(rt, "absence") == 0 {
		c.Absences = []store.Absence{{Guild: "1", User: ada.User, Gone: rapid.Bool().Draw(rt, "gone")}}
	}
	for range rapid.IntRange(0, 2).Draw(rt, "challenges") {
		c.Challenges = append(c.Challenges, drawChallenge(rt, o))
	}
	if rapid.IntRange(0, 3).Draw(rt, "settings") == 0 {
		user := rapid.SampledFrom([]store.UserID{"1", "2"}).Draw(rt, "user")
		p := o.people[user]
		p.Reminders = rapid.SampledFrom([]store.Switch{0, store.On, store.Off}).Draw(rt, "reminders")
		p.User, p.Locale = user, rapid.SampledFrom([]string{"", "de"}).Draw(rt, "locale")
		p.Version += rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(rt, "version")
		c.People = append(c.People, p)
		g := o.guilds["1"]
		g.Guild, g.Clock.Set = "1", rapid.Bool().Draw(rt, "clock set")
		c.Guilds = append(c.Guilds, g)
	}
	return c
}

func drawAward(rt *rapid.T, m store.Match) store.Award {
	small := func(what string) int { return rapid.IntRange(0, 3).Draw(rt, what) }
	return store.Award{
		Match: m.ID, X: small("points of X"), O: small("points of O"),
		Why:  rapid.SampledFrom([]store.Why{store.Counts, store.Counts, store.TooShort}).Draw(rt, "why"),
		Caps: store.Caps{Seats: small("seats"), Pair: small("pair"), Person: small("person")},

		HonoursX: store.Honours(small("honours")), BotWin: rapid.Bool().Draw(rt, "bot win"), //nolint:gosec // small
		FromPosition: rapid.IntRange(0, 5).Draw(rt, "from a position") == 0,
	}
}

func drawMatch(rt *rapid.T, o model) store.Match {
	id := store.MatchID(rapid.IntRange(1, 5).Draw(rt, "match"))
	m, exists := o.matches[id]
	if !exists {
		m = match(id, rapid.SampledFrom([]store.ChannelID{"1", "01"}).Draw(rt, "channel"), rapid.IntRange(0, 2).Draw(rt, "place"))
		m.X, m.O = ada, rapid.SampledFrom([]store.Player{easy, bob}).Draw(rt, "opponent")
		m.Guild = rapid.SampledFrom([]store.GuildID{"", "1", "1", in(1)}).Draw(rt, "guild") // a change has one domain
	}
	switch rapid.IntRange(0, 7).Draw(rt, "what") {
	case 0, 1, 2:
		m.Moves = append(slices.Clone(m.Moves), engine.Cell(rapid.IntRange(0, 8).Draw(rt, "cell"))) //nolint:gosec // small
		if game, err := engine.Replay(m.Rules, m.Moves); err == nil && game.Over() {
			m.State = store.Ended
			m.EndReason, m.Winner = store.EndOf(game)
		}
	case 3:
		if m = ended(m); rapid.IntRange(0, 3).Draw(rt, "put aside") == 0 && m.O == easy {
			m.EndReason, m.Winner, m.EndedBy = store.PutAside, engine.None, bob.User
		}
		if rapid.Bool().Draw(rt, "judged") {
			m.Verdict.Kind = store.NoMistake
		}
	case 4:
		m.Moves = slices.Clone(m.Moves[:len(m.Moves)/2])
	case 5:
		m.Version += rapid.SampledFrom([]int{-1, 1}).Draw(rt, "version")
	case 6:
		m.Place = rapid.IntRange(0, 2).Draw(rt, "to place")
	}
	m.Deadline = time.Duration(rapid.IntRange(0, 3).Draw(rt, "deadline"))
	m.Remind = time.Duration(rapid.IntRange(0, 3).Draw(rt, "remind"))
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
		c.Guild = "1"
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

func drawDelivery(rt *rapid.T) store.Delivery {
	d := store.Delivery{
		Message: rapid.SampledFrom([]store.MessageID{"", "50", "51"}).Draw(rt, "message"),
		Drawn:   rapid.IntRange(0, 4).Draw(rt, "drawn"),
	}
	if rapid.Bool().Draw(rt, "of a match") {
		d.Match = store.MatchID(rapid.IntRange(1, 5).Draw(rt, "match"))
	} else {
		d.Challenge = store.ChallengeID(rapid.IntRange(1, 5).Draw(rt, "challenge"))
	}
	if rapid.Bool().Draw(rt, "with notice") {
		d.Notice = ptr(rapid.SampledFrom([]store.MessageID{"", "60"}).Draw(rt, "notice"))
	}
	return d
}

// compare compares everything that can be read with the model. Lists whose order
// the promises leave open are compared without it.
func compare(rt *rapid.T, t *testing.T, s store.Store, want model) {
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
	compareResults(ctx, s, &want, same)
	for id := store.ChallengeID(1); id <= 5; id++ {
		got, err := s.Challenge(ctx, id)
		if _, ok := want.challenges[id]; !ok && errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		same("Challenge", got, want.challenges[id], err)
	}
	for _, user := range []store.UserID{"1", "2"} {
		p := want.people[user]
		p.User = user
		got, err := s.Person(ctx, user)
		same("Person", got, p, err)
	}
	compareConsent(ctx, s, want, same)
	g := want.guilds["1"]
	g.Guild = "1"
	gotGuild, err := s.GuildSettings(ctx, "1")
	same("GuildSettings", gotGuild, g, err)
	active := func(m store.Match) bool { return m.State == store.Active }
	got, err := s.ActiveMatches(ctx, "1")
	same("ActiveMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Place > 0 && m.Channel == "1" },
		func(a, b store.Match) int { return cmp.Compare(a.Place, b.Place) }), err)
	for _, user := range []store.UserID{ada.User, bob.User} {
		got, err = s.SeatedMatches(ctx, "1", user, 9)
		same("SeatedMatches", got, want.list(
			func(m store.Match) bool { return seated(m) && m.Guild == "1" && m.Seat(user) != engine.None }, byID), err)
	}
	got, err = s.PrivateMatches(ctx, "1", ada.User, 9)
	slices.SortFunc(got, byID) // all of them are equally new
	same("PrivateMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Place == 0 && m.Channel == "1" }, byID), err)
	got, err = s.GuildMatches(ctx, "1", 2, 9)
	same("GuildMatches", got, want.list(
		func(m store.Match) bool { return active(m) && m.Guild == "1" && m.ID > 2 }, byID), err)
	latest := func(a, b store.Match) int { return cmp.Or(b.Updated.Compare(a.Updated), byID(b, a)) }
	behind := store.Cursor{Updated: noon.Add(time.Hour), ID: 3}
	isBehind := func(m store.Match) bool {
		return m.Updated.Before(behind.Updated) || m.Updated.Equal(behind.Updated) && m.ID < behind.ID
	}
	got, err = s.UndrawnMatches(ctx, noon, behind, 9)
	same("UndrawnMatches", got, want.list(
		func(m store.Match) bool {
			return m.Message != "" && m.Drawn < m.Version && !m.Updated.Before(noon) && isBehind(m)
		}, latest), err)
	got, err = s.DueMatches(ctx, 0, 2, 9)
	slices.SortStableFunc(got, func(a, b store.Match) int {
		return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), byID(a, b))
	})
	same("DueMatches", got, want.list(
		func(m store.Match) bool { return m.Guild.Domain() == 0 && m.Deadline > 0 && m.Deadline <= 2 },
		func(a, b store.Match) int { return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), byID(a, b)) }), err)

	got, err = s.DueReminders(ctx, 0, 2, 9)
	byReminder := func(a, b store.Match) int { return cmp.Or(cmp.Compare(a.Remind, b.Remind), byID(a, b)) }
	slices.SortStableFunc(got, byReminder)
	same("DueReminders", got, want.list(
		func(m store.Match) bool { return m.Guild.Domain() == 0 && m.Remind > 0 && m.Remind <= 2 }, byReminder), err)

	var open []store.ChallengeID
	next := want.nextDeadlines()
	for _, id := range slices.Sorted(maps.Keys(want.challenges)) {
		if c := want.challenges[id]; c.State == store.Open && c.Guild == "1" {
			open = append(open, id)
		}
	}
	challenges, err := s.GuildChallenges(ctx, "1", 0, 9)
	same("GuildChallenges", challengeIDs(challenges), open, err)
	gotNext, err := s.NextDeadlines(ctx)
	same("NextDeadlines", gotNext, next, err)
	uptime, err := s.Uptime(ctx)
	same("Uptime", uptime, want.uptime, err)
}

// nextDeadlines returns the earliest deadline or reminder of each domain.
func (o model) nextDeadlines() (next store.Uptimes) {
	look := func(d store.Domain, at time.Duration) {
		if at > 0 && (next[d] == 0 || at < next[d]) {
			next[d] = at
		}
	}
	for _, m := range o.matches {
		look(m.Guild.Domain(), m.Deadline)
		look(m.Guild.Domain(), m.Remind)
	}
	for _, c := range o.challenges {
		if c.State == store.Open {
			look(c.Guild.Domain(), c.Deadline)
		}
	}
	return next
}
