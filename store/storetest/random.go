package storetest

import (
	"flag"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/engine"
	"tictactoe/store"
)

// walk is a store on which random things are done.
type walk struct {
	*rapid.T
	*fixture
	erasing uint64 // how many erasures have begun
	played  int    // how many matches were played from beginning to end
}

// apply stores the change, or both refuse it.
func (w *walk) apply(c store.Change) { _ = w.Apply(w.Context(), c) }

// toItsEnd goes on with an erasure for as long as it goes on. Then everything is stored that
// waits, which not every erasure has to do.
func (w *walk) toItsEnd(erase func() (store.ErasureStep, error)) {
	step, err := store.ErasureGoesOn, error(nil)
	for step == store.ErasureGoesOn && err == nil {
		step, err = erase()
	}
	must(w, err)
	w.flush(w)
}

var randomCases = []testCase{
	{"Random", "random changes, deliveries, erasures and reopenings leave what the store in memory holds, and are refused for the same reasons", func(t *testing.T, f *fixture) {
		setUnlessGiven(t, "rapid.checks", "30") // opening takes long,
		setUnlessGiven(t, "rapid.steps", "70")  // steps do not
		rapid.Check(t, func(rt *rapid.T) {
			w := &walk{T: rt, fixture: &fixture{open: f.open, reopenStore: f.reopenStore}}
			w.fresh(rt)
			defer func() { _ = w.Store.Close() }()
			rt.Repeat(map[string]func(*rapid.T){
				"apply": func(rt *rapid.T) {
					for range draw(rt, "changes", 1, 10) {
						w.apply(drawChange(rt, w))
					}
				},
				"play":    w.play,
				"deliver": w.deliver,
				"uptime":  w.uptime,
				"guilds":  w.guilds,
				"erase":   seldom(w.erase),
				"purge":   seldom(w.purge),
				"recount": seldom(func(rt *rapid.T) { w.wantRecounted(rt) }),
				"reopen":  seldom(func(rt *rapid.T) { w.reopen(rt) }),
			})
			w.flush(rt)
			w.look(rt)
		})
	}},
}

// seldom leaves most of the calls out.
func seldom(do func(*rapid.T)) func(*rapid.T) {
	return func(rt *rapid.T) {
		if !once(rt, 3, "seldom") {
			rt.Skip()
		}
		do(rt)
	}
}

// play has matches be played to their end.
func (w *walk) play(rt *rapid.T) {
	for range draw(rt, "matches", 1, 5) {
		w.played++
		m := won(between(store.MatchID(1000+w.played), store.Player{User: drawUser(rt)}, store.Player{User: drawUser(rt)}))
		if m.X == m.O {
			m.O = easy
		}
		m.Guild = "1"
		w.apply(changeOf(m, drawAward(rt, m)))
	}
}

func (w *walk) deliver(rt *rapid.T) {
	for range draw(rt, "deliveries", 1, 4) {
		w.Deliver(drawDelivery(rt))
	}
}

func (w *walk) uptime(rt *rapid.T) {
	w.lease(rt, store.Uptimes{}) // what is owned is saved
	w.lease(rt, uptimes(pick[store.Domain](rt, "domain", 0, 1), time.Duration(draw(rt, "uptime", -2, 20))))
}

// erase has everything of somebody be erased, mostly when what is open of theirs has ended.
func (w *walk) erase(rt *rapid.T) {
	w.erasing++
	e := erasureOf(drawUser(rt), store.ErasedID(w.erasing))
	e.Begun = noon.Add(time.Duration(w.erasing) * time.Minute) //nolint:gosec // not so many
	w.apply(changeOf(e))
	w.end(rt, sure(w.OpenMatches(rt.Context(), e.User, 9)), sure(w.ChallengesOf(rt.Context(), e.User, 9)))
	for _, e := range sure(w.Erasures(rt.Context(), 9)) {
		w.toItsEnd(func() (store.ErasureStep, error) { return w.Erase(rt.Context(), e, 3) })
	}
}

// end mostly ends what is in the way of an erasure.
func (w *walk) end(rt *rapid.T, matches []store.Match, challenges []store.Challenge) {
	if once(rt, 4, "ends") {
		return
	}
	for _, m := range matches {
		if m.GoesOn = false; m.State == store.Active {
			m.State, m.EndReason = store.Ended, store.Abandoned
		}
		w.apply(changeOf(m))
	}
	for _, c := range challenges {
		c.State = store.Cancelled
		w.apply(changeOf(c))
	}
}

// guilds has the bot be seen or missed in a guild, and now and then everything erased about
// those that are gone.
func (w *walk) guilds(rt *rapid.T) {
	guild := pick(rt, "guild", "1", "1", in(1))
	at := noon.AddDate(0, 0, pick(rt, "days", 0, 1, 2, 31))
	switch draw(rt, "what", 0, 2) {
	case 0:
		w.miss(rt, ours, at, guild)
	case 1:
		w.see(rt, ours, at, guild)
	default:
		if once(rt, 2, "forget") {
			must(rt, w.ForgetGuild(rt.Context(), ours, guild))
		}
		for _, d := range sure(w.Departures(rt.Context(), ours, at, 9)) {
			w.end(rt, sure(w.GuildMatches(rt.Context(), d.Guild, 0, 9)), sure(w.GuildChallenges(rt.Context(), d.Guild, 0, 9)))
			w.toItsEnd(func() (store.ErasureStep, error) { return w.EraseGuild(rt.Context(), d, 3) })
		}
	}
	w.flush(rt)
}

func (w *walk) purge(rt *rapid.T) {
	must(rt, failure(w.Purge(rt.Context(), noon, noon.Add(time.Minute), 99)))
	w.flush(rt)
}

// setUnlessGiven sets a flag for the time of the test, unless it was given on the
// command line.
func setUnlessGiven(t *testing.T, name, value string) {
	f := flag.Lookup(name)
	if before := f.Value.String(); before == f.DefValue && f.Value.Set(value) == nil {
		t.Cleanup(func() { _ = f.Value.Set(before) }) // it had that value
	}
}

// pick draws one of the values.
func pick[T any](rt *rapid.T, what string, of ...T) T { return rapid.SampledFrom(of).Draw(rt, what) }

// draw draws a number.
func draw(rt *rapid.T, what string, from, to int) int { return rapid.IntRange(from, to).Draw(rt, what) }

// once says yes once in so many times.
func once(rt *rapid.T, in int, what string) bool { return draw(rt, what, 1, in) == 1 }

// mostDrawn is the greatest id of matches and challenges.
const mostDrawn = 7

// drawChange returns a change that has a good chance both to be stored and to be
// refused.
func drawChange(rt *rapid.T, w *walk) store.Change {
	var c store.Change
	if n := draw(rt, "interaction", -60, 40); n > 0 {
		c.Interaction = claim(n)
	}
	for range draw(rt, "matches", 0, 2) {
		m := drawMatch(rt, w)
		if len(c.Matches) > 0 && c.Matches[0].Guild.Domain() != m.Guild.Domain() && !once(rt, 10, "two domains") {
			break // a change has one
		}
		for _, before := range c.Matches {
			m.GoesOn = m.GoesOn && (m.ID != before.ID || before.GoesOn || before.State != store.Ended)
		}
		c.Matches = append(c.Matches, m)
	}
	for _, m := range c.Matches {
		if m.State == store.Ended {
			c.Awards = append(c.Awards, drawAward(rt, m))
		}
	}
	drawConsent(rt, &c)
	if once(rt, 10, "standings") {
		c.Epochs = []store.Epoch{{Guild: "1", At: noon, By: "9"}}
	}
	if once(rt, 4, "absence") {
		c.Absences = []store.Absence{{Guild: "1", User: drawUser(rt), Gone: once(rt, 2, "gone")}}
	}
	if len(c.Matches) > 0 && c.Matches[0].Guild.Domain() > 0 && !once(rt, 10, "two domains") {
		return c
	}
	for range pick(rt, "challenges", 0, 0, 1, 2) {
		c.Challenges = append(c.Challenges, drawChallenge(rt, w))
	}
	if once(rt, 4, "settings") {
		p, _ := w.Person(rt.Context(), drawUser(rt))
		for _, on := range []*store.Switch{&p.Reminders, &p.Recap, &p.CrownCalls} {
			*on = pick(rt, "switch", 0, store.On, store.Off)
		}
		p.PlaysBy = pick(rt, "plays by", 0, store.ByNames, store.ByList)
		p.Mark = pick(rt, "mark", 0, store.MarkStar, store.AlwaysXO)
		p.Locale, p.Version = pick(rt, "locale", "", "de"), p.Version+pick(rt, "version", 0, 0, 0, 1)
		c.People = append(c.People, p)
		g, _ := w.GuildSettings(rt.Context(), "1")
		g.Clock.Set = once(rt, 2, "clock set")
		c.Guilds = append(c.Guilds, g)
	}
	if once(rt, 4, "puzzles") {
		drawPuzzles(rt, w, &c)
	}
	if once(rt, 4, "crown") {
		king, _ := w.Crown(rt.Context(), "1", "1")
		king.User = drawUser(rt)
		king.Wins, king.Version = draw(rt, "wins of the king", 0, 9), king.Version+pick(rt, "version of the crown", 0, 0, 0, 1)
		c.Crowns = []store.Crown{king}
	}
	return c
}

// drawPuzzles adds a try, and what it makes of who tries.
func drawPuzzles(rt *rapid.T, w *walk, c *store.Change) {
	user := drawUser(rt)
	try, _ := w.PuzzleTry(rt.Context(), user, pick[int64](rt, "day", 20000, 20003))
	if try.State == store.PuzzleSolved {
		return // for good
	}
	try.Guild = pick(rt, "guild of the try", "", "1", in(1))
	try.Shared = once(rt, 2, "shared")
	try.Version += pick(rt, "version of the try", 0, 0, 0, 1)
	try.State = pick(rt, "state of the try", store.PuzzleOpen, store.PuzzleSolved)
	c.Tries = []store.PuzzleTry{try}
	p, _ := w.Puzzler(rt.Context(), user)
	p.Streak = draw(rt, "streak", 0, 3)
	p.Solved, p.Best, p.Tries = 3, 3, p.Streak
	if try.State == store.PuzzleSolved {
		p.Last = max(p.Last, try.Day)
	}
	c.Puzzlers = []store.Puzzler{p}
	post, _ := w.Post(rt.Context(), "a")
	post.At = noon.Add(time.Duration(draw(rt, "posted", -1, 0)) * time.Hour)
	c.Posts = []store.Post{post}
}

// drawUser returns one of those who are compared.
func drawUser(rt *rapid.T) store.UserID { return pick(rt, "user", ada.User, bob.User, "2") }

func drawAward(rt *rapid.T, m store.Match) store.Award {
	small := func(what string) int { return draw(rt, what, 0, 3) }
	return store.Award{
		Match: m.ID, X: small("points of X"), O: small("points of O"),
		Why:      pick(rt, "why", store.Counts, store.Counts, store.TooShort),
		Caps:     store.Caps{Seats: small("seats"), Pair: small("pair"), Person: small("person")},
		HonoursX: store.Honours(small("honours")), BotWin: once(rt, 2, "bot win"), //nolint:gosec // small
		FromPosition: once(rt, 6, "from a position"),
	}
}

func drawMatch(rt *rapid.T, w *walk) store.Match {
	id := store.MatchID(draw(rt, "match", 1, mostDrawn))
	m, err := w.Match(rt.Context(), id)
	if err != nil {
		m = match(id, pick[store.ChannelID](rt, "channel", "1", "01"), draw(rt, "place", 0, 2))
		m.X, m.O = store.Player{User: drawUser(rt)}, store.Player{User: drawUser(rt)}
		if m.X == m.O {
			m.O = easy
		}
		if m.O.IsUser() {
			m.BestOf = pick(rt, "best of", 0, 3)
		}
		m.TokenOnly = once(rt, 4, "token only")
		m.Created = noon.Add(time.Duration(draw(rt, "created", 0, 2)) * time.Hour)
		m.Message, m.Drawn = pick[store.MessageID](rt, "message", "", "50"), draw(rt, "drawn", 0, 1)
		m.Guild = pick(rt, "guild", "", "1", "1", in(1)) // a change has one domain
	}
	before := m.State
	switch draw(rt, "what", 0, 7) {
	case 0, 1, 2:
		m.Moves = append(slices.Clone(m.Moves), engine.Cell(draw(rt, "cell", 0, 8))) //nolint:gosec // small
		if game, err := engine.Replay(m.Rules, m.Moves); err == nil && game.Over() {
			m.State = store.Ended
			m.EndReason, m.Winner = store.EndOf(game)
		}
	case 3, 7:
		if m = ended(m); once(rt, 4, "put aside") && m.O == easy {
			if by := drawUser(rt); by != m.X.User {
				m.EndReason, m.Winner, m.EndedBy = store.PutAside, engine.None, by
			}
		}
		if once(rt, 2, "judged") {
			m.Verdict.Kind = store.NoMistake
			gain := draw(rt, "gain", 0, 3)
			m.Gain = store.Gain{Points: gain, Place: gain, Streak: gain, Honours: feat, Crown: gain, Throne: gain > 0}
		}
	case 4:
		m.Moves = slices.Clone(m.Moves[:len(m.Moves)/2])
	case 5:
		m.Version += pick(rt, "version", -1, 1)
	case 6:
		m.Place = draw(rt, "to place", 0, 2)
	}
	// Once a series has ended it does not go on, nor in the same change.
	m.GoesOn = m.BestOf > 0 && m.State == store.Ended && (before == store.Active || m.GoesOn) && once(rt, 2, "goes on")
	m.Deadline = time.Duration(draw(rt, "deadline", 0, 3))
	m.Remind = time.Duration(draw(rt, "remind", 0, 3))
	m.Clock = time.Duration(draw(rt, "clock", 0, 1))
	m.Updated = noon.Add(time.Duration(draw(rt, "updated", -1, 1)) * time.Hour)
	return m
}

func drawChallenge(rt *rapid.T, w *walk) store.Challenge {
	id := store.ChallengeID(draw(rt, "challenge", 1, mostDrawn))
	c, err := w.Challenge(rt.Context(), id)
	if err != nil {
		c = challenge(id, drawUser(rt), drawUser(rt))
		c.Guild, c.Created = pick(rt, "guild of the challenge", "1", "1", "1", in(1)), noon.Add(time.Duration(id)*time.Second) // a channel knows the last one for its crown
		if c.Opponent == c.Challenger {
			c.Opponent = ""
		} else {
			c.Crown = pick[store.ChannelID](rt, "crown", "", "1", "2")
		}
	}
	c.State = pick(rt, "state", store.Open, store.Open, store.Open, store.Declined, store.Accepted, store.Expired, store.Renewed)
	switch c.Match, c.Next = 0, 0; c.State {
	case store.Accepted:
		c.Match = 1
	case store.Renewed:
		c.Next = store.ChallengeID(pick(rt, "next", 0, 9))
	}
	c.OpponentLocale = pick(rt, "opponent's language", "", "el")
	if once(rt, 6, "take") {
		c.Opponent = drawUser(rt)
	}
	if once(rt, 6, "old") {
		c.Version++
	}
	c.Deadline = time.Duration(draw(rt, "deadline", 0, 3))
	c.Updated = noon.Add(time.Duration(draw(rt, "updated", -1, 1)) * time.Hour)
	return c
}

func drawDelivery(rt *rapid.T) store.Delivery {
	d := store.Delivery{Drawn: draw(rt, "drawn", 0, 4), Message: pick[store.MessageID](rt, "message", "", "50", "51")}
	if once(rt, 2, "of a match") {
		d.Match = store.MatchID(draw(rt, "match", 1, mostDrawn))
	} else {
		d.Challenge = store.ChallengeID(draw(rt, "challenge", 1, mostDrawn))
	}
	for _, notice := range []*store.MessageID{&d.Notice, &d.Removed} {
		*notice = pick[store.MessageID](rt, "notice", "", "", "60", "61")
	}
	return d
}

// drawConsent adds blocks, and the need for consent, to some changes.
func drawConsent(rt *rapid.T, c *store.Change) {
	where := func() store.GuildID { return pick[store.GuildID](rt, "where", "", "1", "2") }
	if once(rt, 4, "consent") {
		pair := pick(rt, "pair", [2]store.UserID{"1", "2"}, [2]store.UserID{"2", "1"})
		c.Consents = []store.Consent{{Guild: where(), By: pair[0], To: pair[1], Unasked: once(rt, 2, "unasked")}}
	}
	if once(rt, 4, "block") {
		block := store.Block{User: drawUser(rt), From: drawUser(rt), Guild: where(), Since: noon, Lifted: once(rt, 2, "lifted")}
		if block.From == block.User {
			block.From = "" // anybody
		}
		c.Blocks = []store.Block{block}
	}
}
