package storetest

import (
	"flag"
	"testing"
	"time"

	"pgregory.net/rapid"

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
					for range draw(rt, "changes", 1, 30) {
						w.apply(drawChange(rt, w))
					}
				},
				"play":    w.play,
				"deliver": w.deliver,
				"uptime":  w.uptime,
				"guilds":  w.guilds,
				"lobby":   w.lobby,
				"session": w.session,
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
		drawn := anything[store.Match](rt)
		m := won(match(store.MatchID(1000+w.played), pick(rt, "channel", "1", channelOf(w.played)), draw(rt, "place", 0, 1)))
		if m.Guild, m.Updated = "1", drawn.Updated; drawn.X != drawn.O {
			m.X, m.O = drawn.X, drawn.O
		}
		w.apply(changeOf(m, drawAward(rt, m)))
	}
}

// deliver has several deliveries be about the same, and some about something else.
func (w *walk) deliver(rt *rapid.T) {
	var d store.Delivery
	for i := range draw(rt, "deliveries", 1, 6) {
		match, challenge := d.Match, d.Challenge
		if d = anything[store.Delivery](rt); i > 0 && !once(rt, 3, "another record") {
			d.Match, d.Challenge = match, challenge
		} else if once(rt, 2, "of a match") {
			d.Challenge = 0
		} else if !once(rt, 6, "of two records") {
			d.Match = 0
		}
		w.Deliver(d)
	}
}

// lobby stores or deletes a lobby, mostly over the one that is there.
func (w *walk) lobby(rt *rapid.T) {
	l, old := anything[store.Lobby](rt), store.Lobby{}
	if all := sure(w.Lobbies(rt.Context(), "", 9)); len(all) > 0 && once(rt, 2, "over another") {
		if old = pick(rt, "lobby", all...); !once(rt, 3, "of another channel") {
			l.Channel = old.Channel
		}
		old = pick(rt, "old", old, old, store.Lobby{Message: old.Message, Drawn: l.Drawn}, store.Lobby{Message: l.Message, Drawn: old.Drawn})
	} else if l.Message == "" {
		l.Message = "50"
	}
	_ = w.SetLobby(rt.Context(), old, l)
}

// session keeps or takes a session, and keeps something that was found.
func (w *walk) session(rt *rapid.T) {
	of := anything[store.Session](rt)
	if once(rt, 2, "keep") {
		must(rt, w.both(func(s store.Store) error { return s.KeepSession(rt.Context(), of) }))
	} else {
		_, _ = same(&w.twins, func(s store.Store) (store.Session, error) { return s.TakeSession(rt.Context(), of) })
	}
	must(rt, w.both(func(s store.Store) error { return s.KeepQuirk(rt.Context(), of.URL) }))
}

func (w *walk) uptime(rt *rapid.T) {
	if once(rt, 3, "gives back") {
		must(rt, failure(w.Lease(rt.Context(), store.Wanted{}, store.Uptimes{})))
	}
	w.lease(rt, store.Uptimes{}) // what is owned is saved
	at := pick[time.Duration](rt, "uptime", -1, 0, 1, 2, 3, 4, 1<<62+1, 1<<62+2)
	w.lease(rt, uptimes(pick[store.Domain](rt, "domain", 0, 1, 63), at))
}

// erase has everything of somebody be erased, mostly when what is open of theirs has ended.
func (w *walk) erase(rt *rapid.T) {
	w.erasing++
	e := erasureOf(anything[store.UserID](rt), store.ErasedID(w.erasing))
	e.Begun = noon.Add(-time.Duration(w.erasing) * time.Minute) //nolint:gosec // not so many
	w.apply(changeOf(e))
	w.end(rt, sure(w.OpenMatches(rt.Context(), e.User, 9)), sure(w.ChallengesOf(rt.Context(), e.User, 9)))
	for _, e := range append(sure(w.Erasures(rt.Context(), 9)), e) { // the last of which may have begun, and ended
		w.toItsEnd(func() (store.ErasureStep, error) { return w.Erase(rt.Context(), e, pick(rt, "rows", 1, 3, 1000)) })
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
	app, guild := pick(rt, "application", ours, ours, theirs), pick(rt, "guild", "1", "1", in(63))
	at := noon.Add(pick[time.Duration](rt, "hours", 0, 11, 12, 24, 24*31) * time.Hour)
	switch draw(rt, "what", 0, 3) {
	case 0, 1:
		w.miss(rt, app, at, guild)
	case 2:
		guilds := []store.GuildID{guild, pick(rt, "another guild", "", "1", in(63))}
		_ = w.SeeGuilds(rt.Context(), store.Sighting{Application: app, At: at, Guilds: guilds})
	default:
		if once(rt, 2, "forget") {
			must(rt, w.ForgetGuild(rt.Context(), app, guild))
		}
		for _, d := range sure(w.Departures(rt.Context(), app, at, 9)) {
			if once(rt, 4, "of another moment") {
				d.Gone = d.Gone.Add(time.Millisecond)
			}
			w.end(rt, sure(w.GuildMatches(rt.Context(), d.Guild, 0, 9)), sure(w.GuildChallenges(rt.Context(), d.Guild, 0, 9)))
			w.toItsEnd(func() (store.ErasureStep, error) { return w.EraseGuild(rt.Context(), d, pick(rt, "rows", 1, 3, 1000)) })
		}
	}
	w.flush(rt)
}

func (w *walk) purge(rt *rapid.T) {
	before := func(what string) time.Time { return pick(rt, what, noon, noon.Add(time.Minute)) }
	must(rt, failure(w.Purge(rt.Context(), before("posts"), before("challenges"), 99)))
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
